#include "roundings.h"

#include <algorithm>
#include <cmath>

namespace kb::oracle {

double RoundingError(record::DType dtype) {
  switch (dtype) {
    case record::DType::kFloat16:
      return std::ldexp(1.0, -11);
    case record::DType::kBFloat16:
      return std::ldexp(1.0, -8);
    case record::DType::kFloat64:
      // What is computed in float64 shows no error beside it: room for sums of
      // 2^24 terms in another order (2^12 roundings of 2^-53).
      return std::ldexp(1.0, -41);
    case record::DType::kFloat8E4M3:
      return std::ldexp(1.0, -4);
    case record::DType::kFloat8E5M2:
      return std::ldexp(1.0, -3);
    default:
      return std::ldexp(1.0, -24);
  }
}

double StepsIn(record::DType dtype) {
  switch (dtype) {
    case record::DType::kFloat16:
    case record::DType::kBFloat16:
      return 1;
    case record::DType::kFloat32:
      return 256;
    default:
      return 0;
  }
}

double RoundingsOfSum(std::span<const TensorView> inputs,
                      const record::TensorSpec& output) {
  constexpr double kMany = 1 << 16;
  if (output.dtype != record::DType::kFloat32) return 0;
  int64_t drawn = 0;
  for (const TensorView& input : inputs)
    if (record::IsFloating(input.spec.dtype)) drawn += input.spec.Elements();
  const double terms =
      static_cast<double>(drawn) /
      static_cast<double>(std::max<int64_t>(1, output.Elements()));
  return terms < kMany ? 0 : 2 * std::sqrt(std::sqrt(terms));
}

}  // namespace kb::oracle
