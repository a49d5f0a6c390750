#include "base/text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kb::base {
namespace {

using Parts = std::vector<std::string>;

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(Split("a,b", ','), (Parts{"a", "b"}));
  EXPECT_EQ(Split(",a,,b,", ','), (Parts{"", "a", "", "b", ""}));
  EXPECT_EQ(Split("", ','), Parts{""});
  EXPECT_EQ(Split("a b", ','), Parts{"a b"});
}

TEST(IsOfName, IsLettersDigitsAndUnderscores) {
  for (const char c : std::string("azAZ09_")) EXPECT_TRUE(IsOfName(c)) << c;
  for (const char c : std::string("-.: \xc3$@[`{/"))
    EXPECT_FALSE(IsOfName(c)) << c;
}

TEST(Trim, TakesWhiteSpaceFromBothEndsOnly) {
  EXPECT_EQ(Trim(" \t\r\n a b\n "), "a b");
  EXPECT_EQ(Trim("a"), "a");
  EXPECT_EQ(Trim(" \n"), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(LastLine, IsTrimmedAndWithoutCarriageReturn) {
  EXPECT_EQ(LastLine("a\r\n  b \r\n\r\n"), "b");
  EXPECT_EQ(LastLine(""), "");
}

TEST(Gist, IsWhatATracebackEndsWithAndElseAll) {
  EXPECT_EQ(Gist("a: Traceback (most recent call last):\n  File\nE: b\n"),
            "E: b");
  EXPECT_EQ(Gist("no size; write\nsmall = 3\n"), "no size; write small = 3");
  EXPECT_EQ(Gist(""), "");
}

TEST(Shorten, TextThatFitsStaysAsItIs) {
  EXPECT_EQ(Shorten("", 0), "");
  EXPECT_EQ(Shorten("abcd", 4), "abcd");
  EXPECT_EQ(Shorten("abcd", 100), "abcd");
}

TEST(Shorten, SaysHowMuchIsGone) {
  EXPECT_EQ(Shorten("abcdef", 4), "ab\n[... 2 bytes left out ...]\nef");
  EXPECT_EQ(Shorten("abcdef", 5), "ab\n[... 2 bytes left out ...]\nef");
  EXPECT_EQ(Shorten("abcdef", 0), "\n[... 6 bytes left out ...]\n");
}

TEST(Shorten, LineStaysOne) {
  EXPECT_EQ(ShortenLine("abcdef", 4), "ab [... 2 bytes left out ...] ef");
  EXPECT_EQ(ShortenLine("abcd", 4), "abcd");
}

TEST(Shorten, CutsBetweenCharacters) {
  // Two, three and four bytes a character.
  for (const std::string character : {"ä", "€", "😀"}) {
    std::string text;
    for (int i = 0; i < 20; ++i) text += character;
    for (size_t most = 1; most < 12; ++most) {
      const std::string shorter = Shorten(text, most);
      EXPECT_EQ(Printable(shorter), shorter) << character << " " << most;
      EXPECT_LE(shorter.find('\n') + shorter.size() - shorter.rfind('\n') - 1,
                most);
    }
  }
}

TEST(Printable, KeepsNewlinesTabsAndEveryLanguage) {
  const std::string text = "a\tb\nc \u00e9\u20ac\U0001f600";
  EXPECT_EQ(Printable(text), text);
}

TEST(Printable, RemovesEveryControlCharacter) {
  std::string controls;
  for (char c = 0; c < 0x20; ++c)
    if (c != '\n' && c != '\t') controls += c;
  EXPECT_EQ(Printable("a" + controls + "\x7f" + "b"), "ab");
}

// Terminals take U+009B for the start of an escape sequence.
TEST(Printable, RemovesControlsOfTwoBytes) {
  EXPECT_EQ(Printable("a\u009b31mb\u0080\u009f"), "a31mb");
  EXPECT_EQ(Printable("\u00a0"), "\u00a0") << "is the first after them";
}

// As the table of well-formed sequences has it (Unicode 15, table 3-7).
TEST(Printable, ReplacesWhatOnlyLooksLikeUtf8) {
  EXPECT_EQ(Printable("\xed\xa0\x80"), "???") << "a surrogate";
  EXPECT_EQ(Printable("\xe0\x9f\xbf"), "???") << "three bytes for two";
  EXPECT_EQ(Printable("\xf0\x8f\xbf\xbf"), "????") << "four bytes for three";
  EXPECT_EQ(Printable("\xe0\x82\x9b"), "???") << "a hidden control";
  EXPECT_EQ(Printable("\xf4\x90\x80\x80"), "????") << "above U+10FFFF";
  for (const char* edge : {"\xed\x9f\xbf", "\xee\x80\x80", "\xe0\xa0\x80",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(Printable(edge), edge);
}

TEST(Printable, ReplacesEachBadByte) {
  EXPECT_EQ(Printable("\x80\xbf"), "??") << "nothing before them";
  EXPECT_EQ(Printable("\xc3"), "?") << "cut at the end";
  EXPECT_EQ(Printable("\xe2\x82"), "??");
  EXPECT_EQ(Printable("\xc3("), "?(") << "what follows is kept";
  EXPECT_EQ(Printable("\xc1\x81"), "??") << "a longer form of A";
  EXPECT_EQ(Printable("\xf5\x80\x80\x80"), "????") << "beyond Unicode";
}

}  // namespace
}  // namespace kb::base
