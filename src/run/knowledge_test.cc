#include "run/knowledge.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "base/hash.h"
#include "os/files.h"
#include "store/store.h"

namespace kb::run {
namespace {

using record::Evaluation;
using record::Verdict;
using Ids = std::vector<std::string>;

constexpr const char* kNotes =
    "[\"1\"]\ntags = [\"relu\", \"elementwise\"]\n"
    "[\"2\"]\ntags = [\"gelu\", \"elementwise\"]\n"
    "[\"3\"]\ntags = [\"softmax\", \"reduction\"]\n"
    "[\"4\"]\ntags = [\"elementwise\"]\n";

// Four problems with these tags, and a store of programs for them.
class KnowledgeTest : public testing::Test {
 protected:
  KnowledgeTest() : folder_(*os::TempDir::Create("kb-knowledge")) {
    EXPECT_TRUE(os::MakeDirectories(folder_.path() + "/pack/level1"));
    for (const char* name : {"1_ReLU", "2_GELU", "3_Softmax", "4_Tanh"})
      Write(std::string("pack/level1/") + name + ".py",
            std::string("# ") + name +
                "\nimport torch\n\n\nclass Model(torch.nn.Module):\n"
                "    def forward(self, x):\n        return x\n\n\n"
                "def get_inputs():\n    return [torch.rand(2)]\n\n\n"
                "def get_init_inputs():\n    return []\n");
    Write("pack/level1/problems.toml", kNotes);
    auto pack = problems::Pack::Open(folder_.path() + "/pack");
    EXPECT_TRUE(pack) << pack.error().message();
    pack_ = std::move(*pack);
    EXPECT_TRUE(pack_.Issues().empty()) << pack_.Issues().at(0).ToString();
    writer_ = *prompt::KnowledgeWriter::Create(
        {KB_SOURCE_DIR "/share/prompts", "default", "cpp"});
    plan_.runs = {folder_.path() + "/run.db"};
    plan_.backend = "cpp";
  }

  void Write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(os::WriteFileAtomically(folder_.path() + "/" + name, text));
  }

  record::Problem ProblemOf(const std::string& id) const {
    return *pack_.Load(id, record::Size::kFull);
  }

  // A program for that problem; of speedup 0 one that is wrong.
  Evaluation EvaluationOf(const std::string& id, double speedup,
                          const std::string& source = "int a;") const {
    Evaluation evaluation;
    evaluation.problem_id = id;
    evaluation.problem_hash = ProblemOf(id).Hash();
    evaluation.model = "a-model";
    evaluation.sample = 0;
    evaluation.candidate.name = "answer.cpp";
    evaluation.candidate.source = source;
    evaluation.device.name = "cpu";
    evaluation.verdict = speedup > 0 ? Verdict::kCorrect : Verdict::kIncorrect;
    if (speedup <= 0) return evaluation;
    evaluation.speedup = record::Interval{speedup, speedup, speedup};
    evaluation.ruler.emplace();
    return evaluation;
  }

  store::Store Open() const { return *store::Store::Open(plan_.runs[0]); }
  void Keep(const Evaluation& evaluation) const {
    EXPECT_TRUE(Open().Append(evaluation));
  }

  Knowledge Read() const {
    auto knowledge = Knowledge::Read(plan_, *writer_, pack_);
    EXPECT_TRUE(knowledge) << knowledge.error().message();
    return std::move(*knowledge);
  }
  // Which problems' programs are shown for that one.
  Ids ShownFor(const std::string& id) const {
    Ids ids;
    for (const auto& program : Read().For(ProblemOf(id)).shown)
      ids.push_back(program.problem_id);
    return ids;
  }

  os::TempDir folder_;
  problems::Pack pack_;
  std::optional<prompt::KnowledgeWriter> writer_;
  KnowledgePlan plan_;
};

TEST_F(KnowledgeTest, ShowsFastProgramsOfOtherProblemsWithTheSameTags) {
  Keep(EvaluationOf("level1/1", 1.5));
  Keep(EvaluationOf("level1/2", 3, "int b;  // omp parallel"));
  Keep(EvaluationOf("level1/3", 9));
  const Knowledge knowledge = Read();
  ASSERT_EQ(knowledge.programs().size(), 3U);
  const KnowledgeBlock block = knowledge.For(ProblemOf("level1/1"));
  EXPECT_EQ(block.shown, (std::vector<record::ShownProgram>{
                             {base::Sha256("int b;  // omp parallel"),
                              plan_.runs[0], "level1/2", 0, 1}}));
  EXPECT_NE(block.text.find("GELU (elementwise), 3.00x as fast"),
            std::string::npos)
      << block.text;
  EXPECT_NE(block.text.find("# 2_GELU"), std::string::npos) << "the reference";
  EXPECT_EQ(ShownFor("level1/3"), Ids()) << "nothing else reduces";
}

TEST_F(KnowledgeTest, OwnProblemIsThereOnlyWhereThatIsAskedFor) {
  Keep(EvaluationOf("level1/1", 2));
  Keep(EvaluationOf("level1/2", 3));
  EXPECT_EQ(ShownFor("level1/1"), Ids{"level1/2"});
  plan_.own_problem = true;
  EXPECT_EQ(ShownFor("level1/1"), (Ids{"level1/1", "level1/2"}))
      << "that with more tags in common comes first";
}

TEST_F(KnowledgeTest, WhatIsNotFastTwiceIsNotShown) {
  Keep(EvaluationOf("level1/2", 0.9));
  Evaluation chosen = EvaluationOf("level1/4", 5);
  Keep(chosen);
  chosen.confirms = true;
  chosen.speedup = record::Interval{0.8, 0.8, 0.8};
  Keep(chosen);
  Evaluation untimed = EvaluationOf("level1/3", 2);
  untimed.ruler.reset();
  Keep(untimed);
  const auto nothing = Knowledge::Read(plan_, *writer_, pack_);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind(), base::Error::Kind::kUsage);
  EXPECT_NE(nothing.error().message().find("run.db: no program for cpp"),
            std::string::npos)
      << nothing.error().message();
  chosen.sample = 1;
  chosen.speedup = record::Interval{1.25, 1, 2};
  Keep(chosen);
  ASSERT_EQ(Read().programs().size(), 1U);
  EXPECT_EQ(Read().programs()[0].speedup, 1.25);
}

TEST_F(KnowledgeTest, ProgramOfAnotherBackendOrOfAnotherSourceIsNotShown) {
  Keep(EvaluationOf("level1/2", 2));
  Evaluation other = EvaluationOf("level1/4", 9);
  other.candidate.name = "answer.cu";
  Keep(other);
  other = EvaluationOf("level1/3", 9);
  other.problem_hash = "of what it was before";
  Keep(other);
  ASSERT_EQ(Read().programs().size(), 1U);
  EXPECT_EQ(Read().programs()[0].program.problem_id, "level1/2");
  ASSERT_TRUE(Open().AddToManifest({{"backend", "cpp-inline"}}));
  EXPECT_FALSE(Knowledge::Read(plan_, *writer_, pack_));
}

// tests/runs/knowledge_test.py shows that no row of it is looked at.
TEST_F(KnowledgeTest, WhatIsHeldOutIsNotShown) {
  Keep(EvaluationOf("level1/2", 2));
  Keep(EvaluationOf("level1/4", 9));
  plan_.held_out = {"level1/4"};
  EXPECT_EQ(ShownFor("level1/1"), Ids{"level1/2"});
  plan_.held_out = {"level1/2", "level1/4"};
  EXPECT_FALSE(Knowledge::Read(plan_, *writer_, pack_));
}

TEST_F(KnowledgeTest, LessonIsWhatTheLastStepBrought) {
  Evaluation fast =
      EvaluationOf("level1/2", 3, "int b; std::thread t; _mm256_add();");
  fast.turn = 2;
  Keep(fast);
  std::vector<record::Decision> log(3);
  for (record::Decision& line : log) {
    line.problem_id = "level1/2";
    line.problem_hash = fast.problem_hash;
    line.model = "a-model";
  }
  log[0].ask.emplace().turn = 1;
  log[1].told.emplace().turn = 1;
  log[1].told->verdict = Verdict::kCorrect;
  log[1].told->speedup = 1.25;
  log[1].told->approaches = {"processor threads"};
  log[2].ask = record::Ask{2, record::AskKind::kRefine, {1}, ""};
  ASSERT_TRUE(Open().AddDecisions(log));
  const Knowledge knowledge = Read();
  const prompt::Lesson& lesson = knowledge.programs().at(0).lesson;
  EXPECT_EQ(lesson.approaches, "processor threads, processor vectors");
  EXPECT_EQ(lesson.added, "processor vectors");
  EXPECT_EQ(lesson.before, "1.25x");
}

TEST_F(KnowledgeTest, BlockStaysWithinItsTokens) {
  Keep(EvaluationOf("level1/2", 3, std::string(900, 'x')));
  Keep(EvaluationOf("level1/4", 2, "int small;"));
  plan_.tokens = 1000;
  EXPECT_EQ(Read().For(ProblemOf("level1/1")).shown.size(), 2U);
  plan_.tokens = 220;
  const KnowledgeBlock block = Read().For(ProblemOf("level1/1"));
  EXPECT_LE(block.text.size(), 3U * 220);
  ASSERT_EQ(block.shown.size(), 1U);
  EXPECT_EQ(block.shown[0].problem_id, "level1/4");
  plan_.tokens = 10;
  EXPECT_EQ(Read().For(ProblemOf("level1/1")).text, "");
}

TEST_F(KnowledgeTest, HashIsOfAllThatIsShown) {
  Keep(EvaluationOf("level1/2", 3));
  const std::string before = Read().Hash();
  EXPECT_EQ(Read().Hash(), before);
  plan_.tokens = 1000;
  EXPECT_NE(Read().Hash(), before);
  plan_.tokens = KnowledgePlan().tokens;
  Keep(EvaluationOf("level1/4", 2));
  EXPECT_NE(Read().Hash(), before);
}

// By hand: two shared tags beat one; one of two beats one of three; of equals
// the faster.
TEST(RankedFor, TagsComeBeforeSpeed) {
  record::Problem problem;
  problem.id = "level1/1";
  problem.tags = {"a", "b"};
  std::vector<KnownProgram> programs(5);
  const std::vector<std::vector<std::string>> tags{
      {"a", "c"}, {"a", "b"}, {"a"}, {"a", "d"}, {"e"}};
  const std::vector<double> speedups{2, 1.1, 1.2, 3, 9};
  for (size_t i = 0; i < programs.size(); ++i) {
    programs[i].program.problem_id = "level2/" + std::to_string(i);
    programs[i].tags = tags[i];
    programs[i].speedup = speedups[i];
  }
  Ids ids;
  for (const KnownProgram* each : RankedFor(problem, programs, false))
    ids.push_back(each->program.problem_id);
  EXPECT_EQ(ids, (Ids{"level2/1", "level2/2", "level2/3", "level2/0"}));
}

TEST(RankedFor, SameNameIsTheSameProblem) {
  record::Problem problem;
  problem.id = "level1/1";
  problem.name = "Softmax";
  problem.tags = {"a"};
  std::vector<KnownProgram> programs(1);
  programs[0].program.problem_id = "v3/level1/7";
  programs[0].name = "Softmax";
  programs[0].tags = {"a"};
  EXPECT_TRUE(RankedFor(problem, programs, false).empty());
  EXPECT_EQ(RankedFor(problem, programs, true).size(), 1U);
}

}  // namespace
}  // namespace kb::run
