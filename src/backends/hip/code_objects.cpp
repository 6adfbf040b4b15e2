#include "backends/hip/code_objects.hpp"

#include <algorithm>

// A loader maps pages of a code object, which begins at one.
#define TAMIS_CODE_OBJECT(arch, path)                                          \
  extern "C" const char tamis_##arch##_begin[], tamis_##arch##_end[];          \
  asm(".section .rodata\n.balign 4096\n.globl tamis_" #arch                    \
      "_begin\n"                                                               \
      ".hidden tamis_" #arch "_begin\ntamis_" #arch                            \
      "_begin:\n"                                                              \
      ".incbin \"" path "\"\n.globl tamis_" #arch "_end\n.hidden tamis_" #arch \
      "_end\n"                                                                 \
      "tamis_" #arch "_end:\n.previous");
#include "code_objects.def"
#undef TAMIS_CODE_OBJECT

namespace tamis::hip {

std::span<const CodeObject> code_objects() {
  static const CodeObject list[] = {
#define TAMIS_CODE_OBJECT(arch, path) \
  {#arch, {tamis_##arch##_begin, static_cast<std::size_t>(tamis_##arch##_end - tamis_##arch##_begin)}},
#include "code_objects.def"
#undef TAMIS_CODE_OBJECT
  };
  return list;
}

const CodeObject* find_code_object(std::string_view arch) {
  const std::span<const CodeObject> list = code_objects();
  const auto found = std::ranges::find(list, arch, &CodeObject::arch);
  return found == list.end() ? nullptr : &*found;
}

}  // namespace tamis::hip
