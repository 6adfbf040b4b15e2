// Switching between the stacks of GPU threads: seven instructions on x86-64, ucontext elsewhere.
#include "simt/host/context.hpp"

#include <pthread.h>

#include <cstdint>
#include <cstring>

#include "simt/host/sanitizers.hpp"

#if !defined(__x86_64__)
#include <ucontext.h>

#include <memory>
#endif

namespace tamis::simt::host {
namespace {

#if defined(__x86_64__)

extern "C" void tamis_switch_stack(void** save, void* load);

asm(R"(
.text
.globl tamis_switch_stack
.hidden tamis_switch_stack
.type tamis_switch_stack, @function
tamis_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size tamis_switch_stack, .-tamis_switch_stack
)");

// What tamis_switch_stack pops: six saved registers, the address to return to, and an end for back traces. The
// stack is then misaligned by 8, as after a call.
void* first_frame(void* stack, std::size_t bytes, void (*entry)()) {
  constexpr int saved = 6;
  auto top = reinterpret_cast<std::uintptr_t>(stack) + bytes;
  auto** frame = reinterpret_cast<void**>(top - 64);
  std::memset(frame, 0, 64);
  frame -= saved;
  std::memset(frame, 0, saved * sizeof(void*));
  frame[saved] = reinterpret_cast<void*>(entry);
  return frame;
}

void switch_stack(Context& from, Context& to) { tamis_switch_stack(&from.stack_pointer, to.stack_pointer); }

#else

ucontext_t& machine_context(Context& context) {
  if (!context.stack_pointer) context.stack_pointer = new ucontext_t;  // lives as long as the pool of threads
  return *static_cast<ucontext_t*>(context.stack_pointer);
}

void* first_frame(void* stack, std::size_t bytes, void (*entry)()) {
  auto* frame = new ucontext_t;
  getcontext(frame);
  frame->uc_stack = {.ss_sp = stack, .ss_size = bytes};
  frame->uc_link = nullptr;
  makecontext(frame, entry, 0);
  return frame;
}

void switch_stack(Context& from, Context& to) { swapcontext(&machine_context(from), &machine_context(to)); }

#endif

void start_switch(void** fake_stack, const Context& to) {
  switch_fiber(to.tsan_fiber);
  if (__sanitizer_start_switch_fiber) __sanitizer_start_switch_fiber(fake_stack, to.stack, to.stack_bytes);
}

}  // namespace

void prepare(Context& context, void* stack, std::size_t bytes, void (*entry)()) {
  unpoison(stack, bytes);
  context.stack_pointer = first_frame(stack, bytes, entry);
  context.fake_stack = nullptr;
  context.stack = stack;
  context.stack_bytes = bytes;
}

void adopt_current(Context& context) {
  pthread_attr_t attributes;
  void* stack = nullptr;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &stack, &context.stack_bytes);
  pthread_attr_destroy(&attributes);
  context.stack = stack;
  context.tsan_fiber = current_fiber();
}

void switch_context(Context& from, Context& to) {
  start_switch(&from.fake_stack, to);
  switch_stack(from, to);
  finish_switch(from);
}

void leave_context(Context& from, Context& to) {
  start_switch(nullptr, to);
  switch_stack(from, to);
  __builtin_unreachable();
}

void finish_switch(Context& arrived) {
  if (!__sanitizer_finish_switch_fiber) return;
  const void* left = nullptr;
  std::size_t left_bytes = 0;
  __sanitizer_finish_switch_fiber(arrived.fake_stack, &left, &left_bytes);
}

}  // namespace tamis::simt::host
