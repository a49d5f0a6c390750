#include "source_check/source_text.h"

#include <gtest/gtest.h>

namespace kb::source_check {
namespace {

std::string Python(std::string_view text) {
  return CodeOnly(text, Language::kPython);
}
std::string Cpp(std::string_view text) {
  return CodeOnly(text, Language::kCpp);
}

TEST(SourceText, PythonCommentsAndStringsGo) {
  EXPECT_EQ(Python("a = 'x#y'  # b\nc"), "a = \"         \nc");
  EXPECT_EQ(Python("r\"\\\" #\" + b"), "r\"      + b");
}

TEST(SourceText, PythonTripleQuotesSpanLinesAndHoldQuotes) {
  EXPECT_EQ(Python("\"\"\"it's\n# no comment \\\"\"\"\n\"\"\"\nx"),
            "\"      \n                 \n   \nx");
}

TEST(SourceText, PythonUnclosedStringEndsWithItsLine) {
  EXPECT_EQ(Python("'abc\nx"), "\"   \nx");
}

TEST(SourceText, CppCommentsAndStringsGo) {
  EXPECT_EQ(Cpp("a // b\nc /* d\n */ e"), "a     \nc     \n    e");
  EXPECT_EQ(Cpp("f(\"//\", '\"')"), "f(\"   , \"  )");
}

TEST(SourceText, CppCommentIsContinuedByABackslash) {
  EXPECT_EQ(Cpp("// a \\\nb\nc"), "      \n \nc");
}

TEST(SourceText, CppDigitSeparatorIsNoQuote) {
  EXPECT_EQ(Cpp("1'000'000 + x"), "1'000'000 + x");
}

TEST(SourceText, CppRawStringEndsAtItsOwnDelimiter) {
  EXPECT_EQ(Cpp("R\"k(a)\" // )k\" + b"), "\"              + b");
}

TEST(SourceText, WithoutCommentsKeepsStrings) {
  EXPECT_EQ(WithoutComments("x = '#y' # z", Language::kPython), "x = '#y'    ");
}

TEST(SourceText, UnfinishedInputIsTakenToItsEnd) {
  for (const std::string_view text :
       {"'", "\"\"\"", "\"\"\"\\", "'\\", "/*", "//", "R\"", "R\"x(", "1'",
        "\\", "//\\\n", "\"\"\"\"\""}) {
    EXPECT_EQ(Python(text).size(), text.size());
    EXPECT_EQ(Cpp(text).size(), text.size());
  }
}

TEST(Tokens, KnowTheirLineAndIndent) {
  const std::string code = "def f():\n    x == y";
  const auto tokens = Tokenize(code);
  ASSERT_EQ(tokens.size(), 8u);
  EXPECT_EQ(tokens[5].text, "x");
  EXPECT_EQ(tokens[5].line, 2);
  EXPECT_EQ(tokens[5].indent, 4);
  EXPECT_TRUE(tokens[5].first);
  EXPECT_EQ(tokens[6].text, "==");
  EXPECT_FALSE(tokens[6].first);
}

TEST(SourceText, IncludesAreRead) {
  const auto of = [](std::string_view line) {
    const auto include = IncludeOf(line);
    if (!include) return std::string("none");
    const std::string before =
        include->mark == 0 ? "macro " : std::string(1, include->mark);
    return before + std::string(include->name);
  };
  EXPECT_EQ(of("#include <a/b.h>  // c"), "<a/b.h");
  EXPECT_EQ(of("  #  include\"b.h\"\r"), "\"b.h");
  EXPECT_EQ(of("#include_next <b.h>"), "<b.h");
  EXPECT_EQ(of("#include HEADER"), "macro HEADER");
  for (const char* other :
       {"", "#", "#include", "#include <b.h", "#include 'b'",
        "#define include <b.h>", "include <b.h>", "// #include <b.h>"})
    EXPECT_EQ(of(other), "none") << other;
}

TEST(Utf8, AcceptsExactlyTheStandardsForms) {
  EXPECT_TRUE(IsUtf8("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
  for (const char* bad : {"\x80", "\xc0\xaf", "\xc3", "\xe0\x80\x80",
                          "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
    EXPECT_FALSE(IsUtf8(bad));
}

}  // namespace
}  // namespace kb::source_check
