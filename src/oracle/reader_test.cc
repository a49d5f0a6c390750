#include "reader.h"

#include <gtest/gtest.h>

#include <deque>
#include <span>

#include "base/random.h"
#include "device_fixture.h"
#include "doubling.h"

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

// A GPU on which nothing runs, and which may have failed.
class IdleGpu : public device::Device {
 public:
  bool is_cuda() const override { return true; }
  int index() const override { return 0; }
  std::string Name() const override { return "a GPU"; }
  std::string Driver() const override { return ""; }
  std::string Arch() const override { return ""; }
  Result<record::DeviceLimits> Limits() const override { return None(); }
  Result<std::unique_ptr<device::SharedMemory>> Allocate(size_t) override {
    return None();
  }
  Result<std::unique_ptr<device::SharedMemory>> Import(os::Fd,
                                                       size_t) override {
    return None();
  }
  Result<uint64_t> FreeMemory() override { return None(); }
  Result<void> Copy(std::byte*, const std::byte*, size_t, void*) override {
    return None();
  }
  Result<void> CopyToHost(void*, const std::byte*, size_t) override {
    return None();
  }
  Result<void> CopyFromHost(std::byte*, const void*, size_t) override {
    return None();
  }
  Result<void> Spin(double, void*) override { return None(); }
  Result<void> UploadGraph(void*, void*) override { return None(); }
  Result<void> Synchronize() override {
    if (failed) return base::Fail("device-side assert triggered");
    return base::Ok();
  }
  Result<bool> Idle(void*) override { return None(); }
  Result<std::unique_ptr<device::Gate>> NewGate(void*, size_t) override {
    return None();
  }
  Result<void> Glance(std::span<const Look>) override { return None(); }
  Result<std::unique_ptr<device::Timer>> NewTimer() override { return None(); }
  device::Health ReadHealth() override { return {}; }
  Result<double> LaunchMicros() override { return None(); }
  bool failed = false;

 private:
  static tl::unexpected<base::Error> None() {
    return base::Fail("nothing runs there");
  }
};

constexpr const char* kRefuses = "linalg.cholesky: not positive-definite";

class WhyUnfitTest : public DeviceTest {
 protected:
  // Of a question that the reference answers with an error; that error where it
  // is ours.
  std::string Why(device::Device* device, record::Distribution as,
                  const std::string& error = kRefuses) {
    class Failing : public Doubling {
     public:
      Result<Run> Forward(uint64_t) override { return base::Fail("{}", said); }
      std::string said;
    } reference;
    reference.said = error;
    TrialParts parts;
    parts.device = device;
    parts.kernels = kernels_.get();
    parts.reference = &reference;
    const record::Policy policy;
    Exam exam(parts, policy, {});
    Order order;
    order.as = as;
    const auto why = Reader(parts, &exam, &policy, {}).WhyUnfit(order);
    return why ? *why : why.error().message();
  }
  IdleGpu gpu_;
};

TEST_F(WhyUnfitTest, WhatTheReferenceRefusesWhereTheDeviceStillWorks) {
  constexpr auto kLarge = record::Distribution::kLarge;
  const std::string unfit = "the reference takes no such inputs";
  EXPECT_EQ(Why(device_.get(), kLarge), unfit);
  EXPECT_EQ(Why(&gpu_, kLarge), unfit);
  gpu_.failed = true;
  EXPECT_EQ(Why(&gpu_, kLarge), kRefuses);
}

TEST_F(WhyUnfitTest, NotWhatTheProblemItselfDraws) {
  constexpr auto kAsGiven = record::Distribution::kAsGiven;
  EXPECT_EQ(Why(device_.get(), kAsGiven), kRefuses);
  EXPECT_EQ(Why(&gpu_, kAsGiven), kRefuses);
}

TEST_F(WhyUnfitTest, NotForWantOfMemory) {
  const std::string error = "CUDA out of memory. Tried to allocate 2 GiB";
  EXPECT_EQ(Why(&gpu_, record::Distribution::kLarge, error), error);
}

}  // namespace
}  // namespace kb::oracle
