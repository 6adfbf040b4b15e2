// Reading memory as fast as one thread can: what the read floor of `tamis bench` times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tamis::cli {

// The exclusive or of the bytes, taken eight at a time from the first. Every byte is read once.
std::uint64_t folded(std::span<const std::byte> bytes);

}  // namespace tamis::cli
