#include "pool.h"

#include <algorithm>
#include <vector>

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
  auto offset = used_.Take(next_, rounded);
  if (!offset) offset = used_.Take(0, rounded);
  std::byte* place = nullptr;
  if (offset) {
    next_ = *offset + rounded;
    place = memory_.data() + *offset;
  } else {
    place = AllocateOther(rounded);
  }
  if (place == nullptr) return nullptr;
  in_use_ += rounded;
  most_ = std::max(most_, in_use_);
  return place;
}

std::byte* Pool::AllocateOther(size_t bytes) {
  for (auto it = spare_.begin(); it != spare_.end(); ++it) {
    if (it->second->size() != bytes) continue;
    return others_.insert(spare_.extract(it)).position->first;
  }
  auto other = device_->Allocate(bytes);
  if (!other && !spare_.empty()) {
    spare_.clear();
    other = device_->Allocate(bytes);
  }
  if (!other) return nullptr;
  std::byte* const place = (*other)->data();
  others_[place] = std::move(*other);
  return place;
}

void Pool::Free(std::byte* memory) {
  if (auto other = others_.extract(memory)) {
    in_use_ -= other.mapped()->size();
    spare_.insert(std::move(other));
    return;
  }
  in_use_ -= used_.GiveBack(static_cast<size_t>(memory - memory_.data()));
}

void Pool::DropSpare() { spare_.clear(); }

void Pool::Move() {
  const size_t wanted = most_ - in_use_;
  std::vector<size_t> places;
  for (const Extents::Gap& gap : used_.Gaps())
    for (size_t place = 0; place + wanted <= gap.bytes; place += kAlignment)
      places.push_back(gap.begin + place);
  next_ = places.empty() ? 0 : places[base::SecretSeed() % places.size()];
}

}  // namespace kb::candidate
