// Shared memory of another block of the cluster, and barriers that count what comes from there: the emulated forms.
#pragma once

#include "simt/common.hpp"
#include "simt/host/thread.hpp"

namespace tamis::simt::host {

template <class T>
Value to_value(T value) {
  static_assert(sizeof(T) <= sizeof(Value) && std::is_trivially_copyable_v<T>);
  Value result{};
  __builtin_memcpy(&result, &value, sizeof(T));
  return result;
}

template <class T>
T from_value(const Value& value) {
  T result;
  __builtin_memcpy(&result, &value, sizeof(T));
  return result;
}

// A reference to a T (4, 8 or 16 bytes) in the shared memory of one block of the cluster.
template <class T>
class Remote {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16);

 public:
  explicit Remote(T* cell) : cell_(cell) {}

  T* address() const { return cell_; }
  Remote operator[](int i) const { return Remote(cell_ + i); }

  T load(Location where = Location::current()) const {
    current_thread().pause();
    current_thread().check_remote(cell_, sizeof(T), Access::read, where);
    return *cell_;
  }
  void store(T value, Location where = Location::current()) const {
    current_thread().pause();
    current_thread().check_remote(cell_, sizeof(T), Access::write, where);
    *cell_ = value;
  }
  std::uint32_t fetch_add(std::uint32_t value, Location where = Location::current()) const {
    current_thread().pause();
    current_thread().check_remote(cell_, sizeof(T), Access::read, where);
    return __atomic_fetch_add(cell_, value, __ATOMIC_RELAXED);
  }
  void add(std::uint32_t value, Location where = Location::current()) const { fetch_add(value, where); }

 private:
  T* cell_;
};

// Eight bytes of shared memory, as on a GPU; what it counts is the emulator's.
class TransactionBarrier {
 public:
  void init(std::uint32_t arrivals, Location where = Location::current()) {
    current_thread().transaction_init(this, static_cast<int>(arrivals), where);
    state_ = 0;
  }
  void expect(std::uint32_t bytes, Location where = Location::current()) {
    current_thread().transaction_arrive(this, bytes, where);
  }
  void arrive(Location where = Location::current()) { current_thread().transaction_arrive(this, 0, where); }
  void wait(std::uint32_t phase, Location where = Location::current()) {
    current_thread().transaction_wait(this, phase, "wait", where);
  }

 private:
  std::uint64_t state_;
};

class CopyBarrier {
 public:
  template <class Block>
  void init(Block block, Location where = Location::current()) {
    if (block.rank() == 0) {
      current_thread().transaction_init(this, 1, where);
      state_ = 0;
    }
    block.sync(where);
  }
  template <class Block>
  void start(Block block, void* destination, const void* source, std::uint32_t bytes,
             Location where = Location::current()) {
    if (block.rank() != 0) return;
    block.check_global(source, "start", where);
    current_thread().transaction_arrive(this, bytes, where);
    current_thread().copy(destination, source, bytes, this, where);
  }
  template <class Block>
  void wait(Block, std::uint32_t phase, Location where = Location::current()) {
    current_thread().transaction_wait(this, phase, "wait", where);
  }

 private:
  std::uint64_t state_;
};

}  // namespace tamis::simt::host
