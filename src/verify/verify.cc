#include "verify/verify.h"

#include <fmt/format.h>

#include <vector>

#include "elements.h"
#include "verify/diagnose.h"

namespace kb::verify {
namespace {

using base::Result;

size_t OffsetOf(int64_t flat, record::DType dtype) {
  return static_cast<size_t>(flat) * record::DTypeSize(dtype);
}

Result<std::vector<std::byte>> Fetch(device::Device* device,
                                     const std::byte* data, record::DType dtype,
                                     const WindowPlace& place) {
  std::vector<std::byte> bytes(OffsetOf(place.elements, dtype));
  KB_TRY(device->CopyToHost(bytes.data(), data + OffsetOf(place.first, dtype),
                            bytes.size()));
  return bytes;
}

Result<double> FetchOne(device::Device* device, const std::byte* data,
                        record::DType dtype, int64_t flat) {
  WindowPlace place;
  place.first = flat;
  place.elements = 1;
  KB_ASSIGN(const auto bytes, Fetch(device, data, dtype, place));
  return ToDoubles(bytes, dtype).front();
}

}  // namespace

Result<std::optional<record::Mismatch>> Verifier::Check(
    const Comparison& comparison) {
  // Right ones are asked for no more than that.
  KB_ASSIGN(
      const uint64_t wrong,
      kernels_->CountWrong(comparison.expected, comparison.expected_dtype,
                           comparison.actual, comparison.spec.dtype,
                           comparison.spec.Elements(), comparison.tolerance));
  // An integer may well be what its poison was.
  const bool may_be_poison = comparison.expects_nan &&
                             record::IsFloating(comparison.spec.dtype) &&
                             PoisonIsTelling(comparison.spec.dtype);
  if (wrong == 0 && !may_be_poison) return std::optional<record::Mismatch>();
  KB_ASSIGN(const device::Tally tally,
            kernels_->Compare(comparison.expected, comparison.expected_dtype,
                              comparison.actual, comparison.spec.dtype,
                              comparison.spec.Elements(), comparison.tolerance,
                              comparison.poison_seed));
  if (wrong == 0 && tally.wrong == 0) {
    if (tally.unwritten == 0) return std::optional<record::Mismatch>();
    record::Mismatch poison;
    poison.output = comparison.output;
    poison.elements = tally.elements;
    poison.wrong = poison.unwritten = tally.unwritten;
    poison.structure = fmt::format(
        "{} of {} elements of output {} were never written, though NaN is "
        "right",
        tally.unwritten, tally.elements, comparison.output);
    poison.seed = comparison.trial_seed;
    return std::optional(std::move(poison));
  }
  if (tally.wrong == 0) {
    record::Mismatch changed;
    changed.output = comparison.output;
    changed.structure = "the output changed while it was compared";
    changed.seed = comparison.trial_seed;
    return std::optional(std::move(changed));
  }
  KB_ASSIGN(auto mismatch, Explain(comparison, tally));
  return std::optional(std::move(mismatch));
}

Result<record::Mismatch> Verifier::Explain(const Comparison& comparison,
                                           const device::Tally& tally) {
  record::Mismatch mismatch;
  mismatch.output = comparison.output;
  mismatch.elements = tally.elements;
  mismatch.wrong = tally.wrong;
  mismatch.nonfinite = tally.nonfinite;
  if (PoisonIsTelling(comparison.spec.dtype))
    mismatch.unwritten = tally.unwritten;
  mismatch.max_abs_error = tally.max_abs_error;
  mismatch.max_rel_error = tally.max_rel_error;
  mismatch.seed = comparison.trial_seed;
  KB_ASSIGN(mismatch.first, PositionOf(comparison, tally.first_wrong));
  KB_ASSIGN(mismatch.worst, PositionOf(comparison, tally.worst));
  KB_ASSIGN(mismatch.pattern, PatternOf(comparison, tally));
  return mismatch;
}

Result<record::Mismatch::Position> Verifier::PositionOf(
    const Comparison& comparison, int64_t flat) {
  record::Mismatch::Position position;
  position.index = MultiIndex(comparison.spec.shape, flat);
  KB_ASSIGN(position.expected, FetchOne(device_, comparison.expected,
                                        comparison.expected_dtype, flat));
  KB_ASSIGN(position.actual,
            FetchOne(device_, comparison.actual, comparison.spec.dtype, flat));
  return position;
}

Result<std::string> Verifier::PatternOf(const Comparison& comparison,
                                        const device::Tally& tally) {
  const record::DType dtype = comparison.spec.dtype;
  const WindowPlace place = WindowAt(comparison.spec.shape, tally.first_wrong);
  KB_ASSIGN(const auto expected_bytes, Fetch(device_, comparison.expected,
                                             comparison.expected_dtype, place));
  KB_ASSIGN(const auto actual_bytes,
            Fetch(device_, comparison.actual, dtype, place));
  const auto expected = ToDoubles(expected_bytes, comparison.expected_dtype);
  const auto actual = ToDoubles(actual_bytes, dtype);
  std::vector<uint8_t> unwritten;
  if (tally.unwritten > 0 && PoisonIsTelling(dtype))
    unwritten =
        StillPoison(actual_bytes, dtype, comparison.poison_seed, place.first);
  Window window;
  window.expected = expected;
  window.actual = actual;
  window.unwritten = unwritten;
  window.shape = place.shape;
  window.origin = place.origin;
  window.whole_shape = comparison.spec.shape;
  if (record::IsFloating(dtype)) window.tolerance = comparison.tolerance;
  window.wrong_in_all = tally.wrong;
  return Pattern(window);
}

}  // namespace kb::verify
