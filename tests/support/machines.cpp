// The machines that cases run on: the CPU backend on the calling thread and on several, and those that run kernels.

#include "support/gpu_machines.hpp"

namespace tamis::testing {

const std::vector<Machine>& machines() {
  static Threads two(2), five(5);
  static const std::vector<Machine> list = [] {
    std::vector<Machine> all = {
        {"cpu", cpu_device(), Stream()},
        {"cpu_2_threads", cpu_device(2), Stream(two)},
        {"cpu_5_threads", cpu_device(5), Stream(five)},
    };
    add_gpu_machines(all);
    return all;
  }();
  return list;
}

}  // namespace tamis::testing
