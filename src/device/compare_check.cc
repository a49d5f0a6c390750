#include "compare_check.h"

namespace kb::device {

base::Result<void> CheckComparable(record::DType expected,
                                   record::DType actual) {
  const bool wider =
      expected == record::DType::kFloat64 && record::IsFloating(actual);
  if (expected == actual || wider) return base::Ok();
  return base::Fail(
      "cannot compare {} with an expected {}: give the expected values as {} "
      "or, for floating types, as float64",
      record::DTypeName(actual), record::DTypeName(expected),
      record::DTypeName(actual));
}

base::Result<void> CheckSlack(record::DType dtype) {
  if (dtype == record::DType::kFloat16 || dtype == record::DType::kBFloat16 ||
      dtype == record::DType::kFloat32)
    return base::Ok();
  return base::Fail(
      "elements of {} have no slack of their own: only float16, bfloat16 and "
      "float32 have",
      record::DTypeName(dtype));
}

base::Result<void> CheckMixable(record::DType dtype) {
  if (record::IsFloating(dtype)) return base::Ok();
  return base::Fail("cannot mix {}: only floating inputs are mixed",
                    record::DTypeName(dtype));
}

base::Result<kernels::Redrawing> RedrawingOf(record::DType dtype,
                                             const Kernels::Redraw& how) {
  const bool ids =
      dtype == record::DType::kInt32 || dtype == record::DType::kInt64;
  const bool zipf = how.as == record::Distribution::kZipf;
  if (zipf ? !ids : !record::IsFloating(dtype))
    return base::Fail("cannot make {} of {}", record::DistributionName(how.as),
                      record::DTypeName(dtype));
  if (how.row < 1 || how.range < 1)
    return base::Fail("rows of {} elements, {} ids: must be 1 or more", how.row,
                      how.range);
  return kernels::Redrawing{how.seed, how.row, how.least, how.range,
                            static_cast<int>(how.as)};
}

}  // namespace kb::device
