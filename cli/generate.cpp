// tamis generate: a score matrix of one of the patterns, written piece by piece.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "options.hpp"
#include "tamis/workload.hpp"
#include "terminal.hpp"

namespace tamis::cli {
namespace {

constexpr const char* footer =
    "Example:\n"
    "  tamis generate --list\n"
    "  tamis generate --pattern relu --rows 64 --length 131072 --seed 1 -o scores.npy\n\n"
    "Equal arguments give equal bits on every machine. bf16 scores are written as u2, for numpy has no bf16;\n"
    "'tamis select --bf16' reads them.";

struct Options {
  std::string pattern;
  Shape shape;  // rows, width and score type
  std::int64_t seed = 0;
  std::optional<npy::File> output;
  bool list = false;
  bool json = false;
};

Exit list_patterns(const Options& options) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const workload::Pattern& pattern : workload::patterns()) {
    json.push_back({{"name", pattern.name}, {"sketch", pattern.sketch}});
    if (!options.json) fmt::print("{:16} {}\n", pattern.name, pattern.sketch);
  }
  if (options.json) fmt::print("{}\n", json.dump(2));
  return Exit::ok;
}

npy::Element element_of(ScoreType type) {
  if (type == ScoreType::f32) return npy::Element::f32;
  return type == ScoreType::f16 ? npy::Element::f16 : npy::Element::u16;
}

void require_all(const Options& options) {
  const auto require_given = [](bool given, const char* argument) {
    if (!given) throw Error(Exit::usage, fmt::format("{} is missing; it must be given", argument));
  };
  require_given(!options.pattern.empty(), "--pattern");
  require_pattern("--pattern", options.pattern);
  require_given(options.shape.rows > 0, "--rows");
  require_given(options.shape.width > 0, "--length");
  require_given(options.output.has_value(), "-o");
}

void write_rows(const Options& options, npy::ArrayWriter& writer) {
  constexpr std::int64_t piece_bytes = 4 << 20;
  const auto [rows, width, type] = std::tuple(options.shape.rows, options.shape.width, options.shape.scores);
  const std::int64_t row_bytes = width * static_cast<std::int64_t>(score_bytes(type));
  const std::int64_t rows_a_piece = std::clamp<std::int64_t>(piece_bytes / row_bytes, 1, rows);
  std::vector<std::byte> piece(static_cast<std::size_t>(rows_a_piece * row_bytes));
  Progress progress("generating", rows);
  for (std::int64_t row = 0; row < rows; row += rows_a_piece) {
    const std::int64_t count = std::min(rows_a_piece, rows - row);
    const workload::Target target{piece.data(), type, count, width, width};
    require(workload::generate(options.pattern, static_cast<std::uint64_t>(options.seed), target, row));
    writer.write(std::span(piece).first(static_cast<std::size_t>(count * row_bytes)));
    progress.done(row + count);
  }
}

Exit run(const Options& options) {
  if (options.list) return list_patterns(options);
  require_all(options);
  npy::ArrayWriter writer(*options.output, element_of(options.shape.scores), {options.shape.rows, options.shape.width});
  write_rows(options, writer);
  writer.commit();
  return Exit::ok;
}

}  // namespace

void add_generate(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App& command = *app.add_subcommand("generate", "Write a score matrix of a known pattern")->footer(footer);
  command.add_option("--pattern", options->pattern, "what the scores look like; --list shows them all")
      ->type_name("NAME");
  add_size_options(command, options->shape);
  add_integer(command, "--seed", options->seed, {0, INT64_MAX}, "another seed gives other scores (default 0)");
  add_file(command, "-o,--output", options->output, "the .npy file to write");
  command.add_flag("--list", options->list, "list the patterns, with a sketch of each, and stop");
  command.add_flag("--json", options->json, "the list as JSON");
  set_action<Options>(command, action, options, run);
}

}  // namespace tamis::cli
