// Command-line options that say what they must be: every value that does not fit ends in a usage error of the form
// "--rows is 'x'; it must be an integer, 1 .. 2147483647".
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "error.hpp"
#include "npy.hpp"
#include "tamis/tamis.hpp"

namespace tamis::cli {

// The integers that an option accepts.
struct Range {
  std::int64_t low = 0;
  std::int64_t high = INT32_MAX;
};
inline constexpr Range positive{1, INT32_MAX};

// The integer that `text`, the value of `argument`, spells. Throws a usage error.
std::int64_t parse_integer(std::string_view argument, const std::string& text, Range range);

// As parse_integer, for numbers of seconds.
double parse_seconds(std::string_view argument, const std::string& text);

// "--rows" of "--rows" and "-o" of "-o,--output": how messages call an option.
std::string argument_of(const std::string& flags);

[[noreturn]] void throw_not_one_of(std::string_view argument, std::string_view text,
                                   const std::vector<std::string>& known);

// Throws a usage error unless `pattern` is one of tamis/workload.hpp.
void require_pattern(std::string_view argument, const std::string& pattern);

template <class Integer>
CLI::Option* add_integer(CLI::App& app, const std::string& flags, Integer& value, Range range,
                         const std::string& help) {
  const auto set = [argument = argument_of(flags), &value, range](const std::string& text) {
    value = static_cast<Integer>(parse_integer(argument, text, range));
  };
  return app.add_option_function<std::string>(flags, set, help)->type_name("N");
}

// An enumeration whose values are `known`, by their names.
template <class Enum>
CLI::Option* add_choice(CLI::App& app, const std::string& flags, Enum& value, const std::vector<Enum>& known,
                        const std::string& help) {
  std::vector<std::string> names;
  for (const Enum each : known) names.emplace_back(name(each));
  const auto set = [argument = argument_of(flags), &value, known, names](const std::string& text) {
    for (std::size_t i = 0; i < known.size(); ++i)
      if (names[i] == text) return void(value = known[i]);
    throw_not_one_of(argument, text, names);
  };
  const std::string choices = fmt::format("{}: {} (default {})", help, fmt::join(names, ", "), name(value));
  return app.add_option_function<std::string>(flags, set, choices)->type_name("NAME");
}

// A file; `value` stays empty where the option is not given.
CLI::Option* add_file(CLI::App& app, const std::string& flags, std::optional<npy::File>& value,
                      const std::string& help);

// Options into their fields of `shape`: -k; --next-n, --divisor, --ties, --order and --nan; or both, -k required.
CLI::Option* add_k(CLI::App& app, Shape& shape);
void add_rule_options(CLI::App& app, Shape& shape);
void add_selection_options(CLI::App& app, Shape& shape);

// --rows, --length and --type, into theirs. Returns the first two, for callers that cannot do without.
std::array<CLI::Option*, 2> add_size_options(CLI::App& app, Shape& shape);

}  // namespace tamis::cli
