// A selection whose arrays stay on the device, so that it can be run again, captured and disturbed.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "support/buffer.hpp"
#include "support/inputs.hpp"

namespace tamis::testing {

// Skips the test on a machine without a CUDA device.
#define TAMIS_NEEDS_DEVICE() \
  if (!first_device()) GTEST_SKIP() << "no CUDA device"

// The first CUDA device, or null.
const Device* first_device();

const detail::Memory& device_memory();

// Parameters of a suite: the planner's choice and the methods that select from rows of any width, the same and those
// that are tuned for some shapes; and their names.
inline const auto any_width_methods = ::testing::Values("", "block_row", "cluster_row", "filter_row", "split_row");
inline const auto each_method = ::testing::Values("", "block_row", "cluster_row", "filter_row", "split_row",
                                                  "register_row", "stream_row", "word_row");
std::string method_name(const ::testing::TestParamInfo<std::string>& method);

// Whether the method can select what the case asks for.
bool possible(const Case& c, const std::string& method);
// The case as wide as the method can take it, and in any order where it can give no other. Throws where neither will
// do.
Case fitted(Case c, const std::string& method);

class Job {
 public:
  // The case's arrays on the device; outputs are indices, slots, scores and counts. `method` empty: as planned.
  explicit Job(const Case& c, const std::string& method = {});

  Status enqueue(Stream stream = {});
  // The same with a workspace that others use too.
  Status enqueue(const Buffer& workspace, Stream stream = {});
  // Forgets what was selected before.
  void poison();
  // Replaces scores, lengths and page table by those of another case of the same shape, in place.
  void become(const Case& c);
  // What is wrong with what is now in the outputs, by verify; empty when nothing is.
  std::string wrong() const;
  // The indices' bytes.
  std::vector<std::byte> indices() const { return indices_.content(); }

  Buffer& scores() { return scores_; }
  const Inputs& inputs() const { return inputs_; }
  const Plan& plan() const { return plan_; }

 private:
  std::size_t entries() const { return static_cast<std::size_t>(case_.shape.rows * case_.shape.k); }

  Case case_;
  Inputs inputs_;
  Plan plan_;
  Buffer scores_, lengths_, pages_, indices_, slots_, selected_, counts_, workspace_;
};

}  // namespace tamis::testing
