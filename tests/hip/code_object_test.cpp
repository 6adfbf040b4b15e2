// The embedded code objects, by what they say of themselves: every kernel for every architecture, within what lets a
// compute unit hold two blocks of 1024 threads.

#include <gtest/gtest.h>

#include "backends/hip/code_objects.hpp"
#include "hip/metadata.hpp"
#include "kernels/arguments.hpp"
#include "kernels/catalog.hpp"

namespace tamis::testing {
namespace {

const std::vector<std::string>& kernels_for_amd() {
  static const std::vector<std::string> names{
#define TAMIS_INSTANCE(name, ...) #name,
#include "kernels/instances/amd.def"
#undef TAMIS_INSTANCE
  };
  return names;
}

// Calls check(metadata of a kernel, its line of the list) for every kernel of every code object.
template <class Check>
void for_each_kernel(Check check) {
  for (const hip::CodeObject& object : hip::code_objects())
    for (const KernelMetadata& kernel : metadata_of(object.image).kernels) {
      SCOPED_TRACE(std::string(object.arch) + " " + kernel.name);
      const kernels::Instance* instance = kernels::find_instance(kernel.name.substr(std::string("tamis_").size()));
      ASSERT_NE(instance, nullptr);
      check(kernel, *instance);
    }
}

TEST(CodeObjects, AreOfTheArchitectureThatTheyAreNamedFor) {
  ASSERT_FALSE(hip::code_objects().empty());
  for (const hip::CodeObject& object : hip::code_objects()) EXPECT_EQ(metadata_of(object.image).arch, object.arch);
}

TEST(CodeObjects, HoldEveryKernelOfTheList) {
  for (const hip::CodeObject& object : hip::code_objects()) {
    std::vector<std::string> found;
    for (const KernelMetadata& kernel : metadata_of(object.image).kernels) found.push_back(kernel.name);
    for (const std::string& name : kernels_for_amd())
      EXPECT_EQ(std::count(found.begin(), found.end(), "tamis_" + name), 1) << object.arch << " " << name;
    EXPECT_EQ(found.size(), kernels_for_amd().size()) << object.arch;
  }
}

TEST(CodeObjects, UseNoScratchAndSpillNothing) {
  for_each_kernel([](const KernelMetadata& kernel, const kernels::Instance&) {
    EXPECT_EQ(kernel.scratch_bytes, 0);
    EXPECT_EQ(kernel.vector_spills, 0);
    EXPECT_EQ(kernel.scalar_spills, 0);
  });
}

// Two blocks are 32 wavefronts of 64 lanes, eight a SIMD: 512 / 8 vector registers a lane, 800 / 8 scalar ones a
// wavefront in steps of 16, six of which the machine keeps. With 32 lanes there are 16 a SIMD, and twice the registers.
TEST(CodeObjects, LeaveRegistersForTwoBlocksAUnit) {
  for_each_kernel([](const KernelMetadata& kernel, const kernels::Instance& instance) {
    EXPECT_EQ(kernel.threads, 1024);
    EXPECT_EQ(instance.threads, 1024);
    EXPECT_LE(kernel.vector_registers, 64);
    if (kernel.lanes == 64) {
      EXPECT_LE(kernel.scalar_registers, 96);
    }
  });
}

// The planner counts on the list's numbers, and a launch asks for what is behind them.
TEST(CodeObjects, DeclareTheSharedMemoryThatThePlansCountOn) {
  for_each_kernel([](const KernelMetadata& kernel, const kernels::Instance& instance) {
    EXPECT_EQ((kernel.shared_bytes + 15) / 16 * 16, instance.shared_bytes);
  });
}

TEST(CodeObjects, TakeTheArgumentsOfALaunch) {
  for_each_kernel([](const KernelMetadata& kernel, const kernels::Instance&) {
    EXPECT_EQ(kernel.argument_bytes, static_cast<std::int64_t>(sizeof(kernels::Arguments)));
  });
}

TEST(CodeObjects, ThatAreNoneAreRefused) {
  EXPECT_THROW(metadata_of("not a code object"), std::runtime_error);
  EXPECT_THROW(metadata_of(std::string(4096, '\0')), std::runtime_error);
}

}  // namespace
}  // namespace tamis::testing
