// tamis bench: how long a selection takes, cell by cell, beside the time to read the scores once. A cell whose result
// is not exact is not timed.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "memory.hpp"
#include "options.hpp"
#include "selection.hpp"
#include "suites.hpp"
#include "tamis/workload.hpp"
#include "terminal.hpp"
#include "timing.hpp"

namespace tamis::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* footer =
    "Example:\n"
    "  tamis bench --suite quick\n"
    "  tamis bench --rows 64 --length 131072 -k 2048 --pattern relu --threads 1 --json\n\n"
    "floor is the time to read every score once on the same threads, measured beside each cell (cpu only);\n"
    "ratio is median / floor. Suites: quick, decode, prefill, patterns, grid ('--list' tells more).";

struct Options {
  Shape shape;  // all but rows, width and k where a suite is run
  std::string pattern = "normal";
  std::string suite;
  MachineOptions machine;
  double seconds = 0.2;
  bool list = false;
  bool json = false;
};

struct Result {
  Cell cell;
  std::string method;
  std::int64_t bytes = 0;
  Timing time;
  std::optional<Timing> floor;

  double gigabytes_per_second() const { return static_cast<double>(bytes) / time.median / 1e9; }
};

std::vector<std::byte> generated(const Cell& cell, ScoreType type) {
  require_memory(cell.rows, cell.length * static_cast<std::int64_t>(score_bytes(type)),
                 fmt::format("--length is {}; {} rows of as many scores", cell.length, cell.rows));
  std::vector<std::byte> scores(static_cast<std::size_t>(cell.rows * cell.length) * score_bytes(type));
  require(workload::generate(cell.pattern, 1, {scores.data(), type, cell.rows, cell.length, cell.length}));
  return scores;
}

void require_exact(const Cell& cell, const Problem& problem, Selection& selection) {
  selection.run();
  Selected selected = selection.read();
  const auto report = verify(problem.shape, problem.rows, selected.view(problem, SlotType::i32));
  require(report.status);
  if (!report.value.exact())
    throw Error(Exit::not_exact, fmt::format("{} x {}, k {}, {}: not exact: {}", cell.rows, cell.length, cell.k,
                                             cell.pattern, report.value.message));
}

Result measured(const Options& options, const Machine& machine, const Cell& cell) {
  Problem problem{.shape = options.shape};
  std::tie(problem.shape.rows, problem.shape.width, problem.shape.k) = std::tie(cell.rows, cell.length, cell.k);
  const std::vector<std::byte> scores = generated(cell, problem.shape.scores);
  problem.rows = {.scores = scores.data(), .stride = cell.length};
  Selection selection(machine, problem, {.indices = true});
  require_exact(cell, problem, selection);
  Result result{.cell = cell, .method = std::string(selection.plan().method()), .bytes = window_bytes(problem)};
  result.time = timed([&] { selection.run(); }, options.seconds);
  if (machine.device().backend == Backend::cpu) result.floor = read_floor(scores, machine.threads(), options.seconds);
  return result;
}

void print_heading() {
  fmt::print("{:>6} {:>8} {:>6}  {:15} {:>11} {:>11} {:>11} {:>8} {:>11} {:>6}  {}\n", "rows", "length", "k", "pattern",
             "median us", "p10 us", "p90 us", "GB/s", "floor us", "ratio", "method");
}

void print_row(const Result& r) {
  const std::string floor = r.floor ? fmt::format("{:.2f}", r.floor->median * 1e6) : "-";
  const std::string ratio = r.floor ? fmt::format("{:.2f}", r.time.median / r.floor->median) : "-";
  fmt::print("{:6} {:8} {:6}  {:15} {:11.2f} {:11.2f} {:11.2f} {:8.2f} {:>11} {:>6}  {}\n", r.cell.rows, r.cell.length,
             r.cell.k, r.cell.pattern, r.time.median * 1e6, r.time.p10 * 1e6, r.time.p90 * 1e6,
             r.gigabytes_per_second(), floor, ratio, r.method);
  std::fflush(stdout);
}

Json as_json(const Result& r) {
  Json json{{"rows", r.cell.rows},
            {"length", r.cell.length},
            {"k", r.cell.k},
            {"pattern", r.cell.pattern},
            {"method", r.method},
            {"calls", r.time.calls},
            {"median_us", r.time.median * 1e6},
            {"p10_us", r.time.p10 * 1e6},
            {"p90_us", r.time.p90 * 1e6},
            {"gigabytes_per_second", r.gigabytes_per_second()},
            {"floor_us", nullptr},
            {"ratio", nullptr}};
  if (!r.floor) return json;
  json["floor_us"] = r.floor->median * 1e6;
  json["ratio"] = r.time.median / r.floor->median;
  return json;
}

Exit list_suites() {
  for (const Suite& suite : suites()) fmt::print("{:10} {} ({} cells)\n", suite.name, suite.sketch, suite.cells.size());
  return Exit::ok;
}

std::vector<Cell> cells_of(const Options& options) {
  const auto& [rows, length, k] = std::tie(options.shape.rows, options.shape.width, options.shape.k);
  const bool one_cell = rows > 0 || length > 0 || k > 0;
  if (one_cell && !options.suite.empty())
    throw Error(Exit::usage, "--suite and --rows, --length or -k are both given; a suite names its own");
  if (one_cell && (rows == 0 || length == 0 || k == 0))
    throw Error(Exit::usage, "--rows, --length and -k are needed together; or --suite alone");
  if (one_cell) return {{rows, length, k, options.pattern}};
  const std::string wanted = options.suite.empty() ? "quick" : options.suite;
  std::vector<std::string> names;
  for (const Suite& suite : suites()) {
    if (suite.name == wanted) return suite.cells;
    names.emplace_back(suite.name);
  }
  throw_not_one_of("--suite", wanted, names);
}

Exit run(const Options& options) {
  if (options.list) return list_suites();
  require_pattern("--pattern", options.pattern);
  const std::vector<Cell> cells = cells_of(options);
  const Machine machine(options.machine);
  Json results = Json::array();
  if (!options.json) print_heading();
  for (const Cell& cell : cells) {
    const Result result = [&] {
      Progress progress(fmt::format("measuring {} x {}, k {}, {}", cell.rows, cell.length, cell.k, cell.pattern));
      return measured(options, machine, cell);
    }();
    options.json ? results.push_back(as_json(result)) : print_row(result);
  }
  if (!options.json) return Exit::ok;
  const Json json{
      {"version", version()},         {"backend", name(machine.device().backend)}, {"device", machine.device().name},
      {"threads", machine.threads()}, {"scores", name(options.shape.scores)},      {"cells", results}};
  fmt::print("{}\n", json.dump(2));
  return Exit::ok;
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App& command = *app.add_subcommand("bench", "Measure selections beside their read floor")->footer(footer);
  command.add_option("--suite", options->suite, "a list of cells to measure (default quick)")->type_name("NAME");
  add_size_options(command, options->shape);
  add_k(command, options->shape);
  command.add_option("--pattern", options->pattern, "what the scores of the one cell look like (default normal)")
      ->type_name("NAME");
  add_rule_options(command, options->shape);
  const auto set_seconds = [options](const std::string& text) { options->seconds = parse_seconds("--seconds", text); };
  command
      .add_option_function<std::string>("--seconds", set_seconds,
                                        "seconds each cell is measured, at least (default 0.2)")
      ->type_name("S");
  add_machine_options(command, options->machine);
  command.add_flag("--list", options->list, "list the suites, and stop");
  command.add_flag("--json", options->json, "the results as JSON");
  set_action<Options>(command, action, options, run);
}

}  // namespace tamis::cli
