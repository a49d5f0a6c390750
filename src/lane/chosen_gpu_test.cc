#include "lane/chosen_gpu.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "os/files.h"

namespace kb::lane {
namespace {

class ChosenGpuTest : public testing::Test {
 protected:
  ChosenGpuTest() : folder_(*os::TempDir::Create("kb-gpu-test")) {}

  void Add(const std::string& bus, const std::string& text) {
    ASSERT_TRUE(os::MakeDirectories(folder_.path() + "/" + bus));
    ASSERT_TRUE(os::WriteFileAtomically(
        folder_.path() + "/" + bus + "/information", text));
  }

  os::TempDir folder_;
};

// As driver 580 writes it.
std::string Information(const std::string& uuid, const std::string& minor) {
  return "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ:   \t\t 36\nGPU UUID: \t " +
         uuid + "\nBus Location: \t 0000:01:00.0\nDevice Minor: \t " + minor +
         "\nGPU Excluded:\t No\n";
}

TEST_F(ChosenGpuTest, NodeIsThatOfTheUuid) {
  // Any number of a node that exists on no machine without a GPU will do.
  Add("0000:01:00.0", Information("GPU-1", "0"));
  Add("0000:02:00.0", Information("GPU-2", "7"));
  const ChosenGpu gpu = ChooseGpu("GPU-2", folder_.path());
  EXPECT_EQ(gpu.uuid, "GPU-2");
  EXPECT_EQ(gpu.index, 1U);
  EXPECT_EQ(gpu.of, 2U);
  EXPECT_EQ(gpu.node,
            std::filesystem::exists("/dev/nvidia7") ? "/dev/nvidia7" : "");
}

TEST_F(ChosenGpuTest, OneThatTheDriverDoesNotListHasNoNode) {
  Add("0000:01:00.0", Information("GPU-1", "0"));
  Add("0000:02:00.0", "nothing of use\n");
  EXPECT_EQ(ChooseGpu("GPU-3", folder_.path()).node, "");
  EXPECT_EQ(ChooseGpu("GPU-3", folder_.path()).of, 0U);
  EXPECT_EQ(ChooseGpu("GPU-3", folder_.path() + "/none").node, "");
}

}  // namespace
}  // namespace kb::lane
