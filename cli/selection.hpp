// One planned selection on a machine: inputs, outputs and workspace in the device's memory, ready to be run as often as
// one likes. select runs it once, bench many times.
#pragma once

#include <optional>
#include <vector>

#include "machine.hpp"
#include "problem.hpp"
#include "tamis/tamis.hpp"

namespace tamis::cli {

// Which outputs are asked for.
struct Wanted {
  bool indices = false;
  bool slots = false;
  bool scores = false;
  bool counts = false;
  SlotType slot_type = SlotType::i32;
};

// What a selection wrote, in host memory. What was not asked for is empty.
struct Selected {
  std::vector<std::byte> indices;
  std::vector<std::byte> slots;
  std::vector<std::byte> scores;
  std::vector<std::byte> counts;
  Faults faults;

  // As verify takes it. `mapping` is the problem whose slots these are, in host memory.
  Output view(const Problem& mapping, SlotType slot_type);
};

class Selection {
 public:
  // `problem` must outlive the selection, and where the machine reads host memory its arrays too.
  Selection(const Machine& machine, const Problem& problem, const Wanted& wanted);

  const Plan& plan() const { return plan_; }
  void run();  // returns when the device has finished
  Selected read() const;

 private:
  const void* placed(const void* host, std::size_t bytes);
  const std::int32_t* placed(const std::int32_t* host, std::int64_t count);
  void* output(bool asked, std::size_t bytes, std::optional<Buffer>& buffer);
  void place_inputs();
  void place_outputs(const Wanted& wanted);

  const Machine& machine_;
  const Problem& problem_;
  Plan plan_;
  std::vector<Buffer> inputs_;
  std::optional<Buffer> indices_, slots_, scores_, counts_;
  Buffer faults_;
  Buffer workspace_;
  Rows rows_;
  Output output_;
};

}  // namespace tamis::cli
