// Is every barrier needed, and would its absence be noticed? Takes each barrier of the kernels out in turn, runs the
// contract's cases on the emulator, and writes which case noticed and how: by a race (in the preset tsan-emulator), by
// what the emulator reports, by a wrong result, by a crash or a hang. A barrier that nothing misses must say why it
// stands there, in a comment at the end of its line; the report quotes it. Each mutant runs in a process of its own,
// started afresh: ThreadSanitizer does not follow a fork.
//
//   tamis_barrier_mutants [N [METHOD ...]] > report.md      N cases a method and mutant, evenly spread over the list
//   tamis_barrier_mutants --answers FILE [N [METHOD ...]]   keeps in the file what each process said and asks no other
//                                                           again: a run may be cut short and continued elsewhere
//   tamis_barrier_mutants --one N METHOD [WORD FILE LINE COLUMN]      one of those processes
//
// Run it where the sources are: in the repository.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "barrier_answers.hpp"
#include "simt/host/emulator.hpp"
#include "support/gpu_machines.hpp"

namespace {

int races = 0;

}  // namespace

extern "C" void __tsan_on_report(void*) { ++races; }
extern "C" const char* __tsan_default_options() { return "exitcode=0:log_path=/dev/null:report_signal_unsafe=0"; }

namespace tamis::testing {
namespace {

using simt::host::BarrierSite;

constexpr unsigned most_seconds = 900;  // of one mutant on one method; a sound one takes a tenth

struct Verdict {
  std::string how;  // empty: nobody noticed
  std::string details;
};

// What a process started with `arguments` says, or how it ended without saying it.
std::string run_self(const std::string& arguments) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::FILE* child = popen(fmt::format("exec '{}' {} 2>/dev/null", self, arguments).c_str(), "r");
  if (child == nullptr) return "crash\tno process";
  std::string said;
  char part[4096];
  for (std::size_t bytes; (bytes = std::fread(part, 1, sizeof part, child)) > 0;) said.append(part, bytes);
  const int status = pclose(child);
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM ? "hang" : fmt::format("crash\tsignal {}", WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? said : fmt::format("crash\texit status {}", WEXITSTATUS(status));
}

std::string ask(Answers& answers, const std::string& arguments) {
  return answers.of(arguments, [&] { return run_self("--one " + arguments); });
}

// The machine of each method named; of all where none is. A method is tried on the first device that has it.
std::vector<Machine> methods(const std::vector<std::string>& wanted) {
  std::vector<Machine> list;
  for (const Machine& machine : machines()) {
    const bool asked_for = wanted.empty() || std::ranges::find(wanted, machine.method) != wanted.end();
    const bool known = std::ranges::find(list, machine.method, &Machine::method) != list.end();
    if (machine.device.backend == Backend::emulated && !machine.method.empty() && asked_for && !known)
      list.push_back(machine);
  }
  return list;
}

// `count` of the cases that the method takes, evenly spread.
std::vector<const Case*> cases_for(const Machine& machine, std::size_t count) {
  std::vector<const Case*> all, some;
  for (const Case& c : cases()) {
    if (c.size() == Size::emulator && plan_on(c.shape, machine).ok()) all.push_back(&c);
  }
  for (std::size_t i = 0; i < std::min(count, all.size()); ++i) some.push_back(all[i * all.size() / count]);
  return some;
}

// The file as the repository names it, wherever it was compiled.
std::string file_of(const BarrierSite& site) {
  const std::size_t at = site.file.rfind("/src/");
  return at == std::string::npos ? site.file : site.file.substr(at + 1);
}

std::string line_of(const BarrierSite& site) { return fmt::format("{}:{}", site.file, site.line); }

// What the comment at the end of the barrier's line says; empty where there is none.
std::string reason_of(const BarrierSite& site) {
  std::ifstream source(site.file);
  std::string line;
  for (unsigned i = 0; i < site.line && std::getline(source, line); ++i) {
  }
  const std::size_t at = line.find("  // ");
  return at == std::string::npos ? "" : line.substr(at + 5);
}

// The first of the cases that notices: how, a tab, and which.
std::string first_to_notice(const Machine& machine, const std::vector<const Case*>& list) {
  for (const Case* c : list) {
    const std::string wrong = run(prepare(*c), machine);
    const std::string name = fmt::format("{}.{}", c->sentence, c->name);
    if (races > 0) return "race\t" + name;
    if (wrong.find("emulated kernel") != std::string::npos) return "reported\t" + name;
    if (!wrong.empty()) return "wrong result\t" + name;
  }
  return {};
}

std::string sites_passed(const Machine& machine, const std::vector<const Case*>& list) {
  if (const std::string wrong = first_to_notice(machine, list); !wrong.empty()) return "unsound\t" + wrong;
  std::string said;
  for (const BarrierSite& site : simt::host::barrier_sites()) {
    said += fmt::format("{}\t{}\t{}\t{}\n", site.word, file_of(site), site.line, site.column);
  }
  return said;
}

BarrierSite site_from(std::string_view line) {
  std::vector<std::string> cells(1);
  for (char c : line) c == '\t' ? cells.emplace_back() : cells.back() += c;
  cells.resize(4);
  return {cells[0], cells[1], static_cast<unsigned>(std::stoul(cells[2])), static_cast<unsigned>(std::stoul(cells[3]))};
}

// answer(0) ... answer(count - 1), as many at a time as there are processors.
template <class Answer, class Function>
std::vector<Answer> in_parallel(std::size_t count, Function answer) {
  std::vector<Answer> results(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < count;) results[i] = answer(i);
  };
  std::vector<std::future<void>> workers;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
    workers.push_back(std::async(std::launch::async, work));
  for (auto& worker : workers) worker.get();
  return results;
}

// By place in the source: the site and the methods that pass it.
using Sites = std::map<std::string, std::pair<BarrierSite, std::vector<std::string>>>;

Sites collect(Answers& answers, std::size_t count, const std::vector<std::string>& wanted) {
  const std::vector<Machine> list = methods(wanted);
  const std::vector<std::string> all = in_parallel<std::string>(
      list.size(), [&](std::size_t i) { return ask(answers, fmt::format("{} {}", count, list[i].method)); });
  Sites sites;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Machine& machine = list[i];
    const std::string& said = all[i];
    if (said.starts_with("unsound") || said.starts_with("crash") || said.starts_with("hang")) {
      fmt::print(stderr, "{} fails with all its barriers: {}\n", machine.name, said);
      std::exit(2);
    }
    for (std::size_t at = 0, end; (end = said.find('\n', at)) != std::string::npos; at = end + 1) {
      const BarrierSite site = site_from(std::string_view(said).substr(at, end - at));
      auto& entry = sites[fmt::format("{}:{}:{}", site.file, site.line, site.column)];
      entry.first = site;
      entry.second.push_back(machine.method);
    }
  }
  return sites;
}

Verdict try_without(Answers& answers, const BarrierSite& site, const std::vector<std::string>& tried,
                    std::size_t count) {
  for (const std::string& method : tried) {
    const std::string said =
        ask(answers, fmt::format("{} {} {} {} {} {}", count, method, site.word, site.file, site.line, site.column));
    if (said.empty()) continue;
    const std::size_t tab = said.find('\t');
    return {said.substr(0, tab), fmt::format("{}, {}", method, tab == said.npos ? "" : said.substr(tab + 1))};
  }
  return {};
}

int report(Answers& answers, std::size_t count, const std::vector<std::string>& wanted) {
  const Sites sites = collect(answers, count, wanted);
  const std::vector<Verdict> verdicts = in_parallel<Verdict>(sites.size(), [&](std::size_t i) {
    const auto& [site, passed_by] = std::next(sites.begin(), static_cast<std::ptrdiff_t>(i))->second;
    return try_without(answers, site, passed_by, count);
  });
  fmt::print("| barrier | word | its absence shows as | first in |\n|---|---|---|---|\n");
  std::size_t noticed = 0, explained = 0;
  for (auto verdict = verdicts.begin(); const auto& [place, entry] : sites) {
    const std::string reason = verdict->how.empty() ? reason_of(entry.first) : "";
    noticed += !verdict->how.empty();
    explained += !reason.empty();
    fmt::print("| `{}` | {} | {} | {} |\n", line_of(entry.first), entry.first.word,
               verdict->how.empty() ? "**nothing**" : verdict->how, reason.empty() ? verdict->details : reason);
    ++verdict;
  }
  fmt::print("\n{} barriers: {} are missed when they are taken out, {} say why they stand nevertheless.\n",
             sites.size(), noticed, explained);
  return noticed + explained == sites.size() && !sites.empty() ? 0 : 1;
}

// One process: the sites that the method passes, or who notices that a barrier is missing.
int run_one(std::size_t count, const std::string& method, const BarrierSite* without) {
  alarm(most_seconds);
  for (const Machine& machine : methods({method})) {
    const std::vector<const Case*> list = cases_for(machine, count);
    simt::host::skip_barrier(without);
    fmt::print("{}", without ? first_to_notice(machine, list) : sites_passed(machine, list));
    return 0;
  }
  return 2;
}

}  // namespace
}  // namespace tamis::testing

int main(int argc, char** argv) {
  std::vector<std::string> given(argv + 1, argv + argc);
  const bool one = !given.empty() && given[0] == "--one";
  const bool kept = given.size() > 1 && given[0] == "--answers";
  tamis::testing::Answers answers(kept ? given[1] : "");
  given.erase(given.begin(), given.begin() + (one ? 1 : kept ? 2 : 0));
  const long count = given.empty() ? 40 : std::atol(given[0].c_str());
  if (count < 1 || (one && given.size() != 2 && given.size() != 6)) {
    fmt::print(
        stderr,
        "usage: tamis_barrier_mutants [--answers FILE] [N [METHOD ...]], N cases a method and mutant, at least 1\n");
    return 2;
  }
  const auto cases = static_cast<std::size_t>(count);
  if (!one) return tamis::testing::report(answers, cases, {given.begin() + (given.empty() ? 0 : 1), given.end()});
  if (given.size() == 2) return tamis::testing::run_one(cases, given[1], nullptr);
  const tamis::simt::host::BarrierSite site{given[2], given[3], static_cast<unsigned>(std::atoi(given[4].c_str())),
                                            static_cast<unsigned>(std::atoi(given[5].c_str()))};
  return tamis::testing::run_one(cases, given[1], &site);
}
