// See golden.hpp.

#include "golden.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tamis::golden {

std::filesystem::path make_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "tamis_test.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder can be made at " + name);
  return name;
}

void expect_golden(std::string_view name, const std::string& actual) {
  const std::filesystem::path path = std::filesystem::path(TAMIS_GOLDEN_DIR) / name;
  if (std::getenv("TAMIS_UPDATE_GOLDENS") != nullptr) {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; tests/golden/update.sh writes it";
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(expected.str(), actual) << "differs from " << path << "; if that is meant, run tests/golden/update.sh";
}

}  // namespace tamis::golden
