#include "record/evaluation.h"

#include <gtest/gtest.h>

#include <set>

#include "record/baseline.h"
#include "record/document.h"

namespace kb::record {
namespace {

using base::Json;
using Status = Judgement::Status;

Judgement SomeJudgement() {
  Judgement judgement;
  judgement.status = Status::kMismatch;
  judgement.text = "17 of 4096 \"wrong\"\n";
  judgement.limit_s = 0.3;
  judgement.loaded = true;
  judgement.trials = {{.seed = 42}, {.seed = 7, .timed = true}};
  judgement.mismatch.emplace().pattern = "all zeros";
  judgement.ruler = Ruler{.calls = 8};
  judgement.tolerance = {1e-4, 1e-2};
  judgement.notes = {"one", "two"};
  judgement.spent = {.load_s = 1,
                     .inputs_s = 2,
                     .compare_s = 3,
                     .hold_s = 4,
                     .readings = 5,
                     .open_s = 6,
                     .contexts = 7,
                     .reference_launch_us = 1.25,
                     .candidate_launch_us = 1.5};
  return judgement;
}

Json Travelled(const Json& json) {
  return base::ParseJson(base::DumpJson(json), "test").value_or(Json());
}

std::string ErrorOf(const Json& json) {
  const auto failed = JudgementFromJson(json);
  return failed ? "" : failed.error().message();
}

TEST(Judgement, SurvivesTheTrip) {
  const Judgement sent = SomeJudgement();
  const auto back = JudgementFromJson(Travelled(ToJson(sent)));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->status, sent.status);
  EXPECT_EQ(back->text, sent.text);
  EXPECT_EQ(back->limit_s, sent.limit_s);
  EXPECT_EQ(back->loaded, sent.loaded);
  EXPECT_EQ(back->trials, sent.trials);
  EXPECT_EQ(back->mismatch, sent.mismatch);
  EXPECT_EQ(back->ruler, sent.ruler);
  EXPECT_EQ(back->tolerance, sent.tolerance);
  EXPECT_EQ(back->notes, sent.notes);
  EXPECT_EQ(back->spent, sent.spent);
}

TEST(Judgement, EveryStatusComesBackAsItself) {
  std::set<std::string> words;
  for (int i = 0; i <= static_cast<int>(Status::kNotStarted); ++i) {
    Judgement judgement;
    judgement.status = static_cast<Status>(i);
    const Json json = ToJson(judgement);
    words.insert(json["status"]);
    const auto back = JudgementFromJson(json);
    ASSERT_TRUE(back) << json["status"];
    EXPECT_EQ(back->status, judgement.status) << json["status"];
  }
  EXPECT_EQ(words.size(), 10U) << "two have one word";
}

TEST(Judgement, NobodyHasSaidOkByDefault) {
  EXPECT_EQ(Judgement{}.status, Status::kNotSet);
  EXPECT_EQ(ToJson(Judgement{})["status"], "not_set");
}

TEST(Judgement, AnUnknownStatusIsNoSuccess) {
  for (const char* word : {"", "OK", "ok ", "correct", "fine"}) {
    Json json = ToJson(SomeJudgement());
    json["status"] = word;
    EXPECT_EQ(ErrorOf(json), "unknown status \"" + std::string(word) + "\"");
  }
  Json json = ToJson(SomeJudgement());
  json["status"] = 1;
  EXPECT_NE(ErrorOf(json).find("status"), std::string::npos);
}

TEST(Judgement, OnlyMismatchAndRulerMayBeMissing) {
  const Json whole = ToJson(SomeJudgement());
  for (const auto& field : whole.items()) {
    Json json = whole;
    json.erase(field.key());
    const bool optional = field.key() == "mismatch" || field.key() == "ruler";
    EXPECT_EQ(ErrorOf(json).empty(), optional) << field.key();
  }
}

TEST(Judgement, ABrokenPartBreaksTheWhole) {
  Json trial = ToJson(SomeJudgement());
  trial["trials"][1].erase("seed");
  EXPECT_NE(ErrorOf(trial).find("seed"), std::string::npos);
  Json mismatch = ToJson(SomeJudgement());
  mismatch["mismatch"].erase("wrong");
  EXPECT_NE(ErrorOf(mismatch).find("wrong"), std::string::npos);
}

TEST(Judgement, PartsOfAnotherShapeAreErrors) {
  const auto read = [](const char* field, const Json& value) {
    Json json = ToJson(Judgement{});
    json["status"] = "ok";
    EXPECT_TRUE(JudgementFromJson(json)) << "as it stands";
    json[field] = value;
    return JudgementFromJson(json).has_value();
  };
  for (const Json& value : {Json(nullptr), Json(1), Json("x"), Json::array()})
    EXPECT_FALSE(read("ruler", value)) << value;
  for (const Json& value : {Json(nullptr), Json(1), Json("x")})
    EXPECT_FALSE(read("trials", value)) << value;
  EXPECT_FALSE(TurnFromJson({{"process", 0}, {"plan", nullptr}}));
  EXPECT_FALSE(TurnFromJson({{"process", 0.5}}));
}

// What is kept in stores says only whether the launches showed.
TEST(Ruler, OfOlderResultsIsReadAsItWas) {
  const auto of = [](bool gated) {
    Json json = ToJson(Ruler{.gated = gated});
    json.erase("reference_launches");
    json.erase("candidate_launches");
    return *RulerFromJson(json);
  };
  EXPECT_EQ(of(true).reference_launches, Launches::kHidden);
  EXPECT_EQ(of(false).reference_launches, Launches::kShown);
  EXPECT_EQ(of(false).candidate_launches, Launches::kShown);
}

TEST(Ruler, UnknownWordsAreErrors) {
  Json json = ToJson(Ruler{});
  json["candidate_launches"] = "behind the curtain";
  const auto failed = RulerFromJson(json);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message().find("candidate_launches"),
            std::string::npos);
}

TEST(Mismatch, APositionIsReadWhole) {
  Mismatch mismatch;
  mismatch.first = Mismatch::Position{{1, 2}, 0.5, -1};
  const Json whole = ToJson(mismatch);
  EXPECT_FALSE(whole.contains("worst"));
  for (const char* field : {"index", "expected", "actual"}) {
    Json json = whole;
    json["first"].erase(field);
    const auto failed = MismatchFromJson(json);
    ASSERT_FALSE(failed) << field;
    EXPECT_NE(failed.error().message().find(field), std::string::npos);
  }
}

TEST(Mismatch, ErrorsAreNumbersAndNothingElse) {
  Json json = ToJson(Mismatch{});
  json["max_abs_error"] = {{"int", 3}};
  const auto failed = MismatchFromJson(json);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(),
            "field \"max_abs_error\" is not a number");
}

TEST(Words, TracksBackendsAndSizesAreTheDocumentedOnes) {
  for (const char* word : {"python", "native"})
    EXPECT_STREQ(TrackName(ParseTrack(word).value()), word);
  for (const char* word : {"cuda", "triton", "cpp", "torch"})
    EXPECT_STREQ(BackendName(ParseBackend(word).value()), word);
  for (const char* word : {"full", "small", "fitted", "wide", "batch_1-b"})
    EXPECT_EQ(SizeName(ParseSize(word).value()), word);
  EXPECT_EQ(ParseSize("small"), Size::kSmall);
  EXPECT_TRUE(ParseSize("wide")->IsNamed());
  EXPECT_FALSE(Size::kFitted.IsNamed());
}

TEST(Words, WhatIsUnknownIsNothing) {
  for (const char* word : {"", "CUDA", "Full", "native ", "correct,", "eager,",
                           "compile_", "not_set"}) {
    EXPECT_FALSE(ParseTrack(word)) << word;
    EXPECT_FALSE(ParseBackend(word)) << word;
    EXPECT_FALSE(ParseVerdict(word)) << word;
    EXPECT_FALSE(ParseBaselineMode(word)) << word;
  }
}

TEST(Words, WhatCannotNameASizeIsNone) {
  for (const char* word : {"", "Full", "wide ", "a.b", "\n", "\xc3\xbc", ",",
                           "a,", ",a", "a,,b", "a,a", "all,a", "a,fitted"})
    EXPECT_FALSE(ParseSize(word)) << word;
}

TEST(Words, SeveralSizesAreAllOrAList) {
  const auto list = ParseSize("small,full,wide");
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->IsSeveral());
  EXPECT_FALSE(list->IsNamed());
  EXPECT_EQ(SizeName(*list), "small,full,wide");
  EXPECT_EQ(list->Listed(),
            (std::vector<Size>{Size::kSmall, Size::kFull, *ParseSize("wide")}));
  EXPECT_TRUE(ParseSize("all")->IsSeveral());
  EXPECT_TRUE(ParseSize("all")->Listed().empty());
  EXPECT_FALSE(Size::kFull.IsSeveral());
  EXPECT_EQ(Size::kFull.Listed(), std::vector<Size>{Size::kFull});
}

AtSize AtWide() {
  AtSize at;
  at.size = *ParseSize("wide");
  at.problem_hash = "abc";
  at.verdict = Verdict::kCorrect;
  at.reason = "all agree";
  at.tolerance = {1e-2, 1.0 / 3};
  at.trials.resize(2);
  at.trials[1].seed = ~uint64_t{0};
  at.ruler.emplace().calls = 7;
  at.reference_time = {20, 10.1, 10.2, 0.3, 9.9, 11, 10, 10.4};
  at.candidate_time = {19, 5.1, 5.2, 0.15, 4.9, 5.5, 5, 5.2};
  at.speedup = {1.98, 1.95, 2.01};
  at.reference_wall = {18, 20.1, 20.2, 0.3, 19.9, 21, 20, 20.4};
  at.candidate_wall = {17, 15.1, 15.2, 0.15, 14.9, 15.5, 15, 15.2};
  at.wall_speedup = {1.33, 1.31, 1.35};
  return at;
}

TEST(AtSize, SurvivesJson) {
  AtSize bare;
  bare.reason = "no nvcc";
  const std::vector<AtSize> sizes{AtWide(), bare};
  const auto read =
      AtSizesFromJson(*base::ParseJson(base::DumpJson(ToJson(sizes)), "sizes"));
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(*read, sizes);
}

TEST(AtSize, WhatIsBrokenIsNamed) {
  const auto why = [](const char* key, const base::Json& value) {
    base::Json json = ToJson(AtWide());
    json[key] = value;
    const auto read = AtSizeFromJson(json);
    return read ? "" : read.error().message();
  };
  EXPECT_NE(why("size", "Wide!").find("Wide!"), std::string::npos);
  EXPECT_NE(why("verdict", "fine").find("fine"), std::string::npos);
  EXPECT_NE(why("speedup", "fast"), "");
  EXPECT_NE(why("trials", 7).find("trials"), std::string::npos);
  EXPECT_FALSE(AtSizesFromJson(base::Json::array())) << "at no size";
}

TEST(Evaluation, AtOneSizeHasNoFieldForSeveral) {
  Evaluation evaluation;
  EXPECT_FALSE(ToJson(evaluation).contains("sizes"));
  evaluation.sizes = {AtWide()};
  EXPECT_EQ(ToJson(evaluation)["sizes"][0]["size"], "wide");
}

TEST(Candidate, TrackAndSourceCannotBeMistakenForEachOther) {
  Candidate one;
  one.track = Track::kNative;
  one.source = "x";
  Candidate other;
  other.track = Track::kPython;
  other.source = "nativex";
  EXPECT_NE(one.Hash(), other.Hash());
  EXPECT_FALSE(Candidate{}.Hash().empty());
}

TEST(Evaluation, ThatHasNoVerdictSaysNull) {
  const Json json = ToJson(Evaluation{});
  EXPECT_TRUE(json.at("verdict").is_null());
  EXPECT_TRUE(json.at("speedup").is_null());
  EXPECT_TRUE(json.at("ruler").is_null());
  EXPECT_EQ(json.at("trials"), Json::array());
}

TEST(Evaluation, DoesNotRepeatTheSource) {
  Evaluation evaluation;
  evaluation.candidate.source = "secret sauce";
  EXPECT_EQ(base::DumpJson(ToJson(evaluation)).find("secret sauce"),
            std::string::npos);
}

TEST(Baseline, ThatDoesNotWorkHasNoTimeAndAReason) {
  Baseline baseline;
  baseline.mode = BaselineMode::kCudagraphs;
  baseline.reason = "no graphs on cpu";
  const Json json = ToJson(baseline);
  EXPECT_TRUE(json.at("time_us").is_null());
  EXPECT_TRUE(json.at("eager_us").is_null());
  EXPECT_EQ(json.at("reason"), "no graphs on cpu");
  EXPECT_EQ(json.at("mode"), "compile-cudagraphs");
}

TEST(Baseline, ListsEveryModeThatItReads) {
  std::string names = BaselineModeNames() + ", ";
  int modes = 0;
  for (size_t end = 0; (end = names.find(", ")) != std::string::npos; ++modes) {
    EXPECT_TRUE(ParseBaselineMode(names.substr(0, end))) << names;
    names.erase(0, end + 2);
  }
  EXPECT_EQ(modes, 7);
}

TEST(Document, SaysItsSchemaFirst) {
  const Json document = Document("audit", {{"b", 1}, {"a", 2}});
  EXPECT_EQ(base::DumpJson(document),
            R"({"schema":"kernelbench/audit/1","b":1,"a":2})");
  EXPECT_EQ(SchemaId("run"), "kernelbench/run/1");
}

}  // namespace
}  // namespace kb::record
