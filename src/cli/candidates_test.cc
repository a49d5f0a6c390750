#include "candidates.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "os/files.h"

namespace kb::cli {
namespace {

using Paths = std::vector<std::string>;

constexpr const char* kNew =
    "import torch\n\nclass ModelNew(torch.nn.Module):\n  pass\n";
constexpr const char* kOld =
    "import torch\n\nclass Model(torch.nn.Module):\n  pass\n";

class Candidates : public testing::Test {
 protected:
  Candidates() : folder_(*os::TempDir::Create("kb-candidates")) {
    Write("a.py", kNew);
    Write("b.cu", "extern");
    Write("notes.md", "text");
    EXPECT_TRUE(os::MakeDirectories(Path("deep/__pycache__")));
    EXPECT_TRUE(os::MakeDirectories(Path(".hidden")));
    Write("deep/c.cpp", "extern");
    Write("deep/__pycache__/d.py", kNew);
    Write(".hidden/e.py", kNew);
  }

  std::string Path(const std::string& name) const {
    return folder_.path() + "/" + name;
  }
  void Write(const std::string& name, const char* text) const {
    EXPECT_TRUE(os::WriteFileAtomically(Path(name), text));
  }

  os::TempDir folder_;
};

TEST_F(Candidates, OfAFolderAreAllKernelsBelowIt) {
  const auto paths = ExpandCandidates({folder_.path()});
  ASSERT_TRUE(paths) << paths.error().message();
  EXPECT_EQ(*paths, (Paths{Path("a.py"), Path("b.cu"), Path("deep/c.cpp")}));
}

TEST_F(Candidates, OfAFolderAreAnswersOfModelsToo) {
  const std::string answer = "So:\n```python\n" + std::string(kNew) + "```\n";
  Write("deep/answer.md", answer.c_str());
  Write("deep/other.txt", answer.c_str());
  Write("deep/README.md", answer.c_str());  // shows one
  Write("deep/level_1_problem_19_sample_0_prompt.txt", answer.c_str());
  const auto paths = ExpandCandidates({Path("deep")});
  ASSERT_TRUE(paths) << paths.error().message();
  EXPECT_EQ(*paths, (Paths{Path("deep/answer.md"), Path("deep/c.cpp"),
                           Path("deep/other.txt")}));
}

TEST_F(Candidates, OfAPatternAreWhatItMatchesAndEachIsThereOnce) {
  const auto paths =
      ExpandCandidates({Path("b.cu"), Path("*.[pc][yu]"), Path("notes.md")});
  ASSERT_TRUE(paths) << paths.error().message();
  EXPECT_EQ(*paths, (Paths{Path("b.cu"), Path("a.py"), Path("notes.md")}));
}

TEST_F(Candidates, ThatAreNotThereAreUsageErrors) {
  for (const char* name : {"none.py", "*.none", "deep/__pycache__/none"}) {
    const auto paths = ExpandCandidates({Path(name)});
    ASSERT_FALSE(paths) << name;
    EXPECT_EQ(paths.error().kind(), base::Error::Kind::kUsage);
    EXPECT_NE(paths.error().message().find(name), std::string::npos);
  }
}

TEST(CandidateText, OfAModelsAnswerIsTheCodeInItsFence) {
  const std::string answer =
      "Here it is:\n```python\n" + std::string(kNew) + "```\nDone.\n";
  const auto candidate = CandidateIn("answers/relu.md", answer);
  ASSERT_TRUE(candidate) << candidate.error().message();
  EXPECT_EQ(candidate->name, "relu.py");
  EXPECT_EQ(candidate->path, "answers/relu.md");
  EXPECT_EQ(candidate->source, kNew);
  const auto none = CandidateIn("answers/relu.txt", "I cannot do that.");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message().find("relu.txt"), std::string::npos);
}

TEST(CandidateText, OfStandardInputIsToldFromItself) {
  EXPECT_EQ(CandidateIn("-", kNew)->name, "stdin.py");
  EXPECT_EQ(CandidateIn("-", kOld)->name, "stdin.py");
  EXPECT_EQ(CandidateIn("", "extern \"C\" int kb_forward(int x) {\n}\n")->name,
            "candidate.cpp");
  EXPECT_FALSE(CandidateIn("-", "hello"));
}

record::Candidate Python(const std::string& source) {
  record::Candidate candidate;
  candidate.track = record::Track::kPython;
  candidate.source = source;
  return candidate;
}

TEST(EntryClass, IsModelWhereThereIsNoModelNew) {
  EXPECT_EQ(EntryOf(Python(kNew)), "ModelNew");
  EXPECT_EQ(EntryOf(Python(kOld)), "Model");
  EXPECT_EQ(EntryOf(Python(std::string(kOld) + kNew)), "ModelNew");
  EXPECT_EQ(EntryOf(Python(std::string(kOld) + "ModelNew = Model\n")),
            "ModelNew");
  EXPECT_EQ(EntryOf(Python("# class Model\nx = 'class Model'\n")), "ModelNew");
}

TEST(ProblemOfACandidate, StandsInAnyCommentAtItsTop) {
  EXPECT_EQ(ProblemOf(Python("# problem: level1/19\nimport x\n")), "level1/19");
  EXPECT_EQ(ProblemOf(Python("#!/usr/bin/python\n\n# mine\n//problem:mine\n")),
            "mine");
  EXPECT_EQ(ProblemOf(Python("import x\n# problem: level1/19\n")), "");
}

TEST(ProblemOfACandidate, StandsInKernelBenchsFileNames) {
  record::Candidate candidate = Python(kNew);
  candidate.name = "level_2_problem_40_sample_0_kernel.py";
  EXPECT_EQ(ProblemOf(candidate), "level2/40");
  candidate.name = "level_2_problem_x_sample_0_kernel.py";
  EXPECT_EQ(ProblemOf(candidate), "");
}

}  // namespace
}  // namespace kb::cli
