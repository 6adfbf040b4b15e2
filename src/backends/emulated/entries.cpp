// The table of the emulated kernels, from the list of all.

#include <algorithm>

#include "backends/emulated/entry.hpp"

namespace tamis::emulated {

#define TAMIS_INSTANCE(name, ...) extern const Entry name##_entry;
#include "kernels/instances.def"
#undef TAMIS_INSTANCE

const Entry* find_entry(std::string_view name) {
  static constexpr const Entry* list[] = {
#define TAMIS_INSTANCE(name, ...) &name##_entry,
#include "kernels/instances.def"
#undef TAMIS_INSTANCE
  };
  const auto* const* found = std::ranges::find(list, name, [](const Entry* entry) { return entry->name; });
  return found == std::end(list) ? nullptr : *found;
}

}  // namespace tamis::emulated
