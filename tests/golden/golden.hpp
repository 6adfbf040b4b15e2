// Comparison with a file under tests/golden/expected. With TAMIS_UPDATE_GOLDENS set (tests/golden/update.sh does that)
// the file is rewritten instead, and the difference is for a person to read and commit.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tamis::golden {

// A new, empty folder of this test alone. Whoever asks removes it.
std::filesystem::path make_folder();

// Fails the running test unless expected/`name` holds exactly `actual`.
void expect_golden(std::string_view name, const std::string& actual);

}  // namespace tamis::golden
