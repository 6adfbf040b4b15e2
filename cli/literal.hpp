// A reader of the Python literals that .npy headers hold: strings, integers, booleans, tuples of integers.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tamis::npy {

// Moves over a text from left to right. A take function that does not find what it looks for returns nothing; the
// reader then stands anywhere, for whoever calls gives up.
class Literal {
 public:
  explicit Literal(std::string_view text) : rest_(text) {}

  bool at_end() {
    skip_space();
    return rest_.empty();
  }

  bool take(char wanted) {
    skip_space();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool take(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  // A string in single or double quotes; no header needs an escape.
  std::optional<std::string_view> take_string() {
    skip_space();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return {};
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) return {};
    const std::string_view content = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return content;
  }

  std::optional<bool> take_bool() {
    if (take("True")) return true;
    if (take("False")) return false;
    return {};
  }

  std::optional<std::int64_t> take_integer() {
    skip_space();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return {};
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1);  // written by Python 2
    return value;
  }

  // (), (1,) or (1, 2): a comma after the last is optional but where the tuple holds one.
  std::optional<std::vector<std::int64_t>> take_tuple() {
    std::vector<std::int64_t> values;
    if (!take('(')) return {};
    while (!take(')')) {
      const auto value = take_integer();
      if (!value) return {};
      values.push_back(*value);
      const bool comma = take(',');
      if (comma) continue;
      if (values.size() < 2 || !take(')')) return {};
      break;
    }
    return values;
  }

 private:
  void skip_space() {
    const std::size_t end = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end);
  }

  std::string_view rest_;
};

}  // namespace tamis::npy
