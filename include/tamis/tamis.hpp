// tamis: exact top-k selection for sparse-attention indexers. The C++ API.
//
// For every row of a score matrix tamis selects the k best positions and writes them where a
// sparse-attention kernel reads them: as positions, as KV-cache slots through a page table, or as
// ragged offsets. This header is the contract; every backend and every method keeps all of it.
//
// Glossary
//   row                     one query's scores; the unit of work
//   stride                  distance between rows, in elements
//   window, start, length   the valid part of a row: columns [start, start + length)
//   position                index relative to the window's start
//   slot                    a position mapped through the page table or the ragged offset
//   score / key             the input number / the integer that sorts as it
//   tie                     a score equal to the last one selected
//   shape, device, plan     what is to be selected, where, and how
//   workspace, stream       scratch memory the caller lends, and the queue the work is put on
//
// A call in three steps:
//   auto plan = tamis::plan({.rows = 64, .width = 131072, .k = 2048}, tamis::cpu_device()).value;
//   std::vector<std::byte> scratch(plan.workspace_bytes());
//   tamis::Status status = tamis::select(plan, {.scores = scores, .stride = 131072},
//                                        {.indices = indices}, {scratch.data(), scratch.size()});
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/export.h"

namespace tamis {

// ---------------------------------------------------------------------------------------------
// Status

enum class Code : std::int32_t {
  ok = 0,
  invalid_argument = 1,     // the message names the argument, what it was and what it must be
  workspace_too_small = 2,  // fewer bytes than plan.workspace_bytes()
  plan_mismatch = 3,        // an empty plan, or a plan made for another kind of work
  no_device = 4,            // the backend or the device is not on this machine or not in this build
  backend_error = 5,        // the runtime below (CUDA, HIP, the operating system) reported an error
  out_of_memory = 6,        // host memory while planning or verifying; the C ABI only, C++ throws std::bad_alloc
};

// On any code but ok and backend_error nothing was launched or written; after backend_error outputs may hold anything.
struct [[nodiscard]] Status {
  Code code = Code::ok;
  std::string message;  // empty when ok

  bool ok() const { return code == Code::ok; }
};

TAMIS_EXPORT std::string_view name(Code code);

// A value, or the reason why there is none. `value` is default-constructed unless status.ok().
template <class T>
struct [[nodiscard]] Result {
  Status status;
  T value{};

  bool ok() const { return status.ok(); }
};

// ---------------------------------------------------------------------------------------------
// Shape: what is to be selected, in numbers

enum class ScoreType : std::int32_t { f32 = 0, f16 = 1, bf16 = 2 };
enum class SlotType : std::int32_t { i32 = 0, i64 = 1 };

// Which of several equal scores are taken when not all of them fit.
enum class Ties : std::int32_t {
  lowest_index = 0,  // the lower positions: the selected set is unique
  any = 1,           // any of them: the multiset of selected scores is unique
};

// In what order the n selected items of a row are written. A row whose length is <= k is written in
// ascending position under `any` too.
enum class Order : std::int32_t {
  any = 0,       // the method's own order
  by_index = 1,  // ascending position; bitwise reproducible
  by_score = 2,  // best first, equal scores by ascending position; bitwise reproducible
};

// Where NaN stands in the order of scores. All NaNs, of either sign and any payload, are equal.
enum class Nan : std::int32_t {
  lowest = 0,   // below -inf
  highest = 1,  // above +inf
};

// How a row's length follows from `lengths`. With L the entry of row r's request, lengths[r / next_n]
// (width where `lengths` is absent), row r sees floor((L - next_n + r % next_n + 1) / divisor) scores;
// nothing when the numerator is <= 0. next_n = 1 and divisor = 1 give L itself.
struct LengthRule {
  std::int32_t next_n = 1;   // speculative rows a request, >= 1; row r belongs to request r / next_n
  std::int32_t divisor = 1;  // tokens one score stands for (compressed KV), >= 1

  bool operator==(const LengthRule&) const = default;
};

// The selected set of a row is the first n = min(k, length) positions under this strict order:
//   1. greater score first; -0.0 equals +0.0; NaN as `nan` says;
//   2. among equal scores the lower position first (under Ties::lowest_index).
// It is the same on every backend, method, run, rank and device. There is no approximate mode.
struct Shape {
  std::int64_t rows = 0;   // 0 .. 2^31 - 1
  std::int64_t width = 0;  // columns of the score matrix, 0 .. 2^31 - 1
  std::int64_t k = 0;      // positions selected a row, 1 .. 2^31 - 1; may exceed the width
  ScoreType scores = ScoreType::f32;
  LengthRule length_rule{};
  Ties ties = Ties::lowest_index;
  Order order = Order::any;
  Nan nan = Nan::lowest;

  bool operator==(const Shape&) const = default;
};

TAMIS_EXPORT std::string_view name(ScoreType type);
TAMIS_EXPORT std::string_view name(SlotType type);
TAMIS_EXPORT std::string_view name(Ties ties);
TAMIS_EXPORT std::string_view name(Order order);
TAMIS_EXPORT std::string_view name(Nan nan);

// Bytes of one score: 4, 2, 2.
TAMIS_EXPORT std::size_t score_bytes(ScoreType type);

// ---------------------------------------------------------------------------------------------
// Device: where, as a value. A device need not be present to be planned for.

enum class Backend : std::int32_t { cpu = 0, cuda = 1, hip = 2, emulated = 3 };

TAMIS_EXPORT std::string_view name(Backend backend);

// The properties a plan is made from. Zero means "has none" or, for bandwidth, "unknown".
struct Device {
  Backend backend = Backend::cpu;
  std::string name;                         // "h200", "mi300x", "cpu"
  std::string arch;                         // "sm_90a", "gfx942", "host"
  std::int32_t ordinal = 0;                 // which of several equal devices; their plans differ in it alone
  std::int32_t units = 1;                   // SMs, compute units, or CPU threads to use
  std::int32_t lanes = 1;                   // threads of a warp or wavefront
  std::int32_t max_threads_per_block = 1;
  std::int32_t max_threads_per_unit = 1;
  std::int32_t registers_per_unit = 0;      // 32-bit registers
  std::int32_t shared_bytes_per_block = 0;  // the most one block may ask for (opt-in limit)
  std::int32_t shared_bytes_per_unit = 0;
  std::int32_t max_cluster_blocks = 0;      // blocks that may form a cluster; 0: no clusters
  bool dependent_launch = false;            // programmatic dependent launch
  std::int64_t cache_bytes = 0;             // last-level cache
  std::int64_t bytes_per_second = 0;        // memory read bandwidth

  bool operator==(const Device&) const = default;
};

// The CPU backend on `threads` threads (>= 1). The value is the same on every machine.
TAMIS_EXPORT Device cpu_device(std::int32_t threads = 1);

// The kernels of the GPU backends on the host emulator, with 32 or 64 lanes a warp.
TAMIS_EXPORT Device emulated_device(std::int32_t lanes = 32);

// A device known by name, in lower case: "h100", "h200", "b200", "mi300x", "mi355x", ... ; present or not.
TAMIS_EXPORT Result<Device> known_device(std::string_view name);

// Every device known by name.
TAMIS_EXPORT const std::vector<Device>& known_devices();

// The devices of `backend` on this machine, their properties read from the runtime once. Empty with
// Code::no_device where there is none; never an abort, no driver needed to ask.
TAMIS_EXPORT Result<std::vector<Device>> devices(Backend backend);

// ---------------------------------------------------------------------------------------------
// Plan: how

// One kernel launch, as a plan states it.
struct Launch {
  std::string kernel;             // an entry of the list of kernels, or the CPU method
  std::int64_t blocks = 0;        // CPU: tasks
  std::int32_t threads = 0;       // per block; CPU: 1
  std::int32_t cluster = 1;       // blocks per cluster
  std::int64_t shared_bytes = 0;  // dynamic shared memory per block

  bool operator==(const Launch&) const = default;
};

namespace detail {
struct PlanData;
}

// How a shape is selected on a device. A plan is a value: cheap to copy, comparable, printable, immutable,
// safe to use from any number of threads at once. A default-constructed plan is empty; select refuses it.
class Plan {
 public:
  Plan() = default;

  bool empty() const { return data_ == nullptr; }
  TAMIS_EXPORT const Shape& shape() const;                   // of a merge plan: rows, k, type and options
  TAMIS_EXPORT const Device& device() const;
  TAMIS_EXPORT std::string_view method() const;              // "" when empty
  TAMIS_EXPORT const std::vector<Launch>& launches() const;
  TAMIS_EXPORT std::size_t workspace_bytes() const;          // bounded by rows and k, never by width
  TAMIS_EXPORT std::string_view reason() const;              // why this method, in a sentence
  TAMIS_EXPORT std::string text() const;                     // several lines, for people
  TAMIS_EXPORT std::string json() const;                     // one object, for programs

  TAMIS_EXPORT friend bool operator==(const Plan& a, const Plan& b);

  // For the library's own use.
  explicit Plan(std::shared_ptr<const detail::PlanData> data) : data_(std::move(data)) {}
  const detail::PlanData* data() const { return data_.get(); }

 private:
  std::shared_ptr<const detail::PlanData> data_;
};

// Plans the selection of `shape` on `device`. A pure function of its arguments: no pointer, no length value,
// no environment and no clock is read; equal arguments give equal plans. Allocates; call it once, not per step.
// Errors: invalid_argument.
TAMIS_EXPORT Result<Plan> plan(const Shape& shape, const Device& device);

// ---------------------------------------------------------------------------------------------
// Select

// The input. All pointers are to memory the plan's device reads (host memory for cpu and emulated).
// Scores are only read; nothing outside a window enters a decision, so it may hold anything.
struct Rows {
  const void* scores = nullptr;           // [rows, width], aligned to the element; contiguous along a row
  std::int64_t stride = 0;                // between rows, in elements; >= 0; rows may overlap
  const std::int32_t* lengths = nullptr;  // [ceil(rows / next_n)]; null: width. <= 0: an empty row. A length that
                                          // leaves the width, as `width` behind a start > 0 does, is clamped to it
  const std::int32_t* starts = nullptr;   // [rows], first column of the window; null: 0. Outside [0, width]: an empty
                                          // row. What is clamped or outside is counted in `faults`
};

// How `slots` follow from positions p of row r.
enum class Mapping : std::int32_t {
  none = 0,    // p
  paged = 1,   // through `PageTable`
  ragged = 2,  // p + offsets[r]
};

// With q = p + page_start[r] the slot is entries[t * stride + q / page_size] * page_size + q % page_size, where
// t = table_of_row[r]; or the segment with cu_rows[t] <= r < cu_rows[t + 1]; or r. Only entries of selected
// positions are read. A column outside [0, columns), a negative page, a t outside [0, tables) or a row that no
// segment covers gives slot -1, counted in `faults`.
struct PageTable {
  const std::int32_t* entries = nullptr;       // [tables, columns]: page numbers; null where there are none
  std::int64_t tables = 0;                     // rows of the table
  std::int64_t columns = 0;                    // pages a row of the table holds
  std::int64_t stride = 0;                     // between rows of the table, in elements; >= 0, 0 repeats one row
  std::int32_t page_size = 0;                  // tokens a page holds, >= 1
  const std::int32_t* table_of_row = nullptr;  // [rows]; excludes cu_rows
  const std::int32_t* cu_rows = nullptr;       // [tables + 1], cumulative query counts, ascending
  const std::int32_t* page_start = nullptr;    // [rows]; null: 0
};

// What only the device can see and did clamp. `length`, `start` and, where something is selected, `table_row` count
// rows; `page` and `slot` count selected positions. Calls, also several at once, add to the record, first Faults{}.
struct Fault {
  std::int64_t count = 0;
  std::int64_t first_row = INT64_MAX;  // the lowest row seen; INT64_MAX while count is 0

  bool operator==(const Fault&) const = default;
};
struct Faults {
  Fault length;     // length past the width's end
  Fault start;      // start outside [0, width]
  Fault table_row;  // table_of_row outside the table, or a row that no segment covers
  Fault page;       // page-table column outside the table, or a negative page
  Fault slot;       // a slot that an int32 cannot hold

  bool operator==(const Faults&) const = default;
};

// The output. Each is optional (null), at least one is given; none overlaps another or an input. All agree element by
// element: entries [0, n) of a row hold the selected items, [n, k) the padding; what lies between rows is not touched.
struct Output {
  std::int32_t* indices = nullptr;  // [rows, k] positions, then -1
  std::int64_t indices_stride = 0;  // in elements; 0 means k, otherwise >= k
  void* slots = nullptr;            // [rows, k] of slot_type: mapped positions, then -1
  std::int64_t slots_stride = 0;    // as indices_stride
  SlotType slot_type = SlotType::i32;
  void* scores = nullptr;           // [rows, k] of the input's type, bits as they were, then -inf
  std::int64_t scores_stride = 0;   // as indices_stride
  std::int32_t* counts = nullptr;   // [rows] n

  Mapping mapping = Mapping::none;          // of `slots`
  PageTable page_table{};                   // read when mapping is paged
  const std::int32_t* offsets = nullptr;    // [rows], read when mapping is ragged
  Faults* faults = nullptr;                 // one record, in memory the device writes; null: not counted
};

// Scratch memory lent to one call at a time. What it holds on entry never matters. 256-byte aligned, or any
// alignment for cpu; null is right when plan.workspace_bytes() is 0.
struct Workspace {
  void* data = nullptr;
  std::size_t bytes = 0;
};

// Threads for the CPU backend, made once and passed to select as its stream. Calls that share them take turns.
class Threads {
 public:
  TAMIS_EXPORT explicit Threads(std::int32_t count);  // >= 1, caller included; or throws invalid_argument, system_error
  TAMIS_EXPORT ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  TAMIS_EXPORT std::int32_t count() const;

  struct Pool;
  Pool& pool() { return *pool_; }

 private:
  std::unique_ptr<Pool> pool_;
};

// The queue the work is put on: a cudaStream_t, a hipStream_t, or, for the CPU backend, Threads (absent: the
// calling thread does the work). The null stream of a GPU is its default stream. For the emulated backend: a schedule.
struct Stream {
  void* handle = nullptr;

  Stream() = default;
  explicit Stream(void* native) : handle(native) {}
  explicit Stream(Threads& threads) : handle(&threads) {}
};

// For the emulated backend: the schedule that draws from `seed` everything a GPU leaves open (which thread goes on, in
// what order blocks start, what memory holds). Equal seeds, equal runs; 0, like the null stream, is the plain order.
inline Stream emulated_stream(std::uintptr_t seed) { return Stream(reinterpret_cast<void*>(seed)); }

// Enqueues the selection that `plan` describes and returns: no allocation, no synchronisation, no host read of
// device data, no hidden state. On cpu and emulated the work is done when it returns. Safe under CUDA graph
// capture; a replay is right for whatever scores, lengths and page tables the device then holds. Any number of
// threads and streams at once, each call with a workspace of its own.
// Errors: invalid_argument, workspace_too_small, plan_mismatch, no_device, backend_error; of outputs then: see Status.
TAMIS_EXPORT Status select(const Plan& plan, const Rows& rows, const Output& output,
                           Workspace workspace = {}, Stream stream = {});

// ---------------------------------------------------------------------------------------------
// Merge: candidates of several shards to one selection (context parallel)

struct MergeShape {
  std::int64_t rows = 0;
  std::int64_t lists = 0;     // candidate lists a row, one a shard, >= 1; lists * capacity < 2^31
  std::int64_t capacity = 0;  // entries a list has room for, >= 1
  std::int64_t k = 0;
  ScoreType scores = ScoreType::f32;
  Ties ties = Ties::lowest_index;
  Order order = Order::any;
  Nan nan = Nan::lowest;

  bool operator==(const MergeShape&) const = default;
};
// The candidates of all shards, in memory that the plan's device reads: the first counts[list, row] entries of each
// list, in any order. Positions are global, >= 0, each at most once a row. Counts outside [0, capacity] are clamped.
// Aligned to the element; lists and rows may overlap.
struct Lists {
  const void* scores = nullptr;             // [lists, rows, capacity]
  const std::int32_t* positions = nullptr;  // [lists, rows, capacity]
  const std::int32_t* counts = nullptr;     // [lists, rows]; null: every list is full
  std::int64_t list_stride = 0;             // between lists of scores and positions, in elements; 0: rows * row_stride
  std::int64_t row_stride = 0;              // between rows of a list, in elements; 0: capacity
};

TAMIS_EXPORT Result<Plan> plan(const MergeShape& shape, const Device& device);  // as the plan of a Shape

// Writes the first n = min(k, candidates of the row) under the order of `Shape`: where each shard kept its own
// best k, the result equals select on the whole row bit for bit, ties included. As select otherwise.
TAMIS_EXPORT Status merge(const Plan& plan, const Lists& lists, const Output& output,
                          Workspace workspace = {}, Stream stream = {});

// ---------------------------------------------------------------------------------------------
// Verify: judge any selector's output

// What is wrong with a row, in the order in which it is looked for.
enum class Finding : std::int32_t {
  none = 0,
  wrong_count,      // counts[row] is not n
  out_of_range,     // an index outside [0, length) among the first n
  duplicate,        // a position twice
  not_best,         // a better position was left out
  wrong_tie,        // an equal score at a lower position was left out (Ties::lowest_index)
  wrong_order,      // not in the order asked for
  wrong_score,      // scores[i] is not the score at indices[i]
  wrong_slot,       // slots[i] is not indices[i] mapped
  wrong_padding,    // an entry of [n, k) that is not -1, -1, -inf
};
TAMIS_EXPORT std::string_view name(Finding finding);

struct Report {
  std::int64_t rows = 0;        // rows judged
  std::int64_t wrong_rows = 0;  // rows with a finding
  Finding finding = Finding::none;  // of the first wrong row
  std::int64_t row = -1;        // the first wrong row
  std::int64_t entry = -1;      // its first wrong output entry (not_best, wrong_tie: the worst selected one), or -1
  std::int64_t position = -1;   // the position concerned (not_best, wrong_tie: the best one left out), or -1
  std::string message;          // the same in words; empty when exact

  bool exact() const { return wrong_rows == 0; }
};

// Judges `output`, which any selector may have written, against `rows`: host memory, one pass over each row, no
// code shared with select. Where indices are absent positions are recovered from slots when the mapping allows
// (none, ragged, or a page table whose pages do not repeat within the row); where neither tells, scores and slots are
// judged as a multiset.
// Errors: invalid_argument.
TAMIS_EXPORT Result<Report> verify(const Shape& shape, const Rows& rows, const Output& output);

// ---------------------------------------------------------------------------------------------
// Version

TAMIS_EXPORT std::string_view version();  // "0.1.0"

}  // namespace tamis
