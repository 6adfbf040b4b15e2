// A plan as text for people and as JSON for programs.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "plan/plan_data.hpp"

namespace tamis {
namespace {

using detail::PlanData;
using Json = nlohmann::ordered_json;

std::string shape_text(const PlanData& plan) {
  const Shape& s = plan.shape;
  std::string text = plan.work == detail::Work::merge
                         ? fmt::format("{} rows x {} lists of {}", s.rows, plan.merge.lists, plan.merge.capacity)
                         : fmt::format("{} rows x {}", s.rows, s.width);
  text += fmt::format(", k {}, {}, ties {}, order {}, nan {}", s.k, name(s.scores), name(s.ties), name(s.order), name(s.nan));
  if (s.length_rule != LengthRule{})
    text += fmt::format(", next_n {}, divisor {}", s.length_rule.next_n, s.length_rule.divisor);
  return text;
}

std::string launch_text(const Launch& launch) {
  std::string text = fmt::format("{}: {} x {} threads", launch.kernel, launch.blocks, launch.threads);
  if (launch.cluster > 1) text += fmt::format(", clusters of {}", launch.cluster);
  if (launch.shared_bytes > 0) text += fmt::format(", {} bytes shared", launch.shared_bytes);
  return text;
}

Json shape_json(const PlanData& plan) {
  const Shape& s = plan.shape;
  Json json{{"rows", s.rows},        {"width", s.width},      {"k", s.k},
            {"scores", name(s.scores)}, {"next_n", s.length_rule.next_n}, {"divisor", s.length_rule.divisor},
            {"ties", name(s.ties)},  {"order", name(s.order)}, {"nan", name(s.nan)}};
  if (plan.work == detail::Work::merge) {
    json["lists"] = plan.merge.lists;
    json["capacity"] = plan.merge.capacity;
  }
  return json;
}

Json launch_json(const Launch& launch) {
  return {{"kernel", launch.kernel}, {"blocks", launch.blocks}, {"threads", launch.threads},
          {"cluster", launch.cluster}, {"shared_bytes", launch.shared_bytes}};
}

}  // namespace

std::string Plan::text() const {
  if (empty()) return "empty plan\n";
  std::string text = fmt::format("shape      {}\ndevice     {} ({}), {} units\nmethod     {}\nwhy        {}\n",
                                 shape_text(*data_), device().name, name(device().backend), device().units, method(), reason());
  for (const Launch& launch : launches()) text += fmt::format("launch     {}\n", launch_text(launch));
  text += fmt::format("workspace  {} bytes\nreads      {:.3g} x the row\n", workspace_bytes(), data_->row_reads);
  return text;
}

std::string Plan::json() const {
  if (empty()) return "null";
  Json launch_list = Json::array();
  for (const Launch& launch : launches()) launch_list.push_back(launch_json(launch));
  const Json json{{"work", data_->work == detail::Work::merge ? "merge" : "select"},
                  {"shape", shape_json(*data_)},
                  {"device", {{"name", device().name}, {"backend", name(device().backend)}, {"arch", device().arch}, {"units", device().units}}},
                  {"method", method()},
                  {"reason", reason()},
                  {"launches", launch_list},
                  {"workspace_bytes", workspace_bytes()},
                  {"row_reads", data_->row_reads}};
  return json.dump(2);
}

}  // namespace tamis
