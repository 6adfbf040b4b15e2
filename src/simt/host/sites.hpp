// The places in the source where threads wait, for the mutation of barriers.
#pragma once

#include "simt/host/thread.hpp"

namespace tamis::simt::host {

// Notes the site of a waiting word, and says whether no thread is to wait there.
bool skipped(const char* word, const Location& where);

}  // namespace tamis::simt::host
