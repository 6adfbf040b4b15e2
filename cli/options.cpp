// See options.hpp.

#include "options.hpp"

#include <algorithm>
#include <charconv>

#include "tamis/workload.hpp"

namespace tamis::cli {
namespace {

constexpr const char* selection_group = "Selection";

}  // namespace

std::int64_t parse_integer(std::string_view argument, const std::string& text, Range range) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && value >= range.low && value <= range.high) return value;
  throw Error(Exit::usage,
              fmt::format("{} is '{}'; it must be an integer, {} .. {}", argument, text, range.low, range.high));
}

double parse_seconds(std::string_view argument, const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && value >= 0 && value <= 3600) return value;
  throw Error(Exit::usage, fmt::format("{} is '{}'; it must be a number of seconds, 0 .. 3600", argument, text));
}

std::string argument_of(const std::string& flags) { return flags.substr(0, flags.find(',')); }

void throw_not_one_of(std::string_view argument, std::string_view text, const std::vector<std::string>& known) {
  throw Error(Exit::usage, fmt::format("{} is '{}'; it must be one of {}", argument, text, fmt::join(known, ", ")));
}

void require_pattern(std::string_view argument, const std::string& pattern) {
  std::vector<std::string> names;
  for (const workload::Pattern& known : workload::patterns()) names.emplace_back(known.name);
  if (std::find(names.begin(), names.end(), pattern) == names.end()) throw_not_one_of(argument, pattern, names);
}

CLI::Option* add_file(CLI::App& app, const std::string& flags, std::optional<npy::File>& value,
                      const std::string& help) {
  const auto set = [argument = argument_of(flags), &value](const std::string& path) {
    value = npy::File{argument, path};
  };
  return app.add_option_function<std::string>(flags, set, help)->type_name("FILE");
}

CLI::Option* add_k(CLI::App& app, Shape& shape) {
  return add_integer(app, "-k", shape.k, positive, "positions selected a row; may exceed the length");
}

void add_selection_options(CLI::App& app, Shape& shape) {
  add_k(app, shape)->required()->group(selection_group);
  add_rule_options(app, shape);
}

void add_rule_options(CLI::App& app, Shape& shape) {
  add_integer(app, "--next-n", shape.length_rule.next_n, positive,
              "speculative rows a request: row r has the length lengths[r / N] - N + r % N + 1 (default 1)")
      ->group(selection_group);
  add_integer(app, "--divisor", shape.length_rule.divisor, positive,
              "tokens one score stands for: a row's length is divided by it (default 1)")
      ->group(selection_group);
  add_choice(app, "--ties", shape.ties, {Ties::lowest_index, Ties::any}, "which of equal scores")
      ->group(selection_group);
  add_choice(app, "--order", shape.order, {Order::any, Order::by_index, Order::by_score}, "order of a row's items")
      ->group(selection_group);
  add_choice(app, "--nan", shape.nan, {Nan::lowest, Nan::highest}, "where NaN stands, below -inf or above +inf")
      ->group(selection_group);
}

std::array<CLI::Option*, 2> add_size_options(CLI::App& app, Shape& shape) {
  CLI::Option* rows = add_integer(app, "--rows", shape.rows, positive, "rows of the score matrix");
  CLI::Option* length = add_integer(app, "--length", shape.width, positive, "scores a row");
  add_choice(app, "--type", shape.scores, {ScoreType::f32, ScoreType::f16, ScoreType::bf16}, "type of the scores");
  return {rows, length};
}

}  // namespace tamis::cli
