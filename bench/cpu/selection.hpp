// The four selectors, each made ready for one cell: what is measured is operator() alone.
#pragma once

#include <functional>

#include "cells.hpp"

namespace tamis::bench {

// Selects every row of the cell once. Holds all memory it needs.
using Selection = std::function<void()>;

Selection make_floor(const Cell& cell, const void* scores);
Selection make_tamis(const Cell& cell, const void* scores);
Selection make_nth_element(const Cell& cell, const void* scores);
Selection make_vqsort(const Cell& cell, const void* scores);

Selection make_selection(const Cell& cell, const void* scores);

}  // namespace tamis::bench
