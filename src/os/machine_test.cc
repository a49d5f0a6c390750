#include "os/machine.h"

#include <gtest/gtest.h>

#include "os/files.h"

namespace kb::os {
namespace {

TEST(ProcField, IsWhatFollowsTheColon) {
  const auto folder = TempDir::Create();
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/info";
  ASSERT_TRUE(WriteOutput(path, "model\t: 1\nmodel name\t: A CPU @ 2: 3\n"));
  EXPECT_EQ(ProcField(path.c_str(), "model name"), "A CPU @ 2: 3");
  EXPECT_EQ(ProcField(path.c_str(), "flags"), std::nullopt);
  EXPECT_EQ(ProcField((path + "/none").c_str(), "model"), std::nullopt);
}

TEST(AvailableMemory, IsLessThanAllOfIt) {
  const auto available = AvailableMemory();
  ASSERT_TRUE(available);
  const auto all = ProcField("/proc/meminfo", "MemTotal");
  ASSERT_TRUE(all);
  EXPECT_GT(*available, uint64_t{64} << 20);
  EXPECT_LT(*available, std::stoull(*all) * 1024);
}

}  // namespace
}  // namespace kb::os
