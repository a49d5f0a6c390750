#include <gtest/gtest.h>

#include <cmath>

#include "device_fixture.h"
#include "distributions.h"
#include "doubling.h"
#include "exam.h"

namespace kb::oracle {
namespace {

using record::Distribution;
using record::Policy;

constexpr uint64_t kOfDraw = 42;

// A reference of two inputs, which are equal as they are drawn, whose answer is
// `function` of the first.
class OfTwo : public Doubling {
 public:
  base::Result<std::vector<TensorView>> Draw(uint64_t seed) override {
    auto views = Doubling::Draw(seed);
    first_ = views->front();
    const auto* values = reinterpret_cast<const float*>(first_.data);
    second_.assign(values, values + kElements);
    views->push_back({Spec(), reinterpret_cast<std::byte*>(second_.data())});
    return views;
  }
  base::Result<Run> Forward(uint64_t) override {
    const auto* values = reinterpret_cast<const float*>(first_.data);
    answer_.resize(kElements);
    for (size_t i = 0; i < answer_.size(); ++i)
      answer_[i] = function(values[i]);
    return Run{{{Spec(), reinterpret_cast<std::byte*>(answer_.data())}}, 10};
  }
  std::function<float(float)> function = [](float x) { return x; };

 private:
  TensorView first_;
  std::vector<float> second_, answer_;
};

// Answers with places: `rounded` ones in float32, `exact` ones in float64.
class Placing : public Doubling {
 public:
  base::Result<Run> Forward(uint64_t) override {
    return Run{View(&rounded), 10};
  }
  base::Result<std::vector<TensorView>> ForwardPrecise() override {
    return View(&rounded);
  }
  base::Result<std::vector<TensorView>> ForwardInDouble() override {
    return View(&exact);
  }
  base::Result<std::vector<TensorView>> ForwardNudged(uint64_t) override {
    return View(&moved);
  }
  std::vector<int64_t> rounded{1, 2, 3, 4}, exact{1, 2, 3, 5}, moved = exact;

 private:
  static std::vector<TensorView> View(std::vector<int64_t>* values) {
    const record::TensorSpec spec{record::DType::kInt64,
                                  {static_cast<int64_t>(values->size())}};
    return {{spec, reinterpret_cast<std::byte*>(values->data())}};
  }
};

class MixingTest : public DeviceTest {
 protected:
  Exam NewExam(Reference* reference) {
    TrialParts parts;
    parts.device = device_.get();
    parts.kernels = kernels_.get();
    parts.reference = reference;
    Policy policy;
    policy.error_multiple = 8;
    policy.inputs = record::InputStyle::kMixed;
    return {parts, policy, {}};
  }

  static bool Mixes(Exam* exam) {
    const auto given = exam->LookAtGiven();
    EXPECT_TRUE(given);
    return given && given->mixes;
  }

  static std::vector<float> FloatsOf(const TensorView& view) {
    const auto* first = reinterpret_cast<const float*>(view.data);
    return {first, first + kElements};
  }
};

TEST_F(MixingTest, EachInputIsMixedInAWayOfItsOwn) {
  OfTwo reference;
  Exam exam = NewExam(&reference);
  ASSERT_TRUE(exam.Draw(kOfDraw));
  const auto a = FloatsOf(exam.inputs().at(0));
  const auto b = FloatsOf(exam.inputs().at(1));
  int other_signs = 0;
  for (size_t i = 0; i < a.size(); ++i) other_signs += a[i] * b[i] < 0 ? 1 : 0;
  EXPECT_GT(other_signs, kElements / 4);
}

TEST_F(MixingTest, WhatMeansSomethingStaysWhereAnotherIsMixed) {
  OfTwo drawing;
  const auto mixed = [&](bool first_kept, bool second_kept, bool symmetric) {
    const auto inputs = *drawing.Draw(kOfDraw);
    const auto a = FloatsOf(inputs[0]), b = FloatsOf(inputs[1]);
    Reference::Nature nature;
    nature.inputs.resize(2);
    nature.inputs[0].kept = first_kept;
    nature.inputs[1].kept = second_kept;
    nature.inputs[1].symmetric = symmetric;
    EXPECT_TRUE(Mix(kernels_.get(), inputs, nature, kOfDraw));
    return std::pair(a != FloatsOf(inputs[0]), b != FloatsOf(inputs[1]));
  };
  EXPECT_EQ(mixed(false, false, false), std::pair(true, true));
  EXPECT_EQ(mixed(false, true, false), std::pair(true, false));
  EXPECT_EQ(mixed(true, true, false), std::pair(true, true)) << "or none is";
  EXPECT_EQ(mixed(true, true, true), std::pair(true, false)) << "never";
}

TEST_F(MixingTest, InputsAsDrawnAreATrialOfTheirOwn) {
  OfTwo reference;
  Exam exam = NewExam(&reference);
  ASSERT_TRUE(exam.Draw(kOfDraw, Distribution::kAsGiven));
  const auto given = FloatsOf(exam.inputs().at(0));
  EXPECT_EQ(given, FloatsOf(reference.Draw(kOfDraw)->at(0)));
  ASSERT_TRUE(exam.Draw(kOfDraw));
  EXPECT_NE(FloatsOf(exam.inputs().at(0)), given);
}

TEST_F(MixingTest, WhatHasNoAnswerToMixedInputsGetsThemAsDrawn) {
  OfTwo reference;
  reference.function = [](float x) { return std::log(x + 1); };
  Exam exam = NewExam(&reference);
  EXPECT_FALSE(Mixes(&exam));
  ASSERT_TRUE(exam.Draw(kOfDraw));
  EXPECT_EQ(FloatsOf(exam.inputs().at(0)),
            FloatsOf(reference.Draw(kOfDraw)->at(0)));
}

TEST_F(MixingTest, WhatHasAnAnswerOrNeverHasOneGetsThemMixed) {
  OfTwo reference;
  Exam exam = NewExam(&reference);
  EXPECT_TRUE(Mixes(&exam));
  reference.function = [](float) { return -INFINITY; };
  EXPECT_TRUE(Mixes(&exam));
}

// Of what all elements have in common nothing is asked.
TEST_F(MixingTest, ItIsKnownHowFarApartAnswersToGivenInputsAre) {
  class Narrow : public Doubling {
   public:
    base::Result<Run> Forward(uint64_t) override {
      // 100, 103, 100, 103, ... in bfloat16
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = i % 2 == 0 ? 0x42c8 : 0x42ce;
      const record::TensorSpec spec{dtype, {100}};
      return Run{{{spec, reinterpret_cast<std::byte*>(values.data())}}, 10};
    }
    record::DType dtype = record::DType::kBFloat16;
    std::vector<uint16_t> values = std::vector<uint16_t>(100);
  } narrow;
  Exam exam = NewExam(&narrow);
  const auto given = exam.LookAtGiven();
  ASSERT_TRUE(given && given->spread.size() == 1);
  EXPECT_TRUE(given->mixes);
  EXPECT_DOUBLE_EQ(given->spread[0], 3 / std::sqrt(2));
  narrow.dtype = record::DType::kInt16;
  Exam other = NewExam(&narrow);
  const auto of_integers = other.LookAtGiven();
  EXPECT_TRUE(of_integers && of_integers->spread.empty());
}

TEST_F(MixingTest, InfinityAndARefusalAreNoAnswersEither) {
  OfTwo reference;
  reference.function = [](float x) { return x < 0 ? -INFINITY : x; };
  Exam exam = NewExam(&reference);
  EXPECT_FALSE(Mixes(&exam));
  class Refusing : public OfTwo {
    base::Result<Run> Forward(uint64_t seed) override {
      if (++calls == 1) return base::Fail("{}", why);
      return OfTwo::Forward(seed);
    }

   public:
    int calls = 0;
    std::string why = "all of x should be in [0, 1]";
  } refusing;
  Exam refused = NewExam(&refusing);
  EXPECT_FALSE(Mixes(&refused));
  refusing.calls = 0;
  refusing.why = "CUDA out of memory. Tried to allocate 12 GiB";
  Exam short_of_memory = NewExam(&refusing);
  EXPECT_FALSE(short_of_memory.LookAtGiven()) << "which decides nothing";
}

TEST_F(MixingTest, OneElementThatIsNoNumberIsNoAnswer) {
  OfTwo reference;
  reference.function = [calls = 0](float x) mutable {
    return ++calls == 5 ? NAN : x;
  };
  Exam exam = NewExam(&reference);
  EXPECT_EQ(exam.WhyUnfit(kOfDraw, 0, Distribution::kLarge).value_or(""),
            "the reference's answer is not finite");
  EXPECT_EQ(exam.WhyUnfit(kOfDraw, 0, Distribution::kAsGiven).value_or("error"),
            "")
      << "as in public trials";
}

TEST_F(MixingTest, APlaceThatRoundingDecidesIsRightEitherWay) {
  Placing reference;
  Exam exam = NewExam(&reference);
  ASSERT_TRUE(exam.SetQuestion(kOfDraw, 0));
  const auto is_right = [&](const std::vector<int64_t>& answer) {
    std::vector<std::string> notes;
    const auto mismatch = exam.Check(
        {{reinterpret_cast<const std::byte*>(answer.data())}, 0}, &notes);
    EXPECT_TRUE(mismatch);
    return mismatch && !*mismatch;
  };
  EXPECT_TRUE(is_right({1, 2, 3, 5}));
  EXPECT_TRUE(is_right({1, 2, 3, 4}));
  EXPECT_FALSE(is_right({1, 2, 3, 6}));
  EXPECT_FALSE(is_right({1, 2, 4, 4})) << "rounding does not decide that one";
  EXPECT_FALSE(is_right({1, 2, 4, 5}));
}

TEST_F(MixingTest, AFewIntegersMayBeRoundedElsewhereAsMovedInputsRoundThem) {
  Placing reference;
  std::vector<int64_t> right(4000, 7);
  reference.rounded = reference.exact = reference.moved = right;
  Exam exam = NewExam(&reference);
  const auto is_right = [&](size_t many, int64_t by) {
    std::vector<int64_t> answer = right;
    for (size_t i = 0; i < many; ++i) answer[10 * i + 3] += by;
    EXPECT_TRUE(exam.SetQuestion(kOfDraw, 0));
    std::vector<std::string> notes;
    const auto mismatch = exam.Check(
        {{reinterpret_cast<const std::byte*>(answer.data())}, 0}, &notes);
    EXPECT_TRUE(mismatch);
    return mismatch && !*mismatch;
  };
  EXPECT_FALSE(is_right(1, 1)) << "moved inputs change nothing";
  reference.moved[5] = 6;
  EXPECT_TRUE(is_right(4, 1));
  EXPECT_TRUE(is_right(4, -1));
  EXPECT_FALSE(is_right(5, 1)) << "more than one in a thousand";
  EXPECT_FALSE(is_right(1, 2)) << "further than they go";
  reference.rounded[13] = 8;
  EXPECT_TRUE(is_right(2, 1)) << "one of them is PyTorch's own";
}

TEST(TrialsOutside, ThePolicyAndWhatIsTimedSayWhichThereAre) {
  using enum Distribution;
  Reference::Nature nature;
  nature.inputs = {{.free = true}};
  const std::vector<record::TensorSpec> row{{record::DType::kFloat32, {16}}};
  const auto of = [&](const Policy& policy, bool untimed) {
    return TrialsOutside(policy, untimed, nature, row, row);
  };
  Policy policy;
  EXPECT_TRUE(of(policy, false).empty());
  EXPECT_EQ(of(policy, true), (std::vector{kAsGiven, kAsGiven}));
  policy.distributions = true;
  EXPECT_EQ(of(policy, false),
            (std::vector{kLongTail, kLarge, kNegative, kNearZero}));
  policy.inputs = record::InputStyle::kMixed;
  EXPECT_EQ(of(policy, false),
            (std::vector{kAsGiven, kLongTail, kLarge, kNegative, kNearZero}));
}

}  // namespace
}  // namespace kb::oracle
