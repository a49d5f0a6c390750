#include "diagnostics.h"

#include <gtest/gtest.h>

namespace kb::compile {
namespace {

TEST(TrimDiagnostics, StartsWithTheFirstErrorAndWhatLeadsUpToIt) {
  EXPECT_EQ(
      TrimDiagnostics("/tmp/x/in/k.cu(3): warning #177-D: variable is unused\n"
                      "    int unused;\n"
                      "        ^\n"
                      "\n"
                      "/tmp/x/in/k.cu: In function 'int f()':\n"
                      "/tmp/x/in/k.cu:7:3: error: 'y' was not declared\n"
                      "    7 |   y = 1;\n"
                      "      |   ^\n"),
      "k.cu: In function 'int f()':\n"
      "k.cu:7:3: error: 'y' was not declared\n"
      "    7 |   y = 1;\n"
      "      |   ^");
}

TEST(TrimDiagnostics, WarningsBetweenErrorsAreLeftOut) {
  EXPECT_EQ(TrimDiagnostics("k.cpp:1:1: error: one\n"
                            "k.cpp:2:1: warning: two\n"
                            "    2 | int x;\n"
                            "k.cpp:3:1: error: three\n"),
            "k.cpp:1:1: error: one\nk.cpp:3:1: error: three");
}

TEST(TrimDiagnostics, ColoursAndFoldersAreGone) {
  const std::string text = TrimDiagnostics(
      "\x1b[31m/root/.venv/lib/torch/a.h:1: error:\x1b[0m a/b and 1/2\n");
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("/root"), std::string::npos);
  EXPECT_NE(text.find("a.h:1: error:"), std::string::npos);
  EXPECT_NE(text.find("a/b and 1/2"), std::string::npos);
}

TEST(TrimDiagnostics, CommandsOfNinjaAreLeftOut) {
  EXPECT_EQ(TrimDiagnostics("RuntimeError: Error building extension 'x': "
                            "[1/2] c++ -MMD main.cpp\n"
                            "FAILED: main.o \n"
                            "c++ -MMD " +
                            std::string(700, 'x') +
                            " -I/usr/include main.cpp\n"
                            "main.cpp:1:1: error: no\n"
                            "ninja: build stopped: subcommand failed.\n"),
            "RuntimeError: Error building extension 'x': "
            "[1/2] c++ -MMD main.cpp\n"
            "main.cpp:1:1: error: no");
}

TEST(TrimDiagnostics, LongLogKeepsItsStartAndEnd) {
  std::string raw = "k.cu:1: error: first\n";
  for (int i = 0; i < 2000; ++i) raw += "k.cu:2: note: candidate\n";
  raw += "last";
  const std::string text = TrimDiagnostics(raw);
  EXPECT_LT(text.size(), 9000u);
  EXPECT_TRUE(text.starts_with("k.cu:1: error: first"));
  EXPECT_TRUE(text.ends_with("last"));
}

TEST(LineOfDisk, IsWhatTheLinkerSaysBeforeTheFirstError) {
  EXPECT_EQ(LineOfDisk("/usr/bin/ld: final link failed: No space left on "
                       "device\ncollect2: error: ld returned 1 exit status\n"),
            "ld: final link failed: No space left on device");
  EXPECT_EQ(LineOfDisk("k.cpp:3:1: error: expected ';'\n"
                       "    3 | puts(\"No space left on device\")\n"),
            "");
  EXPECT_EQ(LineOfDisk(""), "");
}

TEST(TrimDiagnostics, TextWithoutAnErrorIsKept) {
  EXPECT_EQ(TrimDiagnostics("Segmentation fault\n"), "Segmentation fault");
}

}  // namespace
}  // namespace kb::compile
