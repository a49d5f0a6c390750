#include "device_work.h"

#include <gtest/gtest.h>

namespace kb::provenance {
namespace {

using record::Activity;
using record::Origin;

DeviceWork::Item Kernel(const char* name, uint64_t begin, uint64_t end,
                        int64_t chain) {
  DeviceWork::Item item;
  item.origin = Origin::kOwn;
  item.name = name;
  item.object = "/candidate/candidate.so";
  item.begin = begin;
  item.end = end;
  item.chain = chain;
  item.launch = Activity::Launch{
      {static_cast<int64_t>(end - begin), 1, 1}, {256, 1, 1}, 32, 0, 0, 0};
  return item;
}

// Two chains of two calls: a long and a short kernel each, 1 us apart.
TEST(DeviceWork, SharesCountsAndGapsAreOfACall) {
  DeviceWork work;
  for (const uint64_t start : {1'000U, 900'000U})
    for (const uint64_t call : {0U, 20'000U}) {
      const auto chain = static_cast<int64_t>(start);
      const uint64_t at = start + call;
      work.Add(Kernel("long", at, at + 15'000, chain));
      work.Add(Kernel("short", at + 16'000, at + 19'000, chain));
    }
  const auto sum = work.Sum(4);
  ASSERT_TRUE(sum) << sum.error().message();
  EXPECT_EQ(sum->method, "cupti");
  EXPECT_EQ(sum->samples, 8);
  EXPECT_DOUBLE_EQ(sum->call_us, 19.5) << "39 us each, for two calls";
  EXPECT_DOUBLE_EQ(sum->busy_us, 18);
  ASSERT_EQ(sum->parts.size(), 2U);
  EXPECT_EQ(sum->parts[0].name, "long");
  EXPECT_EQ(sum->parts[0].object, "candidate.so");
  EXPECT_DOUBLE_EQ(sum->parts[0].share, 15.0 / 18);
  EXPECT_DOUBLE_EQ(sum->parts[0].count, 1);
  EXPECT_DOUBLE_EQ(sum->shares[static_cast<size_t>(Origin::kOwn)], 1);
}

TEST(DeviceWork, WhatRunsAtTheSameTimeIsBusyOnce) {
  DeviceWork work;
  work.Add(Kernel("a", 0, 10'000, 0));
  work.Add(Kernel("b", 2'000, 12'000, 0));
  work.Add(Kernel("b", 3'000, 4'000, 0));
  const auto sum = work.Sum(1);
  ASSERT_TRUE(sum);
  EXPECT_DOUBLE_EQ(sum->call_us, 12);
  EXPECT_DOUBLE_EQ(sum->busy_us, 12);
  EXPECT_DOUBLE_EQ(sum->parts[0].share, 11.0 / 21);
  EXPECT_EQ(sum->parts[0].launch->grid[0], 10'000) << "the longest one's";
}

TEST(DeviceWork, BytesAreOfACall) {
  DeviceWork work;
  DeviceWork::Item copy;
  copy.origin = Origin::kCopies;
  copy.name = "device to device";
  copy.end = 1000;
  copy.bytes = 4096;
  work.Add(copy);
  work.Add(copy);
  const auto sum = work.Sum(2);
  ASSERT_TRUE(sum);
  EXPECT_DOUBLE_EQ(sum->parts[0].bytes, 4096);
  EXPECT_FALSE(sum->parts[0].launch);
}

TEST(DeviceWork, NothingIsNoActivity) {
  EXPECT_FALSE(DeviceWork().Sum(4));
  DeviceWork work;
  work.Add(Kernel("a", 0, 1, 0));
  EXPECT_FALSE(work.Sum(0));
}

}  // namespace
}  // namespace kb::provenance
