#pragma once

#include <memory>
#include <vector>

#include "device/device.h"
#include "device/kernels.h"
#include "oracle/reference.h"

namespace kb::oracle {

// What each element of an output may err by besides its own rounding: as much
// as the reference's answer moves just there when the inputs move by their last
// bit, as rounding on the way would move it. The size of the error of a sum is
// known there, where that of the whole output's largest element is no measure
// of it (N. Higham, Accuracy and Stability of Numerical Algorithms, 1.6:
// condition numbers; D. S. Parker, Monte Carlo Arithmetic, 1997).
//
// Holds device memory, four bytes an element, which grows and stays: who has
// taken it once is not refused it when a candidate has taken all the rest.
class Slack {
 public:
  // Both must outlive it.
  Slack(device::Device& device, device::Kernels& kernels)
      : device_(&device), kernels_(&kernels) {}

  // No output has any.
  void Clear() { held_.clear(); }
  void Drop(size_t output);
  bool Has(size_t output) const;
  // Whether an output has had some.
  bool WasHeld() const { return was_held_; }
  // Whether there is room for that of so many elements.
  bool Reserve(size_t output, int64_t elements);
  // Of a reserved output of 16 or 32 bits, whose answer in float64 is `exact`:
  // at least `factor` times as much as `moved` is off.
  base::Result<void> Widen(size_t output, const TensorView& exact,
                           const TensorView& moved, double factor);
  // Kernels::CompareBeyond of an output that has some.
  base::Result<device::Tally> Compare(size_t output, const TensorView& exact,
                                      const std::byte* actual,
                                      record::DType dtype,
                                      record::Tolerance tolerance) const;

 private:
  device::Device* device_;
  device::Kernels* kernels_;
  std::vector<bool> held_;  // by output
  bool was_held_ = false;
  std::vector<std::unique_ptr<device::SharedMemory>> memory_;
};

}  // namespace kb::oracle
