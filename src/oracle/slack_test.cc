#include "slack.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>

#include "base/random.h"
#include "device_fixture.h"
#include "doubling.h"
#include "exam.h"

namespace kb::oracle {
namespace {

using record::Mismatch;

constexpr uint64_t kSeed = 42;
constexpr double kFurther = 1.034;  // than 8 roundings, and right

// To bfloat16, of finite numbers.
uint16_t Rounded(double value) {
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

// Answers in bfloat16 of which one is far larger than all others, so that what
// its rounding errs by is more than they are.
class OneIsLarge : public Doubling {
 public:
  base::Result<Run> Forward(uint64_t /*seed*/) override {
    for (size_t i = 0; i < eager_.size(); ++i)
      eager_[i] = Rounded(Exact(i) * (i < astray ? 2 : 1));
    return Run{View(&eager_), 10};
  }
  base::Result<std::vector<TensorView>> ForwardNudged(uint64_t seed) override {
    if (!refusal.empty()) return base::Fail("{}", refusal);
    moved_.resize(kElements + longer);
    for (size_t i = 0; i < moved_.size(); ++i) {
      const bool up = base::Mix(seed * kElements + i) % 2 == 0;
      moved_[i] = Rounded(Exact(i) * (up ? 1 + kStep : 1 - kStep));
    }
    return View(&moved_);
  }
  base::Result<std::vector<TensorView>> ForwardInDouble() override {
    ++doubles;
    for (size_t i = 0; i < exact_.size(); ++i) exact_[i] = Exact(i);
    record::TensorSpec spec = Spec();
    spec.dtype = record::DType::kFloat64;
    return std::vector<TensorView>{
        {spec, reinterpret_cast<std::byte*>(exact_.data())}};
  }

  static double Exact(size_t i) {
    return i == 0 ? 65536 + 100 : 1 + static_cast<double>(i) / kElements;
  }
  // The last bit of bfloat16.
  static constexpr double kStep = 1.0 / 128;
  size_t astray = 0;    // so many of PyTorch's answers are twice too large
  std::string refusal;  // of inputs that have moved
  size_t longer = 0;    // moved inputs ask for so many elements more
  int doubles = 0;

 private:
  static std::vector<TensorView> View(std::vector<uint16_t>* values) {
    const record::TensorSpec spec{record::DType::kBFloat16,
                                  {static_cast<int64_t>(values->size())}};
    return {{spec, reinterpret_cast<std::byte*>(values->data())}};
  }
  std::vector<uint16_t> eager_ = std::vector<uint16_t>(kElements);
  std::vector<uint16_t> moved_ = std::vector<uint16_t>(kElements);
  std::vector<double> exact_ = std::vector<double>(kElements);
};

class SlackTest : public DeviceTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(DeviceTest::SetUp());
    slack_.emplace(*device_, *kernels_);
    parts_.device = device_.get();
    parts_.kernels = kernels_.get();
    parts_.reference = &reference_;
    parts_.given.spread = {0.01};
    parts_.slack = &*slack_;
  }

  Exam NewExam() {
    record::Policy policy;
    policy.error_multiple = 8;
    return {parts_, policy, {}};
  }

  // What is wrong with the right answer times `factor`, but for the first
  // element, in the elements from `first` on.
  static std::optional<Mismatch> Check(Exam* exam, double factor,
                                       size_t first = 1) {
    std::vector<uint16_t> answer(kElements);
    for (size_t i = 0; i < answer.size(); ++i)
      answer[i] = Rounded(OneIsLarge::Exact(i) * (i < first ? 1 : factor));
    std::vector<std::string> notes;
    auto mismatch = exam->Check(
        {{reinterpret_cast<const std::byte*>(answer.data())}, 0}, &notes);
    EXPECT_TRUE(mismatch);
    return mismatch.value_or(Mismatch());
  }

  OneIsLarge reference_;
  std::optional<Slack> slack_;
  TrialParts parts_;
};

TEST_F(SlackTest, SmallElementsAreLookedAtBesideALargeOne) {
  Exam exam = NewExam();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_GT(exam.tolerance().atol, 2) << "or the test shows nothing";
  EXPECT_FALSE(Check(&exam, 1));
  // 8 roundings are a 32nd; what the answer moves by, half a step to one and a
  // half, is twice 0.2 to 1.2 %.
  EXPECT_FALSE(Check(&exam, kFurther));
  const auto more = Check(&exam, 1.1);
  ASSERT_TRUE(more && more->first && more->worst);
  EXPECT_EQ(more->wrong, kElements - 1);
  EXPECT_EQ(more->first->index, std::vector<int64_t>{1});
  EXPECT_NE(more->pattern.find("off by more than 2 times"), std::string::npos);
  const auto zeros = Check(&exam, 0);
  ASSERT_TRUE(zeros && zeros->worst);
  EXPECT_EQ(zeros->worst->index, std::vector<int64_t>{kElements - 1});
  EXPECT_EQ(zeros->worst->actual, 0);
}

TEST_F(SlackTest, OneInFiftyMayBeFurtherOff) {
  Exam exam = NewExam();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_FALSE(Check(&exam, 0, kElements - kElements / 50));
  EXPECT_TRUE(Check(&exam, 0, kElements - kElements / 50 - 1));
}

TEST_F(SlackTest, WhatIsRightAsTheProblemDrawsItIsRight) {
  parts_.given.spread = {16};  // a 32nd of that, four times: all of them
  Exam exam = NewExam();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_FALSE(Check(&exam, 0));
}

TEST_F(SlackTest, WherePyTorchItselfIsFurtherOffNoneIsMeasured) {
  reference_.astray = 20;
  Exam exam = NewExam();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_FALSE(Check(&exam, 0));
}

TEST_F(SlackTest, InputsThatCannotMoveMeasureNone) {
  reference_.refusal = "all of x should be in [0, 1]";
  Exam exam = NewExam();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_FALSE(Check(&exam, 0));
}

TEST_F(SlackTest, WhoTakesTheRoomThatThereWasDoesNotEscapeIt) {
  reference_.refusal = "CUDA out of memory. Tried to allocate 2 GiB";
  Exam without = NewExam();
  ASSERT_TRUE(without.SetQuestion(kSeed, 0)) << "there has never been any";
  EXPECT_FALSE(Check(&without, 0));
  reference_.refusal.clear();
  ASSERT_TRUE(without.SetQuestion(kSeed + 1, 0));
  reference_.refusal = "CUDA out of memory. Tried to allocate 2 GiB";
  Exam later = NewExam();
  EXPECT_FALSE(later.SetQuestion(kSeed, 0));
}

TEST_F(SlackTest, InputsThatSayHowLongAnAnswerIsMeasureNone) {
  reference_.longer = 1 << 20;
  Exam exam = NewExam();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_FALSE(Check(&exam, 0));
}

// The question's own slack is measured only for who is not near to PyTorch.
TEST_F(SlackTest, WhoIsNearIsNotMeasuredAndOthersAre) {
  Exam exam = NewExam();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  exam.MeasureWhenNeeded();
  EXPECT_EQ(reference_.doubles, 1);
  ASSERT_TRUE(exam.SetQuestion(kSeed + 1, 0));
  EXPECT_FALSE(Check(&exam, 1));
  EXPECT_EQ(reference_.doubles, 1);
  EXPECT_FALSE(Check(&exam, kFurther));
  EXPECT_EQ(reference_.doubles, 2);
  ASSERT_TRUE(exam.SetQuestion(kSeed + 2, 0));
  EXPECT_TRUE(Check(&exam, 0));
  EXPECT_EQ(reference_.doubles, 3);
}

}  // namespace
}  // namespace kb::oracle
