// A flow of control that can be left and resumed: the stack pointer of a GPU thread that is not running.
#pragma once

#include <cstddef>

namespace tamis::simt::host {

struct Context {
  void* stack_pointer = nullptr;
  void* tsan_fiber = nullptr;
  void* fake_stack = nullptr;  // AddressSanitizer's
  const void* stack = nullptr;
  std::size_t stack_bytes = 0;
};

// Makes `context` one that, when switched to, runs entry() on the given stack. entry() never returns.
void prepare(Context& context, void* stack, std::size_t bytes, void (*entry)());

// Makes `context` the one that is running: the operating system's thread.
void adopt_current(Context& context);

// Leaves `from` and resumes `to`; returns when somebody switches back.
void switch_context(Context& from, Context& to);

// The same from a context that is not resumed again.
[[noreturn]] void leave_context(Context& from, Context& to);

// The first thing an entry does.
void finish_switch(Context& arrived);

}  // namespace tamis::simt::host
