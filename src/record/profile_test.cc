#include "record/profile.h"

#include <gtest/gtest.h>

#include <limits>

namespace kb::record {
namespace {

using base::Json;

Activity Some() {
  Activity some;
  some.method = "cupti";
  some.samples = 10;
  some.calls = 4;
  some.call_us = 20;
  some.busy_us = 16;
  some.shares = {0.75, 0, 0, 0, 0, 0.25, 0, 0};
  Activity::Part kernel;
  kernel.origin = Origin::kOwn;
  kernel.name = "relu";
  kernel.object = "candidate.so";
  kernel.share = 0.75;
  kernel.count = 1;
  kernel.launch = Activity::Launch{{64, 2, 1}, {256, 1, 1}, 32, 16, 1024, 8};
  Activity::Part copy;
  copy.origin = Origin::kCopies;
  copy.share = 0.25;
  copy.bytes = 4096;
  some.parts = {kernel, copy};
  return some;
}

TEST(Profile, SurvivesJson) {
  const auto read = ActivityFromJson(ToJson(Some()));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, Some());
  Profile profile;
  profile.activity = Some();
  profile.occupancies = {Profile::Occupancy{0.5, "registers"}, std::nullopt};
  profile.limiter = "memory";
  profile.figures = {{"memory bandwidth", 800, "GB/s", 1000.0, "It is much."},
                     {"copies", 25, "%", std::nullopt, "Some."}};
  const auto whole = ProfileFromJson(ToJson(profile));
  ASSERT_TRUE(whole) << whole.error().message();
  EXPECT_EQ(*whole, profile);
}

TEST(Profile, YardstickSurvivesJson) {
  Yardstick yardstick;
  yardstick.input_bytes = 1;
  yardstick.weight_bytes = 2;
  yardstick.output_bytes = 3;
  yardstick.ceilings.bandwidth_gbps = 4000;
  yardstick.limits = {132, 2048, 32, 65536, 233472, 1024};
  const auto read = YardstickFromJson(ToJson(yardstick));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, yardstick);
}

TEST(Profile, WhatAJailSaysIsNotBelievedUnread) {
  const auto refused = [](auto&& change) {
    Json json = ToJson(Some());
    change(json);
    return !ActivityFromJson(json);
  };
  EXPECT_FALSE(refused([](Json&) {}));
  EXPECT_TRUE(refused([](Json& json) { json["method"] = "trust me"; }));
  EXPECT_TRUE(refused([](Json& json) { json["samples"] = 0; }));
  EXPECT_TRUE(refused([](Json& json) { json["calls"] = -1; }));
  EXPECT_TRUE(refused([](Json& json) { json["call_us"] = -1.0; }));
  EXPECT_TRUE(refused([](Json& json) { json["call_us"] = 1e300; }));
  EXPECT_TRUE(refused([](Json& json) {
    json["busy_us"] = std::numeric_limits<double>::quiet_NaN();
  }));
  EXPECT_TRUE(refused([](Json& json) { json["shares"]["own"] = 0.5; }));
  EXPECT_TRUE(refused([](Json& json) { json["parts"][0]["share"] = 0.9; }))
      << "the sum of the parts is more than 1";
  EXPECT_TRUE(
      refused([](Json& json) { json["parts"][0]["launch"]["grid"] = {1, 2}; }));
  EXPECT_TRUE(refused(
      [](Json& json) { json["parts"][0]["launch"]["block"] = {0, 1, 1}; }));
  EXPECT_TRUE(refused(
      [](Json& json) { json["parts"][0]["launch"]["local_bytes"] = -8; }));
  EXPECT_TRUE(refused([](Json& json) {
    json["parts"] = Json(kMostParts + 1, json["parts"][1]);
  }));
  EXPECT_TRUE(refused([](Json& json) { json = nullptr; }));
}

TEST(Profile, TextsCannotDriveATerminal) {
  Json json = ToJson(Some());
  json["parts"][0]["name"] = "\x1b[2Jall" + std::string(10000, 'x');
  const auto read = ActivityFromJson(json);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->parts[0].name.find('\x1b'), std::string::npos);
  EXPECT_LT(read->parts[0].name.size(), 500U);
}

}  // namespace
}  // namespace kb::record
