// The methods of the benchmark. Without names of methods the library alone is measured.

#include <iterator>

#include "methods/library.hpp"

namespace tamis::bench {

Method library_method();
Method reference_method();

const std::vector<Method>& methods() {
  static const std::vector<Method> list = [] {
    std::vector<Method> all = {library_method(), reference_method()};
    std::ranges::move(kernel_methods(), std::back_inserter(all));
    return all;
  }();
  return list;
}

}  // namespace tamis::bench
