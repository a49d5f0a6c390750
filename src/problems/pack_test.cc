#include "problems/pack.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "natural_order.h"
#include "os/files.h"
#include "pack_fixture.h"

namespace kb::problems {
namespace {

using Strings = std::vector<std::string>;

TEST_F(PackTest, OriginalLayoutIsReadInNaturalOrder) {
  Write("level2/1_Conv2D_ReLU_BiasAdd.py", kProblem);
  Write("level1/10_3D_tensor_matrix_multiplication.py", kProblem);
  Write("level1/9_Tall_skinny_matrix_multiplication_.py", kProblem);
  Write("v3/level1/1_GEMM.py", kProblem);
  Write("README.md", "");
  Write("level1/__init__.py", "");
  Write("level1/.hidden.py", "");
  const Pack pack = Opened();
  EXPECT_EQ(Issues(pack), "");
  EXPECT_EQ(Ids(pack),
            (Strings{"level1/9", "level1/10", "level2/1", "v3/level1/1"}));
  EXPECT_EQ(pack.List()[0].name, "Tall_skinny_matrix_multiplication");
  EXPECT_EQ(pack.List()[1].name, "3D_tensor_matrix_multiplication");
  EXPECT_EQ(pack.List()[0].path,
            Path("level1/9_Tall_skinny_matrix_multiplication_.py"));
}

TEST_F(PackTest, LoadGivesTheSourceAsItIs) {
  Write("level1/23_Softmax.py", kProblem);
  const Pack pack = Opened();
  const auto problem = pack.Load("level1/23", record::Size::kFull);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->id, "level1/23");
  EXPECT_EQ(problem->name, "Softmax");
  EXPECT_EQ(problem->pack, Path(""));
  EXPECT_EQ(problem->source, kProblem);
}

TEST_F(PackTest, IdMayBeShortOrTheFileName) {
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/26_GELU_.py", kProblem);
  Write("level2/23_Conv.py", kProblem);
  const Pack pack = Opened();
  for (const char* id : {"level1/23", "1/23", "level1/23_Softmax", "23_Softmax",
                         "1/23_Softmax.py"}) {
    const auto entry = pack.Find(id);
    ASSERT_TRUE(entry) << id;
    EXPECT_EQ(entry->id, "level1/23") << id;
  }
  EXPECT_EQ(pack.Find("26_GELU")->id, "level1/26");
  EXPECT_EQ(pack.Find("26_GELU_")->id, "level1/26");
  EXPECT_TRUE(Contains(Failure(pack, "23"), "level1/23 or level2/23"));
}

TEST_F(PackTest, WholeIdWinsOverNestedOnes) {
  Write("level1/1_A.py", kProblem);
  Write("v3/level1/1_B.py", kProblem);
  const Pack pack = Opened();
  EXPECT_EQ(pack.Find("1/1")->name, "A");
  EXPECT_EQ(pack.Find("v3/level1/1")->name, "B");
}

TEST_F(PackTest, UnknownIdIsAnsweredWithCloseOnes) {
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/40_LayerNorm.py", kProblem);
  const Pack pack = Opened();
  EXPECT_TRUE(Contains(Failure(pack, "softmx"), "level1/23 (Softmax)"));
  EXPECT_TRUE(Contains(Failure(pack, "layernorm"), "level1/40 (LayerNorm)"));
  EXPECT_TRUE(Contains(Failure(pack, "leve1/23"), "level1/23 (Softmax)"));
  EXPECT_TRUE(Contains(Failure(pack, "zzzzzzzz"), "kernelbench problems"));
}

TEST_F(PackTest, BrokenProblemsAreReportedAndTheRestIsUsable) {
  Write("level1/1_Good.py", kProblem);
  Write("level1/2_No_init.py", "class Model: pass\ndef get_inputs(): pass\n");
  Write("level1/3_Bytes.py", "x = '\xff'\n");
  Write("level1/4_Large.py", kProblem + std::string(1 << 20, '#'));
  Write("level1/5_Indented.py",
        "if x:\n  " + kProblem.substr(0, 30) + "\n  class Model: pass\n");
  Write("level1/notes.py", kProblem);
  const Pack pack = Opened();
  EXPECT_EQ(Ids(pack), Strings{"level1/1"});
  const std::string issues = Issues(pack);
  EXPECT_TRUE(Contains(issues, Path("level1/2_No_init.py") +
                                   ": there is no \"def get_init_inputs\""));
  EXPECT_FALSE(Contains(issues,
                        "\"def get_inputs\" at module level (forward's "
                        "arguments)\n" +
                            Path("level1/2_")));
  EXPECT_TRUE(Contains(issues, "3_Bytes.py: the file is not UTF-8"));
  EXPECT_TRUE(Contains(issues, "4_Large.py: "));
  EXPECT_TRUE(Contains(issues, "5_Indented.py: there is no \"class Model\""));
  EXPECT_TRUE(Contains(issues, "notes.py: the name must begin"));
  EXPECT_TRUE(Contains(Failure(pack, "1/2"), "get_init_inputs"));
}

TEST_F(PackTest, WordsInStringsAndCommentsDefineNothing) {
  Write("level1/1_A.py", "\"\"\"\n" + kProblem + "\"\"\"\n");
  Write("level1/2_B.py", kProblem);
  EXPECT_EQ(Ids(Opened()), Strings{"level1/2"});
}

TEST_F(PackTest, DuplicateIdNamesBothFilesAndLoadsNeither) {
  Write("level1/7_A.py", kProblem);
  Write("level1/07_B.py", kProblem);
  Write("level1/8_C.py", kProblem);
  const Pack pack = Opened();
  EXPECT_EQ(Ids(pack), Strings{"level1/8"});
  EXPECT_TRUE(Contains(Issues(pack), "7_A.py"));
  EXPECT_TRUE(Contains(Issues(pack), "07_B.py"));
  EXPECT_TRUE(Contains(Failure(pack, "level1/7"), "same id"));
}

TEST_F(PackTest, NotesGiveTagsFlagsAndTheSmallSize) {
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/problems.toml",
        "[\"23\"]\ntags = [\"softmax\"]\nsmall = { N = 61 }\nflags = [{ flag = "
        "\"zero_passes\", reason = \"tiny\" }]\n");
  const Pack pack = Opened();
  EXPECT_EQ(Issues(pack), "");
  const auto problem = pack.Load("1/23", record::Size::kSmall);
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_TRUE(Contains(problem->source, "\nN = 61\n"));
  EXPECT_EQ(problem->size, record::Size::kSmall);
  EXPECT_EQ(problem->tags, Strings{"softmax"});
  ASSERT_EQ(problem->flags.size(), 1u);
  EXPECT_EQ(problem->flags[0].reason, "tiny");
  EXPECT_TRUE(pack.List()[0].has_small);
  EXPECT_EQ(pack.Load("1/23", record::Size::kFull)->source, kProblem);
}

TEST_F(PackTest, NamedSizeHasItsOwnConstantsAndElseWhatTheFullOneHas) {
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/24_Other.py", kProblem);
  Write("level1/problems.toml",
        "[\"23\"]\ntags = [\"softmax\"]\nsmall = { N = 61 }\n"
        "sizes = { wide = { N = 8191 }, n1-b_2 = { N = 1 } }\n");
  const Pack pack = Opened();
  EXPECT_EQ(Issues(pack), "");
  const record::Size wide = *record::ParseSize("wide");
  const auto problem = pack.Load("1/23", wide);
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_TRUE(Contains(problem->source, "\nN = 8191\n"));
  EXPECT_EQ(problem->size, wide);
  EXPECT_EQ(problem->tags, Strings{"softmax"});
  EXPECT_FALSE(problem->cost) << "nobody has measured it";
  EXPECT_EQ(SizeNamesOf(pack.List()[0]),
            (Strings{"full", "small", "n1-b_2", "wide"}));
  EXPECT_EQ(SizeNamesOf(pack.List()[1]), Strings{"full"});
}

TEST_F(PackTest, AllSizesAreTheFullOneAndTheNamedOnes) {
  Entry entry;
  entry.has_small = true;
  entry.sizes = {*record::ParseSize("tall"), *record::ParseSize("wide")};
  const auto names = [&](const char* several) {
    Strings all;
    for (const record::Size& size : SizesOf(entry, *record::ParseSize(several)))
      all.push_back(record::SizeName(size));
    return all;
  };
  EXPECT_EQ(names("all"), (Strings{"full", "tall", "wide"}));
  EXPECT_EQ(names("wide,small"), (Strings{"wide", "small"}));
  EXPECT_EQ(names("huge"), Strings{"huge"}) << "what Load says of it";
}

TEST_F(PackTest, SizeThatAProblemLacksIsAnErrorWithThoseItHas) {
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/problems.toml",
        "[\"23\"]\nsmall = { N = 61 }\nsizes = { wide = { N = 8191 } }\n");
  Pack pack = Opened();
  const std::string failure = Failure(pack, "1/23", *record::ParseSize("tall"));
  EXPECT_TRUE(Contains(failure, "no size \"tall\"")) << failure;
  EXPECT_TRUE(Contains(failure, "full, small, wide")) << failure;
  pack.AllowFullForSmall();
  EXPECT_NE(Failure(pack, "1/23", *record::ParseSize("tall")), "")
      << "only the small size has a substitute";
}

TEST_F(PackTest, BrokenNamedSizeIsAnIssueAndTheOthersStay) {
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/problems.toml",
        "[\"23\"]\nsizes = { wide = { N = 8191 }, gone = { M = 1 }, "
        "all = { N = 1 }, small = { N = 1 }, Big = { N = 1 }, bare = 7 }\n");
  const Pack pack = Opened();
  EXPECT_EQ(SizeNamesOf(pack.List()[0]), (Strings{"full", "wide"}));
  const std::string issues = Issues(pack);
  for (const char* part :
       {"size gone of ", "there is no constant M", "\"all\" cannot name a size",
        "\"small\" cannot name a size", "\"Big\" cannot name a size",
        "bare must be constants with their values"})
    EXPECT_TRUE(Contains(issues, part)) << part << "\n" << issues;
}

TEST_F(PackTest, FlagHoldsWhereItsNotesSay) {
  using enum record::Precision;
  const record::Size& full = record::Size::kFull;
  const record::Size& small = record::Size::kSmall;
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/problems.toml",
        "[\"23\"]\nflags = [{ flag = \"collapses\", precisions = "
        "[\"fp16\", \"bf16\"], sizes = [\"full\"], policies = "
        "[\"kernelbench\"], reason = \"tiny\" }]\n");
  const Pack pack = Opened();
  EXPECT_EQ(Issues(pack), "");
  const record::Flag flag = pack.List().front().flags.front();
  EXPECT_EQ(flag.Text(),
            "in fp16, bf16, at size full, under kernelbench only: tiny");
  EXPECT_TRUE(flag.Holds(kBf16, full, "kernelbench"));
  EXPECT_TRUE(flag.Holds(kFp16, record::Size::kFitted, "kernelbench"));
  EXPECT_TRUE(flag.Holds(kFp16, *record::ParseSize("wide"), "kernelbench"));
  EXPECT_TRUE(flag.Holds(kFp16, full, "a-policy-of-mine"));
  EXPECT_FALSE(flag.Holds(kFp32, full, "kernelbench"));
  EXPECT_FALSE(flag.Holds(kFp16, small, "kernelbench"));
  EXPECT_FALSE(flag.Holds(kFp16, full, "strict"));
  EXPECT_TRUE((record::Flag{"x", "y"}.Holds(kFp32, small, "strict")));
}

TEST_F(PackTest, FlagWithAConditionThatThereIsNotIsAnIssue) {
  Write("level1/23_Softmax.py", kProblem);
  for (const char* condition :
       {"sizes = [\"fitted\"]", "precisions = [\"fp8\"]",
        "policies = \"strict\"", "sizes = []", "level = [\"full\"]"}) {
    Write(
        "level1/problems.toml",
        fmt::format("[\"23\"]\nflags = [{{ flag = \"collapses\", {}, reason = "
                    "\"tiny\" }}]\n",
                    condition));
    EXPECT_TRUE(Contains(Issues(Opened()), "of a flag:")) << condition;
  }
}

TEST_F(PackTest, SmallSizeOfAProblemWithoutOneSaysHowToDefineIt) {
  Write("level1/23_Softmax.py", kProblem);
  const std::string message = Failure(Opened(), "1/23", record::Size::kSmall);
  EXPECT_TRUE(Contains(message, Path("level1/problems.toml"))) << message;
  EXPECT_TRUE(Contains(message, "[\"23\"]\nsmall = { ")) << message;
}

TEST_F(PackTest, WrongNotesAreReportedWithTheirLine) {
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/problems.toml",
        "[\"23\"]\n"
        "tag = [\"a\"]\n"                                  // 2
        "tags = [1, \"good\"]\n"                           // 3
        "flags = [{ flag = \"weak\", reason = \"r\" },\n"  // 4
        "  { flag = \"misnamed\" }]\n"                     // 5
        "small = { K = 61 }\n"                             // 6
        "[\"24\"]\n"                                       // 7
        "[other]\n");                                      // 8
  const Pack pack = Opened();
  const std::string toml = Path("level1/problems.toml");
  const std::string issues = Issues(pack);
  for (const std::string start :
       {":2: unknown key \"tag\"", ":3: a tag must",
        ":4: unknown flag \"weak\"", ":5: a flag has the fields",
        ":6: size small of ", ":7: there is no problem level1/24",
        ":8: \"other\" is not a problem"})
    EXPECT_TRUE(Contains(issues, toml + start)) << start << "\n" << issues;
  EXPECT_FALSE(pack.List()[0].has_small);
  EXPECT_EQ(pack.List()[0].tags, Strings{"good"});
}

TEST_F(PackTest, SmallSizesMustBeLiterals) {
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/problems.toml", "[\"23\"]\n\nsmall = { N = 1979-05-27 }\n");
  EXPECT_TRUE(Contains(Issues(Opened()), ":3: small: N must be a number"));
}

TEST_F(PackTest, PrecisionsLimitWhatRuns) {
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/24_Other.py", kProblem);
  Write("level1/problems.toml",
        "[\"23\"]\nprecisions = [\"fp32\", \"bf16\"]\n"
        "[\"24\"]\nprecisions = [\"fp31\"]\n");
  const Pack pack = Opened();
  const auto problem = pack.Load("level1/23", record::Size::kFull);
  ASSERT_TRUE(problem);
  EXPECT_TRUE(problem->Supports(record::Precision::kBf16));
  EXPECT_FALSE(problem->Supports(record::Precision::kFp16));
  const auto other = pack.Load("level1/24", record::Size::kFull);
  ASSERT_TRUE(other);
  EXPECT_TRUE(other->Supports(record::Precision::kFp16));
  EXPECT_TRUE(
      Contains(Issues(pack), ":4: a precision is one of fp32, fp16, bf16"));
}

TEST_F(PackTest, WhatMakesOtherFloatsIsJudgedAsGiven) {
  using record::Precision;
  const auto given = [&](const std::string& text, const char* notes) {
    Write("level1/23_Softmax.py", std::string(kProblem) + text);
    Write("level1/problems.toml", notes);
    return Opened().Load("level1/23", record::Size::kFull)->given;
  };
  EXPECT_EQ(given("", ""), Precision::kFp32);
  EXPECT_EQ(given("# float16, x.half()\n", ""), Precision::kFp32);
  EXPECT_EQ(given("half = 3\ny = half.float32\n", ""), Precision::kFp32);
  for (const char* text :
       {"y = torch.bfloat16\n", "x = x.half()\n", "import numpy as np\n",
        "torch.set_default_dtype(y)\n", "y = torch.float8_e4m3fn\n"})
    EXPECT_EQ(given(text, ""), Precision::kAsGiven) << text;
  EXPECT_EQ(given("", "[\"23\"]\nprecisions = [\"bf16\", \"fp16\"]\n"),
            Precision::kBf16)
      << "its fp32 tensors are what it does not run with";
}

TEST_F(PackTest, BrokenTomlIsReportedWithItsLine) {
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/problems.toml", "[\"23\"]\ntags = [\n= 3\n");
  const Pack pack = Opened();
  EXPECT_EQ(Ids(pack), Strings{"level1/23"});
  EXPECT_TRUE(Contains(Issues(pack), "problems.toml:3: not valid TOML"));
}

TEST_F(PackTest, SingleFileIsAPackOfOne) {
  Write("level1/23_Softmax.py", kProblem);
  Write("level1/problems.toml", "[\"23\"]\nsmall = { N = 61 }\n");
  const Pack pack = Opened("level1/23_Softmax.py");
  EXPECT_EQ(Ids(pack), Strings{"23_Softmax"});
  EXPECT_EQ(pack.List()[0].name, "Softmax");
  EXPECT_TRUE(pack.Load("23_Softmax", record::Size::kSmall));
}

TEST_F(PackTest, BrokenSingleFileIsAnErrorThatSaysWhatIsMissing) {
  Write("mine.py", "class Model: pass\n");
  const auto pack = Pack::Open(Path("mine.py"));
  ASSERT_FALSE(pack);
  EXPECT_TRUE(Contains(pack.error().message(), "get_inputs"));
  EXPECT_TRUE(Contains(pack.error().message(), "get_init_inputs"));
}

TEST_F(PackTest, LinksThatLeadNowhereAreIssues) {
  Write("level1/9_A.py", kProblem);
  std::filesystem::create_symlink("nowhere.py", Path("level1/10_B.py"));
  std::filesystem::create_symlink("11_C.py", Path("level1/11_C.py"));
  const Pack pack = Opened();
  EXPECT_EQ(Ids(pack), Strings{"level1/9"});
  const std::string issues = Issues(pack);
  EXPECT_TRUE(Contains(issues, Path("level1/10_B.py") + ": this link"))
      << issues;
  EXPECT_TRUE(Contains(issues, Path("level1/11_C.py") + ": ")) << issues;
}

TEST_F(PackTest, LevelFolderCanBeOpenedDirectly) {
  Write("level3/43_MinGPT.py", kProblem);
  Write("deck/5_Sort.py", kProblem);
  EXPECT_EQ(Ids(Opened("level3")), Strings{"level3/43"});
  EXPECT_EQ(Ids(Opened("level3/")), Strings{"level3/43"});
  EXPECT_EQ(Ids(Opened("deck")), Strings{"5"});
}

TEST_F(PackTest, WhatIsNoPackIsAUsageError) {
  Write("text.txt", "");
  Write("empty/x.txt", "");
  for (const char* path : {"absent", "text.txt", "empty"}) {
    const auto pack = Pack::Open(Path(path));
    ASSERT_FALSE(pack) << path;
    EXPECT_EQ(pack.error().kind(), base::Error::Kind::kUsage);
    EXPECT_TRUE(Contains(pack.error().message(), Path(path)));
  }
}

TEST(OurPack, IsWithoutIssuesAndEveryProblemHasASmallSize) {
  const auto pack = Pack::Open(KB_SOURCE_DIR "/problems");
  ASSERT_TRUE(pack) << pack.error().message();
  for (const Issue& issue : pack->Issues()) ADD_FAILURE() << issue.ToString();
  EXPECT_GE(pack->List().size(), 14u);
  for (const Entry& entry : pack->List()) {
    const auto small = pack->Load(entry.id, record::Size::kSmall);
    ASSERT_TRUE(small) << small.error().message();
    EXPECT_NE(small->Hash(), pack->Load(entry.id, record::Size::kFull)->Hash());
  }
}

// Inputs and outputs of each reference are in shapes_small.txt, as PyTorch
// says.
TEST(OurPack, IsInFp32WhereAllItsTensorsAre) {
  const auto pack = Pack::Open(KB_SOURCE_DIR "/problems");
  ASSERT_TRUE(pack) << pack.error().message();
  const auto shapes = os::ReadFile(KB_SOURCE_DIR "/problems/shapes_small.txt");
  ASSERT_TRUE(shapes);
  size_t seen = 0;
  std::istringstream lines(*shapes);
  for (std::string text; std::getline(lines, text);) {
    const size_t colon = text.find(": ");
    if (colon == std::string::npos) continue;
    const auto problem =
        pack->Load(text.substr(0, colon), record::Size::kSmall);
    ASSERT_TRUE(problem) << problem.error().message();
    const bool other = text.find("float16") != std::string::npos ||
                       text.find("float64") != std::string::npos;
    EXPECT_EQ(problem->given == record::Precision::kAsGiven, other) << text;
    ++seen;
  }
  EXPECT_EQ(seen, pack->List().size());
}

TEST(NaturalOrder, NumbersCompareAsNumbers) {
  EXPECT_TRUE(NaturallyLess("level1/9", "level1/10"));
  EXPECT_FALSE(NaturallyLess("level1/10", "level1/9"));
  EXPECT_TRUE(NaturallyLess("level2/9", "level10/1"));
  EXPECT_TRUE(NaturallyLess("a", "a1"));
  EXPECT_TRUE(NaturallyLess("a01", "a1") != NaturallyLess("a1", "a01"));
  EXPECT_FALSE(NaturallyLess("a1", "a1"));
}

TEST_F(PackTest, WithoutASmallSizeTheFullOneCanDo) {
  Write("level1/23_Softmax.py", kProblem);
  Pack pack = Opened();
  EXPECT_FALSE(pack.Load("level1/23", record::Size::kSmall));
  pack.AllowFullForSmall();
  const auto problem = pack.Load("level1/23", record::Size::kSmall);
  ASSERT_TRUE(problem) << problem.error().message();
  EXPECT_EQ(problem->size, record::Size::kFull);
}

}  // namespace
}  // namespace kb::problems
