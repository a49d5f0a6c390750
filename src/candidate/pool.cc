#include "pool.h"

namespace kb::candidate {

std::byte* Pool::Allocate(size_t bytes) {
  constexpr size_t kAlignment = 512;  // as PyTorch's allocator
  const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (rounded <= memory_.size() - used_) {
    std::byte* const place = memory_.data() + used_;
    used_ += rounded;
    return place;
  }
  auto other = device_->Allocate(bytes);
  if (!other) return nullptr;
  std::byte* const place = (*other)->data();
  others_[place] = std::move(*other);
  return place;
}

}  // namespace kb::candidate
