// The generated patterns: equal bits on every machine (digests are goldens), and what their sketches promise.

#include "tamis/workload.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "golden.hpp"
#include "workload/round.hpp"

namespace tamis::workload {
namespace {

std::vector<std::byte> made(std::string_view pattern, ScoreType type, std::int64_t rows, std::int64_t width,
                            std::int64_t first_row = 0) {
  std::vector<std::byte> scores(static_cast<std::size_t>(rows * width) * score_bytes(type));
  const Status status = generate(pattern, 7, {scores.data(), type, rows, width, width}, first_row);
  EXPECT_TRUE(status.ok()) << status.message;
  return scores;
}

std::vector<float> floats(std::string_view pattern, std::int64_t rows, std::int64_t width) {
  const std::vector<std::byte> bytes = made(pattern, ScoreType::f32, rows, width);
  std::vector<float> scores(bytes.size() / 4);
  std::memcpy(scores.data(), bytes.data(), bytes.size());
  return scores;
}

template <class Predicate>
std::int64_t count(const std::vector<float>& scores, Predicate predicate) {
  return std::count_if(scores.begin(), scores.end(), predicate);
}

std::uint64_t digest(const std::vector<std::byte>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  return hash;
}

TEST(Workload, EqualArgumentsGiveEqualBitsOnEveryMachine) {
  std::string digests;
  for (const Pattern& pattern : patterns()) {
    digests += fmt::format("{:16}", pattern.name);
    for (const ScoreType type : {ScoreType::f32, ScoreType::f16, ScoreType::bf16})
      digests += fmt::format(" {:016x}", digest(made(pattern.name, type, 10, 2500)));
    digests += '\n';
  }
  golden::expect_golden("workload_digests.txt", digests);
}

TEST(Workload, RowsMayBeGeneratedApart) {
  for (const Pattern& pattern : patterns()) {
    const std::vector<std::byte> whole = made(pattern.name, ScoreType::f32, 4, 1500);
    const std::vector<std::byte> last = made(pattern.name, ScoreType::f32, 1, 1500, 3);
    EXPECT_TRUE(std::equal(last.begin(), last.end(), whole.end() - std::ssize(last))) << pattern.name;
  }
}

TEST(Workload, NamesAreUniqueAndSketched) {
  std::set<std::string_view> names;
  for (const Pattern& pattern : patterns()) {
    EXPECT_TRUE(names.insert(pattern.name).second) << pattern.name;
    EXPECT_GT(pattern.sketch.size(), 10u) << pattern.name;
  }
  EXPECT_GE(names.size(), 25u);
}

TEST(Workload, BetweenRowsNothingIsWritten) {
  std::vector<float> scores(3 * 20, -7.0f);
  ASSERT_TRUE(generate("equal", 1, {scores.data(), ScoreType::f32, 3, 17, 20}).ok());
  for (const int row : {0, 1, 2})
    EXPECT_EQ(std::vector<float>(3, -7.0f), std::vector<float>(&scores[row * 20 + 17], &scores[row * 20] + 20));
}

TEST(Workload, NormalHasMeanZeroDeviationOneAndHardlyATie) {
  std::vector<float> scores = floats("normal", 1, 1 << 17);
  double sum = 0, squares = 0;
  for (const double x : scores) sum += x, squares += x * x;
  EXPECT_NEAR(sum / (1 << 17), 0, 0.02);
  EXPECT_NEAR(squares / (1 << 17), 1, 0.03);
  EXPECT_NEAR(count(scores, [](float x) { return x > 2; }) / double(1 << 17), 0.02275, 0.002);
  std::sort(scores.begin(), scores.end());
  EXPECT_LT(scores.end() - std::unique(scores.begin(), scores.end()), 1000);
}

TEST(Workload, PatternsAreWhatTheirSketchesSay) {
  const std::int64_t width = 8320;
  const auto in = [&](std::string_view pattern, double low, double high) {
    return count(floats(pattern, 1, width), [=](float x) { return x >= low && x < high; });
  };
  EXPECT_EQ(width, in("banded", 1.0, 1.245));
  EXPECT_EQ(width, in("large", 1e5, 2e5));
  EXPECT_EQ(0, in("beyond_half", -65504, 65504.001));
  EXPECT_EQ(100, in("few_winners", 1, 2.001));
  EXPECT_EQ(width - 100, in("few_winners", 0, 1e-30));
  EXPECT_EQ(600, in("mostly_masked", -100, 100));
  EXPECT_NEAR(static_cast<double>(in("relu", 0, 1e-30)), width / 2.0, width / 20.0);
  const std::vector<float> levels = floats("levels", 1, width);
  EXPECT_EQ(8u, std::set<float>(levels.begin(), levels.end()).size());
  const std::vector<float> sorted = floats("sorted", 1, width), reverse = floats("reverse", 1, width);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end()));
  EXPECT_TRUE(std::is_sorted(reverse.rbegin(), reverse.rend()));
}

TEST(Workload, NanRowsAreMostlyNanOfBothSignsAndAnyPayload) {
  for (const ScoreType type : {ScoreType::f32, ScoreType::f16, ScoreType::bf16}) {
    const std::vector<std::byte> bytes = made("nan", type, 5, 4000);
    const std::size_t size = score_bytes(type);
    const std::uint32_t infinity = type == ScoreType::f32 ? 0x7f800000u : type == ScoreType::f16 ? 0x7c00u : 0x7f80u;
    const std::uint32_t sign = size == 4 ? 0x80000000u : 0x8000u;
    std::set<std::uint32_t> payloads;
    std::int64_t negative = 0, nans = 0;
    for (std::size_t i = 0; i < bytes.size(); i += size) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &bytes[i], size);
      if ((bits & ~sign) <= infinity) continue;
      ++nans, negative += (bits & sign) != 0;
      payloads.insert(bits & ~sign);
    }
    EXPECT_NEAR(static_cast<double>(nans) / 20000, 0.939, 0.01);
    EXPECT_NEAR(static_cast<double>(negative) / static_cast<double>(nans), 0.5, 0.02);
    EXPECT_GT(payloads.size(), 100u);
  }
}

TEST(Workload, F16IsTheNearestHalfOfEveryFloat) {
  for (std::uint64_t bits = 0; bits <= 0xffffffffu; bits += 977) {
    const auto f32 = static_cast<std::uint32_t>(bits);
    const float value = std::bit_cast<float>(f32);
    if (std::isnan(value)) continue;
    ASSERT_EQ(std::bit_cast<std::uint16_t>(static_cast<_Float16>(value)), to_f16(f32)) << std::hex << f32;
  }
}

TEST(Workload, Bf16IsTheNearestOfItsTwoNeighbours) {
  for (std::uint64_t bits = 0; bits < 0x7f7f0000u; bits += 977) {
    const auto f32 = static_cast<std::uint32_t>(bits);
    const double value = std::bit_cast<float>(f32);
    const double chosen = std::bit_cast<float>(std::uint32_t{to_bf16(f32)} << 16);
    const double below = std::bit_cast<float>(f32 & 0xffff0000u);
    const double above = std::bit_cast<float>((f32 & 0xffff0000u) + 0x10000u);
    ASSERT_LE(std::abs(chosen - value), std::min(value - below, above - value)) << std::hex << f32;
  }
}

TEST(Workload, AnUnknownPatternIsAnErrorThatListsTheKnownOnes) {
  float score = 0;
  const Status status = generate("gauss", 1, {&score, ScoreType::f32, 1, 1, 1});
  EXPECT_EQ(Code::invalid_argument, status.code);
  EXPECT_EQ(0u, status.message.find("pattern is 'gauss'; it must be one of normal, relu, "));
}

TEST(Workload, BadTargetsAreErrorsThatNameTheArgument) {
  float score = 0;
  const auto message = [&](const Target& target, std::int64_t first_row = 0) {
    return generate("equal", 1, target, first_row).message;
  };
  EXPECT_EQ("rows is -1; it must be 0 .. 2147483647", message({&score, ScoreType::f32, -1, 1, 1}));
  EXPECT_EQ("width is -1; it must be 0 .. 2147483647", message({&score, ScoreType::f32, 1, -1, 1}));
  EXPECT_EQ("stride is 1; it must be at least the width, 2", message({&score, ScoreType::f32, 2, 2, 1}));
  EXPECT_EQ("scores is null; it must be given", message({nullptr, ScoreType::f32, 1, 1, 1}));
  EXPECT_EQ("first_row is -1; it must be 0 .. 2^62", message({&score, ScoreType::f32, 1, 1, 1}, -1));
  EXPECT_EQ("score type is 9; it must be an enumerator, 0 .. 2", message({&score, static_cast<ScoreType>(9), 1, 1, 1}));
}

}  // namespace
}  // namespace tamis::workload
