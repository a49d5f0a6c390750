#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "record/outside.h"
#include "record/policy.h"
#include "record/tensor.h"

namespace kb::device {

// What one pass over one output saw. Partial tallies of parts of the output
// add up with Merge. Indices are flat; -1: none.
struct Tally {
  int64_t elements = 0;
  int64_t wrong = 0;         // not within the tolerance, NaN included
  int64_t nonfinite = 0;     // of these: finiteness or sign of inf differs
  int64_t unwritten = 0;     // bits equal to the poison at that place
  int64_t zeros = 0;         // actual is 0
  double max_abs_error = 0;  // over positions where both are finite
  double max_rel_error = 0;  // |d| / |expected|, expected != 0, both finite
  // The smallest t with |d| <= t + t * |expected| wherever both are finite.
  double least_tolerance = 0;
  // Over non-NaN actual values; +inf and -inf when there is none.
  double min_actual = std::numeric_limits<double>::infinity();
  double max_actual = -std::numeric_limits<double>::infinity();
  int64_t first_wrong = -1;
  int64_t worst = -1;  // wrong element of the largest |d| (non-finite
                       // ones count as infinite); -1: none is wrong
  double worst_error = 0;
  // Sums of squares, for relative errors of whole tensors (float64).
  double sum_sq_error = 0;
  double sum_sq_expected = 0;
  void Merge(const Tally& other);
};

// The trusted side's work on device memory: fill, compare, evict. CUDA source
// is compiled by NVRTC on first use and cached on disk (share/kernels/*.cu).
//
// Thread-safety: one thread. All calls are complete on return unless said.
class Kernels {
 public:
  virtual ~Kernels() = default;
  static base::Result<std::unique_ptr<Kernels>> Create(Device* device);

  // Fills `elements` elements with a pattern that depends on seed and place:
  // for floating types NaNs with payload, for others pseudo-random bits. On
  // cuda enqueued on the default stream.
  virtual base::Result<void> Poison(std::byte* data, record::DType dtype,
                                    int64_t elements, uint64_t seed) = 0;

  // One pass: |actual - expected| <= atol + rtol * |expected| for floating
  // types (non-finite positions must agree exactly, NaN with NaN), equality for
  // others. `expected` has `expected_dtype`: the same as dtype, or float64 when
  // the reference was computed in double.
  virtual base::Result<Tally> Compare(const std::byte* expected,
                                      record::DType expected_dtype,
                                      const std::byte* actual,
                                      record::DType dtype, int64_t elements,
                                      record::Tolerance tolerance,
                                      uint64_t poison_seed) = 0;

  // Tally::wrong of the same, at a few times the speed.
  virtual base::Result<uint64_t> CountWrong(const std::byte* expected,
                                            record::DType expected_dtype,
                                            const std::byte* actual,
                                            record::DType dtype,
                                            int64_t elements,
                                            record::Tolerance tolerance) = 0;
  // Two fields of the same: what a tolerance is made of.
  struct Errors {
    double max_abs_error = 0;    // of floating types
    double sum_sq_expected = 0;  // where both are finite
  };
  virtual base::Result<Errors> MeasureErrors(const std::byte* expected,
                                             record::DType expected_dtype,
                                             const std::byte* actual,
                                             record::DType dtype,
                                             int64_t elements) = 0;

  // What each element may err by besides a tolerance: float32, on the device.
  // Becomes `factor` times |actual - exact|, or stays if that is more and not
  // `anew`; infinity where not both are finite. `exact` is float64, `dtype` of
  // 16 or 32 bits and floating.
  virtual base::Result<void> Widen(const std::byte* exact,
                                   const std::byte* actual, record::DType dtype,
                                   int64_t elements, double factor, bool anew,
                                   std::byte* slack) = 0;
  // As Compare of the same types, with every element's tolerance wider by its
  // slack, and only of elements that are finite on both sides. Tells no more
  // than elements, wrong, first_wrong, worst and worst_error: by how much more
  // it errs than it may.
  virtual base::Result<Tally> CompareBeyond(const std::byte* exact,
                                            const std::byte* actual,
                                            record::DType dtype,
                                            int64_t elements,
                                            record::Tolerance tolerance,
                                            const std::byte* slack) = 0;

  // How many bytes of each pair differ, all in one go: to wait for the device
  // takes longer than to compare a little.
  struct Pair {
    const std::byte* a = nullptr;
    const std::byte* b = nullptr;
    size_t bytes = 0;
  };
  virtual base::Result<std::vector<uint64_t>> CountDifferent(
      std::span<const Pair> pairs) = 0;
  base::Result<uint64_t> CountDifferent(const std::byte* a, const std::byte* b,
                                        size_t bytes);

  // Reads and writes more than the last-level cache, and (cuda) resets
  // persisting lines. On cuda enqueued on the default stream.
  virtual base::Result<void> EvictCache() = 0;

  // Fills with floats in mixed scales, signs and outliers derived from what is
  // there: x -> sign * scale * x with scale in {2^-6 .. 2^4} by block and a
  // small share of outliers. dtype must be floating. Used by strict inputs.
  virtual base::Result<void> Mix(std::byte* data, record::DType dtype,
                                 int64_t elements, uint64_t seed) = 0;

  // Gives a tensor another distribution, made of what is there.
  struct Redraw {
    record::Distribution as = record::Distribution::kLongTail;
    uint64_t seed = 0;
    int64_t row = 1;  // elements of the last dimension
    // Of ids: from `least` on so many numbers, at least 1.
    int64_t least = 0;
    int64_t range = 1;
  };
  // dtype must be floating, or int32 or int64 for kZipf.
  virtual base::Result<void> Distribute(std::byte* data, record::DType dtype,
                                        int64_t elements,
                                        const Redraw& how) = 0;
};

}  // namespace kb::device
