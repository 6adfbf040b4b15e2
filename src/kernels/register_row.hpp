// A cluster a row, for few rows: each block holds a share of the row in registers and reads it once. A ruler laid by a
// sample that all blocks draw alike is counted, the blocks send each other how many scores each bin reaches in one
// trip, and every block then knows the cut and its own place in the output. What the cut leaves undecided goes to the
// first block, which ranks it. How much is sent is read from the numbers that were exchanged, so no block waits for
// more.
#pragma once

#include "kernels/rows.hpp"
#include "stages/bounds.hpp"
#include "stages/draw.hpp"
#include "stages/held.hpp"
#include "stages/paged_slots.hpp"
#include "stages/reach.hpp"
#include "stages/read_ahead.hpp"
#include "stages/ruler.hpp"
#include "stages/tally_bins.hpp"
#include "stages/target.hpp"

namespace tamis::kernels {

// `count` scores a thread; `fours` groups of four a lane in the sample.
template <int count, int fours>
struct RegisterRow {
  using Arguments = kernels::Arguments;
  using Held = stages::Held<count>;
  using Target = stages::Target<ScoreType::f32>;
  using Cut = stages::Cut;

  static constexpr int bins = 256;
  static constexpr int sampling_warps = 4;
  static constexpr int most_undecided = 256;  // ranked by comparing all with all; more are counted again

  // A score whose bin holds more than are taken of it, as the first block ranks it.
  struct Undecided {
    std::uint64_t rank;  // key, then the complement of the position
    std::int32_t slot;
    std::int32_t unused;
  };

  template <class Block>
  struct Shared {
    stages::BinCounts<bins> counts;
    stages::ReachExchange<Block, bins> reach;
    Undecided undecided[most_undecided];
    simt::Pack<std::uint32_t, 2> range[Block::cluster_size];  // of the undecided keys, by block
    stages::Bounds bounds[sampling_warps];
    std::uint32_t read_ahead;
    std::uint32_t of_warp[Block::warps];
    std::uint32_t low[Block::warps];
    std::uint32_t high[Block::warps];
    typename Block::TransactionBarrier ranged;
    typename Block::TransactionBarrier listed;
    std::int32_t pages[Block::size * count / stages::least_page];
  };

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    if constexpr (Block::lanes == 32 && Block::size >= bins && Block::size >= most_undecided)
      Journey<Block>{block, arguments, simt::shared<Shared<Block>>(block)}.run();
  }

 private:
  template <class Block>
  struct Journey {
    Block block;
    const Arguments& arguments;
    Shared<Block>& shared;
    stages::Ruler<bins> ruler{};
    stages::Grouping grouping{};
    std::uint32_t round = 0;  // exchanges of counts so far

    static constexpr int blocks = Block::cluster_size;

    TAMIS_DEVICE void run() {
      block.allow_next_kernel();
      prepare();
      grouping = find_grouping();
      if (block.rank() == 0) shared.read_ahead = stages::read_ahead(arguments);
      block.wait_for_previous_kernel();
      const int row = block.grid_rank() / blocks;
      if (row < arguments.shape.rows)
        select_row(row);
      else if constexpr (blocks > 1)
        block.cluster_wait();
    }

    // Others may send here once they have passed cluster_wait().
    TAMIS_DEVICE void prepare() {
      shared.counts.clear_unsynced(block);
      if constexpr (blocks > 1) {
        if (block.rank() == 0) {
          shared.reach.init();
          shared.ranged.init(1);
          shared.listed.init(1);
        }
        block.sync_warp();
        block.cluster_arrive();
      }
    }

    TAMIS_DEVICE int share_size() const {
      const int each = (static_cast<int>(arguments.shape.width) + blocks - 1) / blocks;
      return (each + stages::least_page - 1) / stages::least_page * stages::least_page;
    }

    TAMIS_DEVICE void select_row(int row) {
      const int start = arguments.rows.starts != nullptr ? block.load(arguments.rows.starts + row) : 0;
      const auto scores = stages::Readable::of(arguments, row, start);
      const int size = share_size();
      const int first = block.cluster_rank() * size;
      stages::Drawn<fours> drawn;
      if (block.warp() < sampling_warps) drawn = stages::draw<fours, sampling_warps>(block, scores, row);
      Held held = stages::hold<count>(block, scores, first, size);
      const auto slots = stages::PagedSlots::of(block, arguments, row);
      const std::int32_t page = load_page(slots, first, size);
      const stages::Window window = stages::find_window(block, arguments, row);  // the first use of what was loaded
      if (slots.slots != nullptr && block.rank() < size / stages::least_page) shared.pages[block.rank()] = page;
      if (window.whole()) [[unlikely]]
        return put_whole(window);
      const int end = std::min(window.length, first + size);
      if (first + Block::size * count > end) [[unlikely]]
        stages::cut_off(held, end);
      if (block.warp() < sampling_warps) guess(drawn, window.length);
      block.sync();
      lay();
      select_from(held, window, slots, size);
    }

    // A row of which every position is selected, by the first block.
    TAMIS_DEVICE void put_whole(stages::Window window) {
      if (block.cluster_rank() == 0) {
        const Target target = stages::target_of<ScoreType::f32>(block, arguments, window);
        target.put_rest(block, window);
        const auto row = stages::Readable::of(arguments, window.row, window.start);
        stages::put_whole_row(block, reinterpret_cast<const std::uint32_t*>(row.scores), target, window);
      }
      if constexpr (blocks > 1) block.cluster_wait();
    }

    TAMIS_DEVICE std::int32_t load_page(const stages::PagedSlots& slots, int first, int size) const {
      if (slots.slots == nullptr || block.rank() >= size / stages::least_page) return -1;
      const int column = (first >> slots.shift) + block.rank();
      return slots.page(block, column, arguments.output.page_table.columns);
    }

    // --- where the threshold lies ---

    TAMIS_DEVICE stages::Grouping find_grouping() const {
      constexpr int most_doublings = fours == 4 ? 5 : fours == 2 ? 4 : 3;  // sixteen groups are left
      return stages::Grouping::of(static_cast<int>(arguments.shape.width), static_cast<int>(arguments.shape.k),
                                  most_doublings);
    }

    TAMIS_DEVICE void guess(stages::Drawn<fours>& drawn, int length) {
      stages::cut_off(drawn, length);
      const stages::Bounds bounds = stages::bounds_of(block, drawn.score, grouping);
      if (block.lane() == 0) shared.bounds[block.warp()] = bounds;
    }

    TAMIS_DEVICE void lay() {
      stages::Bounds all = shared.bounds[0];
      TAMIS_UNROLL
      for (int i = 1; i < sampling_warps; ++i) {
        all.low = std::min(all.low, shared.bounds[i].low);
        all.high = std::max(all.high, shared.bounds[i].high);
      }
      ruler = stages::lay_ruler<bins>(std::min(all.low, all.high), all.high, grouping.sparse ? 0.5f : 0.0f);
    }

    // --- the cut ---

    TAMIS_DEVICE void select_from(const Held& held, stages::Window window, const stages::PagedSlots& slots, int size) {
      TAMIS_UNROLL
      for (int i = 0; i < count; ++i) block.fetch_add(shared.counts.of(ruler.bin_of(ruler.reading(held.score[i]))), 1u);
      block.sync();
      if constexpr (blocks > 1) block.cluster_wait();
      Cut cut = find(window.selected, window.length, size);
      Marks marks = mark_by_ruler(held, cut.bin);
      auto needed = static_cast<std::uint32_t>(window.selected) - cut.above;
      bool tied = false;
      while (cut.inside != needed && cut.inside > most_undecided && !tied) [[unlikely]] {
          const stages::Bounds range = range_of(held, marks.undecided);
          tied = range.low == range.high;
          if (tied) break;
          const std::uint32_t before = cut.above_before;
          cut = narrow(held, marks, range, needed);
          needed -= cut.above;
          cut.above_before += before;
        }
      if (tied) [[unlikely]]
        marks.undecided =
            stages::first_by_position<count>(block, shared.of_warp, marks.undecided, cut.inside_before, needed);
      if (tied || cut.inside == needed) {
        marks.taken |= marks.undecided;
        marks.undecided = 0;
        cut.above_before += std::min(cut.inside_before, needed);
        cut.inside = 0;
      }
      deliver(held, marks, cut, needed, window, slots);
    }

    struct Marks {
      std::uint32_t taken;
      std::uint32_t undecided;
    };

    // The cut over all blocks' counts. The counts of bin 0 are not kept: they are what is missing of the length.
    TAMIS_DEVICE Cut find(std::uint32_t needed, int length, int size) {
      if constexpr (blocks == 1) {
        return stages::find_cut(block, shared.counts, needed, static_cast<std::uint32_t>(length));
      } else {
        shared.reach.exchange(block, shared.counts, round++);
        const int lane = block.lane();
        const int all = lane < blocks ? std::clamp(length - lane * size, 0, size) : 0;
        return shared.reach.cut(block, needed, static_cast<std::uint32_t>(all));
      }
    }

    TAMIS_DEVICE Marks mark_by_ruler(const Held& held, int bin) const {
      const float cut = ruler.reading_of(bin);
      std::uint32_t above = 0;
      std::uint32_t below = 0;
      TAMIS_UNROLL
      for (int i = 0; i < count; ++i) {
        const float reading = ruler.reading(held.score[i]);
        above = simt::append_sign(above, cut - reading);
        below = simt::append_sign(below, reading - cut);
      }
      return {above, ~(above | below) & held.valid};
    }

    // --- too many undecided: their range of keys, and counts of its digits ---

    TAMIS_DEVICE static std::uint32_t key(float score) { return stages::detail::key_of_score(score); }

    TAMIS_DEVICE stages::Bounds range_of(const Held& held, std::uint32_t undecided) {
      stages::Bounds range{~0u, 0};
      Held::for_each(undecided, [&](int i) {
        range.low = std::min(range.low, key(held.score[i]));
        range.high = std::max(range.high, key(held.score[i]));
      });
      range = {block.reduce_min(range.low), block.reduce_max(range.high)};
      block.sync();
      if (block.lane() == 0) {
        shared.low[block.warp()] = range.low;
        shared.high[block.warp()] = range.high;
      }
      shared.counts.clear_unsynced(block);
      block.sync();
      const bool counts = block.lane() < Block::warps;
      range = {block.reduce_min(counts ? shared.low[block.lane()] : ~0u),
               block.reduce_max(counts ? shared.high[block.lane()] : 0u)};
      if constexpr (blocks > 1) {
        return range_of_all(range);
      } else {
        return range;
      }
    }

    TAMIS_DEVICE stages::Bounds range_of_all(stages::Bounds range) {
      if (block.rank() == 0) shared.ranged.expect(sizeof shared.range);
      if (block.rank() < blocks)
        block.send(block.remote(shared.range[block.cluster_rank()], block.rank()), {{range.low, range.high}},
                   shared.ranged, block.rank());
      shared.ranged.wait((round & 1) ^ 1);
      const bool counts = block.lane() < blocks;
      return {block.reduce_min(counts ? shared.range[block.lane()][0] : ~0u),
              block.reduce_max(counts ? shared.range[block.lane()][1] : 0u)};
    }

    TAMIS_DEVICE Cut narrow(const Held& held, Marks& marks, stages::Bounds range, std::uint32_t needed) {
      const int excess = std::bit_width(range.high - range.low) - std::bit_width(unsigned{bins} - 1);
      const int shift = std::max(0, excess);
      const auto bin_of = [&](int i) { return 1 + static_cast<int>((key(held.score[i]) - range.low) >> shift); };
      Held::for_each(marks.undecided, [&](int i) { block.fetch_add(shared.counts.of(bin_of(i)), 1u); });
      block.sync();
      const Cut cut = find(needed, 0, 0);
      Held::for_each(marks.undecided, [&](int i) {
        if (bin_of(i) > cut.bin) marks.taken |= Held::mark(i);
        if (bin_of(i) != cut.bin) marks.undecided &= ~Held::mark(i);
      });
      return cut;
    }

    // --- output ---

    TAMIS_DEVICE void deliver(const Held& held, Marks marks, const Cut& cut, std::uint32_t needed,
                              stages::Window window, const stages::PagedSlots& slots) {
      const auto taken = static_cast<std::uint32_t>(std::popcount(marks.taken));
      const std::uint32_t mine = taken | static_cast<std::uint32_t>(std::popcount(marks.undecided)) << 16;
      const std::uint32_t through = block.scan_add(mine);
      const std::uint32_t before = stages::before_warp(block, shared.of_warp, through) + through - mine;
      if constexpr (blocks > 1) {
        if (block.rank() == 0 && block.cluster_rank() == 0 && cut.inside != 0)
          shared.listed.expect(cut.inside * sizeof(Undecided));
      }
      list_undecided(held, marks.undecided, static_cast<int>(cut.inside_before + (before >> 16)), slots);
      put_taken(held, marks.taken, static_cast<int>(cut.above_before + (before & 0xffffu)), window, slots);
      if (block.cluster_rank() != 0) return;
      const Target target = slots.slots != nullptr ? Target{&arguments, {slots.pages, 0}, window.row}
                                                   : stages::target_of<ScoreType::f32>(block, arguments, window);
      target.put_rest(block, window);
      if (cut.inside != 0) put_undecided(cut.inside, needed, window, slots);
    }

    TAMIS_DEVICE std::int32_t page_of(const stages::PagedSlots& slots, int position, int first) const {
      return shared.pages[(position >> slots.shift) - (first >> slots.shift)];
    }

    TAMIS_DEVICE std::int32_t slot_of(const stages::PagedSlots& slots, int position) const {
      if (slots.slots == nullptr) return -1;
      const std::int32_t page = page_of(slots, position, block.cluster_rank() * share_size());
      return page < 0 ? -1 : slots.slot(page, position);
    }

    TAMIS_DEVICE void list_undecided(const Held& held, std::uint32_t marks, int at, const stages::PagedSlots& slots) {
#pragma unroll 1
      for (; marks != 0; ++at) {
        const int bit = std::bit_width(marks) - 1;
        const float score = held.score_of(std::uint32_t{1} << bit);
        const int position = held.position(count - 1 - bit);
        const std::uint64_t rank = std::uint64_t{key(score)} << 32 | ~static_cast<std::uint32_t>(position);
        const Undecided item{rank, slot_of(slots, position), 0};
        marks ^= std::uint32_t{1} << bit;
        if constexpr (blocks == 1)
          shared.undecided[at] = item;
        else
          block.send(block.remote(shared.undecided[at], 0), item, shared.listed, 0);
      }
    }

    // Few scores a thread are written with all of their stores under way at once, many in a loop over those marked.
    TAMIS_DEVICE void put_taken(const Held& held, std::uint32_t marks, int first, stages::Window window,
                                const stages::PagedSlots& slots) {
      std::uint32_t rest = marks;
      if (count <= 16 && slots.slots != nullptr) {
        int at = first;
        Held::for_each(marks, [&](int i) {
          const std::int32_t slot = slot_of(slots, held.position(i));
          if (slot >= 0) slots.slots[at] = slot, rest ^= Held::mark(i);
          ++at;
        });
      }
#pragma unroll 1
      while (rest != 0) {
        const int bit = std::bit_width(rest) - 1;
        rest ^= std::uint32_t{1} << bit;
        const int at = first + std::popcount(marks >> bit) - 1;
        const int position = held.position(count - 1 - bit);
        const std::int32_t slot = slot_of(slots, position);
        if (slot >= 0)
          slots.slots[at] = slot;
        else
          put_anyhow(block, arguments, window, at, position);
      }
    }

    // Every output there is, whatever the mapping.
    TAMIS_DEVICE_OUTLINED static void put_anyhow(Block block, const Arguments& arguments, stages::Window window, int at,
                                                 int position) {
      std::uint32_t score = 0;
      if (arguments.output.scores != nullptr) {
        const float* scores = stages::Readable::of(arguments, window.row, window.start).scores;
        score = std::bit_cast<std::uint32_t>(block.load(scores + position));
      }
      stages::target_of<ScoreType::f32>(block, arguments, window).put(block, at, position, score);
    }

    // Each thread ranks one of the undecided among all; the best `needed` come last in the output.
    TAMIS_DEVICE void put_undecided(std::uint32_t inside, std::uint32_t needed, stages::Window window,
                                    const stages::PagedSlots& slots) {
      if constexpr (blocks == 1)
        block.sync();
      else
        shared.listed.wait(0);
      const auto mine = static_cast<std::uint32_t>(block.rank());
      if (mine >= inside) return;
      const Undecided item = shared.undecided[mine];
      std::uint32_t better = 0;
      for (std::uint32_t first = 0; first < inside; first += 8) {
        TAMIS_UNROLL
        for (std::uint32_t i = 0; i < 8; ++i)
          better += first + i < inside && shared.undecided[first + i].rank > item.rank ? 1 : 0;
      }
      if (better >= needed) return;
      const int position = static_cast<int>(~static_cast<std::uint32_t>(item.rank));
      const int at = window.selected - static_cast<int>(needed - better);
      if (item.slot >= 0)
        slots.slots[at] = item.slot;
      else
        put_anyhow(block, arguments, window, at, position);
    }
  };
};

}  // namespace tamis::kernels
