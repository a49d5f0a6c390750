#include "html/html.h"

#include <gtest/gtest.h>

#include <string>

namespace kb::html {
namespace {

using record::Verdict;

TEST(Html, ElementsNestAndCloseInTurn) {
  Html html;
  html.Open("table").Open("tr").Element("td", "a").Close().Line().Close();
  EXPECT_EQ(html.Take(), "<table><tr><td>a</td></tr>\n</table>");
}

TEST(Html, TextIsEscapedAndOnOneLine) {
  Html html;
  html.Text("a<b>&\"c\"\n'd'\te");
  EXPECT_EQ(html.Take(), "a&lt;b&gt;&amp;&quot;c&quot; &#39;d&#39; e");
}

TEST(Html, AttributesCannotLeaveTheirQuotes) {
  Html html;
  html.Open("a", {{"title", "\" onclick='x'>\n"}, {"class", "k"}}).Close();
  EXPECT_EQ(html.Take(),
            "<a title=\"&quot; onclick=&#39;x&#39;&gt; \" class=\"k\"></a>");
}

TEST(Html, WhatHidesIsShownInTextAndAttributes) {
  Html html;
  html.Element("p", "a\u202eb\xff", {{"title", std::string(1, '\0')}});
  EXPECT_EQ(html.Take(),
            "<p title=\"&lt;U+0000&gt;\">a&lt;U+202E&gt;b&lt;\\xff&gt;</p>");
}

TEST(Html, OnlyRawIsMarkup) {
  Html html;
  html.Raw("<i>&amp;</i>").Text("<i>&amp;</i>");
  EXPECT_EQ(html.Take(), "<i>&amp;</i>&lt;i&gt;&amp;amp;&lt;/i&gt;");
}

TEST(Html, EmptyTextIsAnEmptyElement) {
  EXPECT_EQ(Html().Take(), "");
  EXPECT_EQ(Html().Element("td", "").Take(), "<td></td>");
}

TEST(HtmlDeathTest, UnbalancedElementsAreAMistakeOfOurs) {
  EXPECT_DEATH(Html().Close(), "internal error");
  EXPECT_DEATH(Html().Open("p").Take(), "internal error");
}

TEST(Cell, IsOneVisibleLine) {
  EXPECT_EQ(Cell("a\r\nb\tc\x1b[31m"), "a b c<U+001B>[31m");
  EXPECT_EQ(Cell(""), "");
}

TEST(Cell, LongTextKeepsBothEnds) {
  const std::string fits(200, 'x');
  EXPECT_EQ(Cell(fits), fits);
  const std::string cell = Cell("first" + std::string(10'000, 'x') + "last");
  EXPECT_TRUE(cell.starts_with("first"));
  EXPECT_TRUE(cell.ends_with("last"));
  EXPECT_LT(cell.size(), 300U);
}

TEST(CountOf, OneIsSingular) {
  EXPECT_EQ(CountOf(0, "problem"), "0 problems");
  EXPECT_EQ(CountOf(1, "problem"), "1 problem");
  EXPECT_EQ(CountOf(1200, "problem"), "1,200 problems");
}

TEST(VerdictKind, OnlyCorrectIsGood) {
  EXPECT_STREQ(VerdictKind(Verdict::kCorrect), "good");
  EXPECT_STREQ(VerdictKind(Verdict::kIncorrect), "bad");
  EXPECT_STREQ(VerdictKind(Verdict::kNotCertified), "doubt");
  EXPECT_STREQ(VerdictKind(Verdict::kRejected), "rule");
  for (const auto verdict :
       {Verdict::kCompileError, Verdict::kLoadError, Verdict::kRuntimeError,
        Verdict::kTimeout, Verdict::kOutOfMemory})
    EXPECT_STREQ(VerdictKind(verdict), "broken");
}

TEST(VerdictKind, WhatSaysNothingOfTheCandidateIsQuiet) {
  EXPECT_STREQ(VerdictKind(std::nullopt), "quiet");
  EXPECT_STREQ(VerdictKind(Verdict::kInfraError), "quiet");
}

}  // namespace
}  // namespace kb::html
