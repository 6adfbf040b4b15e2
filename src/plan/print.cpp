// A plan as text for people and as JSON for programs.

#include <fmt/format.h>

#include <optional>

#include "plan/gpu_wide.hpp"
#include "plan/json.hpp"
#include "plan/plan_data.hpp"

namespace tamis {
namespace {

using detail::PlanData;
using detail::json::Field;
using detail::json::quoted;

std::string shape_text(const PlanData& plan) {
  const Shape& s = plan.shape;
  std::string text = plan.work == detail::Work::merge
                         ? fmt::format("{} rows x {} lists of {}", s.rows, plan.merge.lists, plan.merge.capacity)
                         : fmt::format("{} rows x {}", s.rows, s.width);
  text += fmt::format(", k {}, {}, ties {}, order {}, nan {}", s.k, name(s.scores), name(s.ties), name(s.order),
                      name(s.nan));
  if (s.length_rule != LengthRule{})
    text += fmt::format(", next_n {}, divisor {}", s.length_rule.next_n, s.length_rule.divisor);
  return text;
}

// How many blocks a unit holds, of a device for which that is known.
std::optional<std::int64_t> residence(const Device& device, const Launch& launch) {
  if (!detail::holds_wide_blocks(device)) return {};
  return detail::blocks_a_unit(device, launch);
}

std::string launch_text(const Device& device, const Launch& launch) {
  std::string text = fmt::format("{}: {} x {} threads", launch.kernel, launch.blocks, launch.threads);
  if (launch.cluster > 1) text += fmt::format(", clusters of {}", launch.cluster);
  if (launch.shared_bytes > 0) text += fmt::format(", {} bytes shared", launch.shared_bytes);
  if (const auto blocks = residence(device, launch))
    text += fmt::format(", {} block{} a unit", *blocks, *blocks == 1 ? "" : "s");
  return text;
}

std::string shape_json(const PlanData& plan) {
  const Shape& s = plan.shape;
  std::vector<Field> fields{{"rows", fmt::to_string(s.rows)},
                            {"width", fmt::to_string(s.width)},
                            {"k", fmt::to_string(s.k)},
                            {"scores", quoted(name(s.scores))},
                            {"next_n", fmt::to_string(s.length_rule.next_n)},
                            {"divisor", fmt::to_string(s.length_rule.divisor)},
                            {"ties", quoted(name(s.ties))},
                            {"order", quoted(name(s.order))},
                            {"nan", quoted(name(s.nan))}};
  if (plan.work == detail::Work::merge) {
    fields.push_back({"lists", fmt::to_string(plan.merge.lists)});
    fields.push_back({"capacity", fmt::to_string(plan.merge.capacity)});
  }
  return detail::json::object(fields);
}

std::string device_json(const Device& device) {
  return detail::json::object({{"name", quoted(device.name)},
                               {"backend", quoted(name(device.backend))},
                               {"arch", quoted(device.arch)},
                               {"units", fmt::to_string(device.units)}});
}

std::string launch_json(const Device& device, const Launch& launch) {
  std::vector<Field> fields{{"kernel", quoted(launch.kernel)},
                            {"blocks", fmt::to_string(launch.blocks)},
                            {"threads", fmt::to_string(launch.threads)},
                            {"cluster", fmt::to_string(launch.cluster)},
                            {"shared_bytes", fmt::to_string(launch.shared_bytes)}};
  if (const auto blocks = residence(device, launch)) fields.push_back({"blocks_a_unit", fmt::to_string(*blocks)});
  return detail::json::object(fields);
}

}  // namespace

std::string Plan::text() const {
  if (empty()) return "empty plan\n";
  std::string text =
      fmt::format("shape      {}\ndevice     {} ({}), {} units\nmethod     {}\nwhy        {}\n", shape_text(*data_),
                  device().name, name(device().backend), device().units, method(), reason());
  for (const Launch& launch : launches()) text += fmt::format("launch     {}\n", launch_text(device(), launch));
  text += fmt::format("workspace  {} bytes\nreads      {:.3g} x the row\n", workspace_bytes(), data_->row_reads);
  return text;
}

std::string Plan::json() const {
  if (empty()) return "null";
  std::vector<std::string> launch_list;
  for (const Launch& launch : launches()) launch_list.push_back(launch_json(device(), launch));
  return detail::json::object({{"work", quoted(data_->work == detail::Work::merge ? "merge" : "select")},
                               {"shape", shape_json(*data_)},
                               {"device", device_json(device())},
                               {"method", quoted(method())},
                               {"reason", quoted(reason())},
                               {"launches", detail::json::array(launch_list)},
                               {"workspace_bytes", fmt::to_string(workspace_bytes())},
                               {"row_reads", fmt::format("{:#}", data_->row_reads)}});
}

}  // namespace tamis
