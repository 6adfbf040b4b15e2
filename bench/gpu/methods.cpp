// The methods of this build, in the order in which they are measured. A method's file in methods/ defines it.

#include "task.hpp"

namespace tamis::bench {

extern const Method reference_method;

const std::vector<Method>& methods() {
  static const std::vector<Method> list = {reference_method};
  return list;
}

}  // namespace tamis::bench
