#include "control_filter.h"

#include <gtest/gtest.h>

namespace kb::os {
namespace {

std::string Passed(std::string_view text) { return ControlFilter().Pass(text); }

TEST(ControlFilter, TextAndOurOwnSequencesPass) {
  for (const char* text :
       {"plain\ttext\n", "\x1b[1;32mcorrect\x1b[0m", "\r\x1b[K\x1b[A\x1b[K",
        "caf\xc3\xa9 \xc2\xb5s \xe2\x9c\x93"})
    EXPECT_EQ(Passed(text), text);
}

TEST(ControlFilter, WhatMovesTheCursorOrAsksTheTerminalDoesNot) {
  EXPECT_EQ(Passed("a\x1b[2Jb"), "ab");
  EXPECT_EQ(Passed("a\x1b]0;title\a!"), "a]0;title!");
  EXPECT_EQ(Passed("a\x1b[6nb\x1b"
                   "cc"),
            "abcc");
  EXPECT_EQ(Passed("a\xc2\x9b"
                   "2Jb\b\x7f"),
            "a2Jb");
  EXPECT_EQ(Passed("a\x1b[1\nb"), "a\nb");
}

TEST(ControlFilter, AnyCutGivesTheSame) {
  const std::string text =
      "x\x1b[1;31mred\x1b[0m\x1b[2J\xc2\x9b\xc2\xb5\x1b\x1b[Kend";
  const std::string whole = Passed(text);
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    ControlFilter filter;
    std::string parts = filter.Pass(std::string_view(text).substr(0, cut));
    parts += filter.Pass(std::string_view(text).substr(cut));
    EXPECT_EQ(parts, whole) << cut;
  }
}

}  // namespace
}  // namespace kb::os
