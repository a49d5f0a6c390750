#include "os/machine.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <functional>
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

// Beside another thread on this one's processor, until `enough`, or for long.
void ShareAProcessor(const std::function<bool()>& enough) {
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
  for (int i = 0; i < 100000 && !enough();) ++i;
  over = true;
  other.join();
  ASSERT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
}

TEST(WaitedMicros, GrowWithoutAProcessor) {
  const auto before = WaitedMicros(getpid());
  if (!before) GTEST_SKIP() << "this kernel does not count that";
  double waited = 0;
  ShareAProcessor([&] {
    waited = *WaitedMicros(getpid()) - *before;
    return waited >= 1000;
  });
  EXPECT_GE(waited, 1000);
}

TEST(WaitedMicros, AreNotKnownOfWhoHasGone) {
  EXPECT_EQ(WaitedMicros(1 << 30), std::nullopt);
}

TEST(Preemptions, AreCountedByThread) {
  const int64_t before = Preemptions();
  constexpr int64_t kFew = 3;
  ShareAProcessor([&] {
    // Work, since who only asks the system may give it the processor.
    for (std::atomic<int> i = 0; i < 100000;) ++i;
    return Preemptions() >= before + kFew;
  });
  EXPECT_GE(Preemptions(), before + kFew);
  int64_t of_another = -1;
  std::thread([&of_another] { of_another = Preemptions(); }).join();
  EXPECT_LT(of_another, Preemptions() - before) << "it has just begun";
}

}  // namespace
}  // namespace kb::os
