#include "run/replayed.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "os/files.h"

namespace kb::run {
namespace {

class ReplayedTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TempDir::Create("kb-replayed");
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
    model_.name = "replay";
    model_.provider = llm::ProviderKind::kReplay;
    model_.replay = folder_->path() + "/answers";
    ASSERT_TRUE(os::MakeDirectories(model_.replay));
    auto store = store::Store::Open(folder_->path() + "/run.db");
    ASSERT_TRUE(store);
    store_.emplace(std::move(*store));
    Write("level1_19_b.cpp", "b");
    Write("level1_19_d.cpp", "d");
    Keep(0, "b");
    Keep(1, "d");
  }
  std::string Path(const std::string& name) const {
    return model_.replay + "/" + name;
  }
  void Write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(os::WriteFileAtomically(Path(name), text));
  }
  void Keep(int64_t sample, const std::string& answer, int64_t turn = 1) {
    record::Generation kept;
    kept.model = model_.name;
    kept.problem_id = "level1/19";
    kept.problem_hash = "abc";
    kept.sample = sample;
    kept.turn = turn;
    kept.answer = answer;
    kept.status = record::GenerationStatus::kComplete;
    ASSERT_TRUE(store_->Append(kept));
  }
  // As the folder is now.
  base::Result<void> Check() const {
    const auto provider = llm::MakeProvider(model_, nullptr);
    EXPECT_TRUE(provider);
    return CheckReplayed(*store_, model_, provider->get());
  }
  void ExpectRefused() const {
    const auto checked = Check();
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().kind(), base::Error::Kind::kUsage);
    EXPECT_NE(checked.error().message().find(model_.replay +
                                             ": the folder has changed"),
              std::string::npos)
        << checked.error().message();
  }

  std::optional<os::TempDir> folder_;
  llm::Model model_;
  std::optional<store::Store> store_;
};

TEST_F(ReplayedTest, FilesMayBeAddedBehindTheOthers) {
  EXPECT_TRUE(Check());
  Write("level1_19_e.cpp", "e");
  Write("level1_1_a.cpp", "of another problem");
  EXPECT_TRUE(Check());
}

TEST_F(ReplayedTest, FilesMayNotBeAddedBeforeOthers) {
  Write("level1_19_c.cpp", "c");
  ExpectRefused();
}

TEST_F(ReplayedTest, FilesMayNotBeChangedOrRemoved) {
  Write("level1_19_d.cpp", "another");
  ExpectRefused();
  std::filesystem::remove(Path("level1_19_d.cpp"));
  ExpectRefused();
}

TEST_F(ReplayedTest, WhatASearchBeganWithIsOfNoFile) {
  Keep(2, "given");
  ExpectRefused();
  record::Decision given;
  given.model = model_.name;
  given.problem_id = "level1/19";
  given.problem_hash = "abc";
  given.sample = 2;
  given.ask.emplace();
  given.ask->kind = record::AskKind::kGiven;
  given.ask->turn = 1;
  ASSERT_TRUE(store_->AddDecisions({given}));
  EXPECT_TRUE(Check());
}

TEST_F(ReplayedTest, OtherModelsAreNotAsked) {
  std::filesystem::remove(Path("level1_19_d.cpp"));
  model_.provider = llm::ProviderKind::kOpenAi;
  EXPECT_TRUE(CheckReplayed(*store_, model_, nullptr));
}

}  // namespace
}  // namespace kb::run
