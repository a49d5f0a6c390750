#include "problems/expectation.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "os/files.h"

namespace kb::problems {
namespace {

using record::Verdict;

Expectation Parsed(const std::string& source) {
  const auto expectation = ParseExpectation("k.cu", source);
  EXPECT_TRUE(expectation) << expectation.error().message();
  return expectation.value_or(Expectation{});
}

std::string Failure(const std::string& source) {
  const auto expectation = ParseExpectation("a/k.cu", source);
  EXPECT_FALSE(expectation);
  return expectation ? "" : expectation.error().message();
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Expectation, PlainVerdictHoldsOnEveryDevice) {
  const auto expectation =
      Parsed("// expect: correct\n// problem: level1/23\nint x;\n");
  EXPECT_EQ(expectation.problem, "level1/23");
  EXPECT_TRUE(expectation.Allows("cpu", Verdict::kCorrect));
  EXPECT_TRUE(expectation.Allows("cuda", Verdict::kCorrect));
  EXPECT_FALSE(expectation.Allows("cpu", Verdict::kIncorrect));
  EXPECT_FALSE(expectation.Allows("cpu", std::nullopt));
}

TEST(Expectation, DeviceReplacesThePlainVerdict) {
  const auto expectation = Parsed(
      "# expect: incorrect|timeout  cpu=not_run\n# problem: level1/23\n");
  EXPECT_TRUE(expectation.Allows("cuda", Verdict::kTimeout));
  EXPECT_TRUE(expectation.Allows("cpu", std::nullopt));
  EXPECT_FALSE(expectation.Allows("cpu", Verdict::kIncorrect));
  EXPECT_EQ(expectation.Describe("cuda"), "incorrect or timeout");
  EXPECT_EQ(expectation.Describe("cpu"), "not_run");
}

TEST(Expectation, AllKeysAreRead) {
  const auto expectation = Parsed(
      "// expect: timeout\n// problem: level1/19\n// size: small\n"
      "// precision: fp16\n// policy: strict\n"
      "// limits: call_seconds=2, memory_bytes=1073741824\n"
      "// tricks: T01, R05\n// twin: ../twins/relu.cu\n"
      "// about: Loops: forever.\n// Prose that is no key.\n#include <x>\n"
      "// size: nonsense\n");
  EXPECT_EQ(expectation.size, record::Size::kSmall);
  EXPECT_EQ(expectation.precision, record::Precision::kFp16);
  EXPECT_EQ(expectation.policy, "strict");
  EXPECT_EQ(expectation.tricks, (std::vector<std::string>{"T01", "R05"}));
  EXPECT_EQ(expectation.twin, "../twins/relu.cu");
  EXPECT_EQ(expectation.about, "Loops: forever.");
  const auto policy = expectation.PolicyFrom("kernelbench");
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy->name, "strict");
  EXPECT_EQ(policy->call_seconds, 2);
  EXPECT_EQ(policy->memory_bytes, int64_t{1} << 30);
  EXPECT_EQ(policy->error_multiple,
            record::NamedPolicy("strict")->error_multiple);
}

TEST(Expectation, PolicyIsTheCallersUnlessNamed) {
  const auto expectation =
      Parsed("// expect: correct\n// problem: level1/19\n");
  EXPECT_EQ(*expectation.PolicyFrom("strict"), *record::NamedPolicy("strict"));
}

TEST(Expectation, MissingLinesAreNamed) {
  EXPECT_TRUE(Contains(Failure("int x;\n"), "a/k.cu:1: the first line"));
  EXPECT_TRUE(Contains(Failure("// problem: level1/1\n// expect: correct\n"),
                       "a/k.cu:1: the first line"));
  EXPECT_TRUE(Contains(Failure("// expect: correct\nint x;\n"), "problem"));
}

TEST(Expectation, BadValuesAreNamedWithFileAndLine) {
  const std::string start = "// expect: correct\n// problem: level1/1\n";
  EXPECT_TRUE(Contains(Failure("// expect: wrong\n"), "a/k.cu:1: \"wrong\""));
  EXPECT_TRUE(Contains(Failure("// expect: correct timeout\n"), "second"));
  EXPECT_TRUE(Contains(Failure("// expect: correct tpu=timeout\n"), "tpu"));
  EXPECT_TRUE(Contains(Failure("// expect: cpu=timeout\n"), "no verdict"));
  EXPECT_TRUE(Contains(Failure(start + "// size: Tiny\n"), "a/k.cu:3: "));
  EXPECT_TRUE(Contains(Failure(start + "// sise: small\n"), "sise"));
  EXPECT_TRUE(Contains(Failure(start + "// size: small\n// size: full\n"),
                       "a/k.cu:4: size is given twice"));
  EXPECT_TRUE(
      Contains(Failure(start + "// limits: call_seconds=soon\n"), "soon"));
  EXPECT_TRUE(
      Contains(Failure(start + "// limits: cal_seconds=2\n"), "cal_seconds"));
  EXPECT_TRUE(Contains(Failure(start + "// limits: call_seconds=-1\n"), "-1"));
}

// The demonstration stops at the first header that it cannot read, and fails
// where a header does not say what cannot run.
TEST(Expectation, EverySampleOfTheRepositoryHasOne) {
  int samples = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           KB_SOURCE_DIR "/samples")) {
    const std::string path = entry.path().string();
    if (!entry.is_regular_file() || path.ends_with(".md")) continue;
    const auto source = os::ReadFile(path, 1 << 20);
    ASSERT_TRUE(source) << source.error().message();
    const auto expectation = ParseExpectation(path, *source);
    ASSERT_TRUE(expectation) << expectation.error().message();
    const std::string other = path.ends_with(".cpp")  ? "cuda"
                              : path.ends_with(".cu") ? "cpu"
                                                      : "";
    const auto no_code = record::Verdict::kCompileError;
    if (!other.empty() && !expectation->Allows(other, no_code)) {
      EXPECT_TRUE(expectation->Allows(other, std::nullopt)) << path;
    }
    ++samples;
  }
  EXPECT_GT(samples, 100);
}

}  // namespace
}  // namespace kb::problems
