#include "exam.h"

#include <gtest/gtest.h>

#include <cmath>

#include "device_fixture.h"
#include "doubling.h"

namespace kb::oracle {
namespace {

using record::Mismatch;
using record::Policy;
using record::Tolerance;

constexpr uint64_t kSeed = 42;
constexpr Tolerance kTolerance{1e-3, 0};

// Answers in float64 that are `error` more than those in float32.
class Erring : public Doubling {
 public:
  base::Result<std::vector<TensorView>> Draw(uint64_t seed) override {
    ++draws;
    return Doubling::Draw(seed);
  }
  base::Result<std::vector<TensorView>> ForwardInDouble() override {
    ++doubles;
    if (!error) return base::Fail("{}", why);
    auto views = Doubling::ForwardInDouble();
    auto* values = reinterpret_cast<double*>(views->front().data);
    for (int64_t i = 0; i < kElements; ++i) values[i] += *error;
    if (twice) views->push_back(views->front());
    if (stays_float32) return eager;
    if (second) views->push_back(SecondOf(record::DType::kFloat64, &exact_));
    return views;
  }
  base::Result<Run> Forward(uint64_t generator_seed) override {
    auto run = Doubling::Forward(generator_seed);
    eager = run->outputs;
    if (second)
      run->outputs.push_back(SecondOf(record::DType::kFloat32, &halves_));
    return run;
  }
  base::Result<std::vector<TensorView>> ForwardPrecise() override {
    auto views = Doubling::ForwardPrecise();
    if (second) views->push_back(SecondOf(record::DType::kFloat32, &halves_));
    return views;
  }
  base::Result<std::vector<TensorView>> ForwardNudged(uint64_t seed) override {
    if (ends_at_a_bound) return base::Fail("all of x should be in [0, 1]");
    return Doubling::ForwardNudged(seed);
  }
  bool ends_at_a_bound = false;     // inputs do, past which there is no answer
  std::optional<double> error = 0;  // nothing: cannot
  std::string why = "float32 and float64 do not mix";
  bool twice = false;  // returns one output too many
  bool stays_float32 = false;
  bool second = false;  // returns halves, without any error, as well
  std::vector<TensorView> eager;
  int draws = 0;
  int doubles = 0;

 private:
  template <typename T>
  static TensorView SecondOf(record::DType dtype, std::vector<T>* values) {
    values->assign(kElements, T{0.5});
    record::TensorSpec spec = Spec();
    spec.dtype = dtype;
    return {spec, reinterpret_cast<std::byte*>(values->data())};
  }
  std::vector<double> exact_;
  std::vector<float> halves_;
};

std::string NotInDouble(const std::string& why) {
  return "the reference does not run in float64: " + why;
}

class ExamTest : public DeviceTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(DeviceTest::SetUp());
    parts_.device = device_.get();
    parts_.kernels = kernels_.get();
    parts_.reference = &reference_;
  }

  static Policy Measuring() {
    Policy policy;
    policy.error_multiple = 8;
    return policy;
  }

  Exam NewExam(const Policy& policy = {}) {
    return Exam(parts_, policy, kTolerance);
  }

  static std::vector<float> FloatsOf(const std::vector<TensorView>& views) {
    const auto* first = reinterpret_cast<const float*>(views.at(0).data);
    return {first, first + kElements};
  }

  static std::optional<Mismatch> Check(Exam* exam,
                                       const std::vector<float>& answer,
                                       uint64_t poison_seed = 0) {
    std::vector<std::string> notes;
    auto mismatch = exam->Check(
        {{reinterpret_cast<const std::byte*>(answer.data())}, poison_seed},
        &notes);
    EXPECT_TRUE(mismatch);
    EXPECT_TRUE(notes.empty());
    return mismatch.value_or(Mismatch());
  }

  Erring reference_;
  TrialParts parts_;
};

TEST_F(ExamTest, BeforeTheFirstQuestionThereIsNothing) {
  const Exam exam = NewExam();
  EXPECT_TRUE(exam.inputs().empty());
  EXPECT_TRUE(exam.eager().empty());
  EXPECT_TRUE(exam.exact().empty());
  EXPECT_EQ(exam.tolerance(), kTolerance);
}

TEST_F(ExamTest, TheRightAnswerIsRightAndAWrongElementIsFound) {
  Exam exam = NewExam();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_EQ(exam.specs(), std::vector<record::TensorSpec>{Spec()});
  std::vector<float> answer = FloatsOf(exam.inputs());
  for (float& value : answer) value *= 2;
  EXPECT_FALSE(Check(&exam, answer));
  answer[700] += 1;
  answer[701] -= 2;
  const auto mismatch = Check(&exam, answer);
  ASSERT_TRUE(mismatch && mismatch->first && mismatch->worst);
  EXPECT_EQ(mismatch->wrong, 2);
  EXPECT_EQ(mismatch->elements, kElements);
  EXPECT_EQ(mismatch->first->index, std::vector<int64_t>{700});
  EXPECT_EQ(mismatch->worst->index, std::vector<int64_t>{701});
  EXPECT_EQ(mismatch->seed, kSeed) << "which reproduces it";
}

TEST_F(ExamTest, WhatNobodyWroteIsUnwrittenAndNotMerelyWrong) {
  constexpr uint64_t kPoison = 7;
  Exam exam = NewExam();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  std::vector<float> answer(kElements);
  ASSERT_TRUE(kernels_->Poison(reinterpret_cast<std::byte*>(answer.data()),
                               Spec().dtype, kElements, kPoison));
  const auto right = FloatsOf(exam.eager());
  std::copy(right.begin(), right.end() - 10, answer.begin());
  const auto mismatch = Check(&exam, answer, kPoison);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->unwritten, 10);
}

TEST_F(ExamTest, ASeedGivesTheSameInputsAndAnotherOneOthers) {
  Exam exam = NewExam();
  ASSERT_TRUE(exam.Draw(kSeed));
  const auto first = FloatsOf(exam.inputs());
  ASSERT_TRUE(exam.Draw(kSeed + 1));
  EXPECT_NE(FloatsOf(exam.inputs()), first);
  ASSERT_TRUE(exam.Draw(kSeed));
  EXPECT_EQ(FloatsOf(exam.inputs()), first);
}

TEST_F(ExamTest, WhatWasDrawnForAQuestionIsNotDrawnAgain) {
  Exam exam = NewExam();
  ASSERT_TRUE(exam.Draw(kSeed));
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_EQ(reference_.draws, 1);
  ASSERT_TRUE(exam.SetQuestion(kSeed + 1, 0));
  EXPECT_EQ(reference_.draws, 2);
}

// As Exchange keeps them.
std::vector<TensorView> CopyOf(const std::vector<TensorView>& inputs,
                               std::vector<float>* memory) {
  const auto* first = reinterpret_cast<const float*>(inputs.at(0).data);
  memory->assign(first, first + kElements);
  return {{Spec(), reinterpret_cast<std::byte*>(memory->data())}};
}

TEST_F(ExamTest, WhatIsKeptIsNotDrawnAgainAndItsAnswerIsTheSame) {
  Exam exam = NewExam();
  std::vector<std::vector<float>> memory(2), drawn;
  for (size_t slot = 0; slot < 2; ++slot) {
    ASSERT_TRUE(exam.Draw(kSeed + slot));
    drawn.push_back(FloatsOf(exam.inputs()));
    ASSERT_TRUE(exam.Keep(slot, CopyOf(exam.inputs(), &memory[slot])));
  }
  for (size_t slot = 0; slot < 2; ++slot) {
    ASSERT_TRUE(exam.SetQuestion(kSeed + slot, 0));
    EXPECT_EQ(FloatsOf(exam.inputs()), drawn[slot]);
    std::vector<float> answer = drawn[slot];
    for (float& value : answer) value *= 2;
    EXPECT_EQ(FloatsOf(exam.eager()), answer);
    EXPECT_FALSE(Check(&exam, answer));
  }
  EXPECT_EQ(reference_.draws, 2);
  ASSERT_TRUE(exam.SetQuestion(kSeed + 2, 0));
  EXPECT_EQ(reference_.draws, 3);
}

TEST_F(ExamTest, AnotherOnesInputsInASlotAreNotTakenForItsOwn) {
  Exam exam = NewExam();
  std::vector<float> memory;
  for (const uint64_t seed : {kSeed, kSeed + 1}) {
    ASSERT_TRUE(exam.Draw(seed));
    ASSERT_TRUE(exam.Keep(0, CopyOf(exam.inputs(), &memory)));
  }
  ASSERT_TRUE(exam.Draw(kSeed + 2));
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_EQ(FloatsOf(exam.inputs()), FloatsOf(*reference_.Draw(kSeed)));
}

TEST_F(ExamTest, UsualInputsAreToldFromOthers) {
  Exam exam = NewExam();
  std::vector<float> memory;
  EXPECT_FALSE(exam.KeepsUsual(0));
  ASSERT_TRUE(exam.Draw(kSeed, record::Distribution::kNegative));
  ASSERT_TRUE(exam.Keep(0, CopyOf(exam.inputs(), &memory)));
  EXPECT_FALSE(exam.KeepsUsual(0));
  ASSERT_TRUE(exam.Draw(kSeed));
  ASSERT_TRUE(exam.Keep(0, CopyOf(exam.inputs(), &memory)));
  EXPECT_TRUE(exam.KeepsUsual(0));
  EXPECT_FALSE(exam.KeepsUsual(1));
  // Where they were drawn they are until others are.
  ASSERT_TRUE(exam.Keep(1, {}));
  EXPECT_TRUE(exam.KeepsUsual(1));
  ASSERT_TRUE(exam.Draw(kSeed + 1));
  EXPECT_FALSE(exam.KeepsUsual(1));
  EXPECT_TRUE(exam.KeepsUsual(0));
}

TEST_F(ExamTest, MixedInputsAreOthersAndTheReferenceSeesThem) {
  Exam as_given = NewExam();
  ASSERT_TRUE(as_given.SetQuestion(kSeed, 0));
  const auto given = FloatsOf(as_given.inputs());
  Policy policy;
  policy.inputs = record::InputStyle::kMixed;
  Exam mixed = NewExam(policy);
  ASSERT_TRUE(mixed.SetQuestion(kSeed + 1, 0));
  ASSERT_TRUE(mixed.SetQuestion(kSeed, 0));
  auto inputs = FloatsOf(mixed.inputs());
  EXPECT_NE(inputs, given);
  for (float& value : inputs) value *= 2;
  EXPECT_EQ(inputs, FloatsOf(mixed.eager()));
}

TEST_F(ExamTest, AFixedToleranceAsksNobodyForFloat64) {
  Exam exam = NewExam();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_EQ(reference_.doubles, 0);
  EXPECT_EQ(exam.tolerance(), kTolerance);
}

TEST_F(ExamTest, WhoIsRightAnywayIsNotAskedForFloat64) {
  reference_.error = 0.25;  // so that 2 is allowed
  Exam exam = NewExam(Measuring());
  exam.MeasureWhenNeeded();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_EQ(reference_.doubles, 1) << "nothing is known yet";
  const auto asked = [&](float error) {
    EXPECT_TRUE(exam.SetQuestion(kSeed + reference_.draws, 0));
    std::vector<float> answer = FloatsOf(exam.eager());
    for (float& value : answer) value += error;
    return Check(&exam, answer);
  };
  EXPECT_FALSE(asked(0));
  EXPECT_FALSE(asked(1.4F)) << "three quarters of it";
  EXPECT_EQ(reference_.doubles, 1);
  EXPECT_FALSE(asked(1.6F)) << "by the question's own";
  EXPECT_EQ(reference_.doubles, 2);
  EXPECT_TRUE(asked(2.5F));
  EXPECT_EQ(reference_.doubles, 3);
}

TEST_F(ExamTest, TheLeastToleranceOfUsualInputsIsPresumed) {
  Exam exam = NewExam(Measuring());
  for (const double error : {0.5, 0.125, 0.25}) {
    reference_.error = error;
    ASSERT_TRUE(exam.SetQuestion(kSeed + reference_.draws, 0));
  }
  reference_.error = 1e-3;
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0, record::Distribution::kLongTail));
  reference_.error = 0.5;
  exam.MeasureWhenNeeded();
  const int before = reference_.doubles;
  ASSERT_TRUE(exam.SetQuestion(kSeed + 100, 0));
  std::vector<float> answer = FloatsOf(exam.eager());
  for (float& value : answer) value += 0.7F;  // of 1, three quarters
  EXPECT_FALSE(Check(&exam, answer));
  EXPECT_EQ(reference_.doubles, before);
  for (float& value : answer) value += 0.1F;
  EXPECT_FALSE(Check(&exam, answer));
  EXPECT_EQ(reference_.doubles, before + 1);
  EXPECT_NEAR(exam.tolerance().atol, 4, 1e-3) << "its own";
  EXPECT_FALSE(exam.exact().empty());
}

// As a product of many factors is, that has vanished in float32 and not in
// float64, where it grows again.
TEST_F(ExamTest, AnErrorWithoutAllProportionMeasuresNothing) {
  reference_.error = 1e200;
  Exam exam = NewExam(Measuring());
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_EQ(exam.tolerance(), kTolerance);
  EXPECT_EQ(exam.unmeasured(),
            NotInDouble("its answers there are out of all proportion"));
  std::vector<float> answer = FloatsOf(exam.eager());
  EXPECT_FALSE(Check(&exam, answer)) << "compared with the run's own";
  for (float& value : answer) value += 1;
  EXPECT_TRUE(Check(&exam, answer));
}

TEST_F(ExamTest, AMeasuredToleranceIsAMultipleOfPyTorchsOwnError) {
  reference_.error = 0.25;
  Exam exam = NewExam(Measuring());
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_DOUBLE_EQ(exam.tolerance().atol, 8 * 0.25);
  EXPECT_DOUBLE_EQ(exam.tolerance().rtol, 8 * std::ldexp(1, -24));
  // Compared with float64: what is right there is right, and so is the multiple
  // on the far side of it, but no more.
  std::vector<float> answer = FloatsOf(exam.eager());
  for (float& value : answer) value += 0.25F + 1.99F;
  EXPECT_FALSE(Check(&exam, answer));
  for (float& value : answer) value += 0.1F;
  EXPECT_TRUE(Check(&exam, answer));
}

TEST_F(ExamTest, AFewElementsMayBeFourTimesAsFarOff) {
  reference_.error = 1;
  Exam exam = NewExam(Measuring());
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  const std::vector<float> right = FloatsOf(exam.eager());
  const auto is_right = [&](int64_t many, float off) {
    std::vector<float> answer = right;
    for (int64_t i = 0; i < many; ++i) answer[static_cast<size_t>(i)] += off;
    return !Check(&exam, answer);
  };
  constexpr int64_t kFew = kElements / 1000;
  static_assert(kFew > 0);
  EXPECT_TRUE(is_right(kFew, -20));
  EXPECT_FALSE(is_right(kFew + 1, -20)) << "they are too many";
  EXPECT_FALSE(is_right(1, -40)) << "it is too far off";
}

TEST_F(ExamTest, AFixedToleranceHoldsForEveryElement) {
  Exam exam = NewExam();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  std::vector<float> answer = FloatsOf(exam.eager());
  answer[0] += 2 * static_cast<float>(kTolerance.atol);
  EXPECT_TRUE(Check(&exam, answer));
}

TEST_F(ExamTest, WhoAgreesWithFloat64IsRightByAFixedToleranceToo) {
  reference_.error = 4 * kTolerance.atol;
  const auto notes_of = [&](Exam exam, double off) {
    EXPECT_TRUE(exam.SetQuestion(kSeed, 0));
    std::vector<float> answer = FloatsOf(exam.eager());
    for (float& value : answer) value += static_cast<float>(off);
    std::vector<std::string> notes;
    const auto mismatch = exam.Check(
        {{reinterpret_cast<const std::byte*>(answer.data())}, 0}, &notes);
    EXPECT_TRUE(mismatch);
    EXPECT_EQ(mismatch->has_value(), notes.empty());
    return notes;
  };
  const double off = *reference_.error;
  const std::string note =
      "agrees with the reference in float64, from which PyTorch's own answer "
      "is "
      "further";
  EXPECT_EQ(notes_of(NewExam(), off), std::vector{note});
  EXPECT_TRUE(notes_of(NewExam(), off / 2).empty());
  EXPECT_TRUE(notes_of(NewExam(), 2 * off).empty());
  Policy original;
  original.procedure = record::Procedure::kOriginal;
  EXPECT_TRUE(notes_of(NewExam(original), off).empty());
  parts_.exact_fits = false;
  EXPECT_TRUE(notes_of(NewExam(), off).empty());
  parts_.exact_fits = true;
  reference_.error.reset();  // cannot
  EXPECT_TRUE(notes_of(NewExam(), off).empty());
  reference_.error = off;
  reference_.twice = true;
  EXPECT_TRUE(notes_of(NewExam(), off).empty());
}

TEST_F(ExamTest, AReferenceWithoutErrorIsAllowedItsRounding) {
  Exam exam = NewExam(Measuring());
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  double squares = 0;
  for (const float value : FloatsOf(exam.eager()))
    squares += double{value} * double{value};
  const double rms = std::sqrt(squares / kElements);
  EXPECT_NEAR(exam.tolerance().atol, 8 * std::ldexp(rms, -24), 1e-12);
  EXPECT_EQ(exam.exact().size(), 1U);
}

TEST_F(ExamTest, WhatCannotRunInFloat64KeepsTheFixedTolerance) {
  Exam exam = NewExam(Measuring());
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_NE(exam.tolerance(), kTolerance);
  EXPECT_EQ(exam.unmeasured(), "");
  reference_.error.reset();
  ASSERT_TRUE(exam.SetQuestion(kSeed + 1, 0));
  EXPECT_EQ(exam.tolerance(), kTolerance) << "not that of the last question";
  EXPECT_TRUE(exam.exact().empty());
  EXPECT_EQ(exam.unmeasured(), NotInDouble("float32 and float64 do not mix"));
  reference_.why = "CUDA out of memory. Tried to allocate 12 GiB, 1 GiB free";
  ASSERT_TRUE(exam.SetQuestion(kSeed + 2, 0));
  EXPECT_EQ(exam.unmeasured(), NotInDouble("out of memory"))
      << "the same in every trial";
}

TEST_F(ExamTest, WhatStaysFloat32ThereKeepsTheFixedTolerance) {
  reference_.stays_float32 = true;
  Exam exam = NewExam(Measuring());
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_EQ(exam.tolerance(), kTolerance);
  EXPECT_EQ(exam.unmeasured(), NotInDouble("output 0 stays float32"));
  EXPECT_FALSE(Check(&exam, FloatsOf(exam.eager())));
}

// Zeros would be right by a tolerance above all answers.
TEST_F(ExamTest, FixedToleranceIsNoLargerThanAHundredthOfTheAnswers) {
  constexpr Tolerance kAny{1e6, 0};
  for (const double multiple : {8, 0}) {
    reference_.stays_float32 = true;
    Policy policy;
    policy.error_multiple = multiple;
    Exam exam(parts_, policy, kAny);
    ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
    const std::vector<float> answer = FloatsOf(exam.eager());
    double squares = 0;
    for (const float value : answer) squares += double{value} * double{value};
    const double rms = std::sqrt(squares / static_cast<double>(answer.size()));
    EXPECT_FALSE(Check(&exam, answer));
    const auto zeros = Check(&exam, std::vector<float>(answer.size(), 0));
    EXPECT_EQ(zeros.has_value(), multiple > 0) << "where it is to be measured";
    const double atol = multiple > 0 ? rms / 100 : kAny.atol;
    EXPECT_NEAR(exam.tolerance().atol, atol, 1e-9);
  }
}

// In float64 its noise is another, and no error.
TEST_F(ExamTest, WhatDrawsRandomNumbersKeepsTheFixedTolerance) {
  reference_.error = 50;
  g_random = true;
  Exam exam = NewExam(Measuring());
  const auto asked = exam.SetQuestion(kSeed, 7);
  const record::Tolerance tolerance = exam.tolerance();
  g_random = false;
  ASSERT_TRUE(asked);
  EXPECT_EQ(tolerance, kTolerance);
  EXPECT_EQ(reference_.doubles, 0);
  EXPECT_EQ(exam.unmeasured(), "the reference draws random numbers");
}

TEST_F(ExamTest, AFixedToleranceStaysWhatItIsOutside) {
  Exam exam = NewExam();
  for (const record::Distribution as :
       {record::Distribution::kLongTail, record::Distribution::kLongTail})
    ASSERT_TRUE(exam.SetQuestion(kSeed + reference_.draws, 0, as));
  EXPECT_EQ(exam.tolerance(), kTolerance);
  ASSERT_TRUE(exam.SetQuestion(kSeed + reference_.draws, 0));
  EXPECT_EQ(exam.tolerance(), kTolerance);
  std::vector<float> answer = FloatsOf(exam.eager());
  for (float& value : answer) value += 1;  // of 0.5
  EXPECT_TRUE(Check(&exam, answer));
}

// Where the first errs by 50, who is off by 1 in the second is wrong.
TEST_F(ExamTest, EachOutputHasItsOwnTolerance) {
  reference_.error = 50;
  reference_.second = true;
  Exam exam = NewExam(Measuring());
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_DOUBLE_EQ(exam.tolerance().atol, 400) << "the largest";
  std::vector<float> first = FloatsOf(exam.eager());
  std::vector<float> second(kElements, 0.5F);
  const auto check = [&] {
    std::vector<std::string> notes;
    return exam.Check({{reinterpret_cast<const std::byte*>(first.data()),
                        reinterpret_cast<const std::byte*>(second.data())}},
                      &notes);
  };
  for (float& value : first) value += 100;
  auto mismatch = check();
  ASSERT_TRUE(mismatch);
  EXPECT_FALSE(*mismatch);
  second.assign(kElements, 0);
  mismatch = check();
  ASSERT_TRUE(mismatch && *mismatch);
  EXPECT_EQ((*mismatch)->output, 1);
}

TEST_F(ExamTest, WhatDoesNotFitInFloat64IsNotTried) {
  parts_.exact_fits = false;
  Exam exam = NewExam(Measuring());
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_EQ(reference_.doubles, 0);
  EXPECT_EQ(exam.tolerance(), kTolerance);
  EXPECT_EQ(exam.unmeasured(), NotInDouble("out of memory"));
}

TEST_F(ExamTest, AnotherNumberOfOutputsInFloat64IsAnError) {
  reference_.twice = true;
  Exam exam = NewExam(Measuring());
  EXPECT_FALSE(exam.SetQuestion(kSeed, 0));
}

TEST_F(ExamTest, WhereTf32IsTheRuleItsErrorIsAllowed) {
  reference_.tf32_error = 0.01F;
  Policy policy = Measuring();
  for (const auto& [rule, allowed] :
       {std::pair{record::PrecisionRule::kAsReference, false},
        std::pair{record::PrecisionRule::kIeee, false},
        std::pair{record::PrecisionRule::kTf32, true}}) {
    policy.precision = rule;
    Exam exam = NewExam(policy);
    ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
    auto answer = FloatsOf(exam.eager());
    for (float& value : answer) value += 0.01F;
    EXPECT_EQ(!Check(&exam, answer), allowed);
    // bfloat16 rounds eight times as much; half of the multiple is four.
    for (float& value : answer) value += 0.07F;
    EXPECT_TRUE(Check(&exam, answer));
  }
}

// --- Inputs with a distribution of their own ---

constexpr auto kTail = record::Distribution::kLongTail;

TEST_F(ExamTest, OtherDistributionsAreMadeOfWhatIsDrawnAndNotOfMixedInputs) {
  Policy policy = Measuring();
  policy.inputs = record::InputStyle::kMixed;
  Exam exam = NewExam(policy);
  ASSERT_TRUE(exam.Draw(kSeed, record::Distribution::kNegative));
  const auto drawn = FloatsOf(*reference_.Draw(kSeed));
  ASSERT_TRUE(exam.Draw(kSeed + 1));
  ASSERT_TRUE(exam.Draw(kSeed, record::Distribution::kNegative));
  const auto negative = FloatsOf(exam.inputs());
  for (size_t i = 0; i < drawn.size(); ++i) ASSERT_EQ(negative[i], -drawn[i]);
}

TEST_F(ExamTest, AQuestionOfItsOwnDistributionIsAskedOnceUntilAnother) {
  Exam exam = NewExam(Measuring());
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0, kTail));
  ASSERT_TRUE(exam.Draw(kSeed, kTail));
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0, kTail));
  EXPECT_EQ(reference_.draws, 1);
  EXPECT_EQ(reference_.doubles, 1);
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_EQ(reference_.draws, 2) << "these are others";
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0, kTail));
  EXPECT_EQ(reference_.draws, 3);
}

TEST_F(ExamTest, FourTimesTheMeasuredErrorIsAllowedThere) {
  reference_.error = 0.001;
  Exam exam = NewExam(Measuring());
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0, kTail));
  EXPECT_NEAR(exam.tolerance().atol, 4 * 8 * 0.001, 1e-6);
  const auto right = FloatsOf(exam.eager());
  auto answer = right;
  for (float& value : answer) value += 0.03F;
  EXPECT_FALSE(Check(&exam, answer));
  for (size_t i = 0; i < answer.size(); ++i) answer[i] = right[i] + 0.05F;
  const auto mismatch = Check(&exam, answer);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->inputs, "long_tail");
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  EXPECT_TRUE(Check(&exam, answer)->inputs.empty());
}

TEST_F(ExamTest, WhatTheProblemDrawsIsJudgedAsInThePublicTrials) {
  reference_.error = 0.001;
  reference_.nudge = 1;
  reference_.ends_at_a_bound = true;
  Exam exam = NewExam(Measuring());
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0));
  const Tolerance usual = exam.tolerance();
  ASSERT_TRUE(exam.SetQuestion(kSeed, 0, record::Distribution::kAsGiven));
  EXPECT_EQ(exam.tolerance(), usual);
  EXPECT_FALSE(exam.SetQuestion(kSeed, 0, kTail));
}

TEST(SaysNoMemory, HoweverItIsSaid) {
  for (const char* error :
       {"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB.",
        "cuMemCreate: CUDA_ERROR_OUT_OF_MEMORY (out of memory)",
        "RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling "
        "`cublasCreate(handle)`",
        "RuntimeError: [enforce fail at alloc_cpu.cpp:127] err == 0. "
        "DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 "
        "bytes. Error code 12 (Cannot allocate memory)"})
    EXPECT_TRUE(SaysNoMemory(error)) << error;
  EXPECT_FALSE(SaysNoMemory("torch._C._LinAlgError: linalg.cholesky"));
}

TEST_F(ExamTest, WhereTheReferenceHasNoAnswerNobodyIsJudged) {
  Exam exam = NewExam(Measuring());
  const auto why = [&] {
    return exam.WhyUnfit(kSeed + reference_.draws, 0, kTail).value_or("error");
  };
  EXPECT_EQ(why(), "");
  reference_.nudge = 1e-3F;
  EXPECT_EQ(why(), "");
  EXPECT_NEAR(exam.tolerance().atol, 4e-3, 1e-4) << "what the last bit does";
  reference_.nudge = 1;  // of answers near 1
  EXPECT_EQ(why(), "rounding alone changes the answer too much");
  reference_.nudge = 0;
  reference_.error = 1;
  EXPECT_EQ(why(), "rounding alone changes the answer too much");
  reference_.error = std::nullopt;
  EXPECT_EQ(why(),
            "the reference does not run in float64: float32 and float64 do not "
            "mix");
  reference_.error = 0;
  reference_.factor = INFINITY;
  EXPECT_EQ(why(), "the reference's answer is not finite");
}

}  // namespace
}  // namespace kb::oracle
