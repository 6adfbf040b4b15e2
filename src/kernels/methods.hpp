// Every method, for those who need all of them.
#pragma once

#include "kernels/block_row.hpp"
#include "kernels/cluster_row.hpp"
#include "kernels/filter_row.hpp"
#include "kernels/merge.hpp"
#include "kernels/register_row.hpp"
#include "kernels/resident_row.hpp"
#include "kernels/split_row.hpp"
#include "kernels/stream_row.hpp"
#include "kernels/whole_row.hpp"
#include "kernels/wide_merge.hpp"
#include "kernels/wide_row.hpp"
#include "kernels/wide_split.hpp"
#include "kernels/word_row.hpp"
