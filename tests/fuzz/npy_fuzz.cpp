// The .npy header parser takes any bytes: a Status or a header whose numbers hold together, and one that is written
// again is read as the same.

#include <cstdio>
#include <cstdlib>

#include "npy_header.hpp"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tamis::npy;
  const auto parsed = parse_header({reinterpret_cast<const std::byte*>(data), size});
  require(parsed.ok() == parsed.status.message.empty(), "an error without words, or words without an error");
  if (!parsed.ok()) return 0;
  const Header& header = parsed.value;
  require(header.data_offset <= size, "the elements begin past the bytes given");
  require(header.count() >= 0, "a negative count");
  for (std::int64_t dimension : header.shape) require(dimension >= 0, "a negative dimension");

  const std::string written = make_header(header.element, header.shape);
  const auto again = parse_header({reinterpret_cast<const std::byte*>(written.data()), written.size()});
  require(again.ok(), "a written header was refused");
  require(again.value.element == header.element && again.value.shape == header.shape,
          "a written header reads differently");
  require(again.value.data_offset == written.size() && written.size() % 64 == 0, "a written header has a wrong length");
  return 0;
}
