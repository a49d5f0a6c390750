#include "extents.h"

namespace kb::candidate {

std::optional<size_t> Extents::Take(size_t from, size_t bytes) {
  size_t gap = from;
  for (const auto& [begin, size] : used_) {
    if (begin + size <= gap) continue;
    if (begin >= gap + bytes) break;
    gap = begin + size;
  }
  if (gap > bytes_ || bytes > bytes_ - gap) return std::nullopt;
  used_[gap] = bytes;
  return gap;
}

size_t Extents::GiveBack(size_t offset) {
  const auto used = used_.find(offset);
  if (used == used_.end()) return 0;
  const size_t bytes = used->second;
  used_.erase(used);
  return bytes;
}

size_t Extents::At(size_t offset) const {
  const auto used = used_.find(offset);
  return used != used_.end() ? used->second : 0;
}

std::vector<Extents::Gap> Extents::Gaps() const {
  std::vector<Gap> gaps;
  size_t end = 0;
  for (const auto& [begin, size] : used_) {
    if (begin > end) gaps.push_back({end, begin - end});
    end = begin + size;
  }
  if (bytes_ > end) gaps.push_back({end, bytes_ - end});
  return gaps;
}

}  // namespace kb::candidate
