#include "cubin.h"

#include <vector>

#include "elf_bytes.h"

namespace kb::provenance {
namespace {

class Cubin {
 public:
  explicit Cubin(std::string_view bytes)
      : bytes_(bytes), sections_(SectionsOf(bytes, &head_)) {
    if (head_.e_shstrndx < sections_.size())
      names_ = sections_[head_.e_shstrndx].sh_offset;
    else
      sections_.clear();
  }

  std::map<std::string, int64_t> Kernels() const {
    constexpr std::string_view kCode = ".text.";
    std::map<std::string, int64_t> kernels;
    for (const Elf64_Shdr& section : sections_)
      if (const auto name = NameOf(section); name.starts_with(kCode))
        kernels.emplace(name.substr(kCode.size()), 0);
    const Elf64_Shdr* const info = Named(".nv.info");
    const Elf64_Shdr* const symbols = Named(".symtab");
    if (info != nullptr && symbols != nullptr)
      AddStacks(*info, *symbols, &kernels);
    return kernels;
  }

 private:
  std::string_view NameOf(const Elf64_Shdr& section) const {
    return TextAt(bytes_, names_ + section.sh_name);
  }

  const Elf64_Shdr* Named(std::string_view name) const {
    for (const Elf64_Shdr& section : sections_)
      if (NameOf(section) == name) return &section;
    return nullptr;
  }

  // The section is a list of attributes, each of four bytes (format, attribute,
  // value); in one format the value is the size of what follows. NVIDIA does
  // not document it; what we read is what cuobjdump prints as MIN_STACK_SIZE.
  void AddStacks(const Elf64_Shdr& info, const Elf64_Shdr& symbols,
                 std::map<std::string, int64_t>* kernels) const {
    constexpr uint8_t kSized = 4;
    constexpr uint8_t kStackSize = 0x12;
    struct Attribute {
      uint8_t format, name;
      uint16_t size;
    } attribute;
    struct Stack {
      uint32_t symbol, bytes;
    } stack;
    uint64_t next = 0;
    while (next < info.sh_size &&
           ReadAt(bytes_, info.sh_offset + next, &attribute)) {
      next += sizeof attribute;
      if (attribute.format != kSized) continue;
      if (attribute.name == kStackSize &&
          ReadAt(bytes_, info.sh_offset + next, &stack)) {
        const auto kernel = kernels->find(SymbolAt(symbols, stack.symbol));
        if (kernel != kernels->end()) kernel->second = stack.bytes;
      }
      next += attribute.size;
    }
  }

  std::string SymbolAt(const Elf64_Shdr& symbols, uint32_t index) const {
    Elf64_Sym symbol;
    if (symbols.sh_link >= sections_.size() ||
        !ReadAt(bytes_, symbols.sh_offset + uint64_t{index} * sizeof symbol,
                &symbol))
      return {};
    return std::string(
        TextAt(bytes_, sections_[symbols.sh_link].sh_offset + symbol.st_name));
  }

  std::string_view bytes_;
  Elf64_Ehdr head_ = {};
  std::vector<Elf64_Shdr> sections_;
  uint64_t names_ = 0;  // where they begin
};

}  // namespace

std::map<std::string, int64_t> KernelsOf(std::string_view cubin) {
  return Cubin(cubin).Kernels();
}

}  // namespace kb::provenance
