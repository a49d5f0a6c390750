#include "report/collect.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace kb::report {
namespace {

using record::Verdict;

// What a test put there, and which samples were asked for.
class FakeSources : public RunSources {
 public:
  base::Result<std::vector<record::Generation>> Answers(size_t run) override {
    return answers[run];
  }
  base::Result<std::vector<record::Decision>> Decisions(
      size_t /*run*/) override {
    return decisions;
  }
  base::Result<std::vector<record::Outcome>> Outcomes(size_t /*run*/) override {
    return outcomes;
  }
  base::Result<std::vector<record::Generation>> Conversation(
      size_t run, const std::string& problem_id, int64_t sample) override {
    std::vector<record::Generation> own;
    for (const record::Generation& each : answers[run])
      if (each.problem_id == problem_id && each.sample == sample)
        own.push_back(each);
    return own;
  }
  base::Result<std::optional<record::Evaluation>> Sample(size_t run,
                                                         int64_t id) override {
    asked.emplace_back(run, id);
    if (failing) return base::Fail("{}", "the store is gone");
    record::Evaluation evaluation;
    evaluation.model = "replay:/a/path/answers";
    return std::optional(std::move(evaluation));
  }
  base::Result<std::string> AnswerText(
      size_t /*run*/, const record::Outcome& outcome) override {
    return outcome.sample < 0 ? "" : "The words of the model.";
  }
  std::optional<record::Problem> Problem(const std::string& id,
                                         record::Size /*size*/) override {
    const auto found = problems.find(id);
    if (found == problems.end()) return std::nullopt;
    return found->second;
  }
  std::optional<analysis::Roofline> Roofline(
      const std::string& device_name) override {
    return analysis::Roofline{device_name, 1, 1, "fp32"};
  }

  std::map<size_t, std::vector<record::Generation>> answers;
  std::vector<record::Decision> decisions;
  std::vector<record::Outcome> outcomes;
  std::map<std::string, record::Problem> problems;
  std::vector<std::pair<size_t, int64_t>> asked;
  bool failing = false;
};

// Entries of one run on one problem have the ids 1, 2, ...
class CollectTest : public testing::Test {
 protected:
  CollectTest() {
    reading_.names = {"first", "second"};
    reading_.paths = {"first.db", "second.db"};
    reading_.manifests.resize(2);
  }

  record::Outcome& Add(const std::string& run, Verdict verdict,
                       double speedup = 0) {
    analysis::Entry& entry = reading_.entries.emplace_back();
    entry.run = run;
    entry.outcome.id = std::ssize(reading_.entries);
    entry.outcome.problem_id = "level1/1";
    entry.outcome.device_name = "a device";
    entry.outcome.verdict = verdict;
    if (speedup > 0) entry.outcome.speedup = speedup;
    return entry.outcome;
  }

  Book Collected() {
    auto book = Collect(reading_, &sources_, options_);
    EXPECT_TRUE(book) << book.error().message();
    return book ? std::move(*book) : Book();
  }

  analysis::RunReading reading_;
  FakeSources sources_;
  CollectOptions options_;
};

TEST_F(CollectTest, FewSamplesAreAllThereInFull) {
  Add("first", Verdict::kCorrect, 2);
  Add("first", Verdict::kCorrect, 1);
  Add("second", Verdict::kIncorrect);
  const Book book = Collected();
  ASSERT_EQ(book.details.size(), 3U);
  EXPECT_EQ(book.details[0].model, "replay:answers") << "and no path";
  EXPECT_EQ(sources_.asked,
            (std::vector<std::pair<size_t, int64_t>>{{0, 1}, {0, 2}, {1, 3}}));
}

TEST_F(CollectTest, OfManyTheBestCorrectOneAndOneOfEachOtherVerdictAreInFull) {
  options_.all_in_full = 3;
  Add("first", Verdict::kCorrect, 1);
  Add("first", Verdict::kCorrect, 3);
  Add("first", Verdict::kCorrect, 2);
  Add("first", Verdict::kIncorrect);
  Add("first", Verdict::kIncorrect);
  Add("second", Verdict::kCorrect, 1);
  const Book book = Collected();
  EXPECT_EQ(sources_.asked,
            (std::vector<std::pair<size_t, int64_t>>{{0, 2}, {0, 4}, {1, 6}}));
  EXPECT_EQ(book.samples[1].detail, 0U);
  EXPECT_EQ(book.samples[0].detail, std::nullopt);
}

TEST_F(CollectTest, AnswerWithoutCodeHasNothingInFull) {
  record::Outcome& outcome = Add("first", Verdict::kCorrect);
  outcome.id = 0;
  outcome.verdict.reset();
  EXPECT_EQ(Collected().samples.size(), 1U);
  EXPECT_TRUE(sources_.asked.empty());
}

TEST_F(CollectTest, WhatIsMissingIsNoSampleOfThePageButOfItsScores) {
  analysis::Entry& entry = reading_.entries.emplace_back();
  entry.run = reading_.names.front();
  entry.missing = analysis::Missing::kNotAsked;
  entry.over_budget = true;
  const Book book = Collected();
  EXPECT_TRUE(book.samples.empty());
  EXPECT_EQ(book.scores.all.rows.at(0).samples, 1);
  EXPECT_TRUE(book.remark.find("stopped at its budget: 1 of 1 sample not "
                               "asked") != std::string::npos)
      << book.remark;
}

TEST_F(CollectTest, StoreThatCannotBeReadIsAnError) {
  Add("first", Verdict::kCorrect);
  sources_.failing = true;
  const auto book = Collect(reading_, &sources_, options_);
  ASSERT_FALSE(book);
  EXPECT_EQ(book.error().message(), "the store is gone");
}

TEST_F(CollectTest, RunHasItsTokensAndItsCostIfEveryAnswersIsKnown) {
  record::Generation answer;
  answer.status = record::GenerationStatus::kComplete;
  answer.usage.input = 10;
  answer.usd = 0.5;
  record::Generation unpriced = answer;
  unpriced.usd.reset();
  unpriced.status = record::GenerationStatus::kNoCode;
  sources_.answers = {{0, {answer, answer}}, {1, {answer, unpriced}}};
  const Book book = Collected();
  EXPECT_EQ(book.runs[0].answers, 2);
  EXPECT_EQ(book.runs[0].tokens.input, 20);
  EXPECT_EQ(book.runs[0].usd, 1.0);
  EXPECT_EQ(book.runs[1].usd, std::nullopt);
  EXPECT_EQ(book.runs[1].unusable.at("no_code"), 1);
}

record::Generation AnswerOf(int64_t turn, const std::string& reason) {
  record::Generation answer;
  answer.problem_id = "level1/1";
  answer.problem_hash = "hash";
  answer.turn = turn;
  answer.prompt = "question " + std::to_string(turn);
  answer.candidate_name = "answer.py";
  answer.reason = reason;
  return answer;
}

TEST_F(CollectTest, ConversationIsOfItsSampleWithWhatWasSaidOfIt) {
  record::Decision asked;
  asked.problem_id = "level1/1";
  asked.problem_hash = "hash";
  asked.ask.emplace();
  sources_.decisions = {asked};
  record::Generation foreign = AnswerOf(1, "of another source");
  foreign.problem_hash = "another hash";
  sources_.answers[0] = {AnswerOf(1, ""), AnswerOf(2, "there is no code"),
                         foreign};
  record::Outcome judged;
  judged.problem_id = "level1/1";
  judged.problem_hash = "hash";
  judged.sample = 0;
  judged.reason = "wrong in 3 of 5 trials";
  record::Outcome again = judged;
  again.confirms = true;
  again.reason = "judged once more";
  sources_.outcomes = {judged, again};
  reading_.manifests[0] = {{"search", "islands:islands=2"}};
  const Book book = Collected();
  EXPECT_EQ(book.runs[0].strategy, "islands:islands=2");
  reading_.manifests[0] = {{"search", "replay:/a/path/first.db"}};
  EXPECT_EQ(Collected().runs[0].strategy, "replay:first.db");
  ASSERT_EQ(book.runs[0].conversations.size(), 1U);
  const auto& turns = book.runs[0].conversations[0];
  ASSERT_EQ(turns.size(), 2U);
  EXPECT_EQ(turns.at(1).prompt, "question 1");
  EXPECT_EQ(turns.at(1).reason, "wrong in 3 of 5 trials");
  EXPECT_TRUE(turns.at(1).is_python);
  EXPECT_EQ(turns.at(2).reason, "there is no code");
}

TEST_F(CollectTest, ModelsOfOneStoreAreRunsOfTheirOwn) {
  Add("first", Verdict::kCorrect, 2).model = "a";
  Add("first", Verdict::kIncorrect).model = "replay:/a/path/b";
  Add("second", Verdict::kCorrect, 1).model = "a";
  const auto asked = [](const std::string& model, int64_t turn) {
    record::Decision decision;
    decision.problem_id = "level1/1";
    decision.problem_hash = "hash";
    decision.model = model;
    decision.ask.emplace().turn = turn;
    return decision;
  };
  sources_.decisions = {asked("a", 1), asked("replay:/a/path/b", 1),
                        asked("a", 2)};
  record::Generation of_a = AnswerOf(1, ""), of_b = AnswerOf(1, "wrong");
  of_a.model = "a";
  of_b.model = "replay:/a/path/b";
  of_b.usage.input = 7;
  sources_.answers[0] = {of_a, of_b};
  const Book book = Collected();
  ASSERT_EQ(book.runs.size(), 3U);
  EXPECT_EQ(book.runs[0].name, "first by a");
  EXPECT_EQ(book.runs[1].name, "first by replay:b");
  EXPECT_EQ(book.runs[2].name, "second");
  ASSERT_EQ(book.runs[0].searches.size(), 1U);
  EXPECT_EQ(book.runs[0].searches[0].turns.size(), 2U);
  ASSERT_EQ(book.runs[1].searches.size(), 1U);
  EXPECT_EQ(book.runs[1].searches[0].turns.size(), 1U);
  EXPECT_EQ(book.runs[0].answers, 1);
  EXPECT_EQ(book.runs[1].tokens.input, 7);
  EXPECT_EQ(book.runs[1].settings.at(0).second, "replay:b");
  EXPECT_EQ(book.runs[1].conversations.at(0).at(1).reason, "wrong");
  ASSERT_EQ(book.scores.all.rows.size(), 3U);
  EXPECT_EQ(book.scores.all.rows[0].fast[0].estimate, 1);
  EXPECT_EQ(book.scores.all.rows[1].fast[0].estimate, 0);
  // Sources know the store alone.
  EXPECT_EQ(sources_.asked,
            (std::vector<std::pair<size_t, int64_t>>{{0, 1}, {0, 2}, {1, 3}}));
  EXPECT_NE(book.remark.find("first holds samples of 2 models (a, replay:b)"),
            std::string::npos)
      << book.remark;
}

TEST_F(CollectTest, NoMoreConversationsThanAPageShows) {
  record::Decision asked;
  asked.ask.emplace();
  for (size_t i = 0; i < kMostSearches; ++i) {
    asked.sample = static_cast<int64_t>(i);
    sources_.decisions.push_back(asked);
  }
  const Book book = Collected();  // both runs have them
  EXPECT_EQ(book.runs[0].conversations.size(), kMostSearches);
  EXPECT_TRUE(book.runs[1].conversations.empty());
}

TEST_F(CollectTest, SettingsOfARunHaveNoPaths) {
  reading_.manifests[0] = {
      {"prompt", "zero-shot"},
      {"model", "a-model"},
      {"isolation", "full"},
      {"knowledge", R"({"runs": ["/a/path.db"]})"},
      {"settings", R"({"replay": "/a/path", "temperature": 0.5})"}};
  const Book book = Collected();
  const std::vector<std::pair<std::string, std::string>> expected{
      {"Model", "a-model"},
      {"Prompt", "zero-shot"},
      {"Knowledge", "programs of 1 earlier run"},
      {"temperature", "0.5"}};
  EXPECT_EQ(book.runs[0].settings, expected);
  EXPECT_EQ(book.runs[0].isolation, "full");
}

TEST_F(CollectTest, TitleIsTheModelOfTheOnlyRun) {
  EXPECT_EQ(Collected().title, "2 runs");
  reading_.names = {"first"};
  reading_.manifests.resize(1);
  EXPECT_EQ(Collected().title, "first");
  reading_.manifests[0] = {{"model", "a-model"}};
  EXPECT_EQ(Collected().title, "a-model");
  reading_.manifests[0] = {{"model", "replay:/a/path/answers/"}};
  EXPECT_EQ(Collected().title, "replay:answers");
}

TEST_F(CollectTest, AnswersStandBesideTheirSamples) {
  Add("first", Verdict::kCorrect);
  Add("first", Verdict::kIncorrect).sample = 3;
  const Book book = Collected();
  ASSERT_EQ(book.answers.size(), 2U);
  EXPECT_EQ(book.answers[0], "");
  EXPECT_EQ(book.answers[1], "The words of the model.");
}

TEST_F(CollectTest, FlagsAreThoseThatHoldAsItWasJudged) {
  record::Problem& problem = sources_.problems["level1/1"];
  problem.id = "level1/1";
  problem.flags = {{"collapses", "it is 0"}, {"small_spread", "hardly any"}};
  problem.flags[0].policies = {"kernelbench"};
  Add("first", Verdict::kCorrect).policy = "strict";
  reading_.entries.back().flagged = true;
  const Book strict = Collected();
  ASSERT_EQ(strict.problems.at(0).flags.size(), 1U);
  EXPECT_EQ(strict.problems[0].flags[0].flag, "small_spread");
  EXPECT_TRUE(strict.samples.at(0).flagged);
  Add("first", Verdict::kCorrect).policy = "kernelbench";
  EXPECT_EQ(Collected().problems.at(0).flags.size(), 2U);
}

TEST_F(CollectTest, SourceOfAProblemIsShownIfItIsWhatWasJudged) {
  record::Problem problem;
  problem.id = "level1/1";
  problem.name = "Matmul";
  problem.source = "class Model: pass";
  sources_.problems["level1/1"] = problem;
  Add("first", Verdict::kCorrect).problem_hash = problem.Hash();
  EXPECT_EQ(Collected().problems.at(0).source, problem.source);

  sources_.problems["level1/1"].source += "  # changed";
  const Book book = Collected();
  EXPECT_EQ(book.problems.at(0).name, "Matmul");
  EXPECT_EQ(book.problems.at(0).source, "");

  sources_.problems.clear();
  EXPECT_EQ(Collected().problems.at(0).name, "");
}

TEST_F(CollectTest, BaselinesAreTheNewestOfEachDeviceThatJudged) {
  Add("first", Verdict::kCorrect).problem_hash = "hash";
  record::Baseline baseline;
  baseline.problem_hash = "hash";
  baseline.mode = record::BaselineMode::kCompile;
  baseline.device.name = "a device";
  baseline.measured_at = "first";
  reading_.baselines.push_back(baseline);
  baseline.measured_at = "second";
  reading_.baselines.push_back(baseline);
  baseline.device.name = "another";
  baseline.measured_at = "third";
  reading_.baselines.push_back(baseline);
  const auto measured = [this] {
    std::vector<std::string> when;
    for (const record::Baseline& kept : Collected().problems.at(0).baselines)
      when.push_back(kept.measured_at);
    return when;
  };
  EXPECT_EQ(measured(), std::vector<std::string>{"second"});

  record::Outcome& there = Add("first", Verdict::kCorrect);
  there.problem_hash = "hash";
  there.device_name = "another";
  EXPECT_EQ(measured(), (std::vector<std::string>{"second", "third"}));
}

TEST_F(CollectTest, RooflineIsThatOfTheOneDeviceInFp32) {
  Add("first", Verdict::kCorrect);
  Add("second", Verdict::kCorrect);
  ASSERT_TRUE(Collected().roofline);
  EXPECT_EQ(Collected().roofline->name, "a device");

  reading_.entries[1].outcome.precision = record::Precision::kFp16;
  EXPECT_FALSE(Collected().roofline);
  reading_.entries[1].outcome.precision = record::Precision::kFp32;
  reading_.entries[1].outcome.device_name = "another";
  EXPECT_FALSE(Collected().roofline);
}

TEST_F(CollectTest, WhatWasMeasuredIsTheRooflineAndTheDataSheetBesideIt) {
  Add("first", Verdict::kCorrect).candidate_us = 10;
  Add("second", Verdict::kCorrect).candidate_us = 10;
  reading_.entries[0].outcome.ceilings = {4000, 50, 400, 790, 800};
  EXPECT_FALSE(Collected().roofline->measured) << "one has none";
  EXPECT_FALSE(Collected().data_sheet);
  reading_.entries[1].outcome.ceilings = {4100, 50, 400, 790, 800};
  const Book book = Collected();
  ASSERT_TRUE(book.roofline && book.data_sheet);
  EXPECT_TRUE(book.roofline->measured);
  EXPECT_EQ(book.roofline->bandwidth_gbps, 4100);
  EXPECT_FALSE(book.data_sheet->measured);
}

TEST_F(CollectTest, EachRunHasACurveOfItsOwnSamples) {
  Add("first", Verdict::kCorrect, 2);
  Add("second", Verdict::kIncorrect);
  const Book book = Collected();
  ASSERT_EQ(book.curves.size(), 2U);
  EXPECT_EQ(book.curves[0].ps.size(), 41U);
  EXPECT_EQ(book.curves[0].values.front().estimate, 1);
  EXPECT_EQ(book.curves[1].values.front().estimate, 0);
}

}  // namespace
}  // namespace kb::report
