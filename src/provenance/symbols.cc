#include "symbols.h"

#include <cxxabi.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "elf_bytes.h"

namespace kb::provenance {
namespace {

// A large library of PyTorch's has some 400,000.
constexpr size_t kMostFunctions = size_t{1} << 21;

bool IsFunction(const Elf64_Sym& symbol) {
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_size > 0 &&
         symbol.st_shndx != SHN_UNDEF;
}

}  // namespace

Symbols Symbols::Of(std::string_view elf) {
  Symbols symbols;
  auto& functions = symbols.functions_;
  Elf64_Ehdr head;
  const std::vector<Elf64_Shdr> sections = SectionsOf(elf, &head);
  for (const Elf64_Shdr& section : sections) {
    if ((section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) ||
        section.sh_link >= sections.size())
      continue;
    const uint64_t names = sections[section.sh_link].sh_offset;
    Elf64_Sym symbol;
    for (uint64_t at = 0; at < section.sh_size; at += sizeof symbol) {
      if (!ReadAt(elf, section.sh_offset + at, &symbol)) break;
      if (!IsFunction(symbol)) continue;
      if (functions.size() == kMostFunctions) break;
      functions.push_back({symbol.st_value, symbol.st_size,
                           std::string(TextAt(elf, names + symbol.st_name))});
    }
  }
  std::ranges::stable_sort(functions, {}, &Function::begin);
  return symbols;
}

Symbols Symbols::OfFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  struct stat status{};
  void* mapped = MAP_FAILED;
  const bool known = fstat(file, &status) == 0 && status.st_size > 0;
  const auto size = static_cast<size_t>(known ? status.st_size : 0);
  if (known) mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (mapped == MAP_FAILED) return {};
  Symbols symbols = Of({static_cast<const char*>(mapped), size});
  munmap(mapped, size);
  return symbols;
}

std::string Symbols::NameAt(uint64_t address) const {
  const auto after =
      std::ranges::upper_bound(functions_, address, {}, &Function::begin);
  if (after == functions_.begin()) return "";
  const Function& function = *(after - 1);
  return address - function.begin < function.size ? Demangled(function.name)
                                                  : "";
}

std::string Demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return text ? text.get() : name;
}

}  // namespace kb::provenance
