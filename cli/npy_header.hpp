// The header of a .npy file, versions 1.0 to 3.0: magic, version, length, then a Python dictionary literal with the
// element type, the order and the shape. The parser takes any bytes: what it cannot accept is a Status in words that
// follow "FILE; ", and it reads nothing beyond the span.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/tamis.hpp"

namespace tamis::npy {

enum class Element { f32, f16, u16, i32, i64 };

std::string_view descr(Element element);  // as numpy spells it: "<f4"
std::size_t element_bytes(Element element);

using Dimensions = std::vector<std::int64_t>;

std::string text(const Dimensions& shape);  // as Python spells it: "(3, 4)"

struct Header {
  Element element = Element::f32;
  Dimensions shape;
  std::size_t data_offset = 0;  // where the elements begin, in bytes from the file's first

  std::int64_t count() const;  // elements; never overflows
  std::size_t data_bytes() const { return static_cast<std::size_t>(count()) * element_bytes(element); }
};

// The longest header accepted, in bytes. A two-dimensional array needs 128.
inline constexpr std::size_t max_header_bytes = 65536;

// `file` holds the beginning of the file, or all of it; max_header_bytes + 12 bytes are always enough.
Result<Header> parse_header(std::span<const std::byte> file);

// A version 1.0 header after which the elements follow, aligned to 64 bytes.
std::string make_header(Element element, const Dimensions& shape);

}  // namespace tamis::npy
