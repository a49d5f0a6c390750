#include "timing/band.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kb::timing {
namespace {

using record::Trial;

constexpr Slack kNative{25, 0.002};

Trial Measured(double claimed_us, double overhead_us) {
  Trial trial;
  trial.timed = true;
  trial.claimed_us = claimed_us;
  trial.certified_us = claimed_us + overhead_us;
  trial.stage_us = 1000;
  trial.settle_us = 50;
  return trial;
}

// Eight short and eight long calls with the given constants.
record::Calibration Calibrated(double short_constant, double long_constant) {
  std::vector<Trial> trials;
  for (int i = 0; i < 16; ++i)
    trials.push_back(i % 2 == 0 ? Measured(10, short_constant)
                                : Measured(5000, long_constant));
  return Calibrate(trials, kNative);
}

Trial Certified(const record::Calibration& calibration, Trial trial) {
  Certify(calibration, kNative, &trial);
  return trial;
}

TEST(Band, ConstantsAreTheMediansOfShortAndLongCalls) {
  const record::Calibration calibration = Calibrated(150, 158);
  EXPECT_DOUBLE_EQ(calibration.constant_us, 150);
  EXPECT_DOUBLE_EQ(calibration.long_constant_us, 158);
  EXPECT_DOUBLE_EQ(calibration.long_call_us, 5000);
  EXPECT_EQ(calibration.samples, 16);
}

TEST(Band, ConstantGrowsWithTheCallUpToTheLongOne) {
  const record::Calibration calibration = Calibrated(150, 160);
  EXPECT_NEAR(Certified(calibration, Measured(2500, 155)).overhead_us, 0, 1e-9);
  EXPECT_NEAR(Certified(calibration, Measured(90000, 160)).overhead_us, 0,
              1e-9);
}

TEST(Band, HonestTrialCountsAndHalvedClaimDoesNot) {
  const record::Calibration calibration = Calibrated(150, 150);
  Trial trial = Measured(2400, 155);
  EXPECT_TRUE(Certified(calibration, trial).in_band);
  trial.claimed_us /= 2;
  EXPECT_FALSE(Certified(calibration, trial).in_band);
}

TEST(Band, EndsAtSlackPlusShareOfTheClaim) {
  const record::Calibration calibration = Calibrated(150, 150);
  EXPECT_TRUE(Certified(calibration, Measured(1000, 150 + 26.9)).in_band);
  EXPECT_FALSE(Certified(calibration, Measured(1000, 150 + 27.1)).in_band);
}

TEST(Band, ClaimingMoreThanCertifiedAllowsIsImpossible) {
  const record::Calibration calibration = Calibrated(150, 150);
  Trial trial = Measured(1000, 150);
  trial.certified_us = 900;
  EXPECT_FALSE(Certified(calibration, trial).in_band);
}

TEST(Band, ImpossibleClaimsNeverCount) {
  const record::Calibration calibration = Calibrated(150, 150);
  for (const double claimed :
       {0.0, -5.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    Trial trial = Measured(10, 150);
    trial.claimed_us = claimed;
    EXPECT_FALSE(Certified(calibration, trial).in_band) << claimed;
  }
}

TEST(Band, WorkAheadOfGoShowsInStaging) {
  const record::Calibration calibration = Calibrated(150, 150);
  Trial trial = Measured(1000, 150);
  trial.stage_us = 1100;
  EXPECT_FALSE(Certified(calibration, trial).in_band);
}

TEST(Band, WorkAfterDoneShowsInSettling) {
  const record::Calibration calibration = Calibrated(150, 150);
  Trial trial = Measured(1000, 150);
  trial.settle_us = 50 + 10 * kNative.micros + 1;
  EXPECT_FALSE(Certified(calibration, trial).in_band);
}

TEST(Band, CopyCannotHideWork) {
  const record::Calibration calibration = Calibrated(150, 150);
  Trial trial = Measured(1000, 150);
  trial.copy_us = 500;  // the certified time has room for it all the same
  trial.certified_us += 500;
  EXPECT_FALSE(Certified(calibration, trial).in_band);
}

TEST(Band, NoisyCalibrationWidensTheBand) {
  std::vector<Trial> trials;
  for (int i = 0; i < 16; ++i)
    trials.push_back(Measured(i % 2 == 0 ? 10 : 5000, 150 + 5.0 * (i / 2)));
  EXPECT_GT(Calibrate(trials, kNative).high_us, kNative.micros);
}

}  // namespace
}  // namespace kb::timing
