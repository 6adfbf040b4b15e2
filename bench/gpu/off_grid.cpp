// usage: tamis_bench_off_grid [--csv FILE] [--commit HASH]
// What the grid leaves out: orders, further outputs, 16-bit scores, lengths that differ, wide buffers, windows of a
// prefill, a kernel before, and the host's time for a call; each beside what it is to be compared with. Selections of
// f32 scores from column 0 on are judged, the others are the contract's tests to judge.

#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "disturb.hpp"
#include "floor.hpp"
#include "methods/library.hpp"
#include "protocol.hpp"
#include "scores.hpp"

namespace tamis::bench {
namespace {

struct Size {
  std::int64_t rows, width, k;
};

// One measurement, and what it may take at most: `most` times `against`.
struct Line {
  std::string name;
  Size size;
  double time_us;
  double against_us;
  double most;
  std::string exact;  // 1, or - where it is not judged here
};

template <class T>
T value_of(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status.message);
  return result.value;
}

class OffGrid {
 public:
  explicit OffGrid(Size size) : size_(size), stride_((size.width + 7) / 8 * 8) {
    scores_.reserve(size.rows * stride_);
    generate_scores("normal", 1, scores_.data(), size.rows, size.width, stride_, protocol_.stream());
    scatter_pages(pages_, size.rows, size.width, protocol_.stream());
    const auto entries = static_cast<std::size_t>(size.rows * size.k);
    slots_.reserve(entries);
    indices_.reserve(entries);
    selected_scores_.reserve(entries);
    counts_.reserve(size.rows);
    floor_us_ = read_floor_us(protocol_, {scores_.data()}, size.rows, size.width, stride_, Cache::warm);
  }

  std::vector<Line> run() {
    plain_us_ = time(call());
    add("any order, slots", plain_us_, floor_us_, 0);
    orders();
    outputs();
    types();
    lengths();
    behind_a_kernel();
    add("the host's time for a call", host_us(), 2.0, 1.0, "-");
    return lines_;
  }

 private:
  struct Call {
    Shape shape;
    Rows rows;
    Output output;
    bool judged = true;
  };

  Call call() {
    Output output;
    output.slots = slots_.data();
    output.mapping = Mapping::paged;
    output.page_table = {.entries = pages_.table.data(),
                         .tables = size_.rows,
                         .columns = pages_.columns,
                         .stride = pages_.columns,
                         .page_size = page_size};
    set_lengths([&](std::int64_t) { return size_.width; });
    return {{.rows = size_.rows, .width = size_.width, .k = size_.k},
            {.scores = scores_.data(), .stride = stride_, .lengths = lengths_.data()},
            output};
  }

  void orders() {
    for (const auto& [order, most] : {std::pair{Order::by_index, 1.1}, std::pair{Order::by_score, 1.3}}) {
      Call ordered = call();
      ordered.shape.order = order;
      add(std::string(name(order)), time(ordered), plain_us_, most);
    }
  }

  void outputs() {
    Call more = call();
    more.output.indices = indices_.data();
    add("indices beside slots", time(more), plain_us_, 1.05);
    more = call();
    more.output.scores = selected_scores_.data();
    add("scores beside slots", time(more), plain_us_, 1.05);
    more = call();
    more.output.counts = counts_.data();
    add("counts beside slots", time(more), plain_us_, 1.05);
  }

  void types() {
    for (const ScoreType type : {ScoreType::bf16, ScoreType::f16}) {
      Call half = call();
      half.shape.scores = type;
      half.judged = false;
      fill_halves(halves_.reserve(size_.rows * stride_), scores_.data(), size_.rows * stride_, type,
                  protocol_.stream());
      half.rows.scores = halves_.data();
      add(std::string(name(type)), time(half), plain_us_, 1 / 1.6);
    }
  }

  void lengths() {
    const auto share = [&] {
      return std::accumulate(host_lengths_.begin(), host_lengths_.end(), 0.0) /
             static_cast<double>(size_.rows * size_.width);
    };
    const auto limit = [&] { return 1.25 * floor_us_ * share() + 2; };
    Call mixed = call();
    set_lengths([&](std::int64_t row) { return 1 + row * 7919 % size_.width; });
    add("lengths from 1 to the width", time(mixed), limit(), 1.0);
    set_lengths([&](std::int64_t row) { return std::max<std::int64_t>(1, (row + 1) * size_.width / size_.rows); });
    add("causal windows", time(mixed), limit(), 1.0);
    std::vector<std::int32_t> starts(size_.rows);
    for (std::int64_t row = 0; row < size_.rows; ++row) starts[row] = static_cast<std::int32_t>(row % 7);
    set_lengths([&](std::int64_t row) { return std::max<std::int64_t>(1, (row + 1) * size_.width / size_.rows - 7); });
    upload(starts_, starts);
    mixed.rows.starts = starts_.data();
    mixed.judged = false;
    add("causal windows, unaligned starts", time(mixed), limit(), 1.0);
    mixed.rows.starts = nullptr;
    mixed.judged = true;
    set_lengths([&](std::int64_t) { return std::min(size_.k, size_.width); });
    add("rows no longer than k", time(mixed), 1.04 + size_.rows * size_.k * 4 / 4.68e6, 1.0);
    const std::int64_t tight = size_.width / 4;
    if (tight <= size_.k) return;
    set_lengths([&](std::int64_t) { return tight; });
    const double wide_us = time(mixed);
    mixed.shape.width = tight;
    add("a quarter of a wide buffer", wide_us, time(mixed), 1.15);
  }

  void behind_a_kernel() {
    const Call plain = call();
    const Plan plan = plan_of(plain);
    const auto produce = [&](int, cudaStream_t stream) { touch(lengths_.data(), size_.rows, stream); };
    const double producer_us = protocol_.time(produce, Cache::warm).median_us;
    const auto both = [&](int launch, cudaStream_t stream) {
      produce(launch, stream);
      enqueue(plain, plan, stream);
    };
    add("behind a small kernel", protocol_.time(both, Cache::warm).median_us, plain_us_ + producer_us, 1.0);
  }

  double host_us() {
    const Call plain = call();
    const Plan plan = plan_of(plain);
    constexpr int calls = 500;  // fewer than the queue holds
    for (int i = 0; i < 20; ++i) enqueue(plain, plan, protocol_.stream());
    TAMIS_REQUIRE(cudaStreamSynchronize(protocol_.stream()));
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) enqueue(plain, plan, protocol_.stream());
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    TAMIS_REQUIRE(cudaStreamSynchronize(protocol_.stream()));
    return took.count() / calls;
  }

  // --- one call ---

  Plan plan_of(const Call& call) {
    Plan plan = value_of(tamis::plan(call.shape, device()));
    workspace_.reserve(std::max<std::size_t>(1, plan.workspace_bytes()));
    return plan;
  }

  void enqueue(const Call& call, const Plan& plan, cudaStream_t stream) {
    const Status status =
        select(plan, call.rows, call.output, {workspace_.data(), workspace_.bytes()}, tamis::Stream(stream));
    if (!status.ok()) throw std::runtime_error(status.message);
  }

  double time(const Call& call) {
    const Plan plan = plan_of(call);
    const Task task{size_.rows,      call.shape.width,    size_.k,        scores_.data(), stride_,
                    lengths_.data(), pages_.table.data(), pages_.columns, slots_.data()};
    check_.poison(task, protocol_.stream());
    enqueue(call, plan, protocol_.stream());
    exact_ = !call.judged ? "-" : check_.judge(task, pages_, protocol_.stream()).empty() ? "1" : "0";
    return protocol_.time([&](int, cudaStream_t stream) { enqueue(call, plan, stream); }, Cache::warm).median_us;
  }

  template <class Of>
  void set_lengths(Of of) {
    host_lengths_.resize(size_.rows);
    for (std::int64_t row = 0; row < size_.rows; ++row) host_lengths_[row] = static_cast<std::int32_t>(of(row));
    upload(lengths_, host_lengths_);
  }
  void upload(Buffer<std::int32_t>& buffer, const std::vector<std::int32_t>& values) {
    TAMIS_REQUIRE(cudaMemcpyAsync(buffer.reserve(values.size()), values.data(), values.size() * sizeof(std::int32_t),
                                  cudaMemcpyHostToDevice, protocol_.stream()));
    TAMIS_REQUIRE(cudaStreamSynchronize(protocol_.stream()));
  }

  void add(const std::string& name, double time_us, double against_us, double most, const std::string& exact = "") {
    lines_.push_back({name, size_, time_us, against_us, most, exact.empty() ? exact_ : exact});
  }

  Size size_;
  std::int64_t stride_;
  Protocol protocol_;
  Check check_;
  Pages pages_;
  Buffer<float> scores_, selected_scores_;
  Buffer<std::uint16_t> halves_;
  Buffer<std::int32_t> lengths_, starts_, slots_, indices_, counts_;
  Buffer<char> workspace_;
  std::vector<std::int32_t> host_lengths_;
  double floor_us_ = 0, plain_us_ = 0;
  std::string exact_ = "-";
  std::vector<Line> lines_;
};

int measure(std::map<std::string, std::string> options) {
  Protocol().warm_up();
  std::ofstream file;
  if (!options["--csv"].empty()) file.open(options["--csv"]);
  file << "case,rows,width,k,time_us,against_us,most,exact,commit\n";
  bool wrong = false;
  for (const Size size : {Size{16, 32768, 2048}, {64, 65536, 2048}, {256, 131072, 2048}, {4096, 8192, 2048}}) {
    for (const Line& line : OffGrid(size).run()) {
      char numbers[96];
      std::snprintf(numbers, sizeof numbers, "%.3f,%.3f,%.3f", line.time_us, line.against_us, line.most);
      file << line.name << ',' << size.rows << ',' << size.width << ',' << size.k << ',' << numbers << ',' << line.exact
           << ',' << options["--commit"] << std::endl;
      std::printf("%5lld x %6lld %-34s %9.2f us, %5.2f of %9.2f (at most %.2f) %s\n", static_cast<long long>(size.rows),
                  static_cast<long long>(size.width), line.name.c_str(), line.time_us, line.time_us / line.against_us,
                  line.against_us, line.most, line.exact == "0" ? "WRONG" : "");
      wrong = wrong || line.exact == "0";
    }
  }
  return wrong ? 1 : 0;
}

}  // namespace
}  // namespace tamis::bench

int main(int count, char** words) {
  try {
    std::map<std::string, std::string> options;
    for (int i = 1; i + 1 < count; i += 2) options[words[i]] = words[i + 1];
    return tamis::bench::measure(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tamis_bench_off_grid: %s\n", error.what());
    return 2;
  }
}
