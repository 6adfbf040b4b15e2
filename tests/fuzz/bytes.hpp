// Draws numbers from a fuzzer's bytes; past the end everything is 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace tamis::testing {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : rest_(data, size) {}

  template <class T>
  T number() {
    T value{};
    const std::size_t have = rest_.size() < sizeof value ? rest_.size() : sizeof value;
    if (have > 0) std::memcpy(&value, rest_.data(), have);
    rest_ = rest_.subspan(have);
    return value;
  }

  // A number of [low, high], high - low below 2^16.
  std::int64_t within(std::int64_t low, std::int64_t high) { return low + number<std::uint16_t>() % (high - low + 1); }

  // One of a few values.
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return *(values.begin() + number<std::uint8_t>() % values.size());
  }

  std::size_t size() const { return rest_.size(); }

 private:
  std::span<const std::uint8_t> rest_;
};

}  // namespace tamis::testing
