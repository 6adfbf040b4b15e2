// What the emulator tells a sanitizer, when one is in the process. The emulator's own files are compiled without
// instrumentation; the runtime is found through weak symbols, so the same object files serve every build.
#pragma once

#include <cstddef>

extern "C" {
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** fake_stack, const void* bottom, std::size_t size);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* fake_stack, const void** bottom, std::size_t* size);
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* address, std::size_t size);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* address, std::size_t size);
}

namespace tamis::simt::host {

inline bool thread_sanitizer() { return __tsan_create_fiber != nullptr; }
inline bool address_sanitizer() { return __asan_poison_memory_region != nullptr; }

inline void acquire(void* address) {
  if (__tsan_acquire) __tsan_acquire(address);
}
inline void release(void* address) {
  if (__tsan_release) __tsan_release(address);
}
inline void poison(const void* address, std::size_t size) {
  if (__asan_poison_memory_region) __asan_poison_memory_region(address, size);
}
inline void unpoison(const void* address, std::size_t size) {
  if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(address, size);
}

// A thread of its own for ThreadSanitizer, ordered after what its creator did. Null without ThreadSanitizer.
inline void* create_fiber() { return thread_sanitizer() ? __tsan_create_fiber(0) : nullptr; }
inline void* current_fiber() { return thread_sanitizer() ? __tsan_get_current_fiber() : nullptr; }
inline void destroy_fiber(void* fiber) {
  if (fiber) __tsan_destroy_fiber(fiber);
}
// Orders nothing between the two.
inline void switch_fiber(void* fiber) {
  constexpr unsigned no_sync = 1;
  if (fiber) __tsan_switch_to_fiber(fiber, no_sync);
}

}  // namespace tamis::simt::host
