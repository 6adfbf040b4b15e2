// The C ABI over the C++ API: read the structs, call the namesake, report. Invariant: no exception leaves a function
// of this file, and where one fails nothing but its `error` was written.

#include <fmt/format.h>

#include <exception>
#include <new>
#include <span>
#include <string>

#include "api/c_structs.hpp"
#include "api/sized.hpp"
#include "tamis/tamis.h"
#include "tamis/tamis.hpp"
#include "tamis/workload.hpp"

struct tamis_device {
  tamis::Device value;
};

// The strings are made with the plan, so that handing one out can neither fail nor race.
struct tamis_plan {
  tamis::Plan value;
  std::string method{value.method()};
  std::string text{value.text()};
  std::string json{value.json()};
};

struct tamis_threads {
  tamis::Threads value;
};

namespace {

using tamis::Code;
using tamis::Status;
using tamis::detail::missing_argument;
using tamis::detail::read;
using tamis::workload::Pattern;

constexpr std::int32_t most_threads = 4096;

tamis_code fail(Code code, std::string_view message, tamis_error* error) noexcept {
  tamis::detail::write(code, message, error);
  return static_cast<tamis_code>(code);
}

// Runs `body`, a function that returns a Status, and turns what it came to into a code and an error.
template <class Body>
tamis_code guarded(tamis_error* error, const Body& body) noexcept {
  try {
    const Status status = body();
    return status.ok() ? TAMIS_OK : fail(status.code, status.message, error);
  } catch (const std::bad_alloc&) {
    return fail(Code::out_of_memory, "out of host memory", error);
  } catch (const std::exception& failure) {
    return fail(Code::backend_error, failure.what(), error);
  } catch (...) {
    return fail(Code::backend_error, "an unknown exception", error);
  }
}

// The value of `result` as a new object in *to, or why there is none.
template <class Object, class Value>
Status give(tamis::Result<Value> result, Object** to) {
  if (result.ok()) *to = new Object{std::move(result.value)};
  return std::move(result.status);
}

Status within(std::string_view argument, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return {};
  return {Code::invalid_argument, fmt::format("{} is {}; it must be {} .. {}", argument, value, low, high)};
}

Status check_backend(std::int32_t backend) { return within("backend", backend, TAMIS_CPU, TAMIS_EMULATED); }

tamis::Result<tamis::Device> present(std::int32_t backend, std::int32_t ordinal) {
  if (Status status = check_backend(backend); !status.ok()) return {std::move(status)};
  auto found = tamis::devices(tamis::Backend{backend});
  if (!found.ok()) return {std::move(found.status)};
  const auto count = static_cast<std::int64_t>(found.value.size());
  if (Status status = within("ordinal", ordinal, 0, count - 1); !status.ok()) return {std::move(status)};
  return {{}, std::move(found.value[static_cast<std::size_t>(ordinal)])};
}

template <class Shape, class CShape>
Status make_plan(const CShape* shape, const tamis_device* device, tamis_plan** plan) {
  Shape read_shape;
  if (Status status = read(shape, read_shape); !status.ok()) return status;
  if (device == nullptr) return missing_argument("device");
  if (plan == nullptr) return missing_argument("plan");
  return give(tamis::plan(read_shape, device->value), plan);
}

// The patterns, of which there are none where the list cannot be made.
std::span<const Pattern> patterns() noexcept {
  std::span<const Pattern> all;
  guarded(nullptr, [&] {
    all = tamis::workload::patterns();
    return Status{};
  });
  return all;
}

Pattern pattern_of(int32_t number) noexcept {
  const auto all = patterns();
  if (number < 0 || static_cast<std::size_t>(number) >= all.size()) return {"", ""};
  return all[static_cast<std::size_t>(number)];
}

// The devices known by name, of which there are none where the list cannot be made.
std::span<const tamis::Device> devices_known() noexcept {
  std::span<const tamis::Device> all;
  guarded(nullptr, [&] {
    all = tamis::known_devices();
    return Status{};
  });
  return all;
}

// The CPU's stream is a tamis_threads; every other backend's is its own.
tamis::Stream stream_of(const tamis::Plan& plan, void* stream) {
  if (stream == nullptr || plan.device().backend != tamis::Backend::cpu) return tamis::Stream(stream);
  return tamis::Stream(static_cast<tamis_threads*>(stream)->value);
}

}  // namespace

extern "C" {

const char* tamis_code_name(tamis_code code) { return tamis::name(Code{code}).data(); }

tamis_code tamis_device_known(const char* name, tamis_device** device, tamis_error* error) {
  return guarded(error, [&] {
    if (name == nullptr) return missing_argument("name");
    if (device == nullptr) return missing_argument("device");
    return give(tamis::known_device(name), device);
  });
}

int32_t tamis_device_known_count(void) { return static_cast<int32_t>(devices_known().size()); }

const char* tamis_device_known_name(int32_t number) {
  const auto all = devices_known();
  if (number < 0 || static_cast<std::size_t>(number) >= all.size()) return "";
  return all[static_cast<std::size_t>(number)].name.c_str();
}

tamis_code tamis_device_cpu(int32_t threads, tamis_device** device, tamis_error* error) {
  return guarded(error, [&] {
    if (Status status = within("threads", threads, 1, most_threads); !status.ok()) return status;
    if (device == nullptr) return missing_argument("device");
    *device = new tamis_device{tamis::cpu_device(threads)};
    return Status{};
  });
}

tamis_code tamis_device_emulated(int32_t lanes, int32_t block, tamis_device** device, tamis_error* error) {
  return guarded(error, [&]() -> Status {
    if (lanes != 32 && lanes != 64)
      return {Code::invalid_argument, fmt::format("lanes is {}; it must be 32 or 64", lanes)};
    if (Status status = within("block", block, 512, 1024); !status.ok()) return status;
    if (device == nullptr) return missing_argument("device");
    tamis::Device made = tamis::emulated_device(lanes);
    made.max_threads_per_block = block;
    *device = new tamis_device{std::move(made)};
    return {};
  });
}

int32_t tamis_device_count(int32_t backend) {
  int32_t count = 0;
  const tamis_code code = guarded(nullptr, [&] {
    if (Status status = check_backend(backend); !status.ok()) return status;
    const auto found = tamis::devices(tamis::Backend{backend});
    count = static_cast<int32_t>(found.value.size());
    return found.status;
  });
  return code == TAMIS_OK ? count : 0;
}

tamis_code tamis_device_present(int32_t backend, int32_t ordinal, tamis_device** device, tamis_error* error) {
  return guarded(error, [&] {
    if (device == nullptr) return missing_argument("device");
    return give(present(backend, ordinal), device);
  });
}

const char* tamis_device_name(const tamis_device* device) {
  return device != nullptr ? device->value.name.c_str() : "";
}

void tamis_device_free(tamis_device* device) { delete device; }

tamis_code tamis_plan_select(const tamis_shape* shape, const tamis_device* device, tamis_plan** plan,
                             tamis_error* error) {
  return guarded(error, [&] { return make_plan<tamis::Shape>(shape, device, plan); });
}

tamis_code tamis_plan_merge(const tamis_merge_shape* shape, const tamis_device* device, tamis_plan** plan,
                            tamis_error* error) {
  return guarded(error, [&] { return make_plan<tamis::MergeShape>(shape, device, plan); });
}

size_t tamis_plan_workspace_bytes(const tamis_plan* plan) {
  return plan != nullptr ? plan->value.workspace_bytes() : 0;
}

const char* tamis_plan_method(const tamis_plan* plan) { return plan != nullptr ? plan->method.c_str() : ""; }

const char* tamis_plan_text(const tamis_plan* plan) { return plan != nullptr ? plan->text.c_str() : ""; }

const char* tamis_plan_json(const tamis_plan* plan) { return plan != nullptr ? plan->json.c_str() : ""; }

int32_t tamis_plan_equal(const tamis_plan* a, const tamis_plan* b) {
  if (a == nullptr || b == nullptr) return a == b ? 1 : 0;
  return a->value == b->value ? 1 : 0;
}

void tamis_plan_free(tamis_plan* plan) { delete plan; }

tamis_code tamis_threads_create(int32_t count, tamis_threads** threads, tamis_error* error) {
  return guarded(error, [&] {
    if (Status status = within("count", count, 1, most_threads); !status.ok()) return status;
    if (threads == nullptr) return missing_argument("threads");
    *threads = new tamis_threads{tamis::Threads(count)};
    return Status{};
  });
}

void tamis_threads_free(tamis_threads* threads) { delete threads; }

tamis_code tamis_select(const tamis_plan* plan, const tamis_rows* rows, const tamis_output* output, void* workspace,
                        size_t workspace_bytes, void* stream, tamis_error* error) {
  return guarded(error, [&] {
    tamis::Rows read_rows;
    tamis::Output read_output;
    if (plan == nullptr) return missing_argument("plan");
    if (Status status = read(rows, read_rows); !status.ok()) return status;
    if (Status status = read(output, read_output); !status.ok()) return status;
    return tamis::select(plan->value, read_rows, read_output, {workspace, workspace_bytes},
                         stream_of(plan->value, stream));
  });
}

tamis_code tamis_merge(const tamis_plan* plan, const tamis_lists* lists, const tamis_output* output, void* workspace,
                       size_t workspace_bytes, void* stream, tamis_error* error) {
  return guarded(error, [&] {
    tamis::Lists read_lists;
    tamis::Output read_output;
    if (plan == nullptr) return missing_argument("plan");
    if (Status status = read(lists, read_lists); !status.ok()) return status;
    if (Status status = read(output, read_output); !status.ok()) return status;
    return tamis::merge(plan->value, read_lists, read_output, {workspace, workspace_bytes},
                        stream_of(plan->value, stream));
  });
}

tamis_code tamis_verify(const tamis_shape* shape, const tamis_rows* rows, const tamis_output* output,
                        tamis_report* report, tamis_error* error) {
  return guarded(error, [&] {
    tamis::Shape read_shape;
    tamis::Rows read_rows;
    tamis::Output read_output;
    if (Status status = read(shape, read_shape); !status.ok()) return status;
    if (Status status = read(rows, read_rows); !status.ok()) return status;
    if (Status status = read(output, read_output); !status.ok()) return status;
    if (Status status = tamis::detail::check(report); !status.ok()) return status;
    const auto judged = tamis::verify(read_shape, read_rows, read_output);
    if (judged.ok()) tamis::detail::write(judged.value, *report);
    return judged.status;
  });
}

const char* tamis_finding_name(int32_t finding) { return tamis::name(tamis::Finding{finding}).data(); }

int32_t tamis_pattern_count(void) { return static_cast<int32_t>(patterns().size()); }

const char* tamis_pattern_name(int32_t pattern) { return pattern_of(pattern).name.data(); }

const char* tamis_pattern_sketch(int32_t pattern) { return pattern_of(pattern).sketch.data(); }

tamis_code tamis_generate(const char* pattern, uint64_t seed, const tamis_target* target, int64_t first_row,
                          tamis_error* error) {
  return guarded(error, [&] {
    tamis::workload::Target read_target;
    if (pattern == nullptr) return missing_argument("pattern");
    if (Status status = read(target, read_target); !status.ok()) return status;
    return tamis::workload::generate(pattern, seed, read_target, first_row);
  });
}

const char* tamis_version(void) { return tamis::version().data(); }

int32_t tamis_version_number(void) {
  return TAMIS_VERSION_MAJOR * 10000 + TAMIS_VERSION_MINOR * 100 + TAMIS_VERSION_PATCH;
}

}  // extern "C"
