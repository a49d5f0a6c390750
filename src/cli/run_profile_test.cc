#include "run_profile.h"

#include <gtest/gtest.h>

#include "os/files.h"

namespace kb::cli {
namespace {

using eval::Profile;

TEST(RunProfileTable, SharesAreOfAllRowsOfAKindAndAddUpToOne) {
  Profile::Summary summary;
  summary.wall_seconds = 100;
  //                build wait prepare start inputs trials compare idle
  summary.rows = {{"build 1", true, {60, 40}},
                  {"build 2", true, {40, 50}},
                  {"cuda:0", false, {0, 0, 10, 5, 5, 50, 10, 15}}};
  EXPECT_EQ(RunProfileTable(summary),
            "where 100.0 s went\n"
            "1 lane\n"
            "  prepare       10.0 s  10.0 %  oracles start, problems open\n"
            "  start          5.0 s   5.0 %  processes start and load\n"
            "  inputs         5.0 s   5.0 %  inputs are drawn and written\n"
            "  trials        50.0 s  50.0 %  reference and candidate run\n"
            "  compare       10.0 s  10.0 %  expected outputs, comparison\n"
            "  idle          15.0 s  15.0 %  nothing is built to judge\n"
            "  rest           5.0 s   5.0 %  set-up, results, between\n"
            "2 slots for builds\n"
            "  build        100.0 s  50.0 %  compilers\n"
            "  wait          90.0 s  45.0 %  nothing to build\n"
            "  rest          10.0 s   5.0 %  set-up, results, between\n");
}

TEST(RunProfile, IsRefusedWhereItCannotBeWritten) {
  RunProfile profile;
  const auto begun = profile.Begin("/proc/none/trace.json");
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().kind(), base::Error::Kind::kUsage);
  ASSERT_TRUE(profile.Begin(""));
  EXPECT_EQ(*profile.Begin(""), nullptr);
}

TEST(RunProfile, OfACommandThatFailsLeavesTheLastOne) {
  const auto folder = os::TempDir::Create("kb-run-profile");
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/trace.json";
  ASSERT_TRUE(os::WriteFileAtomically(path, "{\"the last\": 1}"));
  RunProfile profile;
  ASSERT_TRUE(profile.Begin(path));
  EXPECT_EQ(*os::ReadFile(path), "{\"the last\": 1}");
  ASSERT_TRUE(profile.End());
  EXPECT_EQ(os::ReadFile(path)->find("the last"), std::string::npos);
}

TEST(RunProfile, NothingElseIsOverwritten) {
  const auto folder = os::TempDir::Create("kb-run-profile");
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/kernel.cpp";
  ASSERT_TRUE(os::WriteFileAtomically(path, "// a candidate"));
  EXPECT_FALSE(RunProfile().Begin(path));
  EXPECT_EQ(*os::ReadFile(path), "// a candidate");
}

}  // namespace
}  // namespace kb::cli
