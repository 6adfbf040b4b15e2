// tamis select: the best k positions of every row of a score file, written as positions, slots, scores and counts.

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "command.hpp"
#include "options.hpp"
#include "selection.hpp"
#include "terminal.hpp"

namespace tamis::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* footer =
    "Example:\n"
    "  tamis select --scores scores.npy --lengths lengths.npy -k 2048 \\\n"
    "      --page-table pages.npy --page-size 64 --out-slots slots.npy --out-indices indices.npy\n\n"
    "Without an output it selects all the same and says how fast. 'tamis verify' judges what it wrote.";

struct Options {
  ProblemOptions problem;
  MachineOptions machine;
  std::optional<npy::File> indices, slots, scores, counts;
  SlotType slot_type = SlotType::i32;
  bool json = false;
};

std::vector<npy::File> output_files(const Options& options) {
  std::vector<npy::File> files;
  for (const auto& file : {options.indices, options.slots, options.scores, options.counts})
    if (file) files.push_back(*file);
  return files;
}

// The files that are to be written, opened before the work begins so that one that cannot be ends the command early.
class OutputFiles {
 public:
  OutputFiles(const Options& options, const Shape& shape, npy::Element score_element) {
    const npy::Dimensions matrix{shape.rows, shape.k};
    const npy::Element slot = options.slot_type == SlotType::i64 ? npy::Element::i64 : npy::Element::i32;
    open(options.indices, npy::Element::i32, matrix, &Selected::indices);
    open(options.slots, slot, matrix, &Selected::slots);
    open(options.scores, score_element, matrix, &Selected::scores);
    open(options.counts, npy::Element::i32, {shape.rows}, &Selected::counts);
  }

  void write(const Selected& selected) {
    for (const Output& output : outputs_) output.writer->write(selected.*output.content);
    for (const Output& output : outputs_) output.writer->commit();
  }

 private:
  struct Output {
    std::unique_ptr<npy::ArrayWriter> writer;
    std::vector<std::byte> Selected::*content;
  };

  void open(const std::optional<npy::File>& file, npy::Element element, const npy::Dimensions& shape,
            std::vector<std::byte> Selected::*content) {
    if (file) outputs_.push_back({std::make_unique<npy::ArrayWriter>(*file, element, shape), content});
  }

  std::vector<Output> outputs_;
};

double seconds_of(Selection& selection) {
  const Progress progress("selecting");
  const auto begin = std::chrono::steady_clock::now();
  selection.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::int64_t total_count(const Selected& selected) {
  const auto* counts = reinterpret_cast<const std::int32_t*>(selected.counts.data());
  return std::accumulate(counts, counts + selected.counts.size() / sizeof *counts, std::int64_t{0});
}

using NamedFault = std::pair<const char*, Fault>;
std::vector<NamedFault> named(const Faults& faults) {
  return {{"length", faults.length},
          {"start", faults.start},
          {"table_row", faults.table_row},
          {"page", faults.page},
          {"slot", faults.slot}};
}

// What a selection came to, for people and for programs.
struct Summary {
  const Shape& shape;
  const Machine& machine;
  const Plan& plan;
  const Selected& selected;
  std::int64_t bytes;  // of the scores in the windows
  double seconds;
  std::vector<npy::File> files;
};

std::string faults_text(const Faults& faults) {
  std::string text;
  for (const auto& [kind, fault] : named(faults))
    if (fault.count > 0)
      text += fmt::format("{}{} {} (first in row {})", text.empty() ? "" : ", ", fault.count, kind, fault.first_row);
  return text.empty() ? "none" : bad(text);
}

void print_text(const Summary& s) {
  fmt::print("selected   {} positions: the best {} of {} {} scores in each of {} rows\n", total_count(s.selected),
             s.shape.k, s.shape.width, name(s.shape.scores), s.shape.rows);
  fmt::print("where      {} ({}), {} threads, method {}\n", s.machine.device().name, name(s.machine.device().backend),
             s.machine.threads(), s.plan.method());
  fmt::print("time       {:.3f} ms, {:.2f} GB/s of scores\n", s.seconds * 1e3,
             static_cast<double>(s.bytes) / s.seconds / 1e9);
  fmt::print("faults     {}\n", faults_text(s.selected.faults));
  for (const npy::File& file : s.files) fmt::print("wrote      {} {}\n", file.argument, file.path);
}

void print_json(const Summary& s) {
  Json json{{"rows", s.shape.rows},
            {"width", s.shape.width},
            {"k", s.shape.k},
            {"scores", name(s.shape.scores)},
            {"selected", total_count(s.selected)},
            {"backend", name(s.machine.device().backend)},
            {"device", s.machine.device().name},
            {"threads", s.machine.threads()},
            {"method", s.plan.method()},
            {"milliseconds", s.seconds * 1e3},
            {"gigabytes_per_second", static_cast<double>(s.bytes) / s.seconds / 1e9}};
  for (const auto& [kind, fault] : named(s.selected.faults))
    json["faults"][kind] = {{"count", fault.count},
                            {"first_row", fault.count > 0 ? Json(fault.first_row) : Json(nullptr)}};
  json["wrote"] = Json::object();
  for (const npy::File& file : s.files) json["wrote"][file.argument] = file.path;
  fmt::print("{}\n", json.dump(2));
}

// Indices where no output is asked for: the work to be timed. Counts always: they are few and the summary tells them.
Wanted wanted(const Options& options) {
  return {.indices = options.indices.has_value() || output_files(options).empty(),
          .slots = options.slots.has_value(),
          .scores = options.scores.has_value(),
          .counts = true,
          .slot_type = options.slot_type};
}

Exit run(const Options& options) {
  const std::vector<npy::File> outputs = output_files(options);
  npy::require_distinct(input_files(options.problem), outputs);
  const ProblemFiles files(options.problem);
  const Problem& problem = files.problem();
  const Machine machine(options.machine);
  Selection selection(machine, problem, wanted(options));
  OutputFiles writers(options, problem.shape, files.score_element());
  const double seconds = seconds_of(selection);
  const Selected selected = selection.read();
  writers.write(selected);
  const Summary summary{problem.shape, machine, selection.plan(), selected, window_bytes(problem), seconds, outputs};
  options.json ? print_json(summary) : print_text(summary);
  return Exit::ok;
}

}  // namespace

void add_select(CLI::App& app, Action& action) {
  const auto options = std::make_shared<Options>();
  CLI::App& command = *app.add_subcommand("select", "Select the k best positions of every row")->footer(footer);
  add_problem_options(command, options->problem);
  add_machine_options(command, options->machine);
  constexpr const char* group = "Output";
  add_file(command, "--out-indices", options->indices, "positions, then -1: i4 [rows, k]")->group(group);
  add_file(command, "--out-slots", options->slots, "positions mapped to slots, then -1: [rows, k]")->group(group);
  add_choice(command, "--slot-type", options->slot_type, {SlotType::i32, SlotType::i64}, "type of the slots")
      ->group(group);
  add_file(command, "--out-scores", options->scores, "the selected scores, then -inf: [rows, k]")->group(group);
  add_file(command, "--out-counts", options->counts, "positions selected in each row: i4 [rows]")->group(group);
  command.add_flag("--json", options->json, "the summary as JSON")->group(group);
  set_action<Options>(command, action, options, run);
}

}  // namespace tamis::cli
