#include "store/writer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "store/store.h"

namespace kb::store {
namespace {

class WriterTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TempDir::Create("kb-writer");
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
  }
  std::string Path() const { return folder_->path() + "/run.db"; }

  std::optional<os::TempDir> folder_;
};

TEST_F(WriterTest, TheSecondIsToldWhoTheFirstIs) {
  const auto first = Writer::Take(Path());
  ASSERT_TRUE(first);
  const auto second = Writer::Take(Path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind(), base::Error::Kind::kUsage);
  const std::string& said = second.error().message();
  EXPECT_NE(said.find("process " + std::to_string(getpid()) + " on "),
            std::string::npos)
      << said;
  EXPECT_NE(said.find(Path()), std::string::npos) << said;
}

TEST_F(WriterTest, WhoHasNotSaidWhoItIsIsWaitedFor) {
  auto nameless = os::FileLock::TryAcquire(Writer::LockPath(Path()), "");
  ASSERT_TRUE(nameless && *nameless);
  const std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    std::ofstream(Writer::LockPath(Path())) << "process 1 on elsewhere";
  });
  const auto second = Writer::Take(Path());
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message().find("by process 1 on elsewhere"),
            std::string::npos)
      << second.error().message();
}

TEST_F(WriterTest, OtherStoresAreFree) {
  const auto first = Writer::Take(Path());
  EXPECT_TRUE(first);
  EXPECT_TRUE(Writer::Take(folder_->path() + "/other.db"));
}

TEST_F(WriterTest, WhoIsKilledHasItNoLonger) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto writer = Writer::Take(Path());
    const char byte = writer ? 'y' : 'n';
    if (write(ready[1], &byte, 1) == 1) pause();
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'y');
  EXPECT_FALSE(Writer::Take(Path()));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(Writer::Take(Path()));
  close(ready[0]);
  close(ready[1]);
}

TEST_F(WriterTest, NobodyIsExcludedWhileSomebodyAppends) {
  const auto writer = Writer::Take(Path());
  std::vector<Appender> appenders;
  for (int i = 0; i < 2; ++i) {
    auto joined = Appender::Join(Path());
    ASSERT_TRUE(joined) << "side by side";
    appenders.push_back(std::move(*joined));
  }
  ASSERT_TRUE(writer);
  appenders.pop_back();
  const auto refused = Appender::Exclude(Path());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), base::Error::Kind::kUsage);
  EXPECT_NE(refused.error().message().find("is being written by"),
            std::string::npos)
      << refused.error().message();
  appenders.clear();
  EXPECT_TRUE(Appender::Exclude(Path()));
  EXPECT_FALSE(std::filesystem::exists(Appender::LockPath(Path())));
}

TEST_F(WriterTest, StoreThatIsAppendedToIsNotExcluded) {
  {
    const auto store = Store::Open(Path());
    ASSERT_TRUE(store);
    EXPECT_FALSE(Appender::Exclude(Path()));
    EXPECT_TRUE(Store::Open(Path())) << "a second one";
  }
  const auto reader = Store::Open(Path(), Store::Mode::kExisting);
  ASSERT_TRUE(reader);
  EXPECT_TRUE(Appender::Exclude(Path()));
}

}  // namespace
}  // namespace kb::store
