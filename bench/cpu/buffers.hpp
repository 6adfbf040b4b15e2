// The scores that cells read: made once for each input, shared by all who read it.
#pragma once

#include <cstddef>

#include "cells.hpp"

namespace tamis::bench {

// [rows, length] scores of the cell's pattern, on cache lines.
const void* scores_of(const Cell& cell);

}  // namespace tamis::bench
