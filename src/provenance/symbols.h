#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kb::provenance {

// The functions of an ELF file, by its symbol tables.
class Symbols {
 public:
  // None of what is no such file.
  static Symbols Of(std::string_view elf);

  // Of the file at `path`; none where it cannot be read.
  static Symbols OfFile(const std::string& path);

  // The function that the address, as the file counts them, lies in, as its
  // source calls it. Empty: none that the file names.
  std::string NameAt(uint64_t address) const;

 private:
  struct Function {
    uint64_t begin = 0;
    uint64_t size = 0;
    std::string name;
  };
  std::vector<Function> functions_;  // sorted by begin
};

// As its source calls it, where the compiler has changed the name.
std::string Demangled(const std::string& name);

}  // namespace kb::provenance
