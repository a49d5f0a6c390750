#include "elements.h"

#include <cstring>

#include "base/check.h"
#include "kernels/element.h"

namespace kb::verify {
namespace {

using record::DType;

// function(T{}) with the element type of share/kernels/element.h.
template <typename Function>
auto WithElement(DType dtype, Function&& function) {
  switch (dtype) {
    case DType::kBool:
      return function(kernels::Bool{});
    case DType::kUInt8:
      return function(kernels::UInt8{});
    case DType::kInt8:
      return function(kernels::Int8{});
    case DType::kInt16:
      return function(kernels::Int16{});
    case DType::kInt32:
      return function(kernels::Int32{});
    case DType::kInt64:
      return function(kernels::Int64{});
    case DType::kFloat16:
      return function(kernels::Float16{});
    case DType::kBFloat16:
      return function(kernels::BFloat16{});
    case DType::kFloat32:
      return function(kernels::Float32{});
    case DType::kFloat8E4M3:
      return function(kernels::Float8E4M3{});
    case DType::kFloat8E5M2:
      return function(kernels::Float8E5M2{});
    case DType::kFloat64:
      break;
  }
  return function(kernels::Float64{});
}

template <typename T>
typename T::Bits Load(std::span<const std::byte> bytes, size_t i) {
  typename T::Bits bits;
  std::memcpy(&bits, bytes.data() + i * sizeof(bits), sizeof(bits));
  return bits;
}

size_t CountOf(std::span<const std::byte> bytes, DType dtype) {
  KB_CHECK(bytes.size() % record::DTypeSize(dtype) == 0);
  return bytes.size() / record::DTypeSize(dtype);
}

}  // namespace

std::vector<double> ToDoubles(std::span<const std::byte> bytes, DType dtype) {
  std::vector<double> values(CountOf(bytes, dtype));
  WithElement(dtype, [&](auto type) {
    using T = decltype(type);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = T::Value(Load<T>(bytes, i));
  });
  return values;
}

std::vector<uint8_t> StillPoison(std::span<const std::byte> bytes, DType dtype,
                                 uint64_t seed, int64_t first) {
  std::vector<uint8_t> marks(CountOf(bytes, dtype));
  WithElement(dtype, [&](auto type) {
    using T = decltype(type);
    for (size_t i = 0; i < marks.size(); ++i)
      marks[i] = Load<T>(bytes, i) ==
                 kernels::PoisonAt<T>(seed, first + static_cast<int64_t>(i));
  });
  return marks;
}

bool PoisonIsTelling(DType dtype) { return record::DTypeSize(dtype) >= 2; }

std::vector<int64_t> MultiIndex(const std::vector<int64_t>& shape,
                                int64_t flat) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = flat % shape[d];
    flat /= shape[d];
  }
  return index;
}

}  // namespace kb::verify
