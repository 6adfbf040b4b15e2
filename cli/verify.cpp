// tamis verify: whether an output, by whatever selector, is exactly what the contract asks for.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "terminal.hpp"

namespace tamis::cli {
namespace {

constexpr const char* footer =
    "Example:\n"
    "  tamis verify --scores scores.npy --lengths lengths.npy -k 2048 --indices indices.npy\n\n"
    "It takes the inputs and options of 'tamis select' and the files that a selector wrote, and shares no code with\n"
    "the selection. Exit status 0: exact. 1: not exact, and the first wrong row is named.";

struct Options {
  ProblemOptions problem;
  std::optional<npy::File> indices, slots, scores, counts;
  bool json = false;
};

// The output to judge, in the files that it lies in.
class JudgedFiles {
 public:
  JudgedFiles(const Options& options, const Problem& problem, npy::Element score_element) {
    const npy::Dimensions matrix{problem.shape.rows, problem.shape.k};
    output_ = {.mapping = problem.mapping, .page_table = problem.page_table, .offsets = problem.offsets};
    output_.indices = integers(options.indices, matrix, "k entries a row");
    output_.counts = integers(options.counts, {problem.shape.rows}, "a count a row");
    if (options.slots) open_slots(*options.slots, matrix);
    if (options.scores) open_scores(*options.scores, matrix, score_element);
  }

  const Output& output() const { return output_; }

 private:
  // verify only reads; Output has room for writers.
  std::int32_t* integers(const std::optional<npy::File>& file, const npy::Dimensions& shape, std::string_view what) {
    if (!file) return nullptr;
    return const_cast<std::int32_t*>(integers_.emplace_back(*file, shape, what).data());
  }

  void open_slots(const npy::File& file, const npy::Dimensions& shape) {
    const npy::MappedArray& array = arrays_.emplace_back(file);
    require_shape(array, shape, "k entries a row");
    if (array.element() != npy::Element::i32 && array.element() != npy::Element::i64)
      throw Error(Exit::usage, fmt::format("{} is '{}'; its elements are {}; they must be <i4 or <i8", file.argument,
                                           file.path, npy::descr(array.element())));
    output_.slot_type = array.element() == npy::Element::i64 ? SlotType::i64 : SlotType::i32;
    output_.slots = const_cast<void*>(array.data());
  }

  void open_scores(const npy::File& file, const npy::Dimensions& shape, npy::Element element) {
    const npy::MappedArray& array = arrays_.emplace_back(file);
    require_shape(array, shape, "k entries a row");
    if (array.element() != element)
      throw Error(Exit::usage, fmt::format("{} is '{}'; its elements are {}; they must be {}, as those of --scores",
                                           file.argument, file.path, npy::descr(array.element()), npy::descr(element)));
    output_.scores = const_cast<void*>(array.data());
  }

  std::vector<Int32Array> integers_;
  std::vector<npy::MappedArray> arrays_;
  Output output_;
};

void print_text(const Shape& shape, const Report& report) {
  if (report.exact()) {
    fmt::print("{}: {} rows, the best {} of {} {} scores each\n", good("exact"), report.rows, shape.k, shape.width,
               name(shape.scores));
    return;
  }
  fmt::print("{}: {} of {} rows are wrong\n", bad("not exact"), report.wrong_rows, report.rows);
  fmt::print("first: {}\n", report.message);
}

void print_json(const Report& report) {
  const nlohmann::ordered_json json{
      {"exact", report.exact()},         {"rows", report.rows},      {"wrong_rows", report.wrong_rows},
      {"finding", name(report.finding)}, {"row", report.row},        {"entry", report.entry},
      {"position", report.position},     {"message", report.message}};
  fmt::print("{}\n", json.dump(2));
}

Result<Report> judged(const Problem& problem, const Output& output) {
  const Progress progress("verifying");
  return verify(problem.shape, problem.rows, output);
}

Exit run(const Options& options) {
  if (!options.indices && !options.slots && !options.scores && !options.counts)
    throw Error(Exit::usage,
                "there is no output to judge; give at least one of --indices, --slots, --out-scores, --counts");
  const ProblemFiles files(options.problem);
  const JudgedFiles judged_files(options, files.problem(), files.score_element());
  const Result<Report> report = judged(files.problem(), judged_files.output());
  require(report.status);
  options.json ? print_json(report.value) : print_text(files.problem().shape, report.value);
  return report.value.exact() ? Exit::ok : Exit::not_exact;
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App& command = *app.add_subcommand("verify", "Judge whether an output is exact")->footer(footer);
  add_problem_options(command, options->problem);
  constexpr const char* group = "Output to judge";
  add_file(command, "--indices,--out-indices", options->indices, "positions, then -1: i4 or i8 [rows, k]")
      ->group(group);
  add_file(command, "--slots,--out-slots", options->slots, "slots, then -1: i4 or i8 [rows, k]")->group(group);
  add_file(command, "--out-scores", options->scores, "the selected scores, then -inf: [rows, k]")->group(group);
  add_file(command, "--counts,--out-counts", options->counts, "positions selected in each row: i4 or i8 [rows]")
      ->group(group);
  command.add_flag("--json", options->json, "the report as JSON");
  set_action<Options>(command, action, options, run);
}

}  // namespace tamis::cli
