// The machines that cases run on: the CPU backend on the calling thread and on several.

#include "support/runner.hpp"

namespace tamis::testing {

const std::vector<Machine>& machines() {
  static Threads two(2), five(5);
  static const std::vector<Machine> list = {
      {"cpu", cpu_device(), Stream()},
      {"cpu_2_threads", cpu_device(2), Stream(two)},
      {"cpu_5_threads", cpu_device(5), Stream(five)},
  };
  return list;
}

}  // namespace tamis::testing
