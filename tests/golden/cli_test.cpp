// The tamis command as a shell runs it. A case file under tests/golden/cases lists command lines; what they print and
// how they exit is a transcript under tests/golden/expected. Apart from that: select, then verify, over every pattern.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <regex>
#include <sstream>

#include "golden.hpp"
#include "npy.hpp"
#include "tamis/workload.hpp"

namespace tamis::cli {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

struct Outcome {
  int exit = 0;
  std::string out;
  std::string error;
};

// A folder with input files, in which commands are run; removed at the end.
class Shell {
 public:
  Shell() { ::setenv("PATH", fmt::format("{}:{}", TAMIS_COMMAND_DIR, std::getenv("PATH")).c_str(), 1); }
  ~Shell() { fs::remove_all(folder_); }

  Outcome run(const std::string& command) const {
    const std::string line =
        fmt::format("cd '{0}' && {{ {1}\n}} >'{0}.out' 2>'{0}.err' </dev/null", folder_.string(), command);
    const int status = std::system(line.c_str());
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(folder_.string() + ".out"),
                    content(folder_.string() + ".err")};
    fs::remove(folder_.string() + ".out");
    fs::remove(folder_.string() + ".err");
    return outcome;
  }

  // An integer file in the folder.
  template <class Integer>
  void write(const std::string& name, const npy::Dimensions& shape, const std::vector<Integer>& numbers) const {
    const npy::Element element = sizeof(Integer) == 8 ? npy::Element::i64 : npy::Element::i32;
    npy::ArrayWriter writer({name, (folder_ / name).string()}, element, shape);
    writer.write(std::as_bytes(std::span(numbers)));
    writer.commit();
  }

  void write_text(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

 private:
  fs::path folder_ = golden::make_folder();
};

// What a machine's speed decides, taken out.
std::string steadied(const std::string& text) {
  static const std::regex speed(R"([0-9.e+-]+ ms, [0-9.e+-]+ GB/s)");
  static const std::regex json_speed(R"(("milliseconds"|"gigabytes_per_second"): [0-9.e+-]+)");
  return std::regex_replace(std::regex_replace(text, speed, "# ms, # GB/s"), json_speed, "$1: #");
}

std::string indented(const std::string& text, std::string_view mark) {
  std::string result, line;
  for (std::istringstream lines(text); std::getline(lines, line);) result += fmt::format("{}{}\n", mark, line);
  return result;
}

std::string transcript(const Shell& shell, const fs::path& cases) {
  std::string text, line;
  for (std::ifstream lines(cases); std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') {
      text += line + '\n';
      continue;
    }
    const Outcome outcome = shell.run(line);
    text += fmt::format("$ {}\n{}{}[exit {}]\n", line, indented(steadied(outcome.out), "  "),
                        indented(steadied(outcome.error), "! "), outcome.exit);
  }
  return text;
}

// The input files that the case files speak of.
void write_inputs(const Shell& shell) {
  const std::string header = npy::make_header(npy::Element::f32, {4, 32});
  const auto altered = [&](std::string_view from, std::string_view to) {
    std::string copy = header;
    return copy.replace(copy.find(from), from.size(), to);
  };
  const std::string elements(4 * 32 * 4, '\0');
  shell.write<std::int32_t>("lengths.npy", {4}, {-1, 5, 32, 40});
  shell.write<std::int64_t>("lengths_i8.npy", {4}, {-1, 5, 32, 40});
  shell.write<std::int64_t>("lengths_large.npy", {4}, {1, 2, std::int64_t{1} << 40, 4});
  shell.write<std::int32_t>("three.npy", {3}, {1, 2, 3});
  shell.write<std::int32_t>("starts.npy", {4}, {0, 3, -1, 30});
  shell.write<std::int32_t>("pages.npy", {4, 4}, {3, 2, 1, 0, 7, 6, 5, 4, 8, -1, 9, 10, 11, 12, 13, 14});
  shell.write<std::int32_t>("cu_rows.npy", {5}, {0, 1, 2, 3, 4});
  shell.write<std::int32_t>("offsets.npy", {4}, {0, 100, 200, 300});
  shell.write_text("short.npy", (header + elements).substr(0, 200));
  shell.write_text("long.npy", header + elements + "x");
  shell.write_text("fortran.npy", altered("False", "True ") + elements);
  shell.write_text("swapped.npy", altered("<f4", ">f4") + elements);
  shell.write_text("doubles.npy", altered("<f4", "<f8") + elements);
  shell.write_text("cube.npy", npy::make_header(npy::Element::f32, {4, 4, 8}) + elements);
  shell.write_text("no_rows.npy", npy::make_header(npy::Element::f32, {0, 32}));
  shell.write_text("text.npy", "0.5 0.25\n");
}

class Transcript : public ::testing::TestWithParam<const char*> {};

TEST_P(Transcript, IsAsExpected) {
  const Shell shell;
  write_inputs(shell);
  const std::string name = fmt::format("{}.txt", GetParam());
  golden::expect_golden("cli_" + name, transcript(shell, fs::path(TAMIS_GOLDEN_DIR) / ".." / "cases" / name));
}

INSTANTIATE_TEST_SUITE_P(Cli, Transcript, ::testing::Values("help", "usage", "files", "results", "plan"),
                         [](const auto& instance) { return instance.param; });

std::string list(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " && ")); }

class EveryPattern : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryPattern, IsSelectedAndVerifiedAtEveryLengthThroughAPageTable) {
  constexpr std::int32_t rows = 7, width = 3000, k = 100;
  const Shell shell;
  shell.write<std::int32_t>("lengths.npy", {rows}, {-1, 0, 1, k - 1, k, k + 1, width});
  std::vector<std::int32_t> pages(rows * 47);
  std::iota(pages.rbegin(), pages.rend(), 0);
  shell.write("pages.npy", {rows, 47}, pages);
  const std::string type = GetParam();
  const std::string given =
      fmt::format("--scores s.npy {} --lengths lengths.npy -k {} --page-table pages.npy --page-size 64",
                  type == "bf16" ? "--bf16" : "", k);
  for (const workload::Pattern& pattern : workload::patterns()) {
    const Outcome outcome = shell.run(list({
        fmt::format("tamis generate --pattern {} --rows {} --length {} --type {} -o s.npy", pattern.name, rows, width,
                    type),
        fmt::format(
            "tamis select {} --threads 2 --out-indices i.npy --out-slots t.npy --out-scores v.npy --out-counts c.npy",
            given),
        fmt::format("tamis verify {} --indices i.npy --slots t.npy --out-scores v.npy --counts c.npy", given),
    }));
    EXPECT_EQ(0, outcome.exit) << pattern.name << ": " << outcome.out << outcome.error;
    EXPECT_NE(std::string::npos, outcome.out.find("exact: 7 rows")) << pattern.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Cli, EveryPattern, ::testing::Values("f32", "f16", "bf16"),
                         [](const auto& instance) { return instance.param; });

TEST(Cli, BenchVerifiesThenMeasuresEveryCellAndItsFloor) {
  const Shell shell;
  const Outcome outcome = shell.run("tamis bench --rows 2 --length 5000 -k 64 --threads 2 --seconds 0.01 --json");
  ASSERT_EQ(0, outcome.exit) << outcome.error;
  const auto json = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(1u, json["cells"].size());
  const auto& cell = json["cells"][0];
  EXPECT_GE(cell["calls"].get<int>(), 10);
  EXPECT_GT(cell["floor_us"].get<double>(), 0);
  EXPECT_LE(cell["p10_us"].get<double>(), cell["median_us"].get<double>());
  EXPECT_LE(cell["median_us"].get<double>(), cell["p90_us"].get<double>());
  EXPECT_DOUBLE_EQ(cell["ratio"].get<double>(), cell["median_us"].get<double>() / cell["floor_us"].get<double>());
  EXPECT_EQ(2, json["threads"].get<int>());
}

TEST(Cli, InfoNamesTheBuildTheBackendsAndTheDevices) {
  const Shell shell;
  const Outcome outcome = shell.run("tamis info --json");
  ASSERT_EQ(0, outcome.exit) << outcome.error;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(version(), json["version"].get<std::string>());
  EXPECT_EQ("cpu", json["backends"][0]["backend"].get<std::string>());
  EXPECT_TRUE(json["backends"][0]["available"].get<bool>());
  for (const auto& backend : json["backends"])
    EXPECT_NE(backend["available"].get<bool>(), backend["devices"].empty()) << backend.dump();
  EXPECT_EQ(known_devices().size(), json["known_devices"].size());
  for (const char* key : {"commit", "compiler", "build_type"})
    EXPECT_FALSE(json[key].get<std::string>().empty()) << key;
  const Outcome text = shell.run("tamis info");
  EXPECT_EQ(0u, text.out.find(fmt::format("tamis {}, commit ", version())));
}

TEST(Cli, ASixtyFourBitSlotHoldsWhatAThirtyTwoBitSlotCannot) {
  const Shell shell;
  shell.write<std::int32_t>("far.npy", {1, 1}, {INT32_MAX});
  const Outcome outcome = shell.run(list({
      "tamis generate --pattern normal --rows 1 --length 64 -o s.npy",
      "tamis select --scores s.npy -k 8 --page-table far.npy --page-size 64 --slot-type i64 --out-slots t.npy --json",
      "tamis verify --scores s.npy -k 8 --page-table far.npy --page-size 64 --slots t.npy",
  }));
  EXPECT_EQ(0, outcome.exit) << outcome.error;
  EXPECT_NE(std::string::npos, outcome.out.find("exact: 1 rows"));
}

TEST(Cli, ATerminalIsShownTheVerdictInColourAndNoRestOfTheProgress) {
  const Shell shell;
  const Outcome outcome = shell.run(list({
      "tamis generate --pattern normal --rows 1 --length 64 -o s.npy",
      "tamis select --scores s.npy -k 8 --out-indices i.npy >/dev/null",
      "env -u NO_COLOR script -qec 'tamis verify --scores s.npy -k 8 --indices i.npy' /dev/null",
  }));
  EXPECT_EQ(0, outcome.exit) << outcome.error;
  EXPECT_NE(std::string::npos, outcome.out.find("\r\x1b[K\x1b[32mexact\x1b[0m: 1 rows, the best 8 of 64"));
}

// After a command in the background: its number is $pid, and it has begun to write.
constexpr const char* begun = "& pid=$!; while ! ls | grep -q part; do sleep 0.01; done; ";

// Begins to select from s.npy, a file so large that this goes on for a while.
std::string begin_long_select(const Shell& shell) {
  constexpr std::size_t rows = 8, width = 134217728;
  const std::string header = npy::make_header(npy::Element::f32, {rows, width});
  shell.write_text("s.npy", header);
  return fmt::format("truncate -s {} s.npy; ", header.size() + rows * width * sizeof(float)) +
         "tamis select --scores s.npy -k 8 --threads 1 --out-indices i.npy --out-counts c.npy " + begun;
}

TEST(Cli, AnInterruptedSelectLeavesNothing) {
  const Shell shell;
  const Outcome outcome = shell.run(begin_long_select(shell) + "kill -TERM $pid; wait $pid; echo $?; ls");
  EXPECT_EQ("143\ns.npy\n", outcome.out);
}

TEST(Cli, AnInterruptedGenerateLeavesNothing) {
  const Shell shell;
  const Outcome outcome = shell.run("tamis generate --pattern relu --rows 100000 --length 131072 -o s.npy " +
                                    std::string(begun) + "kill -TERM $pid; wait $pid; ls");
  EXPECT_EQ("", outcome.out);
}

TEST(Cli, AFullDiskIsAFailureOfTheMachineAndLeavesNothing) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "ulimit -f 1000; trap '' XFSZ; tamis generate --pattern equal --rows 100 --length 10000 -o s.npy; echo $?; ls");
  EXPECT_EQ("3\n", outcome.out);
  EXPECT_EQ("tamis generate: -o is 's.npy'; it could not be written: File too large\n", outcome.error);
}

TEST(Cli, AnOutputThatCannotBePrintedIsAFailure) {
  const Shell shell;
  for (const char* command : {"info", "--help", "--version", "select --help", "generate --list"}) {
    EXPECT_EQ(3, shell.run(fmt::format("tamis {} >/dev/full", command)).exit) << command;
    EXPECT_EQ(3, shell.run(fmt::format("tamis {} >&-", command)).exit) << command;
    EXPECT_EQ(3, shell.run(fmt::format("tamis {} >/dev/full 2>/dev/full", command)).exit) << command;
  }
}

TEST(Cli, StreamsThatAreClosedTakeNoFileForThemselves) {
  const Shell shell;
  const std::string select = "tamis select --scores s.npy -k 8 --out-indices ";
  const Outcome outcome = shell.run(list({
      "tamis generate --pattern normal --rows 2 --length 64 -o s.npy",
      select + "open.npy",
      "{ " + select + "closed.npy <&- >&- 2>&-; test $? -eq 3; }",
      "cmp open.npy closed.npy",
  }));
  EXPECT_EQ(0, outcome.exit) << outcome.error;
}

TEST(Cli, ALinkThatLeadsNowhereIsNotReplaced) {
  const Shell shell;
  const Outcome outcome = shell.run(
      "ln -s nowhere l.npy; tamis generate --pattern equal --rows 1 --length 1 -o l.npy 2>/dev/null; "
      "echo $?; readlink l.npy; ls");
  EXPECT_EQ("2\nnowhere\nl.npy\n", outcome.out);
}

TEST(Cli, AnInputThatIsCutOffWhileItIsReadIsAFailure) {
  const Shell shell;
  const Outcome outcome = shell.run(begin_long_select(shell) + "truncate -s 4096 s.npy; wait $pid; echo $?; ls");
  EXPECT_EQ("3\ns.npy\n", outcome.out);
  EXPECT_EQ("tamis: a file became shorter, or could not be read, while it was in use\n", outcome.error);
}

}  // namespace
}  // namespace tamis::cli
