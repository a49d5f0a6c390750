#include "os/machine.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <thread>

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

TEST(WaitedMicros, GrowWithoutAProcessor) {
  const auto before = WaitedMicros(getpid());
  if (!before) GTEST_SKIP() << "this kernel does not count that";
  // Two on one processor: one of them waits.
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  std::atomic<bool> over = false;
  std::thread other([&over] {
    while (!over) {
    }
  });
  double waited = 0;
  for (int i = 0; i < 100000 && waited < 1000; ++i)
    waited = *WaitedMicros(getpid()) - *before;
  over = true;
  other.join();
  ASSERT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
  EXPECT_GE(waited, 1000);
}

TEST(WaitedMicros, AreNotKnownOfWhoHasGone) {
  EXPECT_EQ(WaitedMicros(1 << 30), std::nullopt);
}

}  // namespace
}  // namespace kb::os
