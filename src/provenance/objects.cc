#include "objects.h"

#include <link.h>

#include <algorithm>

namespace kb::provenance {
namespace {

// Some address in the object that this code is in.
const char kHere = 0;

bool Holds(const dl_phdr_info& info, uintptr_t address) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& part = info.dlpi_phdr[i];
    const uintptr_t begin = info.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= begin &&
        address < begin + part.p_memsz)
      return true;
  }
  return false;
}

}  // namespace

Objects Objects::Loaded() {
  Objects all;
  const auto add = [](dl_phdr_info* info, size_t /*size*/, void* data) {
    auto& to = *static_cast<Objects*>(data);
    Object object;
    object.path = info->dlpi_name;
    object.base = info->dlpi_addr;
    object.kind = Holds(*info, reinterpret_cast<uintptr_t>(&kHere))
                      ? CodeKind::kOurs
                      : KindOfObject(object.path);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& part = info->dlpi_phdr[i];
      if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
      const uintptr_t begin = info->dlpi_addr + part.p_vaddr;
      to.ranges_.push_back({begin, begin + part.p_memsz, to.objects_.size()});
    }
    to.objects_.push_back(std::move(object));
    return 0;
  };
  dl_iterate_phdr(add, &all);
  std::ranges::sort(all.ranges_, {}, &Range::begin);
  return all;
}

const Objects::Object* Objects::Of(uintptr_t address) const {
  const auto after =
      std::ranges::upper_bound(ranges_, address, {}, &Range::begin);
  if (after == ranges_.begin()) return nullptr;
  const Range& range = *(after - 1);
  return address < range.end ? &objects_[range.object] : nullptr;
}

uint64_t Objects::LoadedEver() {
  uint64_t count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t /*size*/, void* data) {
        *static_cast<uint64_t*>(data) = info->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

}  // namespace kb::provenance
