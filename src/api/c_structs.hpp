// The structs of the C ABI read into their namesakes of the C++ API.
#pragma once

#include "tamis/tamis.h"
#include "tamis/tamis.hpp"
#include "tamis/workload.hpp"

namespace tamis::detail {

Status read(const tamis_shape* from, Shape& to);
Status read(const tamis_merge_shape* from, MergeShape& to);
Status read(const tamis_rows* from, Rows& to);
Status read(const tamis_lists* from, Lists& to);
Status read(const tamis_output* from, Output& to);
Status read(const tamis_target* from, workload::Target& to);

// Whether `report` is one that can be filled, and the filling.
Status check(const tamis_report* report);
void write(const Report& from, tamis_report& to);

// Fills `error`, where it is one that can be filled.
void write(Code code, std::string_view message, tamis_error* error) noexcept;

}  // namespace tamis::detail
