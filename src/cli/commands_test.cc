#include "commands.h"

#include <gtest/gtest.h>

#include <set>

#include "cli_fixture.h"
#include "command_text.h"
#include "completion.h"
#include "manual.h"

namespace kb::cli {
namespace {

using Words = std::vector<std::string>;

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CommandLine, CandidatesNeedNoOption) {
  const auto parsed =
      Parse({"eval", "--problem", "level1/1,level1/2", "a.cu", "b.py"});
  EXPECT_EQ(parsed->error, "");
  EXPECT_EQ(parsed->commands.eval.problems, (Words{"level1/1", "level1/2"}));
  EXPECT_EQ(parsed->commands.eval.candidates, (Words{"a.cu", "b.py"}));
  EXPECT_TRUE(parsed->commands.call);
}

TEST(CommandLine, CandidatesMayBeNamed) {
  const auto parsed =
      Parse({"eval", "x.cu", "--candidate", "a.cu", "b.cu", "--watch"});
  EXPECT_EQ(parsed->error, "");
  const Words& found = parsed->commands.eval.candidates;
  EXPECT_EQ(std::set<std::string>(found.begin(), found.end()),
            (std::set<std::string>{"x.cu", "a.cu", "b.cu"}));
  EXPECT_TRUE(parsed->commands.eval.watch);
}

TEST(CommandLine, StandardInputIsADash) {
  const auto parsed = Parse({"eval", "--json-lines", "-"});
  EXPECT_EQ(parsed->error, "");
  EXPECT_EQ(parsed->commands.eval.candidates, (Words{"-"}));
  EXPECT_TRUE(parsed->commands.eval.json_lines);
}

TEST(CommandLine, UnknownOptionIsNoCall) {
  const auto parsed = Parse({"eval", "a.cu", "--no-such-option"});
  EXPECT_PRED2(Has, parsed->error, "--no-such-option");
}

TEST(CommandLine, EveryCommandSaysWhatItIs) {
  Commands commands;
  const CommandText program = Describe(*MakeProgram(&commands));
  EXPECT_GT(program.commands.size(), 15U);
  for (const CommandText& command : program.commands) {
    EXPECT_NE(command.about, "") << command.name;
    for (const OptionText& option : command.options)
      EXPECT_NE(option.about, "") << command.name << option.names.front();
  }
}

// A program of two commands.
CommandText Small() {
  CommandText judge{"judge", "it's judged", "example:\n  .hidden\n", {}, {}};
  judge.options = {{{"-o", "--out"}, "TEXT", {}, "a file", false},
                   {{"--cache"}, "TEXT", {"cold", "warm"}, "which", false},
                   {{"--json"}, "", {}, "for machines", false}};
  CommandText list{"runs list", "all", "", {}, {}};
  CommandText runs{"runs", "stores", "", {}, {list}};
  return {
      "", "judges", "", {{{"--help"}, "", {}, "help", false}}, {judge, runs}};
}

TEST(Completion, KnowsCommandsOptionsAndChoices) {
  const std::string bash = BashCompletion(Small());
  EXPECT_PRED2(Has, bash, "\" judge\"|\" runs\"|\"runs list\")");
  EXPECT_PRED2(Has, bash, "\"judge\") words=\"\" options=\"-o --out ");
  EXPECT_PRED2(Has, bash, "\"judge --cache\") words=\"cold warm\"");
  EXPECT_PRED2(Has, ZshCompletion(Small()), "'judge:it'\\''s judged'");
  const std::string fish = FishCompletion(Small());
  EXPECT_PRED2(Has, fish, "-s o -l out -r -d 'a file'");
  EXPECT_PRED2(Has, fish, "-l cache -x -a 'cold warm'");
  EXPECT_PRED2(Has, fish, "'__fish_seen_subcommand_from runs' -f -a list");
}

TEST(ManualPage, HoldsWhatHelpSays) {
  const std::string page = ManualPage(Small(), "1.2");
  EXPECT_PRED2(Has, page, ".TH KERNELBENCH 1");
  EXPECT_PRED2(Has, page, ".SS kernelbench judge\nit's judged\n");
  EXPECT_PRED2(Has, page, "\\fB\\-o, \\-\\-out\\fR \\fITEXT\\fR\na file");
  EXPECT_PRED2(Has, page, "\\-\\-cache\\fR cold|warm");
  EXPECT_PRED2(Has, page, ".SS kernelbench runs list");
}

}  // namespace
}  // namespace kb::cli
