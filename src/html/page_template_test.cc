#include "html/page_template.h"

#include <gtest/gtest.h>

#include <string>

namespace kb::html {
namespace {

Data Named(const std::string& name, const std::string& text) {
  Data data;
  data.set(name, text);
  return data;
}

TEST(FillPage, NamesAreEscapedAndTripleOnesAreMarkup) {
  const Data data = Named("x", "<b>'\"&");
  EXPECT_EQ(FillPage("{{x}}", data), "&lt;b&gt;&#39;&quot;&amp;");
  EXPECT_EQ(FillPage("{{{x}}}", data), "<b>'\"&");
}

TEST(FillPage, WhatIsFilledInIsNoTemplate) {
  Data data = Named("x", "{{{y}}}{{#y}}");
  data.set("y", "secret");
  EXPECT_EQ(FillPage("{{x}}|{{{x}}}", data), "{{{y}}}{{#y}}|{{{y}}}{{#y}}");
}

TEST(FillPage, NameWithoutAValueIsEmpty) {
  EXPECT_EQ(FillPage("a{{x}}b{{#x}}no{{/x}}{{^x}}c{{/x}}", Data()), "abc");
}

TEST(FillPage, ListsAreRepeatedInOrder) {
  DataList list;
  list.push_back(Named("name", "first"));
  list.push_back(Named("name", "<second>"));
  Data data;
  data.set("rows", list);
  EXPECT_EQ(FillPage("{{#rows}}[{{name}}]{{/rows}}", data),
            "[first][&lt;second&gt;]");
  data.set("rows", DataList());
  EXPECT_EQ(FillPage("{{#rows}}x{{/rows}}{{^rows}}none{{/rows}}", data),
            "none");
}

TEST(FillPage, TruthsChooseTheirPart) {
  Data data;
  data.set("has", true);
  EXPECT_EQ(FillPage("{{#has}}yes{{/has}}{{^has}}no{{/has}}", data), "yes");
  data.set("has", false);
  EXPECT_EQ(FillPage("{{#has}}yes{{/has}}{{^has}}no{{/has}}", data), "no");
}

TEST(FillPageDeathTest, BrokenTemplateIsAMistakeOfOurs) {
  EXPECT_DEATH(FillPage("{{#rows}}", Data()), "internal error");
}

}  // namespace
}  // namespace kb::html
