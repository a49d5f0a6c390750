#include "workplace/workplace.h"

#include <gtest/gtest.h>

#include "os/files.h"
#include "workplace/selection.h"

namespace kb::workplace {
namespace {

using record::Verdict;

Judged With(const std::vector<std::optional<Verdict>>& verdicts) {
  Judged judged;
  for (const auto& verdict : verdicts)
    judged.evaluations.emplace_back(record::Evaluation())->verdict = verdict;
  return judged;
}

TEST(ExitCode, IsZeroOnlyWhenAllAreCorrect) {
  EXPECT_EQ(ExitCodeOf(With({})), ExitCode::kDone);
  EXPECT_EQ(ExitCodeOf(With({Verdict::kCorrect, Verdict::kCorrect})),
            ExitCode::kDone);
  EXPECT_EQ(ExitCodeOf(With({Verdict::kCorrect, Verdict::kTimeout})),
            ExitCode::kNo);
  EXPECT_EQ(ExitCodeOf(With({std::nullopt})), ExitCode::kNo)
      << "could not run here";
}

TEST(ExitCode, OurOwnFailureCountsMoreThanACandidates) {
  EXPECT_EQ(ExitCodeOf(With({Verdict::kIncorrect, Verdict::kInfraError})),
            ExitCode::kOurFailure);
  Judged judged = With({Verdict::kCorrect});
  judged.evaluations.emplace_back(std::nullopt);
  EXPECT_EQ(ExitCodeOf(judged), ExitCode::kOurFailure) << "one was not judged";
}

TEST(ExitCode, InterruptionAndErrorsHaveTheirOwn) {
  Judged judged = With({Verdict::kIncorrect});
  judged.error = base::Error("wrong", base::Error::Kind::kUsage);
  EXPECT_EQ(ExitCodeOf(judged), ExitCode::kUsage);
  judged.interrupted = true;
  EXPECT_EQ(ExitCodeOf(judged), ExitCode::kInterrupted);
}

TEST(ChooseSize, IsWhatIsNamedElseTheDevices) {
  EXPECT_EQ(*ChooseSize("", std::nullopt, record::Size::kSmall),
            record::Size::kSmall);
  EXPECT_EQ(*ChooseSize("full", std::nullopt, record::Size::kSmall),
            record::Size::kFull);
  EXPECT_EQ(*ChooseSize("", 1 << 30, record::Size::kSmall),
            record::Size::kFitted);
}

TEST(ChooseSize, TakesAnyNameForThePackToKnow) {
  EXPECT_EQ(*ChooseSize("wide", std::nullopt, record::Size::kSmall),
            *record::ParseSize("wide"));
}

TEST(ChooseSize, SeveralAreForThoseWhoTakeSeveral) {
  for (const char* name : {"all", "small,wide"}) {
    EXPECT_EQ(*ChooseSizes(name, std::nullopt, record::Size::kFull),
              *record::ParseSize(name));
    EXPECT_FALSE(ChooseSize(name, std::nullopt, record::Size::kFull)) << name;
  }
  EXPECT_FALSE(ChooseSizes("all", 1 << 30, record::Size::kFull));
}

TEST(ChooseSize, RefusesWhatMeansNothing) {
  for (const char* name : {"Large", "fitted"})
    EXPECT_FALSE(ChooseSize(name, std::nullopt, record::Size::kFull)) << name;
  EXPECT_FALSE(ChooseSize("small", 1 << 30, record::Size::kFull))
      << "--size and --fit exclude each other";
}

TEST(ChoosePolicy, OptionsGoBeforeTheNamedPolicy) {
  JudgeOptions options;
  options.trials = 7;
  options.processes = 2;
  options.cache = "warm";
  options.tolerance = 0.5;
  const auto policy = ChoosePolicy("strict", options);
  ASSERT_TRUE(policy) << policy.error().message();
  EXPECT_EQ(policy->min_timed_trials, 7);
  EXPECT_EQ(policy->max_timed_trials, 7);
  EXPECT_EQ(policy->processes, 2);
  EXPECT_TRUE(policy->warm);
  EXPECT_EQ(policy->tolerance->rtol, 0.5);
  EXPECT_EQ(policy->error_multiple, 0);
}

TEST(ChoosePolicy, FileIsAPolicyAndItsMistakesAreNamed) {
  const auto folder = os::TempDir::Create("machine-test");
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/policy.json";
  ASSERT_TRUE(
      os::WriteFileAtomically(path, R"({"name": "mine", "public_trials": 3})"));
  const auto policy = ChoosePolicy(path, {});
  ASSERT_TRUE(policy) << policy.error().message();
  EXPECT_EQ(policy->public_trials, 3);

  ASSERT_TRUE(os::WriteFileAtomically(path, "{"));
  const auto broken = ChoosePolicy(path, {});
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message().find(path), std::string::npos);
  EXPECT_FALSE(ChoosePolicy("no-such-policy", {}));
}

class SelectionTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TempDir::Create("selection-test");
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
    for (const char* name :
         {"level1/1_A", "level1/2_B", "level2/1_C", "v3/level1/1_D"}) {
      const std::string path = folder_->path() + "/" + name + ".py";
      ASSERT_TRUE(os::MakeDirectories(path.substr(0, path.rfind('/'))));
      ASSERT_TRUE(os::WriteFileAtomically(
          path,
          "import torch\n\n\nclass Model(torch.nn.Module):\n"
          "    def forward(self, x):\n        return x\n\n\n"
          "def get_inputs():\n    return [torch.rand(2)]\n\n\n"
          "def get_init_inputs():\n    return []\n"));
    }
    auto pack = problems::Pack::Open(folder_->path());
    ASSERT_TRUE(pack) << pack.error().message();
    pack_ = std::move(*pack);
  }

  std::vector<std::string> Ids(const SelectionOptions& options) {
    const auto selected = Selected(pack_, options);
    std::vector<std::string> ids;
    if (selected)
      for (const problems::Entry& entry : *selected) ids.push_back(entry.id);
    return ids;
  }

  std::optional<os::TempDir> folder_;
  problems::Pack pack_;
};

TEST_F(SelectionTest, NothingSaidIsAll) { EXPECT_EQ(Ids({}).size(), 4U); }

TEST_F(SelectionTest, LevelsAreNamedInFullOrByNumber) {
  SelectionOptions options;
  for (const char* level : {"1", "level1"}) {
    options.levels = {level};
    EXPECT_EQ(Ids(options), (std::vector<std::string>{"level1/1", "level1/2"}))
        << level;
  }
  options.levels = {"v3/1", "2"};
  EXPECT_EQ(Ids(options),
            (std::vector<std::string>{"level2/1", "v3/level1/1"}));
}

TEST_F(SelectionTest, AllOptionsMustAllowAProblem) {
  SelectionOptions options;
  options.problems = {"level1/2", "level2/1"};
  options.levels = {"1"};
  EXPECT_EQ(Ids(options), std::vector<std::string>{"level1/2"});
  options.levels = {"v3/1"};
  const auto none = Selected(pack_, options);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind(), base::Error::Kind::kUsage);
}

}  // namespace
}  // namespace kb::workplace
