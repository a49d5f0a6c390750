#include "reader.h"

#include <gtest/gtest.h>

#include <deque>

#include "base/random.h"

namespace kb::oracle {
namespace {

using base::Result;

Reading Of(double micros, bool preempted) {
  Reading reading;
  reading.micros = micros;
  reading.preempted = preempted;
  return reading;
}

// Tells one reading after the other, and how often it was asked.
class Script {
 public:
  explicit Script(std::deque<Reading> readings)
      : readings_(std::move(readings)) {}

  Result<std::optional<Reading>> operator()(bool first) {
    EXPECT_EQ(first, asked_ == 0);
    ++asked_;
    Reading next = readings_.front();
    readings_.pop_front();
    return std::optional(std::move(next));
  }
  int asked() const { return asked_; }

 private:
  std::deque<Reading> readings_;
  int asked_ = 0;
};

// What Mix made of the number that is looked for.
uint64_t Unmix(uint64_t x) {
  x ^= x >> 31;
  x ^= x >> 62;
  x *= 0x319642b2d24d8ec3ull;
  x ^= x >> 27;
  x ^= x >> 54;
  x *= 0x96de1b173f119089ull;
  x ^= x >> 30;
  x ^= x >> 60;
  return x - 0x9e3779b97f4a7c15ull;
}

TEST(GeneratorSeedFor, DoesNotLeadBackToTheInputs) {
  constexpr uint64_t kInputs = 0x0123456789abcdef;
  ASSERT_EQ(Unmix(base::Mix(kInputs)), kInputs);
  const uint64_t told = GeneratorSeedFor(kInputs);
  EXPECT_EQ(told, GeneratorSeedFor(kInputs)) << "both sides have the same";
  EXPECT_NE(told, GeneratorSeedFor(kInputs + 1));
  EXPECT_EQ(told >> 63, 0U);
  for (const uint64_t lost : {0, 1}) {
    const uint64_t back = Unmix(told << 1 | lost);
    EXPECT_NE(back, kInputs);
    EXPECT_NE(back, ~kInputs);
  }
}

constexpr int kTriesHere = 3;

// A tick of the scheduler is 4 ms, a thread of the system's takes some 10 us.
TEST(IsTooLong, ByWhatTheClockDidNotSee) {
  EXPECT_FALSE(IsTooLong(0.3, 160));
  EXPECT_FALSE(IsTooLong(2, 1700));
  EXPECT_TRUE(IsTooLong(10, 1700));
  EXPECT_TRUE(IsTooLong(4000, 1700 + 4000));
  EXPECT_TRUE(IsTooLong(4000, 1e6)) << "0.4 % of a second";
  EXPECT_FALSE(IsTooLong(10, 100e3));
}

TEST(ReadAgain, UntilTheClockKeptItsProcessor) {
  Script script({Of(5000, true), Of(1700, false), Of(1, false)});
  const auto reading = ReadAgain(kTriesHere, std::ref(script));
  ASSERT_TRUE(reading && *reading);
  EXPECT_EQ((*reading)->micros, 1700);
  EXPECT_EQ(script.asked(), 2);
}

TEST(ReadAgain, NotForEver) {
  Script script({Of(5000, true), Of(5001, true), Of(5002, true), Of(1, false)});
  const auto reading = ReadAgain(kTriesHere, std::ref(script));
  ASSERT_TRUE(reading && *reading);
  EXPECT_EQ((*reading)->micros, 5002);
  EXPECT_TRUE((*reading)->preempted) << "its round cannot count";
  EXPECT_EQ(script.asked(), kTriesHere);
}

TEST(ReadAgain, NotWhatWasBlocked) {
  Reading blocked = Of(5000, true);
  blocked.blocked = true;
  Script script({blocked, Of(1, false)});
  const auto reading = ReadAgain(kTriesHere, std::ref(script));
  ASSERT_TRUE(reading && *reading);
  EXPECT_TRUE((*reading)->blocked);
  EXPECT_EQ(script.asked(), 1);
}

TEST(ReadAgain, NotACandidateThatFailed) {
  int asked = 0;
  const auto reading = ReadAgain(kTriesHere, [&](bool) {
    ++asked;
    return Result<std::optional<Reading>>(std::nullopt);
  });
  ASSERT_TRUE(reading);
  EXPECT_FALSE(*reading);
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace kb::oracle
