// Cases of who am I and of exchange within a warp.
#pragma once

#include "words.hpp"

namespace tamis::words {

struct WhoAmI {
  static constexpr const char* name = "who_am_i";
  static constexpr int outputs = 7;

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    const int said[] = {block.rank(),
                        block.lane(),
                        block.warp(),
                        block.grid_rank(),
                        block.grid_size(),
                        block.cluster_rank(),
                        Block::warps * 1000 + Block::cluster_size};
    for (int i = 0; i < outputs; ++i) out[i] = static_cast<std::uint32_t>(said[i]);
  }
  static std::uint32_t expected(const Who& who, int i) {
    const int said[] = {who.rank,
                        who.lane(),
                        who.warp(),
                        who.block,
                        blocks,
                        who.cluster_rank(),
                        who.size / who.lanes * 1000 + who.cluster};
    return static_cast<std::uint32_t>(said[i]);
  }
};

// A mask in two words.
template <class Mask>
TAMIS_DEVICE void say_mask(Mask mask, std::uint32_t* out) {
  out[0] = static_cast<std::uint32_t>(mask);
  out[1] = static_cast<std::uint32_t>(std::uint64_t{mask} >> 32);
}

template <class Predicate>
std::uint32_t word_of_ballot(const Who& who, int word, Predicate predicate) {
  std::uint32_t bits = 0;
  for (int i = 0; i < 32 && word * 32 + i < who.lanes; ++i)
    bits |= std::uint32_t{predicate(who.with_lane(word * 32 + i))} << i;
  return bits;
}

struct Ballot {
  static constexpr const char* name = "ballot_and_rank_in";
  static constexpr int outputs = 3;

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    const auto mask = block.ballot(own_number(block) % 3 == 0);
    say_mask(mask, out);
    out[2] = static_cast<std::uint32_t>(block.rank_in(mask));
  }
  static std::uint32_t expected(const Who& who, int i) {
    const auto predicate = [](const Who& other) { return other.own() % 3 == 0; };
    if (i < 2) return word_of_ballot(who, i, predicate);
    std::uint32_t below = 0;
    for (int lane = 0; lane < who.lane(); ++lane) below += predicate(who.with_lane(lane));
    return below;
  }
};

struct BallotOfSome {
  static constexpr const char* name = "ballot_of_some_lanes";
  static constexpr int outputs = 2;

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    const auto odd_lanes = static_cast<typename Block::Mask>(Block::every_lane / 3 * 2);
    if (block.lane() % 2 == 0) {
      say_mask(typename Block::Mask{0}, out);
    } else {
      say_mask(block.ballot(odd_lanes, own_number(block) % 5 < 2), out);
    }
  }
  static std::uint32_t expected(const Who& who, int i) {
    if (who.lane() % 2 == 0) return 0;
    return word_of_ballot(who, i, [](const Who& other) { return other.rank % 2 == 1 && other.own() % 5 < 2; });
  }
};

struct AnyAll {
  static constexpr const char* name = "any_all";
  static constexpr int outputs = 4;

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    const bool in_warp_1 = block.warp() == 1;
    out[0] = block.any(in_warp_1 && block.lane() == 5);
    out[1] = block.any(false);
    out[2] = block.all(in_warp_1 || block.lane() != 5);
    out[3] = block.all(true);
  }
  static std::uint32_t expected(const Who& who, int i) {
    const std::uint32_t said[] = {who.warp() == 1, 0, who.warp() == 1, 1};
    return said[i];
  }
};

struct Shuffle {
  static constexpr const char* name = "shuffle";
  static constexpr int outputs = 9;

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    const std::uint32_t mine = own_number(block);
    const std::uint64_t wide = std::uint64_t{mine} << 32 | block.rank();
    out[0] = block.shuffle(mine, block.lane() * 7 + 3);
    out[1] = block.broadcast(mine, 11);
    out[2] = block.shuffle_up(mine, 3);
    out[3] = block.shuffle_down(mine, 5);
    out[4] = block.shuffle_xor(mine, 9);
    const std::uint64_t far = block.shuffle(wide, Block::lanes - 1 - block.lane());
    out[5] = static_cast<std::uint32_t>(far >> 32);
    out[6] = static_cast<std::uint32_t>(far);
    out[7] = block.shuffle_up(static_cast<std::uint16_t>(mine), 1);
    out[8] = std::bit_cast<std::uint32_t>(block.shuffle_xor(static_cast<float>(block.rank()), 16));
  }
  static std::uint32_t expected(const Who& who, int i) {
    const int lane = who.lane();
    const Who mirror = who.with_lane(who.lanes - 1 - lane);
    const std::uint32_t said[] = {who.with_lane((lane * 7 + 3) % who.lanes).own(),
                                  who.with_lane(11).own(),
                                  who.with_lane(lane < 3 ? lane : lane - 3).own(),
                                  who.with_lane(lane + 5 < who.lanes ? lane + 5 : lane).own(),
                                  who.with_lane(lane ^ 9).own(),
                                  mirror.own(),
                                  static_cast<std::uint32_t>(mirror.rank),
                                  who.with_lane(lane < 1 ? lane : lane - 1).own() & 0xffff,
                                  std::bit_cast<std::uint32_t>(static_cast<float>(who.rank ^ 16))};
    return said[i];
  }
};

struct WarpFolds {
  static constexpr const char* name = "scan_and_reduce";
  static constexpr int outputs = 9;

  template <class Block>
  TAMIS_DEVICE static void say(Block block, const Arguments&, std::uint32_t* out) {
    const std::uint32_t mine = own_number(block);
    const auto with_sign = static_cast<std::int32_t>(mine);
    out[0] = block.scan_add(mine);
    out[1] = block.reduce_add(mine);
    out[2] = block.reduce_min(mine);
    out[3] = block.reduce_max(mine);
    out[4] = static_cast<std::uint32_t>(block.reduce_min(with_sign));
    out[5] = static_cast<std::uint32_t>(block.reduce_max(with_sign));
    out[6] = static_cast<std::uint32_t>(block.scan_add(std::uint64_t{mine}) >> 8);
    out[7] = static_cast<std::uint32_t>(block.reduce_max(std::uint64_t{mine} << 20) >> 20);
    out[8] = std::bit_cast<std::uint32_t>(block.reduce_min(static_cast<float>(block.rank())));
  }
  static std::uint32_t expected(const Who& who, int i) {
    const auto flip = [](const Who& other) { return other.own() ^ 0x80000000u; };
    std::uint64_t sum = 0;
    for (int lane = 0; lane <= who.lane(); ++lane) sum += who.with_lane(lane).own();
    switch (i) {
      case 0:
        return static_cast<std::uint32_t>(sum);
      case 1:
        return who.over_lanes(who.lanes, own, add);
      case 2:
        return who.over_lanes(who.lanes, own, least);
      case 3:
        return who.over_lanes(who.lanes, own, greatest);
      case 4:
        return who.over_lanes(who.lanes, flip, least) ^ 0x80000000u;
      case 5:
        return who.over_lanes(who.lanes, flip, greatest) ^ 0x80000000u;
      case 6:
        return static_cast<std::uint32_t>(sum >> 8);
      case 7:
        return who.over_lanes(who.lanes, own, greatest);
      default:
        return std::bit_cast<std::uint32_t>(static_cast<float>(who.with_lane(0).rank));
    }
  }
};

}  // namespace tamis::words
