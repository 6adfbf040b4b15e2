// Takes a case through a device: guarded arrays, poisoned outputs, a workspace of exactly the planned size full of
// garbage; then holds every output element against the oracle, and the oracle's verdict against verify's.
#pragma once

#include <string>
#include <vector>

#include "support/case.hpp"
#include "support/inputs.hpp"
#include "support/oracle.hpp"

namespace tamis::testing {

// Under which schedule the emulator runs a case.
enum class Schedules {
  one,             // the machine's stream
  drawn,           // one drawn from the case's name, as are the width of a warp and the blocks
  drawn_in_width,  // the same in the device's own width of a warp
};

// How many blocks the emulator launches.
enum class Blocks {
  planned,
  few,  // a third of them, where the method's blocks take rows in turn: so that a block has several
};

// Where cases run. A backend joins the tests by adding its machines to `machines`.
struct Machine {
  std::string name;
  Device device;
  Stream stream;
  std::string method{};  // of a GPU, forced; empty: the planner's choice
  Schedules schedules = Schedules::one;
  Blocks blocks = Blocks::planned;
};

const std::vector<Machine>& machines();

// The outputs of one run, back in host memory, strides as they were asked for.
struct Outputs {
  std::vector<std::byte> indices, slots, scores, counts;
  Faults faults;

  // As an argument of verify; null where nothing was asked for.
  Output view(const Case& c, const Inputs& in) const;
};

// A case's arrays and what the oracle makes of them: made once, run on every machine.
struct Prepared {
  const Case& c;
  Inputs in;
  std::vector<Ranking> rankings;  // by row; none where only verify judges
};

Prepared prepare(const Case& c);

// The same with other arrays than the case describes.
Prepared prepare(const Case& c, Inputs in);

// What is wrong with the run, in words; empty when nothing is.
std::string run(const Prepared& prepared, const Machine& machine);

// What is wrong with outputs, by the oracle alone.
std::string compare(const Prepared& prepared, const Outputs& outputs);

// The byte that outputs hold before select writes them.
constexpr std::byte poison{0xa5};

}  // namespace tamis::testing
