// whole_row twice: as the library composes it, and by hand. twin_check.py holds the first to the second.
#include "flat.hpp"
#include "kernels/whole_row.hpp"
#include "simt/kernel.hpp"

TAMIS_ENTRY(composed, 256, 4, 1, tamis::kernels::WholeRow<tamis::ScoreType::f32>)

extern "C" __global__ void __launch_bounds__(256, 4)
    tamis_flat(const __grid_constant__ tamis::kernels::Arguments arguments) {
  const tamis::Output& output = arguments.output;
  const tamis::PageTable& table = output.page_table;
  const int rank = static_cast<int>(threadIdx.x);
  start_by_hand();
  for (std::int64_t number = blockIdx.x; number < arguments.shape.rows; number += gridDim.x) {
    const int row = static_cast<int>(number);

    const auto [start, length, selected, clamped, misplaced] = window_by_hand(arguments, row);

    // Where its slots follow from.
    const std::int32_t* pages = nullptr;
    std::int64_t offset = 0;
    bool unplaced = false;
    if (output.slots != nullptr && selected != 0 && output.mapping != tamis::Mapping::none) {
      if (output.mapping == tamis::Mapping::ragged) {
        offset = load_int(output.offsets + row);
      } else {
        std::int64_t place = row;
        if (table.cu_rows != nullptr) {
          std::int64_t low = 0, high = table.tables + 1;
          while (low < high) {
            const std::int64_t middle = (low + high) / 2;
            if (load_int(table.cu_rows + middle) <= row)
              low = middle + 1;
            else
              high = middle;
          }
          place = low - 1;
        } else if (table.table_of_row != nullptr) {
          place = load_int(table.table_of_row + row);
        }
        if (place < 0 || place >= table.tables) {
          unplaced = true;
        } else {
          offset = table.page_start != nullptr ? load_int(table.page_start + row) : 0;
          pages = table.entries + place * table.stride;
        }
      }
    }

    // Padding, the count, the faults.
#pragma unroll 1
    for (std::int64_t i = selected + rank; i < arguments.shape.k; i += 256) {
      if (output.indices != nullptr) output.indices[row * output.indices_stride + i] = -1;
      if (output.slots != nullptr) {
        const std::int64_t entry = row * output.slots_stride + i;
        if (output.slot_type == tamis::SlotType::i64)
          static_cast<std::int64_t*>(output.slots)[entry] = -1;
        else
          static_cast<std::int32_t*>(output.slots)[entry] = -1;
      }
      if (output.scores != nullptr)
        static_cast<std::uint32_t*>(output.scores)[row * output.scores_stride + i] = 0xff800000u;
    }
    if (output.counts != nullptr && rank == 0) output.counts[row] = selected;
    if (rank == 0) {
      if (misplaced && output.faults != nullptr) count_fault_by_hand(&output.faults->start, row);
      if (clamped && output.faults != nullptr) count_fault_by_hand(&output.faults->length, row);
      if (unplaced && output.faults != nullptr) count_fault_by_hand(&output.faults->table_row, row);
    }

    // Every position of the row.
    const auto* scores =
        static_cast<const std::uint32_t*>(arguments.rows.scores) + (row * arguments.rows.stride + start);
    const bool scored = output.scores != nullptr;
    for (unsigned i = rank; i < static_cast<unsigned>(length); i += 256) {
      const std::uint32_t bits = scored ? load_score(scores + i) : 0;
      if (output.indices != nullptr) output.indices[row * output.indices_stride + static_cast<int>(i)] = i;
      if (output.slots != nullptr) {
        const std::int64_t token = static_cast<int>(i) + offset;
        std::int64_t slot = token;
        if (output.mapping == tamis::Mapping::paged) {
          slot = -1;
          if (!unplaced) {
            const auto position = static_cast<std::uint32_t>(token);
            const auto size = static_cast<std::uint32_t>(table.page_size);
            const std::uint32_t column = position / size;
            const int page = token < 0 || column >= table.columns ? -1 : load_int(pages + column);
            if (page >= 0)
              slot = std::int64_t{page} * size + position % size;
            else if (output.faults != nullptr)
              count_fault_by_hand(&output.faults->page, row);
          }
        }
        if (output.slot_type != tamis::SlotType::i64 && slot != static_cast<std::int32_t>(slot)) {
          slot = -1;
          if (output.faults != nullptr) count_fault_by_hand(&output.faults->slot, row);
        }
        const std::int64_t entry = row * output.slots_stride + static_cast<int>(i);
        if (output.slot_type == tamis::SlotType::i64)
          static_cast<std::int64_t*>(output.slots)[entry] = slot;
        else
          static_cast<std::int32_t*>(output.slots)[entry] = static_cast<std::int32_t>(slot);
      }
      if (output.scores != nullptr)
        static_cast<std::uint32_t*>(output.scores)[row * output.scores_stride + static_cast<int>(i)] = bits;
    }
  }
}
