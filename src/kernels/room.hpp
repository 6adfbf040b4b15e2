// Where a kernel keeps what does not fit its registers: the tail of its shared memory, and its part of the workspace.
#pragma once

#include <algorithm>

#include "kernels/arguments.hpp"
#include "simt/common.hpp"
#include "stages/sort.hpp"

namespace tamis::kernels {

// Shared memory behind a kernel's Shared, handed out piece by piece. A value: a copy hands out the same again.
struct Tail {
  std::byte* next;
  std::int64_t bytes;

  // Room for `count` of T, or null when that much is not left.
  template <class T>
  TAMIS_DEVICE T* take(std::int64_t count) {
    const std::int64_t wanted = (count * static_cast<std::int64_t>(sizeof(T)) + 15) / 16 * 16;
    if (wanted > bytes) return nullptr;
    auto* taken = reinterpret_cast<T*>(next);
    next += wanted;
    bytes -= wanted;
    return taken;
  }
};

template <class Shared, class Block>
TAMIS_DEVICE Tail tail_of(Block block, const Arguments& arguments) {
  return {simt::tail<Shared, std::byte>(block),
          arguments.shared_bytes - static_cast<std::int64_t>(simt::tail_offset<Shared>)};
}

// The most positions that a row of `shape` selects.
constexpr std::int64_t most_selected(const Shape& shape) { return std::min(shape.k, shape.width); }

// Bytes in the workspace in which one row's selected items are sorted.
constexpr std::int64_t sort_bytes(const Shape& shape) {
  return (most_selected(shape) * stages::ranked_bytes + 255) / 256 * 256;
}

// The workspace's `index`-th room for sorting; there is one for every block or cluster that selects rows.
TAMIS_DEVICE stages::Ranked workspace_sort_room(const Arguments& arguments, int index) {
  return stages::ranked_at(arguments.workspace + index * sort_bytes(arguments.shape), most_selected(arguments.shape));
}

// Room to sort `count` items in: of the tail where it is left, otherwise of the workspace.
TAMIS_DEVICE stages::Ranked sort_room(const Arguments& arguments, Tail tail, int index, int count) {
  if (auto* room = tail.take<std::byte>(static_cast<std::int64_t>(count) * stages::ranked_bytes))
    return stages::ranked_at(room, count);
  return workspace_sort_room(arguments, index);
}

}  // namespace tamis::kernels
