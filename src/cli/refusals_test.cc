#include <gtest/gtest.h>

#include "cli_fixture.h"

namespace kb::cli {
namespace {

using Words = std::vector<std::string>;

std::string Refusal(const Words& words) {
  auto parsed = Parse(words);
  EXPECT_NE(parsed->error, "") << words.front() << " ... " << words.back();
  EXPECT_FALSE(parsed->commands.call);
  return parsed->error;
}

TEST(Options, OfMemoryThatAreNoAmountAreRefused) {
  for (const char* text : {"much", "24XB", ""})
    EXPECT_NE(Refusal({"audit", "--fit", text}).find("--fit"),
              std::string::npos)
        << text;
}

// An option of a command, a value that it takes, and one that it does not.
struct Limit {
  Words command;
  std::string option, good, bad;
};
TEST(Options, OutOfRangeAreRefusedByName) {
  const Words run{"run", "--model", "m"}, analyze{"analyze", "a.db"};
  const std::vector<Limit> limits{
      {run, "--samples", "1", "0"},
      {run, "--samples", "100000", "100001"},
      {run, "--samples", "2", "2.5"},
      {run, "--temperature", "0", "-0.1"},
      {run, "--top-p", "1", "1.01"},
      {run, "--max-tokens", "1", "0"},
      {run, "--seed", "-1", "x"},
      {run, "--concurrency", "1024", "1025"},
      {run, "--max-cost", "0", "-1"},
      {run, "--trials", "0", "-1"},
      {run, "--processes", "32", "33"},
      {run, "--processes", "1", "0"},
      {run, "--cache", "cold", "hot"},
      {run, "--tolerance", "1e-9", "0"},
      {analyze, "--p", "0", "-0.5"},
      {analyze, "--p", "1", "nan"},
      {run, "--max-cost", "0.5", "inf"},
      {analyze, "--k", "1", "0"},
      {analyze, "--k", "1,1000000", "1,1000001"},
      {{"baseline"}, "--limit", "1", "0"},
      {{"audit"}, "--jobs", "64", "65"},
      {{"audit"}, "--limit", "1", "-5"},
      {{"import", "x.jsonl"}, "--jobs", "1", "0"},
      {{"import", "x.jsonl"}, "--limit", "600", "ten"}};
  for (const Limit& limit : limits) {
    Words words = limit.command;
    words.push_back(limit.option + "=" + limit.good);
    EXPECT_EQ(Parse(words)->error, "") << words.back();
    words.back() = limit.option + "=" + limit.bad;
    EXPECT_NE(Refusal(words).find(limit.option), std::string::npos)
        << words.back();
  }
}

TEST(Options, WithoutTheirValueAreRefusedByName) {
  const std::vector<Words> lines{{"run", "--model"},
                                 {"run", "--model", "m", "--samples"},
                                 {"analyze", "a.db", "--by"},
                                 {"report", "a.db", "-o"},
                                 {"export", "a.db", "--out"},
                                 {"import", "x.jsonl", "--level"},
                                 {"audit", "--shapes"},
                                 {"baseline", "--mode"},
                                 {"prompt", "show", "1/1", "--backend"}};
  for (const Words& words : lines)
    EXPECT_NE(Refusal(words).find(words.back()), std::string::npos)
        << words.back();
}

TEST(Commands, WithoutWhatTheyWorkOnAreRefused) {
  const std::vector<Words> lines{{},
                                 {"run"},
                                 {"generate"},
                                 {"analyze"},
                                 {"report"},
                                 {"prompt"},
                                 {"prompt", "show"},
                                 {"runs"},
                                 {"import"},
                                 {"selftest"},
                                 {"runs", "show"},
                                 {"runs", "delete"},
                                 {"export", "a.db"},
                                 {"export", "--out", "o"},
                                 {"runs", "merge", "a.db", "b.db"}};
  for (const Words& words : lines) {
    const auto parsed = Parse(words);
    EXPECT_NE(parsed->error, "") << (words.empty() ? "" : words.back());
    EXPECT_FALSE(parsed->commands.call);
  }
}

TEST(Commands, DoNotTakeWhatMeansNothingToThem) {
  const std::vector<Words> lines{
      {"judge"},
      {"doctor", "now"},
      {"selftest", "colour"},
      {"audit", "1"},
      {"baseline", "x"},
      {"runs", "show", "a.db", "b.db"},
      {"runs", "list", "--yes"},
      {"generate", "--model", "m", "--isolation", "full"},
      {"eval", "a.cpp", "--store", "a.db", "--no-store"},
      {"eval", "a.cpp", "--isolation", "full", "--unsafe-no-sandbox"},
      {"eval", "a.cpp", "--stop-below", "nan"},
      {"cache", "clear", "--unused-for", "nan"},
      {"export", "a.db", "b.db", "--out", "o"}};
  for (const Words& words : lines) Refusal(words);
}

}  // namespace
}  // namespace kb::cli
