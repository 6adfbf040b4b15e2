// The streaming kernel in the shapes that a plan would choose from. One kernel a method; `takes` says for which rows.

#include "entry.hpp"
#include "kernels/stream_row.hpp"

namespace {

template <int capacity, int sample_packs>
using StreamRow = tamis::kernels::StreamRow<tamis::ScoreType::f32, 256, 2, capacity, sample_packs>;

}  // namespace

TAMIS_ENTRY(stream_row, 512, 1, 1, StreamRow<6144, 2>)
TAMIS_ENTRY(stream_row_pair, 256, 2, 1, StreamRow<4096, 4>)
TAMIS_ENTRY(stream_row_pair_long, 256, 2, 1, StreamRow<4096, 8>)
TAMIS_ENTRY(stream_row_2, 512, 1, 2, StreamRow<6144, 2>)

namespace tamis::bench {
namespace {

constexpr int units = 132;

template <auto entry, class Kernel, int threads, int blocks_per_unit, int cluster>
void enqueue(const Task& task, cudaStream_t stream) {
  using Block = simt::cuda::Block<threads, cluster>;
  constexpr int shared_bytes = sizeof(typename Kernel::template Shared<Block>);
  const std::int64_t clusters = std::min<std::int64_t>(task.rows, units / cluster * blocks_per_unit);
  launch(entry, {clusters * cluster, threads, cluster, shared_bytes}, arguments_of(task), stream);
}

template <int least_rows, int most_rows>
bool takes(const Task& task) {
  return task.length >= 16384 && task.rows >= least_rows && task.rows <= most_rows;
}
std::size_t workspace_bytes(const Task&) { return 0; }

}  // namespace

#define TAMIS_STREAM_METHOD(name, capacity, sample_packs, threads, blocks, cluster, least, most) \
  extern const Method name##_method{                                                             \
      #name, takes<least, most>, workspace_bytes,                                                \
      enqueue<tamis_##name, StreamRow<capacity, sample_packs>, threads, blocks, cluster>};

TAMIS_STREAM_METHOD(stream_row, 6144, 2, 512, 1, 1, 67, 1 << 20)
TAMIS_STREAM_METHOD(stream_row_pair, 4096, 4, 256, 2, 1, 133, 1 << 20)
TAMIS_STREAM_METHOD(stream_row_pair_long, 4096, 8, 256, 2, 1, 133, 1 << 20)
TAMIS_STREAM_METHOD(stream_row_2, 6144, 2, 512, 1, 2, 40, 66)

}  // namespace tamis::bench
