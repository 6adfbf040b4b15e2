// Structs led by their size: how a library newer or older than its caller reads them. A field that the caller lacks
// keeps its default; a rest that this library does not know must be zero. Invariant: nothing past `size` is read.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "tamis/tamis.hpp"

namespace tamis::detail {

// More than any struct of the ABI will ever hold: a greater size is memory nobody set.
inline constexpr std::size_t sized_limit = 4096;

inline Status missing_argument(std::string_view argument) {
  return {Code::invalid_argument, fmt::format("{} is null; it must be given", argument)};
}

// Whether `size`, the caller's, is one that a struct of `known` bytes, `first` of them in its first version, can have.
inline Status check_size(std::string_view argument, std::size_t size, std::size_t first, std::size_t known) {
  if (size >= first && size <= sized_limit) return {};
  return {Code::invalid_argument,
          fmt::format("{}.size is {}; it must be the sizeof of its struct, {} here (begin with TAMIS_..._INIT)",
                      argument, size, known)};
}

inline Status check_rest(std::string_view argument, const void* data, std::size_t size, std::size_t known) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = known; i < size; ++i)
    if (bytes[i] != 0)
      return {
          Code::invalid_argument,
          fmt::format("{} has byte {} set, past the {} bytes this library knows; it must be 0", argument, i, known)};
  return {};
}

// `to` holds the defaults on entry; afterwards it holds every field that both sides know.
template <class Struct>
Status read_sized(std::string_view argument, const Struct* from, std::size_t first, Struct& to) {
  if (from == nullptr) return missing_argument(argument);
  std::size_t size = 0;
  std::memcpy(&size, from, sizeof size);
  if (Status status = check_size(argument, size, first, sizeof(Struct)); !status.ok()) return status;
  if (Status status = check_rest(argument, from, size, sizeof(Struct)); !status.ok()) return status;
  std::memcpy(static_cast<void*>(&to), from, std::min(size, sizeof(Struct)));
  return {};
}

}  // namespace tamis::detail
