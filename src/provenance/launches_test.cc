#include "launches.h"

#include <gtest/gtest.h>

namespace kb::provenance {
namespace {

using record::Origin;

const Launches::Owner kOwn{CodeKind::kOwn, "/candidate/a.so"};
const Launches::Owner kTorch{CodeKind::kFramework, "/x/libtorch_cuda.so"};
const Launches::Owner kLibrary{CodeKind::kLibrary, "/x/libcublasLt.so.13"};
const Launches::Owner kTriton{CodeKind::kTriton, "/t/__triton_launcher.so"};
const Launches::Owner kOurs{CodeKind::kOurs, "/x/libkb_candidate.so"};

class LaunchesTest : public testing::Test {
 protected:
  // Whose a kernel is that the device ran for the call; nothing: not counted.
  std::optional<Origin> Ran(Launches::Call call,
                            const std::string& kernel = "kernel") {
    launches_.AddCall(1, std::move(call));
    Tally tally;
    launches_.Count({1, kernel, 100}, &tally);
    const auto sum = tally.Sum("cupti");
    if (!sum) return std::nullopt;
    return sum->parts.front().origin;
  }

  Launches launches_;
};

TEST_F(LaunchesTest, AKernelIsItsLaunchers) {
  EXPECT_EQ(Ran({kOwn}), Origin::kOwn);
  EXPECT_EQ(Ran({kTorch}), Origin::kFramework);
  EXPECT_EQ(Ran({kLibrary}), Origin::kLibrary);
  EXPECT_EQ(Ran({kTriton}), Origin::kTriton);
}

TEST_F(LaunchesTest, WhoLaunchesALibrarysKernelHasNotWrittenIt) {
  launches_.AddModule("kernel", kLibrary);
  EXPECT_EQ(Ran({kOwn}), Origin::kLibrary);
  launches_.AddModule("kernel", kOwn);
  EXPECT_EQ(Ran({kOwn}), Origin::kOwn);
}

TEST_F(LaunchesTest, ItsOwnKernelOfTheSameNameIsItsOwn) {
  launches_.AddModule("kernel", kTorch);
  EXPECT_EQ(Ran({.owner = kOwn, .knows_module = true}), Origin::kOwn);
}

TEST_F(LaunchesTest, AGraphsKernelIsTheirsWhoseLaunchWasCaptured) {
  launches_.AddLaunch("kernel", kOwn);
  EXPECT_EQ(Ran({.owner = kTorch, .graph = true}), Origin::kOwn);
}

TEST_F(LaunchesTest, AGraphsKernelThatNobodyLaunchedIsItsModules) {
  EXPECT_EQ(Ran({.owner = kTorch, .graph = true}), Origin::kUnknown);
  launches_.AddModule("kernel", kOwn);
  EXPECT_EQ(Ran({.owner = kTorch, .graph = true}), Origin::kOwn);
}

TEST_F(LaunchesTest, CopiesAreCopiesWhoeverAsks) {
  EXPECT_EQ(Ran({kOwn}, ""), Origin::kCopies);
  EXPECT_EQ(Ran({kTorch}, ""), Origin::kCopies);
}

TEST_F(LaunchesTest, WhatWeAskForDoesNotCount) {
  EXPECT_FALSE(Ran({kOurs}));
  EXPECT_FALSE(Ran({kOurs}, ""));
}

TEST_F(LaunchesTest, WhatWasAskedForOutsideDoesNotCount) {
  Tally tally;
  launches_.Count({7, "kernel", 100}, &tally);
  EXPECT_EQ(tally.samples(), 0);
}

TEST_F(LaunchesTest, TorchCompilesKernelsAreNoCandidates) {
  EXPECT_EQ(Ran({kTriton}, "triton_poi_fused_relu_0"), Origin::kGenerated);
}

TEST_F(LaunchesTest, WorkIsSummedUpInItsChainForItsOwner) {
  launches_.AddCall(1, {.owner = kOwn, .chain = 3});
  launches_.AddCall(2, {kOurs});
  Launches::Work kernel{1, "_Z4ReluPf", 500};
  kernel.item.end = 500;
  Launches::Work ours{2, "_Z4ReluPf", 500};
  ours.item.end = 500;
  DeviceWork sum;
  launches_.Count(kernel, &sum);
  launches_.Count(ours, &sum);
  const auto activity = sum.Sum(1);
  ASSERT_TRUE(activity);
  EXPECT_EQ(activity->samples, 1);
  EXPECT_EQ(activity->parts[0].name, "Relu(float*)");
  EXPECT_EQ(activity->parts[0].object, "a.so");
  EXPECT_EQ(activity->parts[0].origin, Origin::kOwn);
}

TEST_F(LaunchesTest, NamesAreShownAsTheyAreWritten) {
  launches_.AddCall(1, {kOwn});
  Tally tally;
  launches_.Count({1, "_Z4ReluPf", 1}, &tally);
  EXPECT_EQ(tally.Sum("cupti")->parts[0].name, "Relu(float*)");
}

}  // namespace
}  // namespace kb::provenance
