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

base::Result<void> CheckMixable(record::DType dtype) {
  if (record::IsFloating(dtype)) return base::Ok();
  return base::Fail("cannot mix {}: only floating inputs are mixed",
                    record::DTypeName(dtype));
}

}  // namespace kb::device
