#include "verify/verify.h"

#include <gtest/gtest.h>

#include <cstring>

#include "elements.h"

namespace kb::verify {
namespace {

using record::DType;

constexpr uint64_t kPoison = 77;

class VerifierTest : public testing::Test {
 protected:
  template <typename T>
  const std::byte* OnDevice(const std::vector<T>& values) {
    auto memory = device_->Allocate(values.size() * sizeof(T));
    EXPECT_TRUE(memory);
    EXPECT_TRUE(device_->CopyFromHost((*memory)->data(), values.data(),
                                      values.size() * sizeof(T)));
    memories_.push_back(std::move(*memory));
    return memories_.back()->data();
  }
  std::byte* Poisoned(DType dtype, int64_t elements) {
    auto memory = device_->Allocate(static_cast<size_t>(elements) *
                                    record::DTypeSize(dtype));
    EXPECT_TRUE(memory);
    memories_.push_back(std::move(*memory));
    EXPECT_TRUE(
        kernels_->Poison(memories_.back()->data(), dtype, elements, kPoison));
    return memories_.back()->data();
  }
  template <typename T>
  std::optional<record::Mismatch> Checked(DType dtype,
                                          std::vector<int64_t> shape,
                                          const std::vector<T>& expected,
                                          const std::byte* actual) {
    Comparison comparison;
    comparison.output = 2;
    comparison.spec = {dtype, std::move(shape)};
    comparison.expected = OnDevice(expected);
    comparison.expected_dtype =
        sizeof(T) == 8 && record::IsFloating(dtype) ? DType::kFloat64 : dtype;
    comparison.actual = actual;
    comparison.tolerance = {1e-4, 1e-4};
    comparison.poison_seed = kPoison;
    comparison.trial_seed = 42;
    auto mismatch = Verifier(*device_, *kernels_).Check(comparison);
    EXPECT_TRUE(mismatch) << mismatch.error().message();
    return mismatch ? *mismatch : std::nullopt;
  }

  std::unique_ptr<device::Device> device_ =
      std::move(*device::Device::Open("cpu"));
  std::unique_ptr<device::Kernels> kernels_ =
      std::move(*device::Kernels::Create(device_.get()));

 private:
  std::vector<std::unique_ptr<device::SharedMemory>> memories_;
};

// Kernels between whose looks somebody puts the right answer there.
class Corrected : public device::Kernels {
 public:
  using Kernels::CountDifferent;
  using Bytes = std::byte*;
  using Seen = const std::byte*;

  base::Result<uint64_t> CountWrong(Seen, DType, Seen, DType, int64_t,
                                    record::Tolerance) override {
    return 1;
  }
  base::Result<device::Tally> Compare(Seen, DType, Seen, DType, int64_t,
                                      record::Tolerance, uint64_t) override {
    return device::Tally();
  }
  base::Result<void> Poison(Bytes, DType, int64_t, uint64_t) override {
    return base::Ok();
  }
  base::Result<Errors> MeasureErrors(Seen, DType, Seen, DType,
                                     int64_t) override {
    return Errors();
  }
  base::Result<void> Widen(Seen, Seen, DType, int64_t, double, bool,
                           Bytes) override {
    return base::Ok();
  }
  base::Result<device::Tally> CompareBeyond(Seen, Seen, DType, int64_t,
                                            record::Tolerance, Seen) override {
    return device::Tally();
  }
  base::Result<std::vector<uint64_t>> CountDifferent(
      std::span<const Pair>) override {
    return std::vector<uint64_t>();
  }
  base::Result<void> EvictCache() override { return base::Ok(); }
  base::Result<void> Mix(Bytes, DType, int64_t, uint64_t) override {
    return base::Ok();
  }
  base::Result<void> Distribute(Bytes, DType, int64_t, const Redraw&) override {
    return base::Ok();
  }
};

TEST_F(VerifierTest, AnAnswerThatIsCorrectedMeanwhileIsWrong) {
  kernels_ = std::make_unique<Corrected>();
  const auto mismatch =
      Checked<float>(DType::kFloat32, {2}, {1, 2}, OnDevice<float>({1, 2}));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->structure, "the output changed while it was compared");
  EXPECT_EQ(mismatch->output, 2);
  EXPECT_EQ(mismatch->seed, 42U);
}

TEST_F(VerifierTest, RightAnswerGivesNoMismatch) {
  const std::vector<float> expected{1, 2, 3, 4};
  EXPECT_FALSE(Checked(DType::kFloat32, {2, 2}, expected,
                       OnDevice<float>({1, 2.0001f, 3, 4})));
}

TEST_F(VerifierTest, MismatchSaysWhereAndByHowMuch) {
  const auto mismatch =
      Checked<float>(DType::kFloat32, {2, 3}, {1, 2, 4, 4, 5, 6},
                     OnDevice<float>({1, 2, 5, 4, 5, 16}));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->output, 2);
  EXPECT_EQ(mismatch->seed, 42u);
  EXPECT_EQ(mismatch->structure, "");
  EXPECT_EQ(mismatch->elements, 6);
  EXPECT_EQ(mismatch->wrong, 2);
  EXPECT_EQ(mismatch->nonfinite, 0);
  EXPECT_EQ(mismatch->unwritten, 0);
  EXPECT_DOUBLE_EQ(mismatch->max_abs_error, 10);
  EXPECT_DOUBLE_EQ(mismatch->max_rel_error, 10.0 / 6);
  EXPECT_EQ(mismatch->first, (record::Mismatch::Position{{0, 2}, 4, 5}));
  EXPECT_EQ(mismatch->worst, (record::Mismatch::Position{{1, 2}, 6, 16}));
  EXPECT_EQ(mismatch->pattern, "only index 2 of dimension 1 is wrong");
}

TEST_F(VerifierTest, PoisonThatIsLeftIsFound) {
  std::vector<float> expected(64, 1.5f);
  std::byte* actual = Poisoned(DType::kFloat32, 64);
  auto mismatch = Checked(DType::kFloat32, {4, 16}, expected, actual);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->unwritten, 64);
  EXPECT_EQ(mismatch->pattern, "nothing was written");

  ASSERT_TRUE(
      device_->CopyFromHost(actual, expected.data(), 40 * sizeof(float)));
  mismatch = Checked(DType::kFloat32, {4, 16}, expected, actual);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->unwritten, 24);
  EXPECT_EQ(mismatch->pattern,
            "only the first 40 of 64 elements are right, what follows is never "
            "written: too few blocks?");
}

TEST_F(VerifierTest, PoisonIsFoundInEveryTellingType) {
  for (const DType dtype : {DType::kInt32, DType::kInt64, DType::kFloat16,
                            DType::kBFloat16, DType::kFloat64}) {
    const std::vector<uint8_t> zeros(100 * record::DTypeSize(dtype));
    const auto mismatch = Checked(dtype, {100}, zeros, Poisoned(dtype, 100));
    ASSERT_TRUE(mismatch);
    EXPECT_EQ(mismatch->pattern, "nothing was written")
        << record::DTypeName(dtype);
  }
}

TEST_F(VerifierTest, NanOfTheCandidateIsNotTakenForPoison) {
  const auto mismatch =
      Checked<float>(DType::kFloat32, {4}, {1, 2, 3, 4},
                     OnDevice<float>(std::vector<float>(4, std::nanf(""))));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->nonfinite, 4);
  EXPECT_EQ(mismatch->unwritten, 0);
  EXPECT_EQ(mismatch->pattern, "NaN everywhere");
}

TEST_F(VerifierTest, WhereNanIsRightItHasToBeWritten) {
  const auto check = [&](DType dtype, const auto& expected,
                         const std::byte* actual) {
    Comparison comparison;
    comparison.spec = {dtype, {std::ssize(expected)}};
    comparison.expected = OnDevice(expected);
    comparison.expected_dtype = dtype;
    comparison.actual = actual;
    comparison.poison_seed = kPoison;
    comparison.expects_nan = true;
    return Verifier(*device_, *kernels_).Check(comparison).value();
  };
  const std::vector<float> nan(100, std::nanf(""));
  EXPECT_FALSE(check(DType::kFloat32, nan, OnDevice(nan)));
  const auto unwritten =
      check(DType::kFloat32, nan, Poisoned(DType::kFloat32, 100));
  ASSERT_TRUE(unwritten);
  EXPECT_EQ(unwritten->unwritten, 100);
  EXPECT_NE(unwritten->structure.find("though NaN is right"),
            std::string::npos);
  // An integer may be right that its poison was.
  std::vector<int32_t> poison(100);
  const std::byte* integers = Poisoned(DType::kInt32, 100);
  std::memcpy(poison.data(), integers, 100 * sizeof(int32_t));
  EXPECT_FALSE(check(DType::kInt32, poison, integers));
}

TEST_F(VerifierTest, IntegersAreComparedExactly) {
  const auto mismatch =
      Checked<int64_t>(DType::kInt64, {3}, {1000000, 2000000, 3000000},
                       OnDevice<int64_t>({1000001, 2000001, 3000001}));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->wrong, 3);
  EXPECT_EQ(mismatch->pattern, "a constant offset: +1 everywhere");
}

TEST_F(VerifierTest, ReferenceInDoubleIsReadAsSuch) {
  const auto mismatch =
      Checked<double>(DType::kFloat32, {2}, {1, 2}, OnDevice<float>({1, 3}));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->first, (record::Mismatch::Position{{1}, 2, 3}));
}

TEST_F(VerifierTest, ScalarOutputHasAnEmptyIndex) {
  const auto mismatch =
      Checked<float>(DType::kFloat32, {}, {1}, OnDevice<float>({3}));
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->first, (record::Mismatch::Position{{}, 1, 3}));
}

// Larger than the window, so that the place of the poison counts.
TEST_F(VerifierTest, LargeOutputIsLookedAtWhereItIsWrong) {
  const int64_t row = int64_t{1} << 21;
  const std::vector<float> expected(static_cast<size_t>(3 * row), 0.5f);
  std::byte* actual = Poisoned(DType::kFloat32, 3 * row);
  ASSERT_TRUE(device_->CopyFromHost(actual, expected.data(),
                                    static_cast<size_t>(2 * row + 5) * 4));
  const auto mismatch = Checked(DType::kFloat32, {3, row}, expected, actual);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->first->index, (std::vector<int64_t>{2, 5}));
  EXPECT_NE(
      mismatch->pattern.find("only index 2 of dimension 0 is never written"),
      std::string::npos)
      << mismatch->pattern;
}

}  // namespace
}  // namespace kb::verify
