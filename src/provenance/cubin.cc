#include "cubin.h"

#include "elf_bytes.h"

namespace kb::provenance {

std::vector<std::string> KernelsOf(std::string_view cubin) {
  constexpr std::string_view kCode = ".text.";
  Elf64_Ehdr head;
  const std::vector<Elf64_Shdr> sections = SectionsOf(cubin, &head);
  if (sections.empty() || head.e_shstrndx >= sections.size()) return {};
  const uint64_t names = sections[head.e_shstrndx].sh_offset;
  std::vector<std::string> kernels;
  for (const Elf64_Shdr& section : sections) {
    const std::string_view name = TextAt(cubin, names + section.sh_name);
    if (name.starts_with(kCode))
      kernels.emplace_back(name.substr(kCode.size()));
  }
  return kernels;
}

}  // namespace kb::provenance
