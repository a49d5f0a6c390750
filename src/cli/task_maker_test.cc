#include "task_maker.h"

#include <gtest/gtest.h>

#include "candidates.h"
#include "os/files.h"

namespace kb::cli {
namespace {

using base::Error;
using record::Precision;
using record::Size;
using workplace::Workplace;

constexpr const char* kProblem =
    "import torch\n\nN = 4096\n\n\nclass Model(torch.nn.Module):\n"
    "    def forward(self, x):\n        return x\n\n\n"
    "def get_inputs():\n    return [torch.rand(N)]\n\n\n"
    "def get_init_inputs():\n    return []\n";
constexpr const char* kKernel =
    "import torch\n\nclass ModelNew(torch.nn.Module):\n  pass\n";
constexpr const char* kOld =
    "import torch\n\nclass Model(torch.nn.Module):\n  pass\n";

// level1/1 has a small size, level1/2 does not know fp16.
class Making : public testing::Test {
 protected:
  Making() : folder_(*os::TempDir::Create("kb-task-maker")) {
    Write("pack/level1/1_A.py", kProblem);
    Write("pack/level1/2_B.py", kProblem);
    Write("pack/level1/problems.toml",
          "[\"1\"]\nsmall = { N = 61 }\n"
          "[\"2\"]\nprecisions = [\"fp32\", \"bf16\"]\n");
    compile::Compiler::Options options;
    options.cache_dir = Path("cache");
    auto compiler = compile::Compiler::Create({}, options);
    EXPECT_TRUE(compiler) << compiler.error().message();
    if (compiler)
      workplace_.emplace(Workplace{{},
                                   std::move(*compiler),
                                   "cpu",
                                   Size::kFull,
                                   0,
                                   Precision::kFp32,
                                   {},
                                   Opened("pack")});
    workplace_->session.lanes.emplace_back().isolation =
        jail::Isolation::kReduced;
  }

  std::string Path(const std::string& name) const {
    return folder_.path() + "/" + name;
  }
  void Write(const std::string& name, const std::string& text) const {
    const std::string path = Path(name);
    EXPECT_TRUE(os::MakeDirectories(path.substr(0, path.rfind('/'))));
    EXPECT_TRUE(os::WriteFileAtomically(path, text));
  }
  problems::Pack Opened(const std::string& name) const {
    auto pack = problems::Pack::Open(Path(name));
    EXPECT_TRUE(pack) << pack.error().message();
    return pack ? std::move(*pack) : problems::Pack{};
  }

  // The ids of the tasks that a source is judged by.
  std::vector<std::string> ProblemsOf(const std::string& source,
                                      const std::string& name = "k.py") const {
    const auto tasks =
        TaskMaker(options_, *workplace_).For(*CandidateIn(name, source));
    EXPECT_TRUE(tasks) << tasks.error().message();
    std::vector<std::string> ids;
    if (tasks)
      for (const eval::Task& task : *tasks) ids.push_back(task.problem.id);
    return ids;
  }
  eval::Task Made(const TaskLine& line) const {
    const auto task = TaskMaker(options_, *workplace_).For(line);
    EXPECT_TRUE(task) << task.error().message();
    return task ? *task : eval::Task();
  }
  // Of a task that must be the user's mistake.
  template <typename What>
  std::string WhyNot(const What& what) const {
    const auto made = TaskMaker(options_, *workplace_).For(what);
    EXPECT_FALSE(made);
    if (made) return "";
    EXPECT_EQ(made.error().kind(), Error::Kind::kUsage);
    return made.error().message();
  }

  os::TempDir folder_;
  EvalOptions options_;
  std::optional<Workplace> workplace_;
};

TaskLine Line(const std::string& problem) {
  TaskLine line;
  line.problem = problem;
  line.source = kKernel;
  return line;
}

TEST_F(Making, ACandidateIsJudgedOnEachNamedProblem) {
  options_.problems = {"1/2", "level1/1"};
  const std::string other = "# problem: level1/9\n";
  EXPECT_EQ(ProblemsOf(other + kKernel),
            (std::vector<std::string>{"level1/2", "level1/1"}))
      << "the command line goes before the candidate's own line";
}

TEST_F(Making, ACandidateMayNameItsProblem) {
  const std::vector<std::string> second{"level1/2"};
  EXPECT_EQ(ProblemsOf(std::string("# problem: 1/2\n") + kKernel), second);
  EXPECT_EQ(ProblemsOf(kKernel, "level_1_problem_2_sample_0_kernel.py"),
            second);
}

TEST_F(Making, TheOnlyProblemOfAPackNeedsNoName) {
  Write("alone.py", kProblem);
  workplace_->pack = Opened("alone.py");
  EXPECT_EQ(ProblemsOf(kKernel), std::vector<std::string>{"alone"});
}

TEST_F(Making, WhereNobodySaysWhichProblemThePersonIsAsked) {
  const std::string why = WhyNot(*CandidateIn("mine/k.py", kKernel));
  EXPECT_NE(why.find("mine/k.py"), std::string::npos) << why;
  EXPECT_NE(why.find("--problem"), std::string::npos) << why;
  EXPECT_NE(WhyNot(Line("")).find("--problem"), std::string::npos);
  options_.problems = {"level1/1", "level1/2"};
  EXPECT_NE(WhyNot(Line("")).find("--problem"), std::string::npos)
      << "a line is one task";
}

TEST_F(Making, OneUnknownProblemRefusesTheCandidate) {
  options_.problems = {"level1/1", "level1/9"};
  EXPECT_NE(WhyNot(*CandidateIn("k.py", kKernel)).find("level1/9"),
            std::string::npos);
}

TEST_F(Making, ModelIsJudgedWhereThereIsNoModelNewAndItIsNoted) {
  TaskLine line = Line("level1/1");
  EXPECT_EQ(Made(line).entry, "ModelNew");
  EXPECT_TRUE(Made(line).notes.empty());
  line.source = kOld;
  line.name = "old.py";
  const eval::Task task = Made(line);
  EXPECT_EQ(task.entry, "Model");
  ASSERT_EQ(task.notes.size(), 1U);
  EXPECT_NE(task.notes.front().find("no ModelNew"), std::string::npos);
  workplace_->policy = *record::NamedPolicy("original");
  EXPECT_EQ(Made(line).entry, "ModelNew") << "the original takes no other";
  EXPECT_TRUE(Made(line).notes.empty());
}

TEST_F(Making, ALinesProblemGoesBeforeTheCommandLines) {
  options_.problems = {"level1/1"};
  EXPECT_EQ(Made(Line("")).problem.id, "level1/1");
  EXPECT_EQ(Made(Line("level1/2")).problem.id, "level1/2");
}

TEST_F(Making, ALineWithoutWishesIsJudgedAsTheWorkplaceIs) {
  workplace_->size = Size::kSmall;
  workplace_->precision = Precision::kBf16;
  workplace_->policy.name = "ours";
  const eval::Task task = Made(Line("level1/1"));
  EXPECT_EQ(task.problem.size, Size::kSmall);
  EXPECT_NE(task.problem.source.find("N = 61\n"), std::string::npos);
  EXPECT_EQ(task.precision, Precision::kBf16);
  EXPECT_EQ(task.policy.name, "ours");
}

TEST_F(Making, ALinesWishesGoBeforeTheCommandLine) {
  options_.judge.trials = 9;
  TaskLine line = Line("level1/1");
  line.size = "small";
  line.precision = "fp16";
  line.policy = "strict";
  const eval::Task task = Made(line);
  EXPECT_EQ(task.problem.size, Size::kSmall);
  EXPECT_EQ(task.precision, Precision::kFp16);
  EXPECT_EQ(task.policy.name, "strict");
  EXPECT_EQ(task.policy.max_timed_trials, 9) << "--trials holds for any policy";
}

TEST_F(Making, WishesThatMeanNothingAreRefusedByName) {
  TaskLine size = Line("level1/1"), precision = size, policy = size;
  size.size = "huge";
  precision.precision = "fp31";
  policy.policy = "lenient";
  EXPECT_NE(WhyNot(size).find("huge"), std::string::npos);
  EXPECT_NE(WhyNot(precision).find("fp31"), std::string::npos);
  EXPECT_NE(WhyNot(policy).find("lenient"), std::string::npos);
}

TEST_F(Making, WhatAProblemDoesNotHaveIsRefused) {
  TaskLine line = Line("level1/2");
  line.precision = "fp16";
  EXPECT_NE(
      WhyNot(line).find("not run in fp16, only as given or in fp32, bf16"),
      std::string::npos);
  line.precision = "bf16";
  EXPECT_EQ(Made(line).precision, Precision::kBf16);
  line.size = "small";
  EXPECT_NE(WhyNot(line).find("level1/2"), std::string::npos);
}

TEST_F(Making, APolicyThatWantsMoreIsolationThanThereIsIsRefused) {
  Write("policy.json", R"({"name": "jailed", "min_isolation": "full"})");
  TaskLine line = Line("level1/1");
  line.policy = Path("policy.json");
  const std::string why = WhyNot(line);
  EXPECT_NE(why.find("\"jailed\" wants isolation full"), std::string::npos)
      << why;
  workplace_->session.lanes.front().isolation = jail::Isolation::kFull;
  EXPECT_EQ(Made(line).policy.name, "jailed");
}

TEST_F(Making, ALineMayNameAFile) {
  Write("k.cu", "extern \"C\" int kb_forward(int x) { return x; }\n");
  TaskLine line;
  line.problem = "level1/1";
  line.path = Path("k.cu");
  const eval::Task task = Made(line);
  EXPECT_EQ(task.candidate.name, "k.cu");
  EXPECT_EQ(task.candidate.track, record::Track::kNative);
  line.path = Path("none.cu");
  EXPECT_NE(WhyNot(line).find("none.cu"), std::string::npos);
}

}  // namespace
}  // namespace kb::cli
