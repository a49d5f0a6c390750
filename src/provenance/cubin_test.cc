#include "cubin.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace kb::provenance {
namespace {

template <typename T>
void Append(const T& value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

// An ELF file whose sections have these names.
std::string Cubin(const std::vector<std::string>& names) {
  std::string texts(1, '\0');
  std::vector<Elf64_Shdr> sections;
  for (const std::string& name : names) {
    Elf64_Shdr section = {};
    section.sh_name = static_cast<uint32_t>(texts.size());
    sections.push_back(section);
    texts += name + '\0';
  }
  Elf64_Shdr table = {};
  table.sh_offset = sizeof(Elf64_Ehdr);
  sections.push_back(table);
  Elf64_Ehdr head = {};
  std::memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_shoff = sizeof head + texts.size();
  head.e_shentsize = sizeof(Elf64_Shdr);
  head.e_shnum = static_cast<uint16_t>(sections.size());
  head.e_shstrndx = static_cast<uint16_t>(sections.size() - 1);
  std::string bytes;
  Append(head, &bytes);
  bytes += texts;
  for (const Elf64_Shdr& section : sections) Append(section, &bytes);
  return bytes;
}

using Kernels = std::map<std::string, int64_t>;

std::string Compiled() {
  std::ifstream file(KB_CUBIN, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Cubin, KernelsAreNamedBySections) {
  EXPECT_EQ(KernelsOf(Cubin({".text._Z4ReluPf", ".nv.info", ".text.softmax"})),
            (Kernels{{"_Z4ReluPf", 0}, {"softmax", 0}}));
}

// As ptxas -v says of stacks.cu: 128 bytes of `calls` are its callee's.
TEST(Cubin, StacksAreWhatTheAssemblerSaysOfThem) {
  EXPECT_EQ(KernelsOf(Compiled()),
            (Kernels{{"calls", 128}, {"indexed", 256}, {"plain", 0}}));
}

TEST(Cubin, CutOrChangedOnesAreRead) {
  const std::string whole = Compiled();
  for (size_t size = 0; size < whole.size(); size += 7)
    EXPECT_LE(KernelsOf(whole.substr(0, size)).size(), 3U);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(~changed[at]);
    EXPECT_LE(KernelsOf(changed).size(), 4U);
  }
}

TEST(Cubin, BrokenOnesHaveNone) {
  EXPECT_TRUE(KernelsOf("").empty());
  EXPECT_TRUE(KernelsOf("fatbin").empty());
  const std::string whole = Cubin({".text.a", ".text.b"});
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_LE(KernelsOf(whole.substr(0, size)).size(), 2U);
  std::string wild = whole;
  const uint64_t far = ~uint64_t{0} - 8;
  std::memcpy(wild.data() + offsetof(Elf64_Ehdr, e_shoff), &far, sizeof far);
  EXPECT_TRUE(KernelsOf(wild).empty());
}

}  // namespace
}  // namespace kb::provenance
