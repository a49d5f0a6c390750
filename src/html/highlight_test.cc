#include "html/highlight.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/random.h"
#include "html/text.h"

namespace kb::html {
namespace {

// One line's text with {k:...} where a word is coloured: short to read.
std::string Marks(const std::string& source, Language language) {
  std::string html = HighlightHtml(source, language);
  for (const auto& [tag, mark] :
       {std::pair<std::string, std::string>("<span class=\"l\">", "|"),
        {"\n</span>", ""},
        {"<span class=\"", "{"},
        {"</span>", "}"},
        {"\">", ":"},
        {"&quot;", "\""},
        {"&#39;", "'"}})
    for (size_t at = html.find(tag); at != std::string::npos;
         at = html.find(tag, at))
      html.replace(at, tag.size(), mark);
  return html;
}

std::string Cpp(const std::string& source) {
  return Marks(source, Language::kCpp);
}

std::string Python(const std::string& source) {
  return Marks(source, Language::kPython);
}

TEST(Highlight, EveryLineIsAnElement) {
  EXPECT_EQ(HighlightHtml("", Language::kCpp), "<span class=\"l\">\n</span>");
  EXPECT_EQ(Cpp("a\nb"), "|a|b");
  EXPECT_EQ(Cpp("a\nb\n"), "|a|b") << "a newline ends the last line";
  EXPECT_EQ(Cpp("a\n\n\nb"), "|a|||b");
  EXPECT_EQ(Cpp("\n\n"), "||");
}

TEST(Highlight, TokenOverSeveralLinesIsColouredOnEach) {
  EXPECT_EQ(Cpp("/* a\n\nb */ c"), "|{c:/* a}||{c:b */} c");
  EXPECT_EQ(Python("'''a\nb''' c"), "|{s:'''a}|{s:b'''} c");
}

TEST(Highlight, CppStringsKnowTheirEscapes) {
  EXPECT_EQ(Cpp(R"(f("a\\"))"), R"(|f({s:"a\\"}))");
  EXPECT_EQ(Cpp(R"('\'' + '"')"), R"(|{s:'\''} + {s:'"'})");
  EXPECT_EQ(Cpp(R"("// no comment")"), R"(|{s:"// no comment"})");
}

TEST(Highlight, UnterminatedStringEndsWithItsLine) {
  EXPECT_EQ(Cpp("\"a\nint b"), "|{s:\"a}|{k:int} b");
  EXPECT_EQ(Python("'a\nif b"), "|{s:'a}|{k:if} b");
  EXPECT_EQ(Cpp("\"a\\"), "|{s:\"a\\}");
}

TEST(Highlight, BackslashCarriesAStringOverTheLine) {
  EXPECT_EQ(Cpp("\"a\\\nint\" b"), "|{s:\"a\\}|{s:int\"} b");
}

TEST(Highlight, UnterminatedBlocksTakeTheRest) {
  EXPECT_EQ(Cpp("a /* int\nint"), "|a {c:/* int}|{c:int}");
  EXPECT_EQ(Cpp("/*/ int"), "|{c:/*/ int}") << "the star counts once";
  EXPECT_EQ(Python("\"\"\"if\nif\"\""), "|{s:\"\"\"if}|{s:if\"\"}");
  EXPECT_EQ(Cpp("R\"(a\nint"), "|{s:R\"(a}|{s:int}");
}

TEST(Highlight, RawStringEndsAtItsOwnDelimiter) {
  EXPECT_EQ(Cpp("R\"x(a)\" )x\" int"), "|{s:R\"x(a)\" )x\"} {k:int}");
  EXPECT_EQ(Cpp("R\"(\\)\" int"), "|{s:R\"(\\)\"} {k:int}");
}

TEST(Highlight, CommentsEndWithTheirLine) {
  EXPECT_EQ(Cpp("// int\nint"), "|{c:// int}|{k:int}");
  EXPECT_EQ(Python("# it's\nif"), "|{c:# it's}|{k:if}");
  EXPECT_EQ(Python("a // b"), "|a // b") << "a division in Python";
}

TEST(Highlight, DirectivesStandFirstOnTheirLine) {
  EXPECT_EQ(Cpp("  #pragma once\na # b"), "|  {p:#pragma once}|a # b");
  EXPECT_EQ(Python("  @torch.no_grad()\na @ b"),
            "|  {p:@torch.no_grad}()|a @ b");
}

TEST(Highlight, KeywordsAreWholeWordsOfTheirLanguage) {
  EXPECT_EQ(Cpp("int x_int int2 interest __global__"),
            "|{k:int} x_int {k:int2} interest {k:__global__}");
  EXPECT_EQ(Python("int None none nonlocal_"), "|int {k:None} none nonlocal_");
  EXPECT_EQ(Cpp("None def"), "|None def");
}

TEST(Highlight, NumbersEndWhereTheirLanguageSaysSo) {
  EXPECT_EQ(Cpp("1e-30f-x1"), "|{n:1e-30f}-x1");
  EXPECT_EQ(Cpp("0x1f+1.5"), "|{n:0x1f}+{n:1.5}");
  EXPECT_EQ(Cpp("1'024'x'"), "|{n:1'024'x}{s:'}");
  EXPECT_EQ(Python("1_000if"), "|{n:1_000if}");
  EXPECT_EQ(Python("1'a'"), "|{n:1}{s:'a'}");
}

TEST(Highlight, PythonPrefixesBelongToTheString) {
  EXPECT_EQ(Python("rb'a' Rb\"b\" f'''c'''"),
            "|{s:rb'a'} {s:Rb\"b\"} {s:f'''c'''}");
  EXPECT_EQ(Python("bar'a'"), "|bar{s:'a'}");
}

// The text of an element: tags away, entities read.
std::string TextOf(const std::string& html) {
  std::string text;
  for (size_t i = 0; i < html.size(); ++i) {
    if (html[i] == '<') {
      i = html.find('>', i);
    } else if (html[i] == '&') {
      const size_t end = html.find(';', i);
      const std::string name = html.substr(i + 1, end - i - 1);
      text += name == "amp"    ? '&'
              : name == "lt"   ? '<'
              : name == "gt"   ? '>'
              : name == "quot" ? '"'
                               : '\'';
      i = end;
    } else {
      text += html[i];
    }
  }
  return text;
}

TEST(Highlight, NoSequenceOfMarksLosesACharacter) {
  static const std::string kMarks = "\"'\\/*#@R(\n )&<>;0e-'xrf_";
  base::Sequence random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string source;
    for (uint64_t i = random.Below(24); i > 0; --i)
      source += kMarks[random.Below(kMarks.size())];
    const std::string text = source.ends_with('\n') ? source : source + "\n";
    for (const Language language : {Language::kCpp, Language::kPython})
      EXPECT_EQ(TextOf(HighlightHtml(source, language)), text);
  }
}

TEST(Highlight, MarkupInEveryKindOfTokenIsEscaped) {
  for (const char* source : {"<b>", "// <b>", "/* <b>", "\"<b>", "#if <b>",
                             "R\"(<b>)\"", "'''<b>", "# <b>", "@x<b>"})
    for (const Language language : {Language::kCpp, Language::kPython}) {
      const std::string html = HighlightHtml(source, language);
      EXPECT_EQ(html.find("<b>"), std::string::npos) << html;
      EXPECT_NE(html.find("&lt;b&gt;"), std::string::npos) << html;
    }
}

}  // namespace
}  // namespace kb::html
