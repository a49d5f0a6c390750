#include "distributions.h"

#include <gtest/gtest.h>

namespace kb::oracle {
namespace {

using record::Distribution;
using record::DType;
using record::TensorSpec;
using List = std::vector<Distribution>;

const TensorSpec kMatrix{DType::kFloat32, {8, 16}};
const TensorSpec kIds{DType::kInt64, {8}};

List For(const Reference::InputNature& input, const TensorSpec& spec,
         const TensorSpec& output = kMatrix) {
  Reference::Nature nature;
  nature.inputs.push_back(input);
  return DistributionsFor(nature, {spec}, {output});
}

TEST(Distributions, WhatAnInputIsSaysWhichThereAre) {
  using enum Distribution;
  EXPECT_EQ(For({.free = true}, kMatrix),
            (List{kLongTail, kLarge, kNegative, kNearZero, kRepeated}));
  EXPECT_EQ(For({.free = true, .negative = true}, kMatrix),
            (List{kLongTail, kLarge, kPositive, kNearZero, kRepeated}));
  EXPECT_EQ(For({.free = true, .sparse = true}, kMatrix),
            (List{kLongTail, kLarge, kNegative, kNearZero}))
      << "a triangle is no triangle with other rows";
  EXPECT_EQ(For({.free = true}, {DType::kFloat32, {16}}),
            (List{kLongTail, kLarge, kNegative, kNearZero}))
      << "one row";
  EXPECT_EQ(For({.ids = true, .range = 9}, kIds), List{kZipf});
  EXPECT_EQ(For({}, kMatrix), List{}) << "masks stay masks";
}

TEST(Distributions, WhereTheAnswerIsAPlaceNoTiesAreMade) {
  using enum Distribution;
  EXPECT_EQ(For({.free = true}, kMatrix, kIds),
            (List{kLongTail, kLarge, kNegative}));
}

TEST(Distributions, FixedInputsStayAsTheyAreBesideOthers) {
  auto device = std::move(*device::Device::Open("cpu"));
  const auto kernels = std::move(*device::Kernels::Create(device.get()));
  std::vector<float> free(16, 0.5F), mask(16, 1);
  const TensorSpec row{DType::kFloat32, {16}};
  const std::vector<TensorView> inputs{
      {row, reinterpret_cast<std::byte*>(free.data())},
      {row, reinterpret_cast<std::byte*>(mask.data())}};
  Reference::Nature nature;
  nature.inputs = {{.free = true}, {}};
  ASSERT_TRUE(
      Distribute(kernels.get(), inputs, nature, Distribution::kNegative, 1));
  EXPECT_EQ(free, std::vector<float>(16, -0.5F));
  EXPECT_EQ(mask, std::vector<float>(16, 1));
}

}  // namespace
}  // namespace kb::oracle
