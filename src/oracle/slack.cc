#include "slack.h"

#include "base/check.h"

namespace kb::oracle {

using base::Result;

bool Slack::Has(size_t output) const {
  return output < held_.size() && held_[output];
}

void Slack::Drop(size_t output) {
  if (Has(output)) held_[output] = false;
}

bool Slack::Reserve(size_t output, int64_t elements) {
  const size_t bytes = static_cast<size_t>(elements) * sizeof(float);
  if (memory_.size() <= output) memory_.resize(output + 1);
  auto& memory = memory_[output];
  if (memory && memory->size() >= bytes) return true;
  memory.reset();
  auto made = device_->Allocate(bytes);
  if (made) memory = std::move(*made);
  return memory != nullptr;
}

Result<void> Slack::Widen(size_t output, const TensorView& exact,
                          const TensorView& moved, double factor) {
  KB_CHECK(output < memory_.size() && memory_[output]);
  KB_TRY(kernels_->Widen(exact.data, moved.data, moved.spec.dtype,
                         moved.spec.Elements(), factor, !Has(output),
                         memory_[output]->data()));
  if (held_.size() <= output) held_.resize(output + 1);
  held_[output] = true;
  was_held_ = true;
  return base::Ok();
}

Result<device::Tally> Slack::Compare(size_t output, const TensorView& exact,
                                     const std::byte* actual,
                                     record::DType dtype,
                                     record::Tolerance tolerance) const {
  KB_CHECK(Has(output));
  return kernels_->CompareBeyond(exact.data, actual, dtype,
                                 exact.spec.Elements(), tolerance,
                                 memory_[output]->data());
}

}  // namespace kb::oracle
