// Section 5 of the contract, as far as plans go: pure, equal, printable, small.

#include <gtest/gtest.h>

#include "support/runner.hpp"

namespace tamis::testing {
namespace {

std::vector<Device> planned_for() {
  std::vector<Device> devices;
  for (const Machine& machine : machines()) devices.push_back(machine.device);
  return devices;
}

TEST(Plan, IsEqualForEqualInputs) {
  for (const Device& device : planned_for())
    for (const Case& c : cases()) {
      const auto first = plan(c.shape, device), second = plan(c.shape, device);
      ASSERT_TRUE(first.ok()) << first.status.message;
      EXPECT_TRUE(first.value == second.value) << c.sentence << "." << c.name;
      EXPECT_EQ(first.value.text(), second.value.text());
      EXPECT_EQ(first.value.json(), second.value.json());
    }
}

TEST(Plan, SaysWhatItIsFor) {
  const Shape shape{.rows = 3, .width = 5000, .k = 70, .ties = Ties::any, .order = Order::by_score};
  for (const Device& device : planned_for()) {
    const Plan made = plan(shape, device).value;
    EXPECT_TRUE(made.shape() == shape);
    EXPECT_TRUE(made.device() == device);
    EXPECT_FALSE(made.method().empty());
    EXPECT_FALSE(made.reason().empty());
    EXPECT_FALSE(made.launches().empty());
    EXPECT_NE(made.text().find(made.method()), std::string::npos);
    EXPECT_NE(made.json().find(made.method()), std::string::npos);
  }
}

TEST(Plan, DiffersWhereTheShapeDoes) {
  const Shape shape{.rows = 3, .width = 5000, .k = 70};
  Shape other = shape;
  other.k = 71;
  EXPECT_FALSE(plan(shape, cpu_device()).value == plan(other, cpu_device()).value);
  EXPECT_FALSE(plan(shape, cpu_device()).value == Plan());
  EXPECT_TRUE(Plan() == Plan());
}

// A hundredfold width may at most double the workspace, and it stays within what rows and k account for.
TEST(Plan, BoundsTheWorkspaceByRowsAndKNeverByTheWidth) {
  for (const Device& device : planned_for())
    for (std::int64_t rows : {1, 64, 4096})
      for (std::int64_t k : {1, 2048, 9999}) {
        const auto bytes = [&](std::int64_t width) {
          return plan(Shape{.rows = rows, .width = width, .k = k}, device).value.workspace_bytes();
        };
        const std::size_t widest = bytes(2147483647);
        EXPECT_LE(widest, 2 * bytes(1 << 24)) << rows << " rows, k " << k;
        EXPECT_LE(widest, std::size_t{1 << 20} * static_cast<std::size_t>(device.units) +
                              64 * static_cast<std::size_t>(rows * k));
      }
}

TEST(Plan, RefusesABadShapeByName) {
  const auto message = [](const Shape& shape) {
    const auto result = plan(shape, cpu_device());
    EXPECT_EQ(result.status.code, Code::invalid_argument);
    EXPECT_TRUE(result.value.empty());
    return result.status.message;
  };
  const auto names = [&](const Shape& shape, const char* argument, const char* value) {
    const std::string text = message(shape);
    EXPECT_NE(text.find(argument), std::string::npos) << text;
    EXPECT_NE(text.find(value), std::string::npos) << text;
  };
  names({.rows = -1, .width = 10, .k = 1}, "rows", "-1");
  names({.rows = 1, .width = -5, .k = 1}, "width", "-5");
  names({.rows = 1, .width = 2147483648, .k = 1}, "width", "2147483648");
  names({.rows = 1, .width = 10, .k = 0}, "k", "0");
  names({.rows = 1, .width = 10, .k = 1, .length_rule = {0, 1}}, "next_n", "0");
  names({.rows = 1, .width = 10, .k = 1, .length_rule = {1, -2}}, "divisor", "-2");
  names({.rows = 1, .width = 10, .k = 1, .scores = static_cast<ScoreType>(9)}, "score", "9");
  names({.rows = 1, .width = 10, .k = 1, .ties = static_cast<Ties>(-1)}, "ties", "-1");
}

TEST(Plan, RefusesADeviceThatCannotBe) {
  const auto message = [](auto spoil) {
    Device device = known_device("h200").value;
    spoil(device);
    return plan(Shape{.rows = 1, .width = 10, .k = 1}, device).status.message;
  };
  EXPECT_EQ(message([](Device& device) { device.units = 0; }), "device.units is 0; it must be 1 .. 1048576");
  EXPECT_EQ(message([](Device& device) { device.lanes = 33; }), "device.lanes is 33; it must be 32 or 64");
  EXPECT_EQ(message([](Device& device) { device.shared_bytes_per_block = INT32_MIN; }),
            "device.shared_bytes_per_block is -2147483648; it must be 1 .. 2147483647");
  EXPECT_EQ(message([](Device& device) { device.max_threads_per_unit = -1; }),
            "device.max_threads_per_unit is -1; it must be 1 .. 2147483647");
  EXPECT_EQ(message([](Device& device) { device.max_cluster_blocks = -1; }),
            "device.max_cluster_blocks is -1; it must be 0 .. 2147483647");
  EXPECT_EQ(message([](Device& device) { device.backend = static_cast<Backend>(9); }),
            "device.backend is 9; it must be an enumerator, 0 .. 3");
}

}  // namespace
}  // namespace tamis::testing
