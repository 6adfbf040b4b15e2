// The methods of this build, in the order in which they are measured. A method's file in methods/ defines it.

#include "task.hpp"

namespace tamis::bench {

#ifdef TAMIS_BENCH_LIBRARY
extern const Method library_method;
#endif
extern const Method reference_method;
extern const Method stream_row_method;
extern const Method stream_row_pair_method;
extern const Method stream_row_pair_long_method;
extern const Method stream_row_2_method;

const std::vector<Method>& methods() {
  static const std::vector<Method> list = {
#ifdef TAMIS_BENCH_LIBRARY
      library_method,
#endif
      reference_method, stream_row_method, stream_row_pair_method, stream_row_pair_long_method, stream_row_2_method};
  return list;
}

}  // namespace tamis::bench
