#include "eval/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <latch>
#include <map>
#include <mutex>
#include <utility>

#include "base/random.h"
#include "fake_runner.h"
#include "session_parts.h"

namespace kb::eval {
namespace {

using compile::Artifact;
using record::Evaluation;
using record::Verdict;
using testing::Test;
using Words = std::vector<std::string>;

constexpr const char* kLast = "last";

class SessionTest : public Test, public Observer {
 protected:
  SessionTest() {
    options_.compile_jobs = 1;
    options_.lanes.emplace_back().device = "cpu";
    parts_.runners = {&runner_};
    parts_.why_not_built =
        parts_.why_not_runnable = [](const record::Candidate&) { return ""; };
    parts_.build = [this](const Task& task, const std::stop_token& /*stop*/) {
      return Build(task);
    };
  }

  // Candidates are called after their problem: "a1" is one of problem "a".
  static Task TaskOf(const std::string& name, record::Policy policy) {
    Task task;
    task.problem.id = task.problem.source = name.substr(0, 1);
    task.candidate.name = name;
    task.candidate.track = record::Track::kPython;
    task.policy = std::move(policy);
    task.trusted = true;
    return task;
  }
  void Add(const std::string& name, record::Policy policy = {}) {
    AddTask(TaskOf(name, std::move(policy)));
  }
  void AddWithHidden(const std::string& name, record::Policy policy) {
    Task task = TaskOf(name, std::move(policy));
    task.problem.hidden = {{"n = 5", "larger"}};
    AddTask(std::move(task));
  }
  void AddTask(Task task) {
    const size_t index = names_.size();
    names_.push_back(task.candidate.name);
    queue_.Add(index, std::move(task));
  }

  // Nothing is judged before all tasks are built, so that a test knows what
  // there is to choose from: one thread builds, in the order of the queue, and
  // a task is there to be taken when the build of the one after it begins.
  base::Result<void> RunWhenAllAreBuilt() {
    runner_.before_open = [this] {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return all_are_built_; });
    };
    Add(kLast);
    return Run();
  }

  base::Result<void> Run() {
    queue_.Close();
    return RunSession(&queue_, parts_, options_, this, stop_.get_token());
  }

  base::Result<Artifact> Build(const Task& task) {
    {
      const std::lock_guard lock(mutex_);
      if (task.candidate.name == kLast) all_are_built_ = true;
    }
    changed_.notify_all();
    const auto found = artifacts_.find(task.candidate.name);
    if (found != artifacts_.end()) return found->second;
    Artifact artifact;
    artifact.status = compile::BuildStatus::kNothingToBuild;
    return artifact;
  }

  void OnStep(size_t index, const std::string& step) override {
    steps_.push_back(names_.at(index) + ": " + step);
  }
  void OnDone(size_t index, const Evaluation& evaluation) override {
    ++times_done_[names_.at(index)];
    done_[names_.at(index)] = evaluation;
  }

  // In which order candidates were judged, the helper task left out.
  Words Judged() const {
    Words judged;
    for (const std::string& asked : runner_.asked)
      if (asked.starts_with("judge ") && asked != "judge last")
        judged.push_back(asked.substr(6));
    return judged;
  }

  void OnNotice(const std::string& text) override { on_notice_(text); }

  std::function<void(const std::string&)> on_notice_ =
      [this](const std::string& text) { notices_.push_back(text); };
  Words notices_;
  SessionOptions options_;
  SessionParts parts_;
  FakeRunner runner_;
  TaskQueue queue_;
  std::stop_source stop_;
  std::map<std::string, base::Result<Artifact>> artifacts_;
  Words names_, steps_;
  std::map<std::string, Evaluation> done_;
  std::map<std::string, int> times_done_;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool all_are_built_ = false;  // guarded by mutex_
};

TEST_F(SessionTest, TasksOfTheOpenProblemComeFirst) {
  for (const char* name : {"a1", "b1", "a2", "c1", "b2", "a3"}) Add(name);
  ASSERT_TRUE(RunWhenAllAreBuilt());
  EXPECT_EQ(Judged(), (Words{"a1", "a2", "a3", "b1", "b2", "c1"}));
}

// While a1 is judged b1 is launched already.
TEST_F(SessionTest, TaskThatComesAgainTakesItsOldPlace) {
  std::promise<void> built, built_again;
  parts_.build = [&, last = 0](const Task& task,
                               const std::stop_token&) mutable {
    if (task.candidate.name == kLast)
      (last++ == 0 ? built : built_again).set_value();
    return Build(task);
  };
  for (const char* name : {"a1", "b1", "c1", kLast, kLast})
    names_.push_back(name);
  for (size_t i = 0; i < 4; ++i) queue_.Add(i, TaskOf(names_[i], {}));
  runner_.before_open = [&, first = true]() mutable {
    if (std::exchange(first, false)) built.get_future().wait();
  };
  runner_.on_judge = [&, first = true]() mutable {
    if (!std::exchange(first, false)) return;
    queue_.Add(0, TaskOf("a1 again", {}));
    queue_.Add(4, TaskOf(kLast, {}));
    queue_.Close();
    built_again.get_future().wait();
  };
  ASSERT_TRUE(RunSession(&queue_, parts_, options_, this, stop_.get_token()));
  EXPECT_EQ(Judged(), (Words{"a1", "b1", "a1 again", "c1"}));
}

TEST_F(SessionTest, NextCandidateIsLaunchedBeforeThisOneIsJudged) {
  Add("a1");
  Add("a2");
  ASSERT_TRUE(RunWhenAllAreBuilt());
  const auto place = [this](const char* asked) {
    return std::ranges::find(runner_.asked, asked) - runner_.asked.begin();
  };
  EXPECT_LT(place("launch 1 of a2"), place("judge a1"));
  EXPECT_LT(place("judge a1"), place("judge a2"));
}

double SecondsOf(const Profile& profile, Phase phase) {
  double seconds = 0;
  for (const Profile::Row& row : profile.Summarize().rows)
    seconds += row.seconds.at(static_cast<size_t>(phase));
  return seconds;
}

TEST_F(SessionTest, ProfileSaysWhatALaneDid) {
  std::atomic<int> now = 0;
  Profile profile([&] { return now.load(); });
  options_.profile = &profile;
  runner_.on_start_ahead = [&](const Task& /*task*/) { now += 7; };
  runner_.before_open = [&] { now += 5; };
  runner_.on_launch = runner_.on_prepare = [&] { now += 1; };
  runner_.on_judge = [&] { now += 20; };
  lane::TurnResult right = FakeRunner::Right();
  right.judgement.spent = {.load_s = 2, .inputs_s = 3, .compare_s = 4};
  runner_.judgements["a1"] = {right};
  Add("a1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(profile.Summarize().wall_seconds, 7 + 5 + 1 + 1 + 20);
  EXPECT_EQ(SecondsOf(profile, Phase::kPrepare), 7 + 5);
  EXPECT_EQ(SecondsOf(profile, Phase::kStart), 1 + 1 + 2);
  EXPECT_EQ(SecondsOf(profile, Phase::kInputs), 3);
  EXPECT_EQ(SecondsOf(profile, Phase::kCompare), 4);
  EXPECT_EQ(SecondsOf(profile, Phase::kTrials), 20 - 2 - 3 - 4);
}

TEST_F(SessionTest, ProfileSaysWhatBuildsTook) {
  std::atomic<int> now = 0;
  Profile profile([&] { return now.load(); });
  options_.profile = &profile;
  parts_.build = [&](const Task& task, const std::stop_token& /*stop*/) {
    now += 9;
    return Build(task);
  };
  Artifact failed;
  failed.status = compile::BuildStatus::kFailed;
  artifacts_.emplace("a1", failed);
  Add("a1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(SecondsOf(profile, Phase::kBuild), 9);
  EXPECT_EQ(SecondsOf(profile, Phase::kTrials), 0);
}

TEST_F(SessionTest, FloorIsThatOfTheProblemOnTheDevice) {
  lane::TurnResult outcome = FakeRunner::Right();
  record::Ruler& ruler = outcome.judgement.ruler.emplace();
  ruler.input_bytes = uint64_t{4} << 30;
  ruler.output_bytes = uint64_t{128} << 20;
  ruler.ceilings.bandwidth_gbps = 4000;
  runner_.judgements["a1"] = {outcome};
  runner_.judgements["a2"] = {outcome};
  Add("a1");
  Task task;
  task.problem.id = task.problem.source = "a";
  task.problem.floor.inputs = true;
  task.candidate.name = "a2";
  task.trusted = true;
  AddTask(std::move(task));
  ASSERT_TRUE(Run());
  ASSERT_TRUE(done_["a1"].ruler && done_["a2"].ruler);
  EXPECT_EQ(done_["a1"].ruler->floor_us, 0.5) << "outputs alone";
  EXPECT_NEAR(done_["a2"].ruler->floor_us, 0.8 * (uint64_t{4} << 30) / 4e6,
              1e-6);
}

TEST_F(SessionTest, DeviceOpensWhileTheFirstCandidateIsBuilt) {
  std::promise<std::string> started;
  runner_.on_start_ahead = [&](const Task& task) {
    started.set_value(task.problem.id);
  };
  parts_.build = [&](const Task& task, const std::stop_token& /*stop*/) {
    if (task.candidate.name == "a1") {
      EXPECT_EQ(started.get_future().get(), "a");
    }
    return Build(task);
  };
  Add("a1");
  Add("b1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(Judged(), (Words{"a1", "b1"}));
}

TEST_F(SessionTest, WhereNothingIsBuiltNoDeviceIsOpened) {
  runner_.on_start_ahead = [](const Task&) { ADD_FAILURE(); };
  parts_.why_not_built = [](const record::Candidate&) { return "no compiler"; };
  Add("a1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].reason, "no compiler");
}

TEST_F(SessionTest, WhatDidNotCompileIsNeverLaunched) {
  Artifact failed;
  failed.status = compile::BuildStatus::kFailed;
  failed.log = "k.cu(3): error: expected a ;";
  artifacts_.emplace("a2", failed);
  Add("a1");
  Add("a2");
  ASSERT_TRUE(RunWhenAllAreBuilt());
  EXPECT_EQ(done_["a2"].verdict, Verdict::kCompileError);
  EXPECT_EQ(done_["a2"].reason, "k.cu(3): error: expected a ;");
  for (const std::string& asked : runner_.asked)
    EXPECT_EQ(asked.find("a2"), std::string::npos) << asked;
}

TEST_F(SessionTest, BuildThatWeFailedIsOurFailure) {
  artifacts_.emplace("a1", base::Fail("{}", "the disk is full"));
  Add("a1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, Verdict::kInfraError);
  EXPECT_EQ(done_["a1"].reason, "the disk is full");
}

TEST_F(SessionTest, WhatTheDeviceCannotRunIsNotLaunchedAndHasNoVerdict) {
  parts_.why_not_runnable = [](const record::Candidate& candidate) {
    return candidate.name == "a1" ? "CUDA code cannot run on cpu" : "";
  };
  Add("a1");
  Add("a2");
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, std::nullopt);
  EXPECT_EQ(done_["a1"].reason, "CUDA code cannot run on cpu");
  EXPECT_EQ(Judged(), (Words{"a2"}));
}

TEST_F(SessionTest, WhatNeedsACompilerThatIsMissingIsNotBuilt) {
  parts_.why_not_built = [](const record::Candidate& candidate) {
    return candidate.name == "a1" ? "nvcc was not found" : "";
  };
  Add("a1");
  Add("a2");
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, std::nullopt);
  EXPECT_EQ(done_["a1"].reason, "nvcc was not found");
  EXPECT_EQ(std::ranges::count(steps_, "a1: compiling"), 0);
  EXPECT_EQ(Judged(), (Words{"a2"}));
}

TEST_F(SessionTest, NotesOfATaskBeginItsEvaluation) {
  Task task;
  task.problem.id = "a";
  task.candidate.name = "a1";
  task.candidate.track = record::Track::kPython;
  task.notes = {"its Model was judged"};
  task.trusted = true;
  AddTask(std::move(task));
  ASSERT_TRUE(Run());
  ASSERT_FALSE(done_["a1"].notes.empty());
  EXPECT_EQ(done_["a1"].notes.front(), "its Model was judged");
}

TEST_F(SessionTest, CorrectOneOfAWeakProblemIsSaidToProveLittle) {
  const auto add_under = [this](const std::string& policy) {
    Task task;
    task.problem.id = policy;
    task.problem.flags = {{.flag = "misnamed", .reason = "is another function"},
                          {.flag = "zero_passes",
                           .reason = "small",
                           .policies = {"kernelbench"}}};
    task.candidate.name = policy;
    task.candidate.track = record::Track::kPython;
    task.policy = *record::NamedPolicy(policy);
    task.trusted = true;
    AddTask(std::move(task));
  };
  add_under("kernelbench");
  add_under("strict");
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["kernelbench"].notes,
            Words{"a wrong kernel would pass here under policy kernelbench "
                  "(zero_passes: small); policy strict tells"});
  EXPECT_EQ(done_["strict"].notes, Words{});
}

TEST_F(SessionTest, WhatBreaksThePolicyIsNotBuilt) {
  Task task;
  task.candidate.name = "a1";
  task.candidate.track = record::Track::kPython;
  task.candidate.source = "import os\nos.system('true')\n";
  task.policy.allow_torch_ops = false;
  task.candidate.source =
      "import torch\nclass ModelNew(torch.nn.Module):\n"
      "  def forward(self, x):\n    return torch.matmul(x, x)\n";
  AddTask(task);
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, Verdict::kRejected) << done_["a1"].reason;
  EXPECT_EQ(steps_, Words{});
  EXPECT_EQ(runner_.asked, Words{});
}

TEST_F(SessionTest, WhatRanIsLookedAtInAProcessOfItsOwnAfterTheVerdict) {
  record::Policy policy = *record::NamedPolicy("own-kernels");
  lane::TurnResult seen = FakeRunner::Right();
  seen.judgement.provenance.emplace().shares = {0.25, 0, 0, 0, 0.75};
  runner_.judgements["a1"] = {FakeRunner::Right(), seen};
  runner_.judgements["a2"] = {FakeRunner::Wrong()};
  Add("a1", policy);
  Add("a2", policy);
  Add("a3");
  record::Policy profile;
  profile.profile = true;
  Add("a4", profile);
  ASSERT_TRUE(Run());
  EXPECT_EQ(std::ranges::count(runner_.asked, "launch to observe a1"), 1);
  EXPECT_EQ(std::ranges::count(runner_.asked, "launch to observe a2"), 0);
  EXPECT_EQ(std::ranges::count(runner_.asked, "launch to observe a3"), 0);
  EXPECT_EQ(std::ranges::count(runner_.asked, "launch to observe a4"), 1);
  EXPECT_EQ(done_["a1"].verdict, Verdict::kRejected);
  ASSERT_TRUE(done_["a1"].provenance);
  EXPECT_EQ(done_["a1"].provenance->own_share(), 0.25);
  EXPECT_FALSE(done_["a3"].provenance);
}

// --- Hidden sizes ---

record::Outside::Outcome OutcomeAt(const Evaluation& evaluation) {
  EXPECT_TRUE(evaluation.outside && evaluation.outside->sizes.size() == 1);
  return evaluation.outside ? evaluation.outside->sizes.front().outcome
                            : record::Outside::Outcome::kLeftOut;
}

TEST_F(SessionTest,
       WhoIsWrongAtAHiddenSizeIsNamedAndRejectedWhereItIsRequired) {
  using enum record::HiddenSizes;
  for (const auto& [name, rule] :
       {std::pair{"a1", kNoted}, std::pair{"a2", kRequired},
        std::pair{"a3", kOff}}) {
    record::Policy policy;
    policy.hidden_sizes = rule;
    AddWithHidden(name, policy);
    runner_.judgements[name] = {FakeRunner::Right(), FakeRunner::Wrong()};
  }
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, Verdict::kCorrect);
  EXPECT_EQ(OutcomeAt(done_["a1"]), record::Outside::Outcome::kWrong);
  EXPECT_EQ(
      done_["a1"].notes,
      Words{"shape_specialised: right at the size that is shown, wrong at "
            "n = 5 (wrong)"});
  EXPECT_EQ(done_["a2"].verdict, Verdict::kRejected);
  EXPECT_EQ(done_["a2"].reason, done_["a1"].notes.front());
  EXPECT_EQ(done_["a3"].verdict, Verdict::kCorrect);
  EXPECT_FALSE(done_["a3"].outside);
  EXPECT_EQ(Judged(), (Words{"a1", "a1", "a2", "a2", "a3"}));
}

TEST_F(SessionTest, WhoIsRightAtAHiddenSizeHasNoNote) {
  record::Policy policy;
  policy.hidden_sizes = record::HiddenSizes::kNoted;
  AddWithHidden("a1", policy);
  Add("b1", policy);
  ASSERT_TRUE(Run());
  EXPECT_EQ(OutcomeAt(done_["a1"]), record::Outside::Outcome::kRight);
  EXPECT_EQ(done_["a1"].notes, Words{});
  EXPECT_TRUE(done_["b1"].outside->sizes.empty());
  EXPECT_NE(done_["b1"].outside->no_sizes, "") << "that there is none is said";
}

TEST_F(SessionTest, WhoIsWrongIsNotTriedAtHiddenSizes) {
  record::Policy policy;
  policy.hidden_sizes = record::HiddenSizes::kNoted;
  AddWithHidden("a1", policy);
  runner_.judgements["a1"] = {FakeRunner::Wrong()};
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, Verdict::kIncorrect);
  EXPECT_EQ(Judged(), Words{"a1"});
}

TEST_F(SessionTest, OurFailureAtAHiddenSizeChangesNoVerdict) {
  record::Policy policy;
  policy.hidden_sizes = record::HiddenSizes::kRequired;
  AddWithHidden("a1", policy);
  runner_.judgements["a1"] = {FakeRunner::Right(), base::Fail("oracle died")};
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, Verdict::kCorrect);
  EXPECT_EQ(OutcomeAt(done_["a1"]), record::Outside::Outcome::kLeftOut);
  EXPECT_EQ(done_["a1"].outside->sizes.front().reason, "oracle died");
  EXPECT_TRUE(std::ranges::find(runner_.asked, "start over on a new oracle") !=
              runner_.asked.end());
}

TEST_F(SessionTest, OracleThatFailsIsReplacedAndTheCandidateJudgedAgain) {
  runner_.judgements["a1"] = {base::Fail("{}", "the oracle died"),
                              FakeRunner::Wrong()};
  Add("a1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(runner_.asked,
            (Words{"launch 1 of a1", "open a", "prepare 0 of a1", "judge a1",
                   "start over on a new oracle", "launch 1 of a1", "open a",
                   "prepare 0 of a1", "judge a1"}));
  EXPECT_EQ(done_["a1"].verdict, Verdict::kIncorrect);
  EXPECT_EQ(done_["a1"].notes,
            Words{"tried again after our own failure: the oracle died"});
}

TEST_F(SessionTest, ProcessesThatCannotBePreparedAreOurFailure) {
  runner_.prepared = base::Fail("{}", "no answer");
  Add("a1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, Verdict::kInfraError);
  EXPECT_EQ(done_["a1"].reason, "no answer");
  EXPECT_EQ(Judged(), Words{});
  EXPECT_EQ(std::ranges::count(runner_.asked, "start over on a new oracle"), 2);
}

TEST_F(SessionTest, EndThatMayNotBeTheCandidatesDoingIsTriedAgain) {
  runner_.judgements["a1"] = {FakeRunner::Killed(), FakeRunner::Right()};
  runner_.judgements["a2"] = {FakeRunner::Killed(), FakeRunner::Killed()};
  Add("a1");
  Add("a2");
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, Verdict::kCorrect);
  ASSERT_EQ(done_["a1"].notes.size(), 1U);
  EXPECT_TRUE(
      done_["a1"].notes[0].starts_with("tried again, perhaps not its doing: "))
      << done_["a1"].notes[0];
  EXPECT_EQ(done_["a2"].verdict, Verdict::kRuntimeError);
  EXPECT_EQ(Judged(), (Words{"a1", "a1", "a2", "a2"}));
}

TEST_F(SessionTest, OracleThatFailsTwiceIsOurFailureAndTheNextTaskIsJudged) {
  runner_.judgements["a1"] = {base::Fail("{}", "the oracle died"),
                              base::Fail("{}", "it died again")};
  Add("a1");
  Add("a2");
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, Verdict::kInfraError);
  EXPECT_EQ(done_["a1"].reason, "it died again");
  EXPECT_EQ(done_["a2"].verdict, Verdict::kCorrect);
  EXPECT_EQ(std::ranges::count(runner_.asked, "start over on a new oracle"), 2)
      << "for the next task too";
}

TEST_F(SessionTest, ReferenceThatFailsIsNotTriedAgain) {
  Opened broken;
  broken.device.emplace().name = "a fake device";
  broken.problem = base::Fail("{}", "the reference of a: no such module");
  broken.reference_failed = true;
  runner_.opens.emplace("a", broken);
  Add("a1");
  Add("b1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, Verdict::kInfraError);
  EXPECT_EQ(done_["a1"].reason, "the reference of a: no such module");
  EXPECT_EQ(done_["a1"].device.name, "a fake device");
  EXPECT_EQ(std::ranges::count(runner_.asked, "open a"), 1);
  EXPECT_EQ(done_["b1"].verdict, Verdict::kCorrect);
}

// What the next task meets before its own reference is opened.
TEST_F(SessionTest, AReferenceThatFailedDoesNotEndTheTaskAfterIt) {
  Opened broken;
  broken.problem = base::Fail("{}", "no such module");
  broken.reference_failed = true;
  runner_.opens.emplace("a", broken);
  Add("a1");
  Add("b1");
  runner_.launches_that_fail["b1"] = 1;
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, Verdict::kInfraError);
  EXPECT_EQ(done_["b1"].verdict, Verdict::kCorrect) << done_["b1"].reason;
}

TEST_F(SessionTest, OracleThatCannotStartIsTriedTwice) {
  Opened none;
  none.problem = base::Fail("{}", "no python3");
  runner_.opens.emplace("a", none);
  Add("a1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_["a1"].verdict, Verdict::kInfraError);
  EXPECT_EQ(std::ranges::count(runner_.asked, "open a"), 2);
}

TEST_F(SessionTest, AsManyProcessesAreJudgedAsTheFirstOneSaysAreNeeded) {
  record::Policy policy;
  policy.processes = 3;
  runner_.judgements["a1"] = {FakeRunner::Right(3), FakeRunner::Right(),
                              FakeRunner::Right()};
  Add("a1", policy);
  Add("a2");
  ASSERT_TRUE(Run());
  EXPECT_EQ(Judged(),
            (Words{"a1", "a1 in process 2", "a1 in process 3", "a2"}));
  EXPECT_EQ(done_["a1"].ruler->processes, 3);
  EXPECT_TRUE(std::ranges::count(runner_.asked, "launch 3 of a2"))
      << "the next one is likely to need as many";
}

TEST_F(SessionTest, MoreProcessesThanLastTimeAreLaunchedByTwos) {
  record::Policy policy;
  policy.processes = 6;
  runner_.judgements["a1"] = {FakeRunner::Right(6)};
  Add("a1", policy);
  Add("a2");
  ASSERT_TRUE(Run());
  Words launched;
  for (const std::string& asked : runner_.asked)
    if (asked.starts_with("launch ") && asked.ends_with(" of a1"))
      launched.push_back(asked);
  EXPECT_EQ(launched, (Words{"launch 1 of a1", "launch 3 of a1",
                             "launch 5 of a1", "launch 7 of a1"}));
  EXPECT_TRUE(std::ranges::count(runner_.asked, "launch 3 of a2"));
  EXPECT_EQ(done_["a1"].ruler->processes, 6);
  EXPECT_EQ(Judged().size(), 7U);
}

TEST_F(SessionTest, CandidateThatIsWrongInALaterProcessIsWrong) {
  record::Policy policy;
  policy.processes = 3;
  runner_.judgements["a1"] = {FakeRunner::Right(3), FakeRunner::Wrong()};
  Add("a1", policy);
  ASSERT_TRUE(Run());
  EXPECT_EQ(Judged(), (Words{"a1", "a1 in process 2"}));
  EXPECT_EQ(done_["a1"].verdict, Verdict::kIncorrect);
}

// --- Several lanes ---

TEST_F(SessionTest, LanesShareTheTasks) {
  FakeRunner other;
  parts_.runners = {&runner_, &other};
  options_.lanes.emplace_back();
  // Each judges its first one until the other does.
  std::latch both(2);
  runner_.on_judge = other.on_judge = [&, first = true]() mutable {
    if (std::exchange(first, false)) both.arrive_and_wait();
  };
  for (const char* name : {"a1", "b1", "a2", "b2"}) Add(name);
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_.size(), 4U);
  const auto opened = [](const FakeRunner& runner) {
    return std::ranges::count_if(runner.asked, [](const auto& each) {
      return each.starts_with("open");
    });
  };
  EXPECT_GE(opened(runner_), 1);
  EXPECT_GE(opened(other), 1);
}

// An oracle takes seconds to start.
TEST_F(SessionTest, AsManyDevicesOpenAtOnceAsThereAreTasks) {
  FakeRunner second, third;
  parts_.runners = {&runner_, &second, &third};
  options_.lanes.resize(3);
  std::atomic<int> first = 0;
  runner_.on_start_ahead = [&](const Task&) { ++first; };
  Add("a1");
  Add("b1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(first, 1);
  EXPECT_EQ(runner_.devices_started, 0);
  EXPECT_EQ(second.devices_started, 1);
  EXPECT_EQ(third.devices_started, 0);
}

TEST_F(SessionTest, WhatALaneFailsOnAnotherJudgesAndItIsLeftAlone) {
  FakeRunner other;
  other.prepared = base::Fail("{}", "the driver is gone");
  parts_.runners = {&runner_, &other};
  options_.lanes.emplace_back().device = "cuda:1";
  // The good lane waits until the bad one has failed with two tasks.
  std::promise<void> alone;
  auto left = alone.get_future().share();
  runner_.on_judge = [&] { left.wait(); };
  on_notice_ = [&](const std::string& text) {
    notices_.push_back(text);
    alone.set_value();
  };
  for (const char* name : {"a1", "b1", "c1", "d1", "e1"}) Add(name);
  ASSERT_TRUE(Run());
  EXPECT_EQ(notices_,
            Words{"cuda:1 is left alone from now on, after 2 failures one "
                  "after another: the driver is gone"});
  EXPECT_EQ(done_.size(), 5U);
  int64_t moved = 0;
  for (const auto& [name, evaluation] : done_) {
    EXPECT_EQ(evaluation.verdict, Verdict::kCorrect) << name;
    moved += std::ranges::count(
        evaluation.notes,
        "tried again after cuda:1 failed: the driver is gone");
  }
  EXPECT_EQ(moved, 2);
}

TEST_F(SessionTest, WithoutALaneThatWorksItIsOurFailureOnce) {
  FakeRunner other;
  other.prepared = runner_.prepared = base::Fail("{}", "the driver is gone");
  parts_.runners = {&runner_, &other};
  options_.lanes.emplace_back();
  for (const char* name : {"a1", "b1", "c1", "d1", "e1", "f1"}) Add(name);
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_.size(), 6U);
  for (const auto& [name, evaluation] : done_) {
    EXPECT_EQ(evaluation.verdict, Verdict::kInfraError) << name;
    EXPECT_EQ(times_done_[name], 1) << name;
  }
}

TEST_F(SessionTest, StopEndsTheSessionWithoutAVerdict) {
  runner_.on_judge = [this] { stop_.request_stop(); };
  Add("a1");
  Add("a2");
  const auto result = Run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message(), "interrupted");
  EXPECT_TRUE(done_.empty());
}

TEST_F(SessionTest, EmptyQueueStartsNothing) {
  ASSERT_TRUE(Run());
  EXPECT_TRUE(runner_.asked.empty());
}

TEST_F(SessionTest, StepsSayWhatTakesLong) {
  Add("a1");
  ASSERT_TRUE(Run());
  EXPECT_EQ(steps_, (Words{"a1: compiling", "a1: opening", "a1: loading",
                           "a1: trial 1 of at most 2"}));
}

// Whatever fails, each task is reported once, and problems are not opened more
// often than need be.
TEST_F(SessionTest, EveryTaskIsReportedOnce) {
  base::Sequence random(7);
  constexpr int kTasks = 60;
  for (int i = 0; i < kTasks; ++i) {
    const std::string name =
        std::string(1, static_cast<char>('a' + random.Below(4))) +
        std::to_string(i);
    auto& answers = runner_.judgements[name];
    for (int tries = 0; tries < 2; ++tries) switch (random.Below(4)) {
        case 0:
          answers.emplace_back(base::Fail("{}", "the oracle died"));
          break;
        case 1:
          answers.emplace_back(FakeRunner::Wrong());
          break;
        default:
          answers.emplace_back(FakeRunner::Right());
      }
    if (random.Below(8) == 0)
      artifacts_.emplace(name, base::Fail("{}", "no compiler"));
    Add(name);
  }
  options_.compile_jobs = 4;
  ASSERT_TRUE(Run());
  EXPECT_EQ(done_.size(), static_cast<size_t>(kTasks));
  for (const auto& [name, times] : times_done_) EXPECT_EQ(times, 1) << name;
  for (const auto& [name, evaluation] : done_)
    EXPECT_TRUE(evaluation.verdict) << name;
}

}  // namespace
}  // namespace kb::eval
