#include "workplace/selection.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "os/files.h"

namespace kb::workplace {
namespace {

using Ids = std::vector<std::string>;

constexpr const char* kProblem =
    "import torch\n\n\nclass Model(torch.nn.Module):\n"
    "    def forward(self, x):\n        return x\n\n\n"
    "def get_inputs():\n    return [torch.rand(2)]\n\n\n"
    "def get_init_inputs():\n    return []\n";

// Levels in which one name begins as another does.
class Selecting : public testing::Test {
 protected:
  Selecting() : folder_(*os::TempDir::Create("kb-selection")) {
    for (const char* name :
         {"level1/9_A", "level1/10_B", "level2/1_C", "level10/1_D",
          "v3/level1/1_E", "v3/level2/1_F", "v3/level2/2_G"})
      Write(std::string(name) + ".py", kProblem);
    Write("selections.toml",
          "[few]\nabout = \"a part\"\nproblems = [\"v3/level2/2\", "
          "\"level1/10\"]\n"
          "[most]\nabout = \"levels\"\nlevels = [\"level1\", \"v3/level2\"]\n"
          "without = [\"level1/9\"]\n");
    auto pack = problems::Pack::Open(folder_.path());
    EXPECT_TRUE(pack) << pack.error().message();
    if (pack) pack_ = std::move(*pack);
    EXPECT_TRUE(pack_.Issues().empty());
  }

  void Write(const std::string& name, const std::string& text) const {
    const std::string path = folder_.path() + "/" + name;
    EXPECT_TRUE(os::MakeDirectories(path.substr(0, path.rfind('/'))));
    EXPECT_TRUE(os::WriteFileAtomically(path, text));
  }

  Ids IdsOf(const SelectionOptions& options) const {
    const auto selected = Selected(pack_, options);
    EXPECT_TRUE(selected) << selected.error().message();
    Ids ids;
    if (selected)
      for (const problems::Entry& entry : *selected) ids.push_back(entry.id);
    return ids;
  }

  // Of a selection that must be the user's mistake.
  std::string WhyNot(const SelectionOptions& options) const {
    const auto selected = Selected(pack_, options);
    EXPECT_FALSE(selected);
    if (selected) return "";
    EXPECT_EQ(selected.error().kind(), base::Error::Kind::kUsage);
    return selected.error().message();
  }

  os::TempDir folder_;
  problems::Pack pack_;
};

SelectionOptions OfLevels(const std::vector<std::string>& levels) {
  SelectionOptions options;
  options.levels = levels;
  return options;
}

TEST_F(Selecting, NamedSizeIsOneThatAllOfThemHave) {
  Write("level1/problems.toml",
        "[\"9\"]\nsizes = { wide = { N = 3 }, tall = { N = 5 } }\n"
        "[\"10\"]\nsizes = { wide = { N = 3 } }\n");
  for (const char* name : {"9_A", "10_B"})
    Write(std::string("level1/") + name + ".py",
          std::string("N = 2\n") + kProblem);
  const auto pack = problems::Pack::Open(folder_.path());
  ASSERT_TRUE(pack && pack->Issues().empty());
  const auto at = [&](const char* size, const SelectionOptions& options) {
    const auto selected = SelectedAt(*record::ParseSize(size), *pack, options);
    return selected ? fmt::format("{} selected", selected->size())
                    : selected.error().message();
  };
  EXPECT_EQ(at("wide", {{}, {"1"}, ""}), "2 selected");
  EXPECT_EQ(at("small", {}), "7 selected")
      << "what Load says of each is enough";
  EXPECT_EQ(at("tall", {{}, {"1"}, ""}),
            "--size tall: 1 of the 2 selected problems lack this size: "
            "level1/10");
  EXPECT_NE(at("wide", {}).find("5 of the 7"), std::string::npos);
  EXPECT_NE(at("huge", {{}, {"1"}, ""}).find("level1/9 has full, tall, wide"),
            std::string::npos)
      << at("huge", {{}, {"1"}, ""});
  EXPECT_EQ(at("full,wide", {{}, {"1"}, ""}), "2 selected");
  EXPECT_EQ(at("full,tall", {{}, {"1"}, ""}),
            "--size full,tall: 1 of the 2 selected problems lack this size: "
            "level1/10");
  EXPECT_EQ(at("all", {}), "7 selected") << "those that each has";
}

TEST_F(Selecting, SeveralSizesAreLoadedInTheirOrder) {
  Write("level1/problems.toml",
        "[\"9\"]\nsizes = { wide = { N = 3 }, tall = { N = 5 } }\n");
  Write("level1/9_A.py", std::string("N = 2\n") + kProblem);
  const auto pack = problems::Pack::Open(folder_.path());
  ASSERT_TRUE(pack);
  const auto loaded = [&](const char* size) {
    const auto at = LoadAt(*pack, "level1/9", *record::ParseSize(size), 0);
    if (!at) return at.error().message();
    std::string names = record::SizeName(at->first.size);
    for (const record::Problem& problem : at->further)
      names += " " + record::SizeName(problem.size);
    return names;
  };
  EXPECT_EQ(loaded("wide"), "wide");
  EXPECT_EQ(loaded("all"), "full tall wide");
  EXPECT_EQ(loaded("wide,full"), "wide full");
  EXPECT_NE(loaded("full,huge").find("huge"), std::string::npos);
}

TEST_F(Selecting, NothingSaidIsAllInThePacksOrder) {
  const Ids all = IdsOf({});
  ASSERT_EQ(all.size(), 7U);
  EXPECT_EQ(all[0], "level1/9");
  EXPECT_EQ(all[1], "level1/10");
}

TEST_F(Selecting, ALevelIsNotOneWhoseNameBeginsAlike) {
  for (const char* level : {"1", "level1"})
    EXPECT_EQ(IdsOf(OfLevels({level})), (Ids{"level1/9", "level1/10"}))
        << level;
  EXPECT_EQ(IdsOf(OfLevels({"10"})), Ids{"level10/1"});
}

TEST_F(Selecting, ALevelBelowAFolderIsNamedWithIt) {
  for (const char* level : {"v3/2", "v3/level2"})
    EXPECT_EQ(IdsOf(OfLevels({level})), (Ids{"v3/level2/1", "v3/level2/2"}))
        << level;
  EXPECT_EQ(IdsOf(OfLevels({"2"})), Ids{"level2/1"});
}

TEST_F(Selecting, OrderIsThePacksWhateverWasAsked) {
  EXPECT_EQ(IdsOf(OfLevels({"v3/1", "2", "v3/1"})),
            (Ids{"level2/1", "v3/level1/1"}));
  SelectionOptions options;
  options.problems = {"v3/level2/1", "level1/10", "level1/9", "level1/10"};
  EXPECT_EQ(IdsOf(options), (Ids{"level1/9", "level1/10", "v3/level2/1"}));
}

TEST_F(Selecting, ProblemsMayBeNamedAsThePackFindsThem) {
  SelectionOptions options;
  options.problems = {"1/10", "v3/2/1", "level2/1_C"};
  EXPECT_EQ(IdsOf(options), (Ids{"level1/10", "level2/1", "v3/level2/1"}));
}

TEST_F(Selecting, ANamedSelectionIsAConditionLikeOthers) {
  SelectionOptions options;
  options.select = "few";
  EXPECT_EQ(IdsOf(options), (Ids{"level1/10", "v3/level2/2"}));
  options.levels = {"1"};
  EXPECT_EQ(IdsOf(options), Ids{"level1/10"});
  options.problems = {"level1/9"};
  EXPECT_NE(WhyNot(options).find("no problem is selected"), std::string::npos);
  options = {.problems = {}, .levels = {}, .select = "most"};
  EXPECT_EQ(IdsOf(options), (Ids{"level1/10", "v3/level2/1", "v3/level2/2"}));
}

TEST_F(Selecting, WhatIsNotThereIsTheUsersMistakeAndIsNamed) {
  SelectionOptions options;
  options.problems = {"level1/9", "level7/77"};
  EXPECT_NE(WhyNot(options).find("level7/77"), std::string::npos);
  options = {.problems = {}, .levels = {}, .select = "fewer"};
  EXPECT_NE(WhyNot(options).find("\"fewer\""), std::string::npos);
  for (const char* level : {"7", "level", "level1/", ""})
    EXPECT_NE(WhyNot(OfLevels({level})).find("problems list"),
              std::string::npos)
        << level;
}

using Held = std::set<std::string>;

TEST_F(Selecting, HeldOutAreProblemsLevelsAndSelections) {
  EXPECT_EQ(*HeldOut(pack_, {}), Held());
  EXPECT_EQ(*HeldOut(pack_, {"1/9", "v3/2"}),
            (Held{"level1/9", "v3/level2/1", "v3/level2/2"}));
  EXPECT_EQ(*HeldOut(pack_, {"few"}), (Held{"level1/10", "v3/level2/2"}));
  const auto unknown = HeldOut(pack_, {"level9"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind(), base::Error::Kind::kUsage);
  EXPECT_TRUE(unknown.error().message().starts_with("--holdout level9: "))
      << unknown.error().message();
}

TEST_F(Selecting, AProblemIsHeldOutUnderAllItsIds) {
  Write("v3/level1/7_A.py", kProblem);
  auto pack = problems::Pack::Open(folder_.path());
  ASSERT_TRUE(pack);
  EXPECT_EQ(*HeldOut(*pack, {"level1/9"}), (Held{"level1/9", "v3/level1/7"}));
}

}  // namespace
}  // namespace kb::workplace
