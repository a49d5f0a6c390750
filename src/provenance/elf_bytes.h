#pragma once

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

// Of ELF files that anybody may have written: nothing is read that is not
// there.
namespace kb::provenance {

// Copies what is there; false when it is not.
template <typename T>
bool ReadAt(std::string_view bytes, uint64_t offset, T* value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(value, bytes.data() + offset, sizeof(T));
  return true;
}

// A text that ends with a zero.
inline std::string_view TextAt(std::string_view bytes, uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const std::string_view rest = bytes.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

// As many of its sections as are there; none of what is no such file.
inline std::vector<Elf64_Shdr> SectionsOf(std::string_view elf,
                                          Elf64_Ehdr* head) {
  std::vector<Elf64_Shdr> sections;
  if (!ReadAt(elf, 0, head) ||
      std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
      head->e_shentsize != sizeof(Elf64_Shdr))
    return sections;
  for (uint64_t i = 0; i < head->e_shnum; ++i) {
    Elf64_Shdr section;
    if (!ReadAt(elf, head->e_shoff + i * sizeof section, &section)) break;
    sections.push_back(section);
  }
  return sections;
}

}  // namespace kb::provenance
