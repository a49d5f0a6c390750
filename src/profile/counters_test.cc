#include "profile/counters.h"

#include <gtest/gtest.h>

namespace kb::profile {
namespace {

// As ncu 2025.3 prints it with --csv --metrics: what it says of its work first,
// then a row for each metric of each launch.
constexpr const char* kRecorded =
    R"csv(==PROF== Connected to process 4242 (/tmp/harness)
==PROF== Profiling "Relu" - 0: 0%....50%....100% - 3 passes
==PROF== Disconnected from process 4242
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","4242","harness","127.0.0.1","Relu(const float *, float *, long)","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0","Command line profiler metrics","dram__bytes.sum","Mbyte","1,073.74"
"0","4242","harness","127.0.0.1","Relu(const float *, float *, long)","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","us","512.50"
"0","4242","harness","127.0.0.1","Relu(const float *, float *, long)","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0","Command line profiler metrics","smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct","%","12.50"
"0","4242","harness","127.0.0.1","Relu(const float *, float *, long)","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0","Command line profiler metrics","smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio","inst","61.25"
"0","4242","harness","127.0.0.1","Relu(const float *, float *, long)","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0","Command line profiler metrics","smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio","inst","0.5"
"1","4242","harness","127.0.0.1","Relu(const float *, float *, long)","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","us","500.00"
"2","4242","harness","127.0.0.1","Relu(const float *, float *, long)","1","7","(256, 1, 1)","(65536, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","ms","0.9"
"3","4242","harness","127.0.0.1","void Other<(int)2, ""x"">(float *)","1","7","(32, 1, 1)","(1, 1, 1)","0","9.0","Command line profiler metrics","l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum","","31,000"
"3","4242","harness","127.0.0.1","void Other<(int)2, ""x"">(float *)","1","7","(32, 1, 1)","(1, 1, 1)","0","9.0","Command line profiler metrics","l1tex__data_pipe_lsu_wavefronts_mem_shared.sum","","32,000"
"3","4242","harness","127.0.0.1","void Other<(int)2, ""x"">(float *)","1","7","(32, 1, 1)","(1, 1, 1)","0","9.0","Command line profiler metrics","dram__bytes.sum","byte","n/a"
)csv";

record::Profile Of(const std::string& kernel) {
  record::Profile profile;
  record::Activity::Part part;
  part.name = kernel;
  part.share = 1;
  part.launch.emplace();
  profile.activity.parts = {part};
  profile.limiter = "latency";
  profile.figures = {{"hottest kernel", 100, "%", {}, "It is all."}};
  return profile;
}

TEST(Counters, AreReadFromWhatNcuPrinted) {
  const auto all = CountersFromCsv(kRecorded);
  ASSERT_TRUE(all) << all.error().message();
  ASSERT_EQ(all->size(), 2U);
  const Counters& relu = all->front();
  EXPECT_EQ(relu.kernel, "Relu(const float *, float *, long)");
  EXPECT_DOUBLE_EQ(*relu.micros, 512.5) << "the median of three launches";
  EXPECT_DOUBLE_EQ(*relu.memory_bytes, 1073.74e6);
  EXPECT_DOUBLE_EQ(*relu.used_of_loads, 0.125);
  EXPECT_FALSE(relu.used_of_stores);
  ASSERT_EQ(relu.stalls.size(), 2U);
  EXPECT_EQ(relu.stalls[0].first, "global and local memory");
  EXPECT_DOUBLE_EQ(relu.stalls[0].second, 61.25);
  const Counters& other = all->back();
  EXPECT_EQ(other.kernel, "void Other<(int)2, \"x\">(float *)");
  EXPECT_DOUBLE_EQ(*other.bank_conflicts, 31.0 / 32);
  EXPECT_FALSE(other.memory_bytes) << "n/a is no number";
}

TEST(Counters, NameTheLimiterThatOnlyTheyCanTell) {
  const auto all = *CountersFromCsv(kRecorded);
  record::Profile relu = Of("Relu(float const*, float*, long)");
  ASSERT_TRUE(AddCounters(all, &relu));
  EXPECT_EQ(relu.limiter, "uncoalesced");
  EXPECT_EQ(relu.figures.front().name, "use of loads");
  EXPECT_DOUBLE_EQ(relu.figures.front().value, 12.5);
  record::Profile other = Of("Other<2>(float*)");
  ASSERT_TRUE(AddCounters(all, &other));
  EXPECT_EQ(other.limiter, "bank_conflicts");
  EXPECT_NEAR(other.figures.front().value, 96.9, 0.1);
}

TEST(Counters, LeaveALimiterThatIsKnownWithoutThem) {
  record::Profile profile = Of("Relu(float const*, float*, long)");
  profile.limiter = "memory";
  ASSERT_TRUE(AddCounters(*CountersFromCsv(kRecorded), &profile));
  EXPECT_EQ(profile.limiter, "memory");
  EXPECT_EQ(profile.figures.front().name, "hottest kernel");
  EXPECT_GT(profile.figures.size(), 2U);
  EXPECT_TRUE(record::ToJson(profile).contains("figures"));
}

TEST(Counters, OfAnotherKernelSayNothing) {
  record::Profile profile = Of("Softmax(float*)");
  EXPECT_FALSE(AddCounters(*CountersFromCsv(kRecorded), &profile));
  EXPECT_EQ(profile, Of("Softmax(float*)"));
  record::Profile empty;
  EXPECT_FALSE(AddCounters(*CountersFromCsv(kRecorded), &empty));
}

TEST(Counters, WhatIsNoTableIsRefused) {
  for (const char* text :
       {"", "hello", "\"ID\",\"Kernel Name\"\n\"0\",\"k\"\n",
        "\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
        "\"k\",\"dram__bytes.sum\",\"byte\",\"-5\"\n"
        "\"k\",\"dram__bytes.sum\",\"byte\",\"1e99\"\n\"k\"\n\"\n"})
    EXPECT_FALSE(CountersFromCsv(text)) << text;
  const auto forbidden = CountersFromCsv(
      "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to "
      "access NVIDIA GPU Performance Counters\n");
  ASSERT_FALSE(forbidden);
  EXPECT_NE(forbidden.error().message().find("not permitted"),
            std::string::npos);
}

// Cut anywhere, it is a table or none.
TEST(Counters, ATableThatEndsEarlyIsReadAsFarAsItGoes) {
  const std::string whole = kRecorded;
  for (size_t size = 0; size < whole.size(); size += 7)
    (void)CountersFromCsv(std::string_view(whole).substr(0, size));
}

TEST(Counters, TextsCannotDriveATerminal) {
  const auto all = CountersFromCsv(
      "\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"\x1b[2Jk\",\"dram__bytes.sum\",\"byte\",\"5\"\n");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->front().kernel.find('\x1b'), std::string::npos);
}

TEST(Counters, MetricsAreNamedForNcu) {
  const std::string names = CounterMetrics();
  EXPECT_NE(names.find("gpu__time_duration.sum,"), std::string::npos);
  EXPECT_EQ(names.find(' '), std::string::npos);
}

}  // namespace
}  // namespace kb::profile
