// The journey of a row that the blocks of one cluster hold on chip, in registers (Held) or shared memory (Kept), and
// read once. A ruler laid by a sample that all blocks draw alike is counted, the blocks send each other how many
// scores each bin reaches in one trip, and every block then knows the cut and its own place in the output. What the cut
// leaves undecided goes to the first block, which ranks it. How much is sent is read from the numbers that were
// exchanged, so no block waits for more.
#pragma once

#include "kernels/register/drop.hpp"
#include "kernels/register/narrow.hpp"
#include "kernels/register/put.hpp"
#include "stages/draw.hpp"
#include "stages/kept.hpp"
#include "stages/read_ahead.hpp"
#include "stages/ruler.hpp"

namespace tamis::kernels::short_row {

// The next kernel may start at once where a grid leaves most units free. A larger one allows it when its scores are
// counted: blocks that wait for their turn beside those at work crowd some units and leave others idle. On an H200 64
// rows of 8192 take 4.5 us with an early start and 3.8 with a late one, 8 of 131072 6.7 and 5.5.
template <class Block>
TAMIS_DEVICE bool starts_next_early(Block block) {
  return block.grid_size() <= 32;
}

// `fours` groups of four scores a lane in the sample; `room` is where Kept keeps the block's scores.
template <class Block, class Held, int fours, class Call>
struct Journey {
  static constexpr int share = Block::size * Held::size;  // scores that the block has room for
  using Arrivals = stages::Arrivals<share, Held::arrival == 0 ? share : Held::arrival>;
  using Shared = short_row::Shared<Block, share, Arrivals::count>;

  static constexpr int blocks = Block::cluster_size;
  static constexpr bool drops = blocks == 1 && Held::in_registers && Held::size == 4;

  Block block;
  Call call;
  Shared& shared;
  float* room;
  stages::Grouping grouping;
  stages::Ruler<bins> ruler{};

  // Selects the row, or returns false to leave a row of which every position is selected to another.
  TAMIS_DEVICE bool select(int row) {
    const auto scores = call.scores(block, row);
    const int size = share_size();
    const int first = block.cluster_rank() * size;
    stages::Drawn<fours> drawn;
    const bool sampled = !drops || call.width() - call.k() > Dropped::most;
    if (sampled && block.warp() < sampling_warps) drawn = stages::draw<fours, sampling_warps>(block, scores, row);
    Held held = take(scores, first, size);
    const auto slots = call.slots(block, row);
    const std::int32_t page = load_page(slots, first, size);
    const stages::Window window = call.window(block, row);  // the first use of what was loaded
    if (Call::paged(slots) && block.rank() < size / stages::least_page) shared.pages[block.rank()] = page;
    if (window.whole()) [[unlikely]] {
      if constexpr (Call::usual && !Held::in_registers) block.sync();  // `arrived` is initialised
      await_scores();
      return false;
    }
    if constexpr (drops) {
      if (window.length - window.selected <= Dropped::most) {
        drop(held, window, slots);
        return true;
      }
    }
    if (block.warp() < sampling_warps) guess(drawn, window.length);
    if (block.rank() == 0) shared.length = window.length;
    block.sync();
    lay();
    const int end = std::min(window.length, first + size);
    await_scores();
    if (first + Block::size * Held::size > end) held.cut_off(end);
    const Standing standing = settle(held, window, size);
    Putting<Block, Shared, Held, Call> putting{block, shared, call, held, window, slots, first};
    if constexpr (!Held::in_registers)
      putting.slots = call.slots(block, simt::forgotten(row));  // no registers to keep it
    if (standing.equal) [[unlikely]]
      putting.put_first();
    else
      putting.put(standing);
    return true;
  }

  // A block's part of a row, but for the last: whole pages.
  TAMIS_DEVICE int share_size() const {
    const int each = (call.width() + blocks - 1) / blocks;
    return (each + stages::least_page - 1) / stages::least_page * stages::least_page;
  }

 private:
  // A row of which so few are not selected that these are found one after the other.
  TAMIS_DEVICE void drop(Held& held, stages::Window window, const typename Call::Slots& slots) {
    block.allow_next_kernel();
    held.cut_off(window.length);
    const Dropped dropped = drop_worst(block, shared, held, window.length - window.selected);
    Putting<Block, Shared, Held, Call>{block, shared, call, held, window, slots, 0}.put_all_but(dropped);
  }

  template <class Scores>
  TAMIS_DEVICE Held take(const Scores& scores, int first, int size) {
    if constexpr (Held::in_registers)
      return stages::hold<Held::size>(block, scores, first, size);
    else
      return stages::keep<Held, Arrivals>(block, scores, first, size, room, shared.arrived);
  }

  // Usual rows are kept by bulk copies, and a warp waits for the one with its own scores; no block may leave while one
  // is under way.
  TAMIS_DEVICE void await_scores() {
    if constexpr (Call::usual && !Held::in_registers)
      shared.arrived[Arrivals::count == 1 ? 0 : block.warp() / Held::arrival_warps].wait(0);
  }

  TAMIS_DEVICE std::int32_t load_page(const typename Call::Slots& slots, int first, int size) const {
    if (!Call::paged(slots) || block.rank() >= size / stages::least_page) return -1;
    return call.page(block, slots, (first >> slots.shift) + block.rank());
  }

  // --- where the threshold lies ---

  // Where a warp has as many groups its low bound alone would do, and one group without any score near the threshold
  // may be left out of account: of `banded` rows one in eighty has such a group, and with 16 rows of 8192 that one
  // makes 5.4 us of 3.0 (H200).
  static constexpr int enough_groups = 16;

  TAMIS_DEVICE void guess(stages::Drawn<fours>& drawn, int length) {
    if (length < call.width()) stages::cut_off(drawn, length);
    const stages::Bounds bounds = stages::bounds_of(block, drawn.score, grouping);
    if (block.lane() == 0) shared.bounds[block.warp()] = bounds;
  }

  TAMIS_DEVICE void lay() {
    stages::Bounds all = shared.bounds[0];
    std::uint32_t second = ~0u;  // least
    TAMIS_UNROLL
    for (int i = 1; i < sampling_warps; ++i) {
      const stages::Bounds& other = shared.bounds[i];
      second = std::min(second, std::max(all.low, other.low));
      all.low = std::min(all.low, other.low);
      all.high = std::max(all.high, other.high);
    }
    if (fours * Block::lanes >> grouping.doublings >= enough_groups && !grouping.by_minimum) all.low = second;
    ruler = stages::lay_ruler<bins>(std::min(all.low, all.high), all.high, grouping.sparse ? 0.5f : 0.0f);
  }

  // --- the cut ---

  TAMIS_DEVICE Standing settle(const Held& held, stages::Window window, int size) {
    count(held);
    if (!starts_next_early(block)) block.allow_next_kernel();
    if constexpr (blocks > 1) block.cluster_wait();
    Standing standing{find(window, size), {}, 0, false};
    standing.marks = mark(held, standing.cut.bin);
    standing.needed = static_cast<std::uint32_t>(window.selected) - standing.cut.above;
    const bool tied = ruler.single && standing.cut.bin > 0 && standing.cut.bin < bins;
    if (too_many<Held>(standing, tied)) [[unlikely]] {
      standing.equal = tied && standing.cut.inside == static_cast<std::uint32_t>(shared.length);
      if (standing.equal) return standing;
      standing = narrow(block, shared, held, standing, tied);
    }
    if (standing.cut.inside == standing.needed) {
      standing.marks = {standing.marks.taken | standing.marks.undecided, 0};
      standing.cut.above_before += std::min(standing.cut.inside_before, standing.needed);
      standing.cut.inside = 0;
    }
    return standing;
  }

  TAMIS_DEVICE void count(const Held& held) {
    TAMIS_UNROLL
    for (int r = 0; r < Held::fours; ++r) {
      const stages::Four four = held.four(r);
      TAMIS_UNROLL
      for (int i = 0; i < 4; ++i) block.fetch_add(shared.counts.of(ruler.bin_of(ruler.reading(four[i]))), 1u);
    }
    block.sync();
  }

  TAMIS_DEVICE stages::Cut find(stages::Window window, int size) {
    const int lane = block.lane();
    const int held = lane < blocks ? std::clamp(window.length - lane * size, 0, size) : 0;
    return find_cut(block, shared, 0, static_cast<std::uint32_t>(window.selected),
                    static_cast<std::uint32_t>(blocks == 1 ? window.length : held));
  }

  TAMIS_DEVICE Marks mark(const Held& held, int bin) const {
    const float cut = ruler.reading_of(bin);
    std::uint32_t above = 0;
    std::uint32_t below = 0;
    TAMIS_UNROLL
    for (int r = 0; r < Held::fours; ++r) {
      const stages::Four four = held.four(r);
      TAMIS_UNROLL
      for (int i = 0; i < 4; ++i) {
        const float reading = ruler.reading(four[i]);
        above = simt::append_sign(above, cut - reading);
        below = simt::append_sign(below, reading - cut);
      }
    }
    return {above, ~(above | below) & held.valid};
  }
};

// Prepares the cluster, takes its row, and sends it on the journey that the call allows. A usual call's row of which
// every position is selected begins again as any other.
template <class Block, class Held, int fours>
struct Selection {
  using UsualJourney = Journey<Block, Held, fours, calls::Usual>;
  using AnyJourney = Journey<Block, Held, fours, calls::Any>;
  using Shared = typename AnyJourney::Shared;

  static constexpr int blocks = Block::cluster_size;

  Block block;
  const Arguments& arguments;
  Shared& shared;
  float* room;

  TAMIS_DEVICE void run() {
    if (starts_next_early(block)) block.allow_next_kernel();
    prepare();
    if (block.rank() == 0) shared.read_ahead = stages::read_ahead(arguments);
    const stages::Grouping grouping = find_grouping();
    block.wait_for_previous_kernel();
    const int row = block.grid_rank() / blocks;
    if (row >= arguments.shape.rows) return leave();
    if (arguments.usual.given() && UsualJourney{block, {arguments}, shared, room, grouping}.select(row)) return;
    AnyJourney any{block, {arguments}, shared, room, grouping};
    if (!any.select(row)) put_whole(any.call.window(block, row));
  }

 private:
  // Others may send here once they have passed cluster_wait().
  TAMIS_DEVICE void prepare() {
    shared.counts.clear_unsynced(block);
    for (int i = block.rank(); i < most_undecided + behind_undecided; i += Block::size) shared.undecided[i] = {};
    if constexpr (!Held::in_registers) {
      using Arrivals = typename AnyJourney::Arrivals;
      if (block.rank() < Arrivals::count) shared.arrived[block.rank()].init(Arrivals::copies);
    }
    if constexpr (blocks > 1) {
      if (block.rank() == 0) {
        shared.reach.init();
        shared.ranged.init(1);
        shared.listed.init(1);
      }
      block.sync_warp();
      block.cluster_arrive_with_barriers();
    }
  }

  TAMIS_DEVICE stages::Grouping find_grouping() const {
    constexpr int most_doublings = fours == 4 ? 5 : fours == 2 ? 4 : 3;  // sixteen groups are left
    return stages::Grouping::of(static_cast<int>(arguments.shape.width), static_cast<int>(arguments.shape.k),
                                most_doublings);
  }

  TAMIS_DEVICE void leave() {
    if constexpr (blocks > 1) block.cluster_wait();
  }

  // A row of which every position is selected, by the first block.
  TAMIS_DEVICE void put_whole(stages::Window window) {
    if (block.cluster_rank() == 0) calls::put_whole(block, arguments, window);
    leave();
  }
};

}  // namespace tamis::kernels::short_row
