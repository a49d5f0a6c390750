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

// Here the program of the fork server, and what it would have forked.
TEST_F(LaneTest, ProgramsAreExecutedWhereTheForkServerFails) {
  options_.root = folder_->path();
  options_.isolation = jail::Isolation::kNone;
  for (const char* file :
       {"/hosts/candidate_host.py", "/lib/libkb_candidate.so"}) {
    const std::string path = options_.root + file;
    ASSERT_TRUE(os::MakeDirectories(path.substr(0, path.rfind('/'))));
    ASSERT_TRUE(os::WriteFileAtomically(path, ""));
  }
  ASSERT_TRUE(os::WriteFileAtomically(
      options_.python,
      "#!/bin/sh\ncase $2 in */fork_server.py) exit 3 ;; esac\n"
      "echo \"executed $2\"\n"));
  ASSERT_EQ(0, chmod(options_.python.c_str(), 0755));
  const auto lane = Lane::Start(options_, {});
  ASSERT_TRUE(lane) << lane.error().message();
  JailRequest request;
  request.track = record::Track::kPython;
  request.name = "candidate.py";
  for (int i = 0; i < 2; ++i) {
    const auto waiting = (*lane)->Launch(request);
    ASSERT_TRUE(waiting) << waiting.error().message();
    EXPECT_EQ((*waiting)->jail().Wait().output,
              "executed " + options_.root + "/hosts/candidate_host.py\n");
  }
}

}  // namespace
}  // namespace kb::lane
