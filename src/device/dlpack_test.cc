#include "device/dlpack.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace kb::device {
namespace {

constexpr DLDevice kCpu{1, 0};

// float32 on cpu.
class Tensor {
 public:
  Tensor(std::vector<int64_t> shape, std::vector<int64_t> strides)
      : shape_(std::move(shape)), strides_(std::move(strides)) {
    tensor_ = {
        nullptr,    kCpu,          static_cast<int32_t>(shape_.size()),
        {2, 32, 1}, shape_.data(), strides_.empty() ? nullptr : strides_.data(),
        0};
  }
  Tensor(const Tensor&) = delete;  // the tensor points into it
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor() = default;
  DLTensor& get() { return tensor_; }

 private:
  std::vector<int64_t> shape_;
  std::vector<int64_t> strides_;
  DLTensor tensor_{};
};

bool IsDense(std::vector<int64_t> shape, std::vector<int64_t> strides) {
  return IsContiguous(Tensor(std::move(shape), std::move(strides)).get());
}

TEST(Contiguous, IsRowMajorWithoutGaps) {
  EXPECT_TRUE(IsDense({2, 3, 4}, {12, 4, 1}));
  EXPECT_FALSE(IsDense({3, 2}, {1, 3})) << "transposed";
  EXPECT_FALSE(IsDense({2, 3}, {4, 1})) << "padded rows";
  EXPECT_FALSE(IsDense({4}, {2})) << "every other element";
  EXPECT_FALSE(IsDense({4}, {-1})) << "backwards";
  EXPECT_FALSE(IsDense({2, 3}, {0, 1})) << "expanded";
}

TEST(Contiguous, NoStridesMeanSo) { EXPECT_TRUE(IsDense({2, 3}, {})); }

TEST(Contiguous, ADimensionOfOneHasNoStride) {
  EXPECT_TRUE(IsDense({2, 1, 4}, {4, 77, 1}));
  EXPECT_TRUE(IsDense({1}, {9}));
  EXPECT_FALSE(IsDense({2, 1, 4}, {5, 77, 1}));
}

TEST(Contiguous, WhatHasNoElementsIs) {
  EXPECT_TRUE(IsDense({0, 3}, {6, 2}));
  EXPECT_TRUE(IsDense({3, 0}, {7, 7}));
}

TEST(Contiguous, AScalarIs) {
  int64_t none = 0;
  DLTensor scalar{nullptr, kCpu, 0, {2, 32, 1}, &none, &none, 0};
  EXPECT_TRUE(IsContiguous(scalar));
}

TEST(Describe, SaysTypeShapeAndDevice) {
  Tensor tensor({3, 4}, {});
  EXPECT_EQ(Describe(tensor.get()), "float32[3, 4] on cpu");
  tensor.get().device = {2, 1};
  tensor.get().dtype = {4, 16, 1};
  EXPECT_EQ(Describe(tensor.get()), "bfloat16[3, 4] on cuda:1");
  EXPECT_EQ(Describe(Tensor({}, {}).get()), "float32[] on cpu");
}

TEST(Describe, ATypeThatIsNotOursIsSaidToBe) {
  Tensor tensor({2}, {});
  tensor.get().dtype = {5, 64, 1};  // kDLComplex
  EXPECT_EQ(Describe(tensor.get()), "unsupported dtype[2] on cpu");
  tensor.get().dtype = {2, 32, 4};
  EXPECT_EQ(Describe(tensor.get()), "unsupported dtype[2] on cpu");
}

TEST(ManagedTensor, BorrowsTheDataAndOwnsItsShape) {
  std::array<std::byte, 24> data{};
  DLManagedTensor* managed = nullptr;
  {
    const record::TensorSpec spec{record::DType::kInt16, {3, 4}};
    managed = NewManagedTensor(spec, data.data(), {2, 1});
  }
  const DLTensor& tensor = managed->dl_tensor;
  EXPECT_EQ(tensor.data, data.data());
  EXPECT_EQ(tensor.device.device_type, 2);
  EXPECT_EQ(tensor.device.device_id, 1);
  EXPECT_EQ(tensor.dtype.code, 0);
  EXPECT_EQ(tensor.dtype.bits, 16);
  EXPECT_EQ(tensor.dtype.lanes, 1);
  EXPECT_EQ(std::vector(tensor.shape, tensor.shape + tensor.ndim),
            (std::vector<int64_t>{3, 4}));
  EXPECT_TRUE(IsContiguous(tensor));
  EXPECT_EQ(tensor.byte_offset, 0U);
  managed->deleter(managed);
}

TEST(DLDeviceOf, IsTheHostForTheCpu) {
  const auto cpu = Device::Open("cpu");
  ASSERT_TRUE(cpu);
  EXPECT_EQ(DLDeviceOf(**cpu).device_type, 1);
  EXPECT_EQ(DLDeviceOf(**cpu).device_id, 0);
}

}  // namespace
}  // namespace kb::device
