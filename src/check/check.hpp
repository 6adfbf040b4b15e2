// What the host can see of the arguments. A Status names the argument, what it was and what it must be.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tamis/tamis.hpp"

namespace tamis::detail {

Status check(const Shape& shape);
Status check(const MergeShape& shape);
Status check(const Device& device);
Status check(const Shape& shape, const Rows& rows);
Status check(const MergeShape& shape, const Lists& lists);
Status check(std::int64_t rows, std::int64_t k, ScoreType scores, const Output& output);
Status check(Workspace workspace, std::size_t bytes, std::size_t alignment);

// The same with every default stride spelled out, so that backends see none.
Output spelled_out(const Output& output, std::int64_t k);
Lists spelled_out(const Lists& lists, const MergeShape& shape);

}  // namespace tamis::detail
