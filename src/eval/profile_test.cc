#include "eval/profile.h"

#include <gtest/gtest.h>

namespace kb::eval {
namespace {

class ProfileTest : public testing::Test {
 protected:
  double now_ = 100;
  Profile profile_{[this] { return now_; }};
};

TEST_F(ProfileTest, EverySecondOfATurnIsSomeones) {
  {
    Profile::Span turn(&profile_, "cuda:0", Phase::kTrials, "level1/19 a.cu");
    now_ += 10;
    turn.Split({.load_s = 1, .inputs_s = 2, .compare_s = 3});
  }
  {
    const Profile::Span idle(&profile_, "cuda:0", Phase::kIdle, "");
    now_ += 5;
  }
  const Profile::Summary summary = profile_.Summarize();
  EXPECT_EQ(summary.wall_seconds, 15);
  ASSERT_EQ(summary.rows.size(), 1U);
  //                        build wait prepare start inputs trials compare idle
  const Profile::Seconds expected{0, 0, 0, 1, 2, 4, 3, 5};
  EXPECT_EQ(summary.rows[0],
            (Profile::Row{.name = "cuda:0", .seconds = expected}));
}

TEST_F(ProfileTest, RowsAreKnownByTheirNames) {
  const auto one_second = [this](const char* row, Phase phase) {
    const Profile::Span span(&profile_, row, phase, "x");
    now_ += 1;
  };
  one_second("build 1", Phase::kWait);
  one_second("cpu", Phase::kPrepare);
  one_second("build 1", Phase::kBuild);
  const Profile::Summary summary = profile_.Summarize();
  ASSERT_EQ(summary.rows.size(), 2U);
  EXPECT_TRUE(summary.rows[0].builds);
  EXPECT_EQ(summary.rows[0].seconds, (Profile::Seconds{1, 1}));
  EXPECT_FALSE(summary.rows[1].builds);
}

TEST_F(ProfileTest, ATraceHasAThreadForARowAndAnEventForASpan) {
  now_ += 1;
  {
    Profile::Span turn(&profile_, "cpu", Phase::kTrials, "level1/19 a.cpp");
    now_ += 2;
    turn.Split({.compare_s = 0.5});
  }
  const base::Json events = profile_.Trace().at("traceEvents");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].at("ph"), "M");
  EXPECT_EQ(events[0].at("args").at("name"), "cpu");
  EXPECT_EQ(events[1].at("ph"), "X");
  EXPECT_EQ(events[1].at("name"), "level1/19 a.cpp");
  EXPECT_EQ(events[1].at("cat"), "trials");
  EXPECT_EQ(events[1].at("tid"), events[0].at("tid"));
  EXPECT_EQ(events[1].at("ts"), 1e6);
  EXPECT_EQ(events[1].at("dur"), 2e6);
  EXPECT_EQ(events[1].at("args").at("spent").at("compare_s"), 0.5);
}

TEST(NoProfile, IsToldNothing) {
  Profile::Span span(nullptr, "cpu", Phase::kIdle, "");
  span.Split({.load_s = 1});
}

}  // namespace
}  // namespace kb::eval
