// How much memory there is, asked before a command takes much: Linux grants what it does not have and ends the process
// that uses it, which is no error message.
#pragma once

#include <cstdint>
#include <string_view>

namespace tamis::cli {

// Bytes that can be had now without swapping; the most an integer holds where the system does not tell.
std::int64_t available_memory();

// Throws a usage error in the words of `what`, "SUBJECT is VALUE; ITS CONTENTS", where rows * row_bytes are not to be had.
void require_memory(std::int64_t rows, std::int64_t row_bytes, std::string_view what);

}  // namespace tamis::cli
