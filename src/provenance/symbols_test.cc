#include "symbols.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "objects.h"

namespace kb::provenance {
namespace {

// Nothing but its symbol names it: dladdr does not.
[[gnu::noinline]] int Answer(int x) { return x * 42; }

std::string OfThisProgram() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Symbols, NameFunctionsThatNobodyExports) {
  const auto address = reinterpret_cast<uintptr_t>(&Answer);
  const Objects objects = Objects::Loaded();
  const Objects::Object* const object = objects.Of(address);
  ASSERT_NE(object, nullptr);
  const Symbols symbols = Symbols::OfFile("/proc/self/exe");
  const std::string name = symbols.NameAt(address - object->base);
  EXPECT_NE(name.find("Answer(int)"), std::string::npos) << name;
  EXPECT_EQ(symbols.NameAt(0), "");
  EXPECT_EQ(symbols.NameAt(UINT64_MAX), "");
}

TEST(Symbols, WhatIsNoSuchFileHasNone) {
  EXPECT_EQ(Symbols::OfFile("/nowhere").NameAt(0), "");
  EXPECT_EQ(Symbols::OfFile("/").NameAt(0), "");
  for (const std::string& text : {std::string(),
                                  std::string("\x7f"
                                              "ELF"),
                                  std::string(200, '\xff')})
    EXPECT_EQ(Symbols::Of(text).NameAt(0), "");
}

// Cut anywhere, and with any byte of its tables changed, it names something or
// nothing.
TEST(Symbols, ABrokenFileIsReadNoFurtherThanItGoes) {
  std::string elf = OfThisProgram();
  ASSERT_GT(elf.size(), 64U);
  for (size_t part = 0; part < 16; ++part)
    (void)Symbols::Of(std::string_view(elf).substr(0, elf.size() * part / 16));
  for (size_t i = 0; i < 64; ++i) {
    std::string broken = elf;
    broken[i] = static_cast<char>(~broken[i]);
    (void)Symbols::Of(broken).NameAt(4096);
  }
}

}  // namespace
}  // namespace kb::provenance
