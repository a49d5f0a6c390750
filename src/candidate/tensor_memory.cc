#include "tensor_memory.h"

#include <algorithm>

namespace kb::candidate {
namespace {

constexpr size_t kPage = 4096;

}  // namespace

TensorMemory::TensorMemory(std::span<std::byte> memory,
                           std::vector<size_t> sizes)
    : memory_(memory), sizes_(std::move(sizes)), used_(memory.size()) {
  std::erase(sizes_, 0U);
}

TensorMemory* TensorMemory::Install(std::unique_ptr<TensorMemory> memory) {
  TensorMemory* const served = memory.release();
  installed.store(served, std::memory_order_release);
  return served;
}

void* TensorMemory::Allocate(size_t alignment, size_t bytes) {
  if (!serves_.load(std::memory_order_relaxed) || alignment > kPage ||
      std::ranges::find(sizes_, bytes) == sizes_.end())
    return nullptr;
  const std::scoped_lock lock(mutex_);
  const auto offset = used_.Take(0, (bytes + kPage - 1) / kPage * kPage);
  return offset ? memory_.data() + *offset : nullptr;
}

bool TensorMemory::Holds(const void* memory) const {
  return memory >= memory_.data() && memory < memory_.data() + memory_.size();
}

size_t TensorMemory::OffsetOf(const void* memory) const {
  return static_cast<size_t>(static_cast<const std::byte*>(memory) -
                             memory_.data());
}

size_t TensorMemory::BytesAt(const void* memory) {
  const std::scoped_lock lock(mutex_);
  return used_.At(OffsetOf(memory));
}

void TensorMemory::Free(void* memory) {
  const std::scoped_lock lock(mutex_);
  used_.GiveBack(OffsetOf(memory));
}

}  // namespace kb::candidate
