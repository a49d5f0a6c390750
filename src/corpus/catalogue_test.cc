// Holds the programs of tests/hostile and tests/legitimate against what they
// have to be.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/text.h"
#include "corpus/program.h"
#include "os/files.h"

namespace kb::corpus {
namespace {

std::string FolderOf(const std::string& group) {
  return std::string(KB_SOURCE_DIR) + "/tests/" + group;
}

std::vector<Program> Programs(const std::string& group) {
  auto programs = Load(FolderOf(group), "");
  EXPECT_TRUE(programs) << programs.error().message();
  return programs.value_or(std::vector<Program>{});
}

std::vector<Program> Attempts() {
  std::vector<Program> programs = Programs("hostile");
  std::erase_if(programs, [](const Program& program) {
    return program.expectation.twin.empty();
  });
  return programs;
}

// The reason why there is no program, by id; empty: there is one.
std::map<std::string, std::string> Catalogue() {
  std::map<std::string, std::string> reasons;
  const auto text = os::ReadFile(FolderOf("hostile") + "/tricks.txt");
  EXPECT_TRUE(text);
  for (const std::string& line : base::Split(text.value_or(""), '\n')) {
    if (line.empty() || line.front() == '#') continue;
    const size_t colon = line.find(": ");
    reasons[line.substr(0, colon)] =
        colon == std::string::npos ? "" : line.substr(colon + 2);
  }
  return reasons;
}

TEST(Hostile, EveryTrickHasAProgramOrAReason) {
  std::set<std::string> shown;
  const auto catalogue = Catalogue();
  EXPECT_EQ(catalogue.size(), 124U);
  for (const Program& program : Attempts())
    for (const std::string& id : program.expectation.tricks) {
      EXPECT_TRUE(catalogue.contains(id)) << program.name << ": " << id;
      shown.insert(id);
    }
  for (const auto& [id, reason] : catalogue)
    EXPECT_NE(shown.contains(id), !reason.empty()) << id;
}

TEST(Hostile, EveryAttemptHasATwinOfTheSameProblemAndSize) {
  const std::string folder = FolderOf("hostile");
  for (const Program& program : Attempts()) {
    const auto twin = LoadTwin(program, folder);
    ASSERT_TRUE(twin) << twin.error().message();
    const problems::Expectation& own = program.expectation;
    EXPECT_EQ(twin->expectation.problem, own.problem) << program.name;
    EXPECT_EQ(twin->expectation.size, own.size) << program.name;
    EXPECT_TRUE(twin->expectation.twin.empty()) << program.name;
    EXPECT_FALSE(own.about.empty()) << program.name;
  }
}

TEST(Legitimate, EveryKindHasTwo) {
  std::map<std::string, int> count;
  for (const Program& program : Programs("legitimate"))
    for (const std::string& id : program.expectation.tricks) ++count[id];
  constexpr int kKinds = 25;
  EXPECT_EQ(count.size(), static_cast<size_t>(kKinds));
  for (int kind = 1; kind <= kKinds; ++kind)
    EXPECT_GE(count["G" + std::to_string(kind)], 2) << "G" << kind;
}

TEST(Legitimate, HonestOnesAreCorrectWhereTheyRun) {
  for (const Program& program : Programs("legitimate"))
    for (const char* device : {"cpu", "cuda"})
      EXPECT_TRUE(
          program.expectation.Allows(device, record::Verdict::kCorrect) ||
          program.expectation.Allows(device, std::nullopt))
          << program.name;
}

}  // namespace
}  // namespace kb::corpus
