#include "record/provenance.h"

#include <gtest/gtest.h>

namespace kb::record {
namespace {

using base::Json;

Provenance Some() {
  Provenance some;
  some.method = "samples";
  some.samples = 10;
  some.shares = {0.25, 0.125, 0, 0.125, 0.25, 0, 0.25, 0};
  some.parts = {{Origin::kOwn, "candidate.so", "", 0.25}};
  return some;
}

TEST(Provenance, SurvivesJson) {
  const auto read = ProvenanceFromJson(ToJson(Some()));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, Some());
}

TEST(Provenance, OwnShareIsOfWhatIsNotTheHosts) {
  EXPECT_DOUBLE_EQ(Some().own_share(), 0.5);
  Provenance host;
  host.shares[static_cast<size_t>(Origin::kHost)] = 1;
  EXPECT_EQ(host.own_share(), 0);
}

TEST(Provenance, WhatAJailSaysIsNotBelievedUnread) {
  const auto refused = [](auto&& change) {
    Json json = ToJson(Some());
    change(json);
    return !ProvenanceFromJson(json);
  };
  EXPECT_TRUE(refused([](Json& json) { json["shares"]["own"] = 0.5; }))
      << "the sum is more than 1";
  EXPECT_TRUE(refused([](Json& json) { json["shares"]["own"] = -0.25; }));
  EXPECT_TRUE(refused([](Json& json) { json["shares"]["own"] = "all"; }));
  EXPECT_TRUE(refused([](Json& json) { json["shares"] = Json::array(); }));
  EXPECT_TRUE(refused([](Json& json) { json["samples"] = 0; }));
  EXPECT_TRUE(refused([](Json& json) { json["method"] = "trust me"; }));
  EXPECT_TRUE(refused([](Json& json) { json["parts"][0]["origin"] = "me"; }));
  EXPECT_TRUE(refused([](Json& json) {
    json["parts"] = Json(kMostParts + 1, json["parts"][0]);
  }));
  EXPECT_TRUE(refused([](Json& json) { json = nullptr; }));
}

TEST(Provenance, TextsCannotDriveATerminal) {
  Json json = ToJson(Some());
  json["parts"][0]["name"] = "\x1b[2Jall" + std::string(10000, 'x');
  const auto read = ProvenanceFromJson(json);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->parts[0].name.find('\x1b'), std::string::npos);
  EXPECT_LT(read->parts[0].name.size(), 300U);
}

TEST(Provenance, IsDescribedFromTheLargestOn) {
  EXPECT_EQ(DescribeShares(Some()),
            "own 25 %, framework 25 %, host 25 %, triton 12.5 %, "
            "library 12.5 %");
}

}  // namespace
}  // namespace kb::record
