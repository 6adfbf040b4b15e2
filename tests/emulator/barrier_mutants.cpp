// Is every barrier needed, and would its absence be noticed? Takes each barrier of the kernels out in turn, runs the
// contract's cases on the emulator, and writes which case noticed and how: by a race (in the preset tsan-emulator), by
// what the emulator reports, by a wrong result, by a crash or a hang. Each mutant runs in a process of its own.
//
//   tamis_barrier_mutants [--cases=N] > report.md      N cases a method and mutant, evenly spread over the list
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

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

constexpr unsigned most_seconds = 120;  // of one mutant on one method

struct Verdict {
  std::string how;  // empty: nobody noticed
  std::string details;
};

// What `work` says, in a process of its own.
std::string in_child(const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(most_seconds);
    const std::string said = work();
    const bool written = write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string said;
  char part[4096];
  for (ssize_t bytes; (bytes = read(ends[0], part, sizeof part)) > 0;)
    said.append(part, static_cast<std::size_t>(bytes));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSIGNALED(status)) return said;
  return WTERMSIG(status) == SIGALRM ? "hang" : fmt::format("crash\tsignal {}", WTERMSIG(status));
}

std::vector<Machine> methods() {
  std::vector<Machine> list;
  for (const Machine& machine : machines()) {
    if (machine.device.backend == Backend::emulated && !machine.method.empty()) list.push_back(machine);
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

std::string line_of(const BarrierSite& site) {
  const std::size_t at = site.file.rfind("/src/");
  return fmt::format("{}:{}", at == std::string::npos ? site.file : site.file.substr(at + 1), site.line);
}

// The first of the cases that notices: how, a tab, and which.
std::string first_to_notice(const Machine& machine, const std::vector<const Case*>& list) {
  for (const Case* c : list) {
    const std::string wrong = run(*c, machine);
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
    said += fmt::format("{}\t{}\t{}\t{}\n", site.word, site.file, site.line, site.column);
  }
  return said;
}

BarrierSite site_from(std::string_view line) {
  std::vector<std::string> cells(1);
  for (char c : line) c == '\t' ? cells.emplace_back() : cells.back() += c;
  cells.resize(4);
  return {cells[0], cells[1], static_cast<unsigned>(std::stoul(cells[2])), static_cast<unsigned>(std::stoul(cells[3]))};
}

struct Subject {
  Machine machine;
  std::vector<const Case*> cases;
};

// By place in the source: the site and the methods that pass it.
using Sites = std::map<std::string, std::pair<BarrierSite, std::vector<const Subject*>>>;

Sites collect(const std::vector<Subject>& subjects) {
  Sites sites;
  for (const Subject& subject : subjects) {
    const std::string said = in_child([&] { return sites_passed(subject.machine, subject.cases); });
    if (said.starts_with("unsound") || said.starts_with("crash") || said.starts_with("hang")) {
      fmt::print(stderr, "{} fails with all its barriers: {}\n", subject.machine.name, said);
      std::exit(2);
    }
    for (std::size_t at = 0, end; (end = said.find('\n', at)) != std::string::npos; at = end + 1) {
      const BarrierSite site = site_from(std::string_view(said).substr(at, end - at));
      auto& entry = sites[fmt::format("{}:{}:{}", site.file, site.line, site.column)];
      entry.first = site;
      entry.second.push_back(&subject);
    }
  }
  return sites;
}

Verdict try_without(const BarrierSite& site, const std::vector<const Subject*>& subjects) {
  for (const Subject* subject : subjects) {
    const std::string said = in_child([&] {
      simt::host::skip_barrier(&site);
      return first_to_notice(subject->machine, subject->cases);
    });
    if (said.empty()) continue;
    const std::size_t tab = said.find('\t');
    return {said.substr(0, tab),
            fmt::format("{}, {}", subject->machine.method, tab == said.npos ? "" : said.substr(tab + 1))};
  }
  return {};
}

int report(std::size_t count) {
  std::vector<Subject> subjects;
  for (const Machine& machine : methods()) subjects.push_back({machine, cases_for(machine, count)});
  const Sites sites = collect(subjects);
  fmt::print("| barrier | word | its absence shows as | first in |\n|---|---|---|---|\n");
  std::size_t noticed = 0;
  for (const auto& [place, entry] : sites) {
    const Verdict verdict = try_without(entry.first, entry.second);
    noticed += !verdict.how.empty();
    fmt::print("| `{}` | {} | {} | {} |\n", line_of(entry.first), entry.first.word,
               verdict.how.empty() ? "**nothing**" : verdict.how, verdict.details);
    std::fflush(stdout);
  }
  fmt::print("\n{} of {} barriers are missed when they are taken out.\n", noticed, sites.size());
  return noticed == sites.size() && !sites.empty() ? 0 : 1;
}

}  // namespace
}  // namespace tamis::testing

int main(int argc, char** argv) {
  constexpr std::string_view option = "--cases=";
  std::size_t count = 40;
  const std::string_view given = argc > 1 ? argv[1] : "";
  const char* end = given.data() + given.size();
  const bool numbered =
      given.starts_with(option) && std::from_chars(given.data() + option.size(), end, count).ptr == end;
  if (argc > 2 || (argc == 2 && (!numbered || count == 0))) {
    fmt::print(stderr, "usage: tamis_barrier_mutants [--cases=N], N at least 1; got \"{}\"\n", given);
    return 2;
  }
  return tamis::testing::report(count);
}
