#include "tally.h"

#include <gtest/gtest.h>

#include <numeric>

namespace kb::provenance {
namespace {

using record::Origin;

TEST(Tally, SharesAreOfAllAmounts) {
  Tally tally;
  tally.Add(Origin::kOwn, "/candidate/a.so", "f", 3);
  tally.Add(Origin::kFramework, "/x/libtorch_cpu.so", "", 1);
  tally.Add(Origin::kOwn, "/candidate/a.so", "g", 4);
  const auto sum = tally.Sum("cupti");
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->samples, 3);
  EXPECT_DOUBLE_EQ(sum->share(Origin::kOwn), 0.875);
  EXPECT_DOUBLE_EQ(sum->share(Origin::kFramework), 0.125);
  EXPECT_DOUBLE_EQ(std::accumulate(sum->shares.begin(), sum->shares.end(), 0.0),
                   1);
}

TEST(Tally, PartsAreSummedAndTheLargestComeFirst) {
  Tally tally;
  for (int i = 0; i < 30; ++i)
    tally.Add(Origin::kOwn, "/a.so", "f" + std::to_string(i), 1 + i);
  tally.Add(Origin::kOwn, "/a.so", "f0", 1000);
  const auto sum = tally.Sum("cupti");
  ASSERT_TRUE(sum);
  ASSERT_EQ(sum->parts.size(), record::kMostParts);
  EXPECT_EQ(sum->parts[0].name, "f0");
  EXPECT_EQ(sum->parts[0].object, "a.so");
  EXPECT_EQ(sum->parts[1].name, "f29");
}

TEST(Tally, NothingIsAnError) { EXPECT_FALSE(Tally().Sum("samples")); }

TEST(Tally, WhatItSaysCanBeReadBackWithLongNames) {
  Tally tally;
  for (int i = 0; i < 20; ++i)
    tally.Add(Origin::kCopies, "/a.so", std::string(5000, 'a' + i), 1);
  const auto sum = tally.Sum("samples");
  ASSERT_TRUE(sum);
  const std::string text = base::DumpJson(record::ToJson(*sum));
  EXPECT_LT(text.size(), 16U << 10) << "more than a jail may send";
  const auto json = base::ParseJson(text, "provenance");
  const auto read = record::ProvenanceFromJson(*json);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, *sum);
}

}  // namespace
}  // namespace kb::provenance
