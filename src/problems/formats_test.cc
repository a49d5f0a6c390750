#include <gtest/gtest.h>

#include "pack_fixture.h"

// Problems in other forms than the folder with classes: tables, functions; and
// what a pack says beside them: selections, costs.

namespace kb::problems {
namespace {

using FormatsTest = PackTest;
using Strings = std::vector<std::string>;

std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text)
    escaped += c == '\n' ? "\\n" : c == '"' ? "\\\"" : std::string(1, c);
  return escaped;
}

std::string RowOf(int level, int id, const std::string& name,
                  const std::string& source) {
  return "{\"code\": \"" + Escaped(source) +
         "\", \"level\": " + std::to_string(level) + ", \"name\": \"" + name +
         "\", \"problem_id\": " + std::to_string(id) + "}\n";
}

TEST_F(FormatsTest, JsonLinesAreProblems) {
  Write("p.jsonl", RowOf(1, 23, "23_Softmax", kProblem) +
                       RowOf(2, 1, "1_Conv2D_ReLU_", kProblem));
  const Pack pack = Opened("p.jsonl");
  EXPECT_EQ(Issues(pack), "");
  EXPECT_EQ(Ids(pack), (Strings{"level1/23", "level2/1"}));
  EXPECT_EQ(pack.List()[1].name, "Conv2D_ReLU");
  EXPECT_EQ(pack.List()[1].line, 2);
  EXPECT_EQ(pack.Load("1/23", record::Size::kFull)->source, kProblem);
  EXPECT_EQ(pack.Find("23_Softmax")->id, "level1/23");
}

TEST_F(FormatsTest, ColumnsGoByOtherNamesToo) {
  Write("p.jsonl", "{\"PyTorch_Code_Module\": \"" + Escaped(kProblem) +
                       "\", \"Level_ID\": \"level_3\", \"Task_ID\": 7, "
                       "\"Op_Name\": \"7_AlexNet\"}\n");
  EXPECT_EQ(Ids(Opened("p.jsonl")), Strings{"level3/7"});
}

TEST_F(FormatsTest, BrokenRowsAreReportedByLineAndTheRestIsUsable) {
  Write("p.jsonl",
        RowOf(1, 1, "1_Good", kProblem) + "{\"code\": \n" + "[1]\n" +
            "{\"level\": 1, \"problem_id\": 2}\n" +
            RowOf(1, 3, "3_Wrong_name", "import x\nclass Modle: pass\n") +
            RowOf(1, 1, "1_Again", kProblem) + "\n" +
            RowOf(1, 9, "9_Last", kProblem));
  const Pack pack = Opened("p.jsonl");
  EXPECT_EQ(Ids(pack), Strings{"level1/9"});
  const std::string issues = Issues(pack);
  const std::string file = Path("p.jsonl");
  EXPECT_TRUE(Contains(issues, file + ":2: ")) << issues;
  EXPECT_TRUE(Contains(issues, file + ":3: the row is not a JSON object"));
  EXPECT_TRUE(Contains(issues, file + ":4: the row has no column"));
  EXPECT_TRUE(Contains(issues, file + ":5: line 2 of the source: \"class "
                                      "Modle\" must be \"class Model\""))
      << issues;
  EXPECT_TRUE(Contains(issues, file + ":6: " + file + ":1 has the same id"));
}

TEST_F(FormatsTest, RowsCannotLeaveTheirPlace) {
  const std::string source = "\"code\": \"" + Escaped(kProblem) + "\"";
  Write("p.jsonl",
        "{" + source + ", \"level\": \"1/../../x\", \"problem_id\": 1}\n" +
            "{" + source + ", \"level\": 1, \"problem_id\": \"../2\"}\n" + "{" +
            source + ", \"name\": \"../../3\\u001b[31m\"}\n");
  const Pack pack = Opened("p.jsonl");
  EXPECT_EQ(Ids(pack), Strings{"______3_31m"});
  EXPECT_EQ(pack.List()[0].name, "../../3[31m");
  EXPECT_TRUE(Contains(Issues(pack), ":1: the level is no number"))
      << Issues(pack);
  EXPECT_TRUE(Contains(Issues(pack), ":2: the id may have letters"));
}

TEST_F(FormatsTest, FolderOfTablesIsOnePack) {
  Write("data/level_1.jsonl", RowOf(1, 1, "1_A", kProblem));
  Write("data/level_2.jsonl", RowOf(2, 1, "1_B", kProblem));
  EXPECT_EQ(Ids(Opened()), (Strings{"level1/1", "level2/1"}));
}

TEST_F(FormatsTest, ParquetIsReadByWhoeverCan) {
  Write("p.parquet", "PAR1");
  const auto reader =
      [this](const std::string& path) -> base::Result<std::string> {
    EXPECT_EQ(path, Path("p.parquet"));
    return RowOf(1, 1, "1_A", kProblem) + RowOf(2, 3, "3_B", kProblem);
  };
  const auto pack = Pack::Open(Path("p.parquet"), reader);
  ASSERT_TRUE(pack) << pack.error().message();
  EXPECT_EQ(Ids(*pack), (Strings{"level1/1", "level2/3"}));
}

TEST_F(FormatsTest, WhatIsNoParquetIsAClearError) {
  Write("p.parquet", "PAR");
  const auto broken = Pack::Open(
      Path("p.parquet"), [](const std::string&) -> base::Result<std::string> {
        return base::Usage("too small to be Parquet");
      });
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().message(), "too small to be Parquet");
  const auto unread = Pack::Open(Path("p.parquet"));
  ASSERT_FALSE(unread);
  EXPECT_TRUE(Contains(unread.error().message(), "p.parquet"));
}

TEST_F(FormatsTest, ReferenceMayBeModelNewOrAFunction) {
  Write("level1/1_A.py",
        "class ModelNew: pass\ndef get_inputs(): pass\n"
        "def get_init_inputs(): pass\n");
  Write("level1/2_B.py",
        "def reference(x): return x\ndef get_inputs(): pass\n");
  Write("level1/3_C.py", kProblem + "def module_fn(x): pass\n");
  const Pack pack = Opened();
  EXPECT_EQ(Issues(pack), "");
  EXPECT_EQ(pack.Load("1/1", record::Size::kFull)->reference, "ModelNew");
  EXPECT_EQ(pack.Load("1/2", record::Size::kFull)->reference, "reference");
  EXPECT_EQ(pack.Load("1/3", record::Size::kFull)->reference, "Model");
}

TEST_F(FormatsTest, NestedLevelsMayBeNamedByTheirNumber) {
  Write("v3/level1/23_Softmax.py", kProblem);
  Write("level1/23_Softmax.py", kProblem);
  const Pack pack = Opened();
  EXPECT_EQ(pack.Find("v3/1/23")->id, "v3/level1/23");
  EXPECT_EQ(pack.Find("1/23")->id, "level1/23");
}

TEST_F(FormatsTest, SelectionIsLevelsAndProblemsLessSome) {
  for (const char* file : {"level1/1_A.py", "level1/2_B.py", "level2/1_C.py",
                           "level2/2_D.py", "v3/level1/1_E.py"})
    Write(file, kProblem);
  Write("selections.toml",
        "[some]\nlevels = [\"level1\"]\nproblems = [\"level2/2\"]\n"
        "without = [\"level1/1\"]\nwhy = \"x\"\n[bad]\nlevels = \"level1\"\n");
  const Pack pack = Opened();
  const auto some = pack.Select("some");
  ASSERT_TRUE(some);
  Strings ids;
  for (const Entry& entry : *some) ids.push_back(entry.id);
  EXPECT_EQ(ids, (Strings{"level1/2", "level2/2"}));
  EXPECT_TRUE(Contains(Issues(pack), "selections.toml:5: unknown key"));
  EXPECT_TRUE(Contains(Issues(pack), "selections.toml:7: levels must be"));
  const auto none = pack.Select("nothing");
  ASSERT_FALSE(none);
  EXPECT_TRUE(Contains(none.error().message(), "bad, some"));
}

TEST_F(FormatsTest, DeepFilesAreIssuesAndNoCrash) {
  std::string key;
  std::string row = R"({"level": "1", "problem_id": "7", "code": )";
  for (int i = 0; i < 200000; ++i) {
    key += "a.";
    row += "[";
  }
  Write("level1/1_A.py", kProblem);
  Write("level1/problems.toml", "[\"1\"]\n" + key + "a = 1\n");
  Write("selections.toml", "[" + key + "a]\n");
  Write("more.jsonl", row + std::string(200000, ']') + "}\n");
  const std::string issues = Issues(Opened());
  EXPECT_TRUE(Contains(issues, "problems.toml:2: a key has more than 64"));
  EXPECT_TRUE(Contains(issues, "selections.toml:1: a key has more than 64"));
  EXPECT_TRUE(Contains(issues, "nested more than 256 deep"));
}

TEST_F(FormatsTest, OurSelectionsHaveTheirSizes) {
  const auto pack = Pack::Open(KB_SOURCE_DIR "/problems");
  ASSERT_TRUE(pack);
  EXPECT_EQ(pack->Select("representative")->size(), 34U);
  EXPECT_EQ(pack->Select("metr")->size(), 250U - 43U);
  EXPECT_EQ(pack->Select("v3")->size(), 41U);
}

class FitTest : public PackTest {
 protected:
  // 8 GB of data, 1 GB of weights: judging takes 1.07 + 3 + 3 * 7 GB.
  void SetUp() override {
    Write("level1/1_A.py", kProblem);
    Write("level1/problems.toml",
          "[\"1\"]\nscale = \"N\"\nsmall = { N = 61 }\n");
    Write("costs.json",
          "{\"level1/1\": {\"full\": {\"memory_bytes\": 8000000000, "
          "\"state_bytes\": 1000000000, \"compulsory_bytes\": 8000000000, "
          "\"flops\": 1e12}, \"small\": {\"memory_bytes\": 1000000, "
          "\"state_bytes\": 1000, \"compulsory_bytes\": 1000000, \"flops\": "
          "1e6}}}");
  }
};

TEST_F(FitTest, WhatFitsRunsInFull) {
  const Pack pack = Opened();
  const auto problem = pack.Load("1/1", record::Size::kFitted, 26'000'000'000);
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_EQ(problem->size, record::Size::kFull);
  EXPECT_EQ(problem->source, kProblem);
  EXPECT_EQ(problem->cost->flops, 1e12);
}

TEST_F(FitTest, ScaleIsLoweredUntilItFits) {
  const Pack pack = Opened();
  constexpr uint64_t kBudget = 10'000'000'000;
  const auto problem = pack.Load("1/1", record::Size::kFitted, kBudget);
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_EQ(problem->size, record::Size::kFitted);
  // (10 - 4.24) / (25.07 - 4.24) of 4096
  EXPECT_TRUE(Contains(problem->source, "\nN = 1132\n")) << problem->source;
  EXPECT_LE(problem->cost->JudgingBytes(), kBudget);
  EXPECT_GT(problem->cost->JudgingBytes(), kBudget * 98 / 100);
}

TEST_F(FitTest, WhatCannotBeScaledRunsSmall) {
  const Pack pack = Opened();
  const auto problem = pack.Load("1/1", record::Size::kFitted, 2'000'000'000);
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_EQ(problem->size, record::Size::kSmall);
}

TEST_F(FitTest, WhatFitsNowhereSaysWhatItTakes) {
  const Pack pack = Opened();
  const auto problem = pack.Load("1/1", record::Size::kFitted, 1'000'000'000);
  ASSERT_FALSE(problem);
  EXPECT_TRUE(Contains(problem.error().message(), "takes 25.1 GB"))
      << problem.error().message();
}

TEST_F(FitTest, WhatIsMostlyFixedIsNotScaledUp) {
  Write("costs.json",
        "{\"level1/1\": {\"full\": {\"memory_bytes\": 1000, "
        "\"state_bytes\": 0, \"compulsory_bytes\": 1000, \"flops\": 1}}}");
  EXPECT_FALSE(Opened().Load("1/1", record::Size::kFitted, 1'000'000'000));
}

TEST_F(FitTest, UnknownCostsCannotBeFitted) {
  Write("level1/2_B.py", kProblem);
  const auto problem =
      Opened().Load("1/2", record::Size::kFitted, 80'000'000'000);
  ASSERT_FALSE(problem);
  EXPECT_TRUE(Contains(problem.error().message(), "not known"));
}

TEST_F(FitTest, CostsSurviveWriting) {
  Costs costs;
  costs["level1/10"][record::Size::kFull] = {1, 2, 3, 4.5};
  costs["level1/9"][record::Size::kSmall] = {uint64_t{1} << 40, 0, 1, 0};
  const std::string text = ToText(costs);
  EXPECT_EQ(*CostsFromText(text), costs);
  EXPECT_LT(text.find("level1/9\""), text.find("level1/10"));
  EXPECT_EQ(*CostsFromText(ToText({})), Costs{});
}

TEST_F(FormatsTest, ToleranceNotesWidenTheirPrecision) {
  Write("level1/1_A.py", kProblem);
  Write("level1/problems.toml",
        "[\"1\"]\ntolerances = [{ precision = \"fp32\", value = 1e-3, honest "
        "= 2e-4, cheat = 0.1 }, { precision = \"fp16\", value = 1, honest = "
        "2, cheat = 3 }]\n");
  const Pack pack = Opened();
  EXPECT_TRUE(Contains(Issues(pack), "0 < honest <= value < cheat"));
  const auto problem = pack.Load("1/1", record::Size::kFull);
  const record::Policy policy = *record::NamedPolicy("kernelbench");
  const auto adjusted = problem->Adjusted(policy, record::Precision::kFp32);
  EXPECT_EQ(adjusted.tolerance, (record::Tolerance{1e-3, 1e-3}));
  EXPECT_FALSE(problem->Adjusted(policy, record::Precision::kFp16).tolerance);
  record::Policy own = policy;
  own.tolerance = record::Tolerance{1e-5, 1e-5};
  EXPECT_EQ(problem->Adjusted(own, record::Precision::kFp32).tolerance,
            own.tolerance);
}

TEST_F(FormatsTest, FloorNotesSayWhatNoAnswerSaves) {
  Write("level1/1_A.py", kProblem);
  Write("level1/problems.toml",
        "[\"1\"]\nfloor = { counts = [\"inputs\", \"flops\"], precisions = "
        "[\"fp32\"], reason = \"all are multiplied\" }\n");
  const Pack pack = Opened();
  EXPECT_TRUE(pack.Issues().empty());
  const auto problem = pack.Load("1/1", record::Size::kFull);
  EXPECT_EQ(problem->floor,
            (record::Floor{.inputs = true,
                           .flops = true,
                           .precisions = {record::Precision::kFp32},
                           .reason = "all are multiplied"}));
}

TEST_F(FormatsTest, WrongFloorNotesCountOutputsAloneAndSaySo) {
  Write("level1/1_A.py", kProblem);
  const std::pair<const char*, const char*> cases[] = {
      {R"(["inputs"])", ":2: floor must be"},
      {R"({ counts = ["inputs"] })", ":2: floor must be"},
      {R"({ counts = "inputs", reason = "r" })", ":2: floor must be"},
      {R"({ counts = ["outputs"], reason = "r" })", "outputs always count"},
      {R"({ counts = [1], reason = "r" })", "outputs always count"},
      {R"({ counts = ["inputs"], precisions = ["fp8"], reason = "r" })",
       "a precision is"},
      {R"({ counts = ["inputs"], why = "w", reason = "r" })",
       "unknown key \"why\" of floor"},
  };
  for (const auto& [note, issue] : cases) {
    Write("level1/problems.toml",
          std::string("[\"1\"]\nfloor = ") + note + "\n");
    const Pack pack = Opened();
    EXPECT_TRUE(Contains(Issues(pack), issue)) << note;
    EXPECT_EQ(pack.Load("1/1", record::Size::kFull)->floor, record::Floor())
        << note;
  }
}

}  // namespace
}  // namespace kb::problems
