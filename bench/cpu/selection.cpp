// tamis as a caller uses it: planned once, workspace and outputs made once.

#include "selection.hpp"

#include <memory>
#include <numeric>
#include <stdexcept>

namespace tamis::bench {
namespace {

struct Prepared {
  Plan plan;
  std::vector<std::byte> workspace;
  std::vector<std::int32_t> out, pages;
  Threads threads;

  Prepared(Plan planned, const Cell& cell)
      : plan(std::move(planned)), workspace(plan.workspace_bytes()), out(cell.rows * cell.k), threads(cell.threads) {}
};

// Pages in reverse, so that neighbours in a row are none in the cache.
PageTable table_over(std::vector<std::int32_t>& pages, const Cell& cell) {
  const std::int64_t columns = (cell.length + cell.page_size - 1) / cell.page_size;
  pages.resize(cell.rows * columns);
  std::iota(pages.rbegin(), pages.rend(), 0);
  return {
      .entries = pages.data(), .tables = cell.rows, .columns = columns, .stride = columns, .page_size = cell.page_size};
}

}  // namespace

Selection make_tamis(const Cell& cell, const void* scores) {
  const Shape shape{.rows = cell.rows, .width = cell.length, .k = cell.k, .scores = cell.scores, .order = cell.order};
  auto planned = plan(shape, cpu_device(cell.threads));
  if (!planned.ok()) throw std::runtime_error(planned.status.message);
  auto prepared = std::make_shared<Prepared>(planned.value, cell);
  Output output{.indices = prepared->out.data()};
  if (cell.page_size > 0)
    output = {
        .slots = prepared->out.data(), .mapping = Mapping::paged, .page_table = table_over(prepared->pages, cell)};
  return [=] {
    const Status status = select(prepared->plan, {.scores = scores, .stride = cell.length}, output,
                                 {prepared->workspace.data(), prepared->workspace.size()}, Stream(prepared->threads));
    if (!status.ok()) throw std::runtime_error(status.message);
  };
}

Selection make_selection(const Cell& cell, const void* scores) {
  switch (cell.selector) {
    case Selector::floor:
      return make_floor(cell, scores);
    case Selector::tamis:
      return make_tamis(cell, scores);
    case Selector::nth_element:
      return make_nth_element(cell, scores);
    case Selector::vqsort:
      return make_vqsort(cell, scores);
  }
  throw std::logic_error("a selector without a maker");
}

}  // namespace tamis::bench
