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

Result<void> Slack::Widen(size_t output, const TensorView& exact,
                          const TensorView& moved, double factor) {
  const int64_t elements = moved.spec.Elements();
  const size_t bytes = static_cast<size_t>(elements) * sizeof(float);
  if (memory_.size() <= output) memory_.resize(output + 1);
  auto& memory = memory_[output];
  if (!memory || memory->size() < bytes) {
    memory.reset();
    KB_ASSIGN(memory, device_->Allocate(bytes));
  }
  const bool anew = !Has(output);
  KB_TRY(kernels_->Widen(exact.data, moved.data, moved.spec.dtype, elements,
                         factor, anew, memory->data()));
  if (held_.size() <= output) held_.resize(output + 1);
  held_[output] = true;
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
