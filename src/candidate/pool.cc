#include "pool.h"

#include <algorithm>

#include "base/random.h"

namespace kb::candidate {
namespace {

// As what the driver allocates.
constexpr size_t kAlignment = size_t{2} << 20;

size_t AlignUp(size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

std::byte* Pool::Allocate(size_t bytes) {
  const size_t rounded = AlignUp(std::max<size_t>(bytes, 1));
  auto offset = Find(next_, rounded);
  if (!offset) offset = Find(0, rounded);
  if (offset) {
    used_[*offset] = rounded;
    next_ = *offset + rounded;
    return memory_.data() + *offset;
  }
  auto other = device_->Allocate(bytes);
  if (!other) return nullptr;
  std::byte* const place = (*other)->data();
  others_[place] = std::move(*other);
  return place;
}

std::optional<size_t> Pool::Find(size_t from, size_t bytes) const {
  size_t gap = from;
  for (const auto& [begin, size] : used_) {
    if (begin + size <= gap) continue;
    if (begin >= gap + bytes) break;
    gap = begin + size;
  }
  if (gap > memory_.size() || bytes > memory_.size() - gap) return std::nullopt;
  return gap;
}

void Pool::Free(std::byte* memory) {
  if (others_.erase(memory) > 0) return;
  used_.erase(static_cast<size_t>(memory - memory_.data()));
}

void Pool::Move() {
  const size_t places = memory_.size() / kAlignment;
  if (places == 0) return;
  next_ = base::SecretSeed() % places * kAlignment;
}

}  // namespace kb::candidate
