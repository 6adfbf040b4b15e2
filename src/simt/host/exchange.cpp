// The words that exchange values among the lanes of a warp. They order no memory; sync_warp does.
#include <fmt/format.h>

#include "simt/host/machine.hpp"
#include "simt/host/report.hpp"
#include "simt/host/sanitizers.hpp"
#include "simt/host/sites.hpp"

namespace tamis::simt::host {
namespace {

int count(std::uint64_t mask) { return __builtin_popcountll(mask); }

template <class Visit>
void for_each_lane(std::uint64_t mask, Visit visit) {
  for (; mask; mask &= mask - 1) visit(__builtin_ctzll(mask));
}

WarpState& warp_of(const Thread& thread) { return thread.block->warps[thread.warp]; }

void expect_sound_mask(Thread& thread) {
  const int lanes = thread.machine->grid().lanes;
  if (!(thread.mask >> thread.lane & 1) || (lanes == 32 && thread.mask >> 32)) {
    thread.machine->fail(thread, [&] {
      return fmt::format("{}: mask {:#x} must name the caller and lanes of its warp alone", describe(thread),
                         thread.mask);
    });
  }
  if (const std::uint64_t gone = thread.mask & warp_of(thread).returned) {
    thread.machine->fail(thread, [&] {
      return fmt::format("{}: mask {:#x} names lanes {:#x}, which have returned", describe(thread), thread.mask, gone);
    });
  }
}

// The round of `mask` that is under way, or a new one.
Round& round_of(WarpState& warp, std::uint64_t mask) {
  Round* idle = nullptr;
  for (Round& round : warp.rounds) {
    if (round.meeting.arrived && round.mask == mask) return round;
    if (!round.meeting.arrived && (!idle || round.mask == mask)) idle = &round;
    if (idle && idle->mask == mask) break;
  }
  idle->mask = mask;
  return *idle;
}

bool same_call(const Meeting& meeting, const Thread& thread) {
  return meeting.word == thread.word && meeting.where.line() == thread.where.line() &&
         std::string_view(meeting.where.file_name()) == thread.where.file_name();
}

void expect_same_call(Thread& thread, Meeting& meeting) {
  if (meeting.arrived == 0) {
    meeting.word = thread.word;
    meeting.where = thread.where;
  } else if (!same_call(meeting, thread)) {
    thread.machine->fail(thread, [&] {
      return fmt::format(
          "{}, while lanes of its warp are in {} at {}: a word for the whole warp in a "
          "branch that not all lanes take",
          describe(thread), meeting.word, place(meeting.where));
    });
  }
}

// Arrives in the round of `mask`; the last of its lanes does complete(warp).
template <class Complete>
void take_part(Thread& thread, std::uint64_t mask, const char* word, Location where, Complete complete) {
  thread.word = word;
  thread.mask = mask;
  thread.where = where;
  thread.pause();
  expect_sound_mask(thread);
  WarpState& warp = warp_of(thread);
  Meeting& meeting = round_of(warp, mask).meeting;
  expect_same_call(thread, meeting);
  thread.machine->meet(thread, meeting, count(mask), [&] { complete(warp); });
}

}  // namespace

void Thread::sync_warp(std::uint64_t lanes, Location at) {
  if (skipped("sync_warp", at)) return;
  WarpState& mine = warp_of(*this);
  release(&mine.order[lane]);
  take_part(*this, lanes, "sync_warp", at, [](WarpState&) {});
  for_each_lane(lanes, [&](int other) { acquire(&mine.order[other]); });
}

std::uint64_t Thread::vote(std::uint64_t lanes, bool predicate, const char* spoken, Location at) {
  value.word[0] = predicate;
  take_part(*this, lanes, spoken, at, [&](WarpState& all_lanes) {
    std::uint64_t votes = 0;
    for_each_lane(lanes, [&](int i) { votes |= all_lanes.lanes[i]->value.word[0] << i; });
    for_each_lane(lanes, [&](int i) { all_lanes.lanes[i]->result.word[0] = votes; });
  });
  return result.word[0];
}

Value Thread::exchange(std::uint64_t lanes, Value mine, int from, const char* spoken, Location at) {
  value = mine;
  source = from;
  take_part(*this, lanes, spoken, at, [&](WarpState& all_lanes) {
    for_each_lane(lanes,
                  [&](int i) { all_lanes.lanes[i]->result = all_lanes.lanes[all_lanes.lanes[i]->source]->value; });
  });
  return result;
}

void Thread::gather(std::uint64_t lanes, Value mine, Value* others, const char* spoken, Location at) {
  value = mine;
  all = others;
  take_part(*this, lanes, spoken, at, [&](WarpState& all_lanes) {
    for_each_lane(lanes, [&](int i) {
      for_each_lane(lanes, [&](int j) { all_lanes.lanes[i]->all[j] = all_lanes.lanes[j]->value; });
    });
  });
}

}  // namespace tamis::simt::host
