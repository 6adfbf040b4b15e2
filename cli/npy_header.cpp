// See npy_header.hpp.

#include "npy_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "literal.hpp"

namespace tamis::npy {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are read in place, as little-endian numbers");

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t max_dimensions = 32;  // numpy's own limit

struct Spelling {
  Element element;
  std::string_view descr;
  std::size_t bytes;
};
constexpr std::array spellings{Spelling{Element::f32, "<f4", 4}, Spelling{Element::f16, "<f2", 2},
                               Spelling{Element::u16, "<u2", 2}, Spelling{Element::i32, "<i4", 4},
                               Spelling{Element::i64, "<i8", 8}};

const Spelling& spelling(Element element) { return spellings[static_cast<std::size_t>(element)]; }

Status bad(std::string message) { return {Code::invalid_argument, std::move(message)}; }

// Text from a file, fit for a message: short, and printable.
std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, 40)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > 40 ? "...'" : "'");
}

// The header's text and where it ends in the file.
struct Frame {
  std::string_view text;
  std::size_t end = 0;
};

Result<Frame> find_text(std::string_view file) {
  if (!file.starts_with(magic)) return {bad("it does not begin with \\x93NUMPY; it must be a .npy file")};
  if (file.size() < 8) return {bad("it ends inside its version; it must be a whole .npy file")};
  const int major = static_cast<unsigned char>(file[6]);
  const int minor = static_cast<unsigned char>(file[7]);
  if (major < 1 || major > 3 || minor != 0)
    return {bad(fmt::format("its version is {}.{}; it must be 1.0, 2.0 or 3.0", major, minor))};
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t begin = 8 + length_bytes;
  if (file.size() < begin) return {bad("it ends inside its header's length; it must be a whole .npy file")};
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i)
    length |= std::size_t{static_cast<unsigned char>(file[8 + i])} << 8 * i;
  if (length > max_header_bytes)
    return {bad(fmt::format("its header is {} bytes long; it must be at most {}", length, max_header_bytes))};
  if (file.size() - begin < length)
    return {bad(fmt::format("it ends inside its header of {} bytes; it must be a whole .npy file", length))};
  return {{}, {file.substr(begin, length), begin + length}};
}

// What the dictionary says. A field stays empty until its key has been met.
struct Fields {
  std::optional<std::string_view> descr;
  std::optional<bool> fortran_order;
  std::optional<Dimensions> shape;
};

// Reads the value of `key` into its field, which must be one of the three and still empty.
Status take_field(Literal& literal, std::string_view key, Fields& fields) {
  if (key == "descr" && !fields.descr) {
    fields.descr = literal.take_string();
    return fields.descr ? Status{} : bad("its element type is a structure; it must be a plain number type");
  }
  if (key == "fortran_order" && !fields.fortran_order) {
    fields.fortran_order = literal.take_bool();
    return fields.fortran_order ? Status{} : bad("its fortran_order is neither True nor False");
  }
  if (key == "shape" && !fields.shape) {
    fields.shape = literal.take_tuple();
    return fields.shape ? Status{} : bad("its shape is not a tuple of integers below 2^63");
  }
  return bad(fmt::format("its header has the key {} twice or unasked; it must have descr, fortran_order and shape once",
                         quoted(key)));
}

Result<Fields> parse_dictionary(std::string_view text) {
  const Status malformed = bad("its header is not a dictionary of descr, fortran_order and shape");
  Literal literal(text);
  Fields fields;
  if (!literal.take('{')) return {malformed};
  while (!literal.take('}')) {
    const auto key = literal.take_string();
    if (!key || !literal.take(':')) return {malformed};
    if (Status status = take_field(literal, *key, fields); !status.ok()) return {status};
    if (literal.take(',')) continue;
    if (!literal.take('}')) return {malformed};
    break;
  }
  if (!literal.at_end() || !fields.descr || !fields.fortran_order || !fields.shape) return {malformed};
  return {{}, std::move(fields)};
}

Result<Element> parse_descr(std::string_view descr) {
  std::string little(descr);
  if (little.starts_with('=')) little.front() = '<';  // native order, which is little here
  for (const Spelling& known : spellings)
    if (known.descr == little) return {{}, known.element};
  if (descr.starts_with('>'))
    return {bad(fmt::format("its elements are big-endian, {}; they must be little-endian", quoted(descr)))};
  return {bad(fmt::format("its elements are {}; scores must be <f4, <f2 or <u2, integers <i4 or <i8", quoted(descr)))};
}

Status check_shape(const Dimensions& shape) {
  if (shape.size() > max_dimensions)
    return bad(fmt::format("it has {} dimensions; it must have at most {}", shape.size(), max_dimensions));
  std::int64_t room = std::numeric_limits<std::int64_t>::max() / 8;  // elements of 8 bytes that can be addressed
  for (const std::int64_t size : shape) {
    if (size < 0) return bad(fmt::format("its shape is {}; no dimension may be negative", text(shape)));
    if (size > room) return bad(fmt::format("its shape is {}; that is more than can be addressed", text(shape)));
    room /= std::max<std::int64_t>(size, 1);
  }
  return {};
}

}  // namespace

std::string_view descr(Element element) { return spelling(element).descr; }

std::size_t element_bytes(Element element) { return spelling(element).bytes; }

std::string text(const Dimensions& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::int64_t Header::count() const {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) product *= size;
  return product;
}

Result<Header> parse_header(std::span<const std::byte> file) {
  const auto frame = find_text({reinterpret_cast<const char*>(file.data()), file.size()});
  if (!frame.ok()) return {frame.status};
  auto fields = parse_dictionary(frame.value.text);
  if (!fields.ok()) return {fields.status};
  const auto element = parse_descr(*fields.value.descr);
  if (!element.ok()) return {element.status};
  if (*fields.value.fortran_order)
    return {bad("it is in Fortran order; it must be in C order (numpy.ascontiguousarray)")};
  if (Status status = check_shape(*fields.value.shape); !status.ok()) return {status};
  return {{}, {element.value, *std::move(fields.value.shape), frame.value.end}};
}

std::string make_header(Element element, const Dimensions& shape) {
  constexpr std::size_t before_text = 10;
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr(element), text(shape));
  const std::size_t unpadded = before_text + dictionary.size() + 1;
  dictionary.append((64 - unpadded % 64) % 64, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xff), static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

}  // namespace tamis::npy
