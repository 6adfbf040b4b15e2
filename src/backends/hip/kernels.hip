// The kernels for AMD, compiled once an architecture to a code object each.
#include "kernels/wide_merge.hpp"
#include "kernels/wide_row.hpp"
#include "kernels/wide_split.hpp"
#include "simt/kernel.hpp"

#define TAMIS_INSTANCE TAMIS_ENTRY
#include "kernels/instances/amd.def"
