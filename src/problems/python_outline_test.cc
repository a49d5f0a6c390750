#include "python_outline.h"

#include <gtest/gtest.h>

#include "reference_check.h"

namespace kb::problems {
namespace {

// "name=value" of each assignment; one that cannot be replaced ends in "!".
std::vector<std::string> AssignmentsOf(const std::string& source) {
  std::vector<std::string> found;
  for (const Assignment& a : OutlineOf(source).assignments)
    found.push_back(a.name + "=" +
                    source.substr(a.value_begin, a.value_end - a.value_begin) +
                    (a.replaceable ? "" : "!"));
  return found;
}

using Words = std::vector<std::string>;

TEST(Outline, FindsConstantsOfTheFirstColumn) {
  EXPECT_EQ(AssignmentsOf("N = 3\n  M = 4\nK: int = 5  # six\n"
                          "def f():\n    L = 6\nname='a # b'\n"),
            (Words{"N=3", "K=5", "name='a # b'"}));
}

TEST(Outline, ComparisonsAndCallsAreNoAssignments) {
  EXPECT_EQ(AssignmentsOf("N == 3\nN <= 3\nprint(N)\nassert N != 3\nN: int\n"),
            Words{});
}

TEST(Outline, WhatCannotBeReplacedAloneIsMarked) {
  EXPECT_EQ(AssignmentsOf("a = b = 1\nc = 1; d = 2\ne += 1\nf = (1,\n 2)\n"),
            (Words{"a=b = 1!", "c=1; d = 2!", "e=1!", "f=(1,\n 2)!"}));
}

TEST(Outline, LinesAreCountedThroughStringsAndBrackets) {
  const auto outline = OutlineOf(
      "\"\"\"doc\nclass Fake:\n\"\"\"\nN = [1,\n2]\nclass Model(\n  Base):\n"
      "  pass\ndef get_inputs(): pass");
  ASSERT_EQ(outline.definitions.size(), 2U);
  EXPECT_EQ(outline.definitions[0].line, 6);
  EXPECT_EQ(outline.definitions[1].line, 9);
  EXPECT_TRUE(outline.Defines("class", "Model"));
  EXPECT_FALSE(outline.Defines("def", "Model"));
  EXPECT_FALSE(outline.Defines("class", "Fake"));
}

TEST(Outline, TakesAnyBytes) {
  for (const char* source : {"", "\n\n", "=", "N =", "((((", "'''", "a\\", "]"})
    EXPECT_EQ(AssignmentsOf(source), Words{}) << source;
}

constexpr const char* kArguments =
    "def get_inputs(): pass\ndef get_init_inputs(): pass\n";

TEST(CheckSource, AClassIsPreferredToAFunction) {
  const auto checked = CheckSource(
      std::string("def reference(x): pass\nclass Model: pass\n") + kArguments);
  EXPECT_EQ(checked.reference, "Model");
  EXPECT_TRUE(checked.defects.empty());
}

TEST(CheckSource, AFunctionNeedsNoConstructorArguments) {
  for (const std::string name : {"reference", "module_fn", "ref_kernel"}) {
    const auto checked =
        CheckSource("def " + name + "(x): pass\ndef get_inputs(): pass\n");
    EXPECT_EQ(checked.reference, name);
    EXPECT_TRUE(checked.defects.empty()) << name;
  }
}

TEST(CheckSource, AMisspeltNameIsPointedAt) {
  const auto checked =
      CheckSource("\nclass Modle: pass\ndef getInputs(): pass\n");
  EXPECT_EQ(checked.reference, "");
  ASSERT_EQ(checked.defects.size(), 3U);
  EXPECT_EQ(checked.defects[0].line, 2);
  EXPECT_NE(checked.defects[0].message.find("\"class Modle\" must be"),
            std::string::npos);
  EXPECT_EQ(checked.defects[1].line, 3);
}

TEST(CheckSource, WhatIsNoTextIsOneDefect) {
  for (const std::string& bytes :
       {std::string("class Model\0", 12), std::string("\xff\xfe")}) {
    const auto checked = CheckSource(bytes);
    EXPECT_EQ(checked.reference, "");
    ASSERT_EQ(checked.defects.size(), 1U);
    EXPECT_EQ(checked.defects[0].message, "the file is not UTF-8 text");
  }
}

}  // namespace
}  // namespace kb::problems
