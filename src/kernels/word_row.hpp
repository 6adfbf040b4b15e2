// A block a row, for many rows that fit shared memory. The row is copied there once; a thread owns 32 neighbouring
// scores, so that what is marked of them is a word whose bits are in the order of positions. Words are scanned and
// expanded into a list of positions in ascending order, whatever order is asked for, and the list is written coalesced.
#pragma once

#include "kernels/register/calls.hpp"
#include "stages/bounds.hpp"
#include "stages/held.hpp"
#include "stages/read_ahead.hpp"
#include "stages/ruler.hpp"
#include "stages/tally_bins.hpp"

namespace tamis::kernels {

struct WordRow {
  using Arguments = kernels::Arguments;
  using Cut = stages::Cut;

  static constexpr int bins = 512;
  static constexpr int word = 32;           // scores a thread
  static constexpr int sampling_warps = 2;  // 16 scores a lane
  static constexpr int most_undecided = 32;

  template <class Block>
  struct Shared {
    stages::BinCounts<bins> counts;
    std::uint64_t undecided[most_undecided];  // key, then the complement of the position
    stages::Bounds bounds[sampling_warps];
    std::uint32_t read_ahead;
    std::uint32_t of_warp[Block::warps];
    std::uint32_t low[Block::warps];
    std::uint32_t high[Block::warps];
    std::uint32_t listed;
    Cut cut;
    typename Block::CopyBarrier arrived;
    std::int32_t pages[Block::size * word / stages::least_page];
  };

  // Bytes behind Shared that a row of `width` scores takes.
  static constexpr std::int64_t tail_bytes(int threads) { return std::int64_t{4} * word * threads; }

  template <class Block>
  TAMIS_DEVICE static void run(Block block, const Arguments& arguments) {
    auto& shared = simt::shared<Shared<Block>>(block);
    prepare(block, shared, arguments);
    const auto grouping =
        stages::Grouping::of(static_cast<int>(arguments.shape.width), static_cast<int>(arguments.shape.k), 6);
    block.wait_for_previous_kernel();
    const int number = block.grid_rank();
    if (number >= arguments.shape.rows) return;
    auto* row = simt::tail<Shared<Block>, float>(block);
    const bool selected = arguments.usual.given()
                              ? Journey<Block, calls::Usual>{block, {arguments}, shared, row, grouping}.select(number)
                              : Journey<Block, calls::Any>{block, {arguments}, shared, row, grouping}.select(number);
    if (!selected) calls::put_whole(block, arguments, stages::find_window(block, arguments, number));
  }

 private:
  template <class Block>
  TAMIS_DEVICE static void prepare(Block block, Shared<Block>& shared, const Arguments& arguments) {
    shared.counts.clear_unsynced(block);
    if (block.rank() == 0) {
      shared.listed = 0;
      shared.read_ahead = stages::read_ahead(arguments);
    }
    shared.arrived.init(block);
  }

  template <class Block, class Call>
  struct Journey {
    using Slots = typename Call::Slots;

    Block block;
    Call call;
    Shared<Block>& shared;
    float* row;  // the scores, in shared memory
    stages::Grouping grouping;
    stages::Ruler<bins> ruler{};

    // Selects the row, or returns false where every position of it is selected.
    TAMIS_DEVICE bool select(int number) {
      const auto scores = call.scores(block, number);
      const bool whole_copy = Call::usual || (scores.aligned() && scores.readable >= 4);
      if (whole_copy)
        shared.arrived.start(block, row, scores.scores, static_cast<std::uint32_t>(scores.readable) / 4 * 16);
      const Slots slots = call.slots(block, number);
      keep_pages(slots, scores.readable);
      if (!whole_copy || scores.readable % 4 != 0) copy_rest(scores, whole_copy);
      const stages::Window window = call.window(block, number);
      if (whole_copy) shared.arrived.wait(block, 0);
      block.sync();
      if (window.whole()) return false;
      select_from(window, slots);
      return true;
    }

    TAMIS_DEVICE void keep_pages(const Slots& slots, int readable) {
      if (!Call::paged(slots)) return;
      const int columns = (readable + stages::least_page - 1) / stages::least_page;
      for (int i = block.rank(); i < columns; i += Block::size) shared.pages[i] = call.page(block, slots, i);
    }

    // What a copy of whole packs leaves out, or all where the row is not aligned to them.
    TAMIS_DEVICE void copy_rest(const typename Call::Scores& scores, bool packs_copied) {
      const int first = packs_copied ? scores.readable / 4 * 4 : 0;
      for (int i = first + block.rank(); i < scores.readable; i += Block::size)
        row[i] = block.load_once(scores.scores + i);
    }

    TAMIS_DEVICE void select_from(stages::Window window, const Slots& slots) {
      if (block.warp() < sampling_warps) guess(window.length);
      block.sync();
      lay();
      const std::uint32_t valid = valid_of(window.length);
      count(valid);
      Cut cut = find(window.selected, window.length);
      if (ruler.single && cut.bin > 0 && cut.bin < bins && cut.inside == static_cast<std::uint32_t>(window.length)) {
        put_listed(window, slots, [](int i) { return i; });  // all are equal: the first are taken
        return;
      }
      Marks marks = mark_by_ruler(cut.bin, valid);
      auto needed = static_cast<std::uint32_t>(window.selected) - cut.above;
      bool tied = false;
      while (cut.inside != needed && cut.inside > most_undecided) {
        const stages::Bounds range = range_of(marks.undecided);
        tied = range.low == range.high;
        if (tied) break;
        cut = narrow(marks, range, needed);
        needed -= cut.above;
      }
      if (cut.inside == needed)
        marks.taken |= marks.undecided;
      else if (tied)
        marks.taken |= first_by_position(marks.undecided, needed);
      else
        marks.taken |= best_of(marks.undecided, cut.inside, needed);
      write(marks.taken, window, slots);
    }

    // --- where the threshold lies ---

    TAMIS_DEVICE void guess(int length) {
      float sample[4][4];
      constexpr unsigned strata = sampling_warps * Block::lanes * 16;
      const unsigned depth = std::max(1u, static_cast<unsigned>(length) / strata);
      TAMIS_UNROLL
      for (int i = 0; i < 16; ++i) {
        const unsigned stratum = (i * Block::lanes + block.lane()) * sampling_warps + block.warp();
        const auto jitter = static_cast<unsigned>(std::uint64_t{stratum * 0x9E3779B1u} * depth >> 32);
        sample[i % 4][i / 4] = row[stratum * static_cast<unsigned>(length) / strata + jitter];
      }
      const stages::Bounds bounds = stages::bounds_of(block, sample, grouping);
      if (block.lane() == 0) shared.bounds[block.warp()] = bounds;
    }

    TAMIS_DEVICE void lay() {
      const std::uint32_t high = std::max(shared.bounds[0].high, shared.bounds[1].high);
      const std::uint32_t low = std::min(std::min(shared.bounds[0].low, shared.bounds[1].low), high);
      ruler = stages::lay_ruler<bins>(low, high, grouping.sparse ? 0.5f : 0.0f);
    }

    // --- words: bit i is score 32 * rank + i ---

    struct Marks {
      std::uint32_t taken;
      std::uint32_t undecided;
    };

    TAMIS_DEVICE float* mine() const { return row + block.rank() * word; }

    TAMIS_DEVICE std::uint32_t valid_of(int length) const {
      const int valid = std::min(std::max(length - block.rank() * word, 0), int{word});
      return valid == word ? ~0u : (1u << valid) - 1;
    }

    // Fours of the word, each lane from one of its own on, so that lanes read different banks; last score first.
    template <class Visit>
    TAMIS_DEVICE void for_each_four(Visit visit) const {
      const auto* fours = reinterpret_cast<const stages::Four*>(mine());
      TAMIS_UNROLL
      for (int i = 7; i >= 0; --i) {
        const stages::Four four = fours[(i + block.lane()) % 8];
        TAMIS_UNROLL
        for (int j = 3; j >= 0; --j) visit(four[j]);
      }
    }

    // The marks of a word, put together in the order of for_each_four.
    TAMIS_DEVICE std::uint32_t in_order(std::uint32_t marks) const { return std::rotl(marks, block.lane() % 8 * 4); }

    // Calls visit(score, i) for every marked score, lanes in different banks.
    template <class Visit>
    TAMIS_DEVICE void for_each(std::uint32_t marks, Visit visit) const {
      const int turn = block.lane() % word;
#pragma unroll 1
      for (std::uint32_t left = std::rotr(marks, turn); left != 0; left &= left - 1) {
        const int i = (simt::lowest_bit(left) + turn) % word;
        visit(mine()[i], i);
      }
    }

    TAMIS_DEVICE void count(std::uint32_t valid) {
      const auto add = [&](float score) { block.fetch_add(shared.counts.of(ruler.bin_of(ruler.reading(score))), 1u); };
      if (valid == ~0u)
        for_each_four(add);
      else
        for_each(valid, [&](float score, int) { add(score); });
      block.sync();
    }

    TAMIS_DEVICE Marks mark_by_ruler(int bin, std::uint32_t valid) const {
      const float cut = ruler.reading_of(bin);
      std::uint32_t above = 0;
      std::uint32_t below = 0;
      for_each_four([&](float score) {
        const float reading = ruler.reading(score);
        above = simt::append_sign(above, cut - reading);
        below = simt::append_sign(below, reading - cut);
      });
      return {in_order(above) & valid, in_order(~(above | below)) & valid};
    }

    TAMIS_DEVICE Cut find(std::uint32_t needed, int length) {
      if (block.warp() == 0) {
        const Cut cut = stages::find_cut(block, shared.counts, needed, static_cast<std::uint32_t>(length));
        if (block.lane() == 0) shared.cut = cut;
      }
      block.sync();
      return shared.cut;
    }

    // --- too many undecided: their range of keys, and counts of its digits ---

    TAMIS_DEVICE static std::uint32_t key(float score) { return stages::detail::key_of_score(score); }

    TAMIS_DEVICE stages::Bounds range_of(std::uint32_t undecided) {
      stages::Bounds range{~0u, 0};
      for_each(undecided, [&](float score, int) {
        range.low = std::min(range.low, key(score));
        range.high = std::max(range.high, key(score));
      });
      range = {block.reduce_min(range.low), block.reduce_max(range.high)};
      if (block.lane() == 0) {
        shared.low[block.warp()] = range.low;
        shared.high[block.warp()] = range.high;
      }
      shared.counts.clear_unsynced(block);
      block.sync();
      const bool counts = block.lane() < Block::warps;
      return {block.reduce_min(counts ? shared.low[block.lane()] : ~0u),
              block.reduce_max(counts ? shared.high[block.lane()] : 0u)};
    }

    TAMIS_DEVICE Cut narrow(Marks& marks, stages::Bounds range, std::uint32_t needed) {
      const int excess = std::bit_width(range.high - range.low) - std::bit_width(unsigned{bins} - 1);
      const int shift = std::max(0, excess);
      const auto bin_of = [&](float score) { return 1 + static_cast<int>((key(score) - range.low) >> shift); };
      for_each(marks.undecided, [&](float score, int) { block.fetch_add(shared.counts.of(bin_of(score)), 1u); });
      block.sync();
      const Cut cut = find(needed, 0);
      for_each(marks.undecided, [&](float score, int i) {
        if (bin_of(score) > cut.bin) marks.taken |= 1u << i;
        if (bin_of(score) != cut.bin) marks.undecided &= ~(1u << i);
      });
      return cut;
    }

    // --- the last few ---

    // The sum of `value` over the threads before this one. Before it is called again: sync().
    TAMIS_DEVICE std::uint32_t before(std::uint32_t value) {
      const std::uint32_t through = block.scan_add(value);
      if (block.lane() == Block::lanes - 1) shared.of_warp[block.warp()] = through;
      block.sync();
      return block.reduce_add(block.lane() < block.warp() ? shared.of_warp[block.lane()] : 0u) + through - value;
    }

    TAMIS_DEVICE std::uint32_t first_by_position(std::uint32_t marks, std::uint32_t needed) {
      std::uint32_t at = before(static_cast<std::uint32_t>(std::popcount(marks)));
      std::uint32_t first = 0;
      for (std::uint32_t left = marks; left != 0 && at < needed; left &= left - 1, ++at) first |= left & (0 - left);
      block.sync();
      return first;
    }

    TAMIS_DEVICE std::uint64_t rank_of(float score, int i) const {
      return std::uint64_t{key(score)} << 32 | ~static_cast<std::uint32_t>(block.rank() * word + i);
    }

    // All undecided are listed; every warp that has some ranks them, one a lane, and finds the last that is taken.
    TAMIS_DEVICE std::uint32_t best_of(std::uint32_t marks, std::uint32_t inside, std::uint32_t needed) {
      for_each(marks,
               [&](float score, int i) { shared.undecided[block.fetch_add(shared.listed, 1u)] = rank_of(score, i); });
      block.sync();
      std::uint32_t best = 0;
      if (!block.any(marks != 0)) return best;
      const auto lane = static_cast<std::uint32_t>(block.lane());
      const std::uint64_t own = lane < inside ? shared.undecided[lane] : 0;
      std::uint32_t better = 0;
      for (std::uint32_t i = 0; i < inside; ++i) better += shared.undecided[i] > own ? 1 : 0;
      const auto last = simt::lowest_bit(block.ballot(lane < inside && better == needed - 1));
      const std::uint64_t least = block.broadcast(own, last);
      for_each(marks, [&](float score, int i) {
        if (rank_of(score, i) >= least) best |= 1u << i;
      });
      return best;
    }

    // --- output ---

    // Four marks a turn, so that no entry waits for the one before it.
    TAMIS_DEVICE void list_positions(std::uint32_t taken, std::uint16_t* list) const {
      const int first = block.rank() * word;
      TAMIS_ROLL
      for (std::uint32_t left = taken; left != 0;) {
        TAMIS_UNROLL
        for (int i = 0; i < 4; ++i) {
          if (left != 0) *list++ = static_cast<std::uint16_t>(first + simt::lowest_bit(left));
          left &= left - 1;
        }
      }
    }

    TAMIS_DEVICE void write(std::uint32_t taken, stages::Window window, const Slots& slots) {
      auto* list = reinterpret_cast<std::uint16_t*>(row);  // nobody reads scores any more
      list_positions(taken, list + before(static_cast<std::uint32_t>(std::popcount(taken))));
      block.allow_next_kernel();
      block.sync();
      put_listed(window, slots, [&](int i) { return list[i]; });
    }

    // The positions of a list, coalesced.
    template <class List>
    TAMIS_DEVICE void put_listed(stages::Window window, const Slots& slots, List list) {
      call.put_rest(block, slots, window);
      for (int i = block.rank(); i < window.selected; i += Block::size) {
        const int position = list(i);
        const std::int32_t page = Call::paged(slots) ? shared.pages[position >> slots.shift] : -1;
        if (page >= 0)
          slots.slots[i] = slots.slot(page, position);
        else
          calls::put_anyhow(block, call.arguments, window, i, position);
      }
    }
  };
};

}  // namespace tamis::kernels
