#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/result.h"
#include "device/device.h"
#include "device/kernels.h"
#include "record/evaluation.h"
#include "record/policy.h"
#include "record/tensor.h"

namespace kb::verify {

// One output tensor of one trial. Both addresses are the device's.
struct Comparison {
  int64_t output = 0;       // which output of the problem
  record::TensorSpec spec;  // of `actual`
  const std::byte* expected = nullptr;
  record::DType expected_dtype = record::DType::kFloat32;  // or float64
  const std::byte* actual = nullptr;
  record::Tolerance tolerance;  // not used for integers and bool
  uint64_t poison_seed = 0;     // what `actual` was poisoned with before
  bool expects_nan = false;     // some elements may be, as all poison is
  uint64_t trial_seed = 0;      // for the report
};

// Compares outputs and says in a person's words what is wrong with them.
//
// Thread-safety: one thread, that of the device.
class Verifier {
 public:
  // Both must outlive the verifier.
  Verifier(device::Device& device, device::Kernels& kernels)
      : device_(&device), kernels_(&kernels) {}

  // Nothing when every element is within the tolerance.
  base::Result<std::optional<record::Mismatch>> Check(
      const Comparison& comparison);

  // The report of a comparison whose tally (of Kernels::Compare with the same
  // arguments) has wrong elements.
  base::Result<record::Mismatch> Explain(const Comparison& comparison,
                                         const device::Tally& tally);

 private:
  base::Result<record::Mismatch::Position> PositionOf(
      const Comparison& comparison, int64_t flat);
  base::Result<std::string> PatternOf(const Comparison& comparison,
                                      const device::Tally& tally);

  device::Device* device_;
  device::Kernels* kernels_;
};

}  // namespace kb::verify
