// The HIP runtime, opened where this machine has one.
#pragma once

#include <string_view>

#include "backends/hip/api.hpp"
#include "tamis/tamis.hpp"

namespace tamis::hip {

struct Library {
#define TAMIS_HIP_FUNCTION(name, parameters) Error(*name) parameters = nullptr;
  TAMIS_HIP_FUNCTIONS(TAMIS_HIP_FUNCTION)
#undef TAMIS_HIP_FUNCTION
  const char* (*GetErrorName)(Error error) = nullptr;
  const char* (*GetErrorString)(Error error) = nullptr;
};

// Opened at the first call, never closed; no_device where there is none, or one that lacks a function.
const Result<Library>& library();

// ok, or backend_error saying what was done when the runtime reported `error`. The library must be there.
Status status_of(Error error, std::string_view doing);

}  // namespace tamis::hip
