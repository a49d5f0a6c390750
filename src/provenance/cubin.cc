#include "cubin.h"

#include <elf.h>

#include <cstring>

namespace kb::provenance {
namespace {

// Copies what is there; false when it is not.
template <typename T>
bool Read(std::string_view bytes, uint64_t offset, T* value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(value, bytes.data() + offset, sizeof(T));
  return true;
}

// A text that ends with a zero.
std::string_view TextAt(std::string_view bytes, uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const std::string_view rest = bytes.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

}  // namespace

std::vector<std::string> KernelsOf(std::string_view cubin) {
  constexpr std::string_view kCode = ".text.";
  Elf64_Ehdr head;
  Elf64_Shdr names;
  if (!Read(cubin, 0, &head) ||
      std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_shentsize != sizeof(Elf64_Shdr) ||
      !Read(cubin, head.e_shoff + head.e_shstrndx * sizeof names, &names))
    return {};
  std::vector<std::string> kernels;
  for (uint64_t i = 0; i < head.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!Read(cubin, head.e_shoff + i * sizeof section, &section)) break;
    const std::string_view name =
        TextAt(cubin, names.sh_offset + section.sh_name);
    if (name.starts_with(kCode))
      kernels.emplace_back(name.substr(kCode.size()));
  }
  return kernels;
}

}  // namespace kb::provenance
