#include "lane/lane.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <optional>
#include <string>

#include "os/files.h"

namespace kb::lane {
namespace {

// A lane whose Python is a shell script.
class LaneTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TempDir::Create("kb-lane");
    ASSERT_TRUE(folder) << folder.error().message();
    folder_.emplace(std::move(*folder));
    options_.device = "cpu";
    options_.python = folder_->path() + "/python";
  }

  std::string ErrorOfStart(const std::string& script) {
    EXPECT_TRUE(
        os::WriteFileAtomically(options_.python, "#!/bin/sh\n" + script));
    EXPECT_EQ(0, chmod(options_.python.c_str(), 0755));
    const auto lane = Lane::Start(options_, {});
    EXPECT_TRUE(lane);
    const auto greeted = lane ? (*lane)->AwaitOracle() : base::Ok();
    return greeted ? "" : greeted.error().message();
  }

  std::optional<os::TempDir> folder_;
  LaneOptions options_;
};

TEST_F(LaneTest, OracleThatSaysNothingIsGivenUp) {
  options_.start_limit = std::chrono::seconds(1);
  EXPECT_EQ(ErrorOfStart("exec sleep 10000"),
            "starting an oracle: the oracle of cpu gave no answer in 1 s");
}

TEST_F(LaneTest, OracleThatIsStoppedIsGivenUp) {
  options_.start_limit = std::chrono::seconds(1);
  EXPECT_EQ(ErrorOfStart("kill -STOP $$"),
            "starting an oracle: the oracle of cpu gave no answer in 1 s");
}

TEST_F(LaneTest, OracleThatEndsSaysHow) {
  EXPECT_EQ(ErrorOfStart("exit 3"),
            "starting an oracle: the oracle of cpu died: exit code 3");
}

}  // namespace
}  // namespace kb::lane
