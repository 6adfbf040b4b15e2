// Compiles the vector loops once per instruction set and picks the best at run time.

#include "backends/cpu/kernels.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels.cpp"
#define HWY_WANT_AVX3_DL 1  // 16-bit compress in one instruction
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tamis::detail::cpu {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Keys = hn::ScalableTag<std::int32_t>;

#include "backends/cpu/filter-inl.hpp"
#include "backends/cpu/keep-inl.hpp"
#include "backends/cpu/narrow-inl.hpp"
#include "backends/cpu/sample-inl.hpp"

}  // namespace

const Kernels* table() {
  static constexpr Kernels result{.filter = filter, .sample = sample, .narrow = narrow, .keep = keep};
  return &result;
}

}  // namespace HWY_NAMESPACE
}  // namespace tamis::detail::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tamis::detail::cpu {

HWY_EXPORT(table);

const Kernels& kernels() { return *HWY_DYNAMIC_DISPATCH(table)(); }

}  // namespace tamis::detail::cpu
#endif
