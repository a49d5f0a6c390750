#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "candidate_runner.h"

namespace kb::eval {

// A device without a device: it says what it was asked for, and answers as the
// test wants.
class FakeRunner : public CandidateRunner {
 public:
  Opened Open(const Task& task,
              const std::function<void(const std::string&)>& on_step) override {
    before_open();
    asked.push_back("open " + task.problem.id);
    on_step("opening");
    Opened opened;
    const auto scripted = opens.find(task.problem.id);
    if (scripted != opens.end()) return scripted->second;
    opened.device.emplace().name = "a fake device";
    opened.problem = base::Ok();
    return opened;
  }

  void StartAhead(const Task& task) override { on_start_ahead(task); }
  void StartAhead() override { ++devices_started; }

  base::Result<void> Launch(const Built& built, int64_t count) override {
    asked.push_back(
        fmt::format("launch {} of {}", count, built.task.candidate.name));
    if (launches_that_fail[built.task.candidate.name]-- > 0)
      return base::Fail("{}", "no process");
    auto& launched = launched_[built.index];
    launched = std::max(launched, count);
    on_launch();
    return base::Ok();
  }

  base::Result<int64_t> LaunchObserved(const Built& built) override {
    asked.push_back("launch to observe " + built.task.candidate.name);
    return launched_[built.index]++;
  }

  base::Result<void> Prepare(const Built& built, const record::Policy& policy,
                             int64_t process) override {
    looks_for = policy.provenance;
    asked.push_back(
        fmt::format("prepare {} of {}", process, built.task.candidate.name));
    EXPECT_LT(process, launched_[built.index]);
    EXPECT_TRUE(waiting_.emplace(built.index, process).second)
        << "process " << process << " is prepared twice";
    on_prepare();
    return prepared;
  }

  base::Result<lane::TurnResult> Judge(
      const Built& built, const record::Policy& policy,
      const record::Turn& turn,
      const std::function<void(int64_t, int64_t)>& progress) override {
    const std::string& name = built.task.candidate.name;
    asked.push_back(turn.process == 0 ? "judge " + name
                                      : fmt::format("judge {} in process {}",
                                                    name, turn.process + 1));
    EXPECT_EQ(waiting_.erase({built.index, turn.process}), 1U)
        << "process " << turn.process << " was not prepared";
    EXPECT_EQ(policy.provenance, looks_for) << "prepared for something else";
    EXPECT_TRUE(policy.provenance == record::ProvenanceRule::kOff ||
                policy.max_timed_trials == 0)
        << "timed while it is looked at";
    if (policy.max_timed_trials > 0) {
      EXPECT_EQ(turn.compiled, IsCompiledReference(built.task));
      EXPECT_EQ(turn.baseline, built.task.baseline);
    }
    progress(1, 2);
    on_judge();
    base::Result<lane::TurnResult> answer = Right();
    if (auto& answers = judgements[name]; !answers.empty()) {
      answer = answers.front();
      answers.erase(answers.begin());
    }
    if (answer) answer->judgement.trials.emplace_back().process = turn.process;
    return answer;
  }

  void End(size_t index) override {
    std::erase_if(waiting_,
                  [&](const auto& each) { return each.first == index; });
  }
  void StartOver(bool fresh) override {
    asked.emplace_back(fresh ? "start over on a new oracle" : "start over");
    waiting_.clear();
    launched_.clear();
  }

  static lane::TurnResult Right(int64_t processes = 1) {
    lane::TurnResult outcome;
    outcome.judgement.status = record::Judgement::Status::kOk;
    outcome.judgement.loaded = true;
    if (processes > 1) outcome.judgement.ruler.emplace().processes = processes;
    return outcome;
  }
  static lane::TurnResult Wrong() {
    lane::TurnResult outcome = Right();
    outcome.judgement.status = record::Judgement::Status::kMismatch;
    outcome.judgement.text = "wrong";
    return outcome;
  }
  // Its process was killed; who did it nobody knows.
  static lane::TurnResult Killed() {
    lane::TurnResult outcome;
    outcome.judgement.status = record::Judgement::Status::kGone;
    outcome.judgement.loaded = true;
    outcome.exit.kind = jail::JailExit::Kind::kSignaled;
    outcome.exit.signal = SIGKILL;
    return outcome;
  }

  std::vector<std::string> asked;
  record::ProvenanceRule looks_for = record::ProvenanceRule::kOff;
  std::map<std::string, Opened> opens;  // by problem
  // By candidate, one after the other; without any it is right.
  std::map<std::string, std::vector<base::Result<lane::TurnResult>>> judgements;
  base::Result<void> prepared = base::Ok();  // what Prepare says
  std::function<void(const Task&)> on_start_ahead = [](const Task&) {};
  int devices_started = 0;  // without a task
  std::function<void()> before_open = [] {};
  std::function<void()> on_judge = [] {};
  std::function<void()> on_launch = [] {};
  std::map<std::string, int> launches_that_fail;  // how many of a candidate's
  std::function<void()> on_prepare = [] {};

 private:
  // Prepared, by task and number.
  std::set<std::pair<size_t, int64_t>> waiting_;
  std::map<size_t, int64_t> launched_;  // how many, by task
};

}  // namespace kb::eval
