// The inner loops of choices that AMD's kernels made, both ways, for tools/amd_alternatives.py: what reaches a bound is
// listed by a block of 1024 or of 512 threads, as many bytes under way; digits of a row that is kept are counted from
// shared memory or from registers. Compiled to be looked at, never launched.
#include "kernels/wide/select.hpp"
#include "simt/kernel.hpp"
#include "stages/resident.hpp"

namespace tamis::alternatives {

using Row = stages::Row<ScoreType::f32>;

template <class Block>
TAMIS_DEVICE Row row_of(Block block, const kernels::Arguments& arguments) {
  return stages::row_of<ScoreType::f32>(arguments, kernels::wide::window_of(block, arguments, block.grid_rank()));
}

// The listing pass of wide/append.hpp over packs that lie inside the window, `ahead` of them under way a thread.
template <int ahead>
struct List {
  using Arguments = kernels::Arguments;
  using Shared = kernels::wide::Shared;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    auto& counter = simt::shared<Shared>(block).counter;
    const auto list = kernels::wide::list_of(block, arguments);
    const Row row = row_of(block, arguments);
    const auto bound = static_cast<std::uint32_t>(arguments.parts);
    for (int pack = block.rank(); pack + (ahead - 1) * Block::size < row.end; pack += ahead * Block::size) {
      Row::Pack packs[ahead];
      TAMIS_UNROLL
      for (int a = 0; a < ahead; ++a)
        packs[a] = block.load_once(reinterpret_cast<const Row::Pack*>(row.at(pack + a * Block::size)));
      TAMIS_UNROLL
      for (int a = 0; a < ahead; ++a) TAMIS_UNROLL
      for (int i = 0; i < Row::items; ++i) {
        const stages::Item item = stages::item_of(row, pack + a * Block::size, i, packs[a]);
        if (item.key < bound) continue;
        const std::uint32_t entry = block.fetch_add(counter, 1u);
        if (entry < list.capacity) list.entries[entry] = {packs[a][i], item.position};
      }
    }
    block.sync();
    if (block.rank() == 0) arguments.output.counts[block.grid_rank()] = static_cast<int>(counter);
  }
};

// --- a row of 4 scores a thread, kept; its digits are counted until one key is left ---

struct CountShared {
  stages::Histogram histogram;
  Row::Pack packs[1024];
};

template <class Kept>
struct Count {
  using Arguments = kernels::Arguments;
  using Shared = CountShared;

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    auto& shared = simt::shared<Shared>(block);
    const Row row = row_of(block, arguments);
    Kept kept;
    kept.put(block, shared, row.load(block, block.rank()));
    block.sync();
    stages::Threshold threshold = {0, 0xffffffffu, 1, row.length};
    TAMIS_ROLL
    while (threshold.low != threshold.high) {
      const stages::Digit digit = stages::next_digit(threshold, stages::bins);
      stages::visit_pack(row, block.rank(), kept.get(block, shared), [&](stages::Item item, std::uint32_t) {
        if (threshold.candidate(item.key)) block.add_one(shared.histogram.count, digit.of(item.key));
      });
      block.sync();
      threshold = stages::narrowed(threshold, digit, shared.histogram.count[0], 0, 1);
    }
    if (block.rank() == 0) arguments.output.counts[block.grid_rank()] = static_cast<int>(threshold.low);
  }
};

struct InShared {
  template <class Block>
  TAMIS_DEVICE void put(Block block, CountShared& shared, const Row::Pack& pack) {
    shared.packs[block.rank()] = pack;
  }
  template <class Block>
  TAMIS_DEVICE Row::Pack get(Block block, const CountShared& shared) const {
    return shared.packs[block.rank()];
  }
};

struct InRegisters {
  Row::Pack kept;

  template <class Block>
  TAMIS_DEVICE void put(Block, CountShared&, const Row::Pack& pack) {
    kept = pack;
  }
  template <class Block>
  TAMIS_DEVICE Row::Pack get(Block, const CountShared&) const {
    return kept;
  }
};

}  // namespace tamis::alternatives

TAMIS_ENTRY(list_1024, 1024, 2, 1, tamis::alternatives::List<2>)
TAMIS_ENTRY(list_512, 512, 2, 1, tamis::alternatives::List<4>)
TAMIS_ENTRY(count_shared, 1024, 2, 1, tamis::alternatives::Count<tamis::alternatives::InShared>)
TAMIS_ENTRY(count_registers, 1024, 2, 1, tamis::alternatives::Count<tamis::alternatives::InRegisters>)
