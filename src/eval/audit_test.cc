#include "eval/audit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>

namespace kb::eval {
namespace {

std::vector<AuditTask> Tasks(const std::vector<std::string>& ids) {
  std::vector<AuditTask> tasks;
  for (const std::string& id : ids) tasks.emplace_back().problem.id = id;
  return tasks;
}

// Answers by problem, in the order of the tries; who asks for more gets the
// last one again.
class Script {
 public:
  explicit Script(
      std::map<std::string, std::vector<base::Result<record::Audit>>> answers)
      : answers_(std::move(answers)) {}

  std::function<AuditOne(int64_t)> Worker() {
    return [this](int64_t jobs) -> AuditOne {
      return [this, jobs](const AuditTask& task) {
        const std::lock_guard lock(mutex_);
        jobs_[task.problem.id].push_back(jobs);
        const auto& answers = answers_.at(task.problem.id);
        return answers.at(
            std::min(jobs_[task.problem.id].size(), answers.size()) - 1);
      };
    };
  }
  // How many worked at once, at each try of the problem.
  const std::vector<int64_t>& JobsOf(const std::string& id) {
    return jobs_[id];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<base::Result<record::Audit>>> answers_;
  std::map<std::string, std::vector<int64_t>> jobs_;
};

base::Result<record::Audit> Failure(const char* words) {
  return base::Fail("{}", words);
}

record::Audit WithFailedMutant(const char* detail) {
  record::Audit audit;
  record::MutantResult& mutant = audit.mutants.emplace_back();
  mutant.status = record::MutantResult::Status::kFailed;
  mutant.detail = detail;
  return audit;
}

const AuditProgress kQuiet = [](size_t, size_t, const AuditTask&) {};

TEST(Audit, ResultsAreInTheOrderOfTheTasks) {
  record::Audit finite;
  finite.finite = true;
  Script script({{"a", {finite}}, {"b", {Failure("no such file")}}});
  const auto results =
      AuditWith(Tasks({"a", "b"}), {}, script.Worker(), kQuiet, {});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_TRUE(results[0].audit);
  EXPECT_FALSE(results[1].audit);
  EXPECT_EQ(results[1].error, "no such file");
}

TEST(Audit, WhatRunsOutOfMemoryBesideOthersRunsAgainByItself) {
  Script script(
      {{"a", {record::Audit()}},
       {"b", {Failure("CUDA out of memory"), record::Audit()}},
       {"c", {WithFailedMutant("CUDA_ERROR_OUT_OF_MEMORY"), record::Audit()}}});
  AuditPlan plan;
  plan.jobs = 2;
  const auto results =
      AuditWith(Tasks({"a", "b", "c"}), plan, script.Worker(), kQuiet, {});
  EXPECT_TRUE(results[1].audit);
  EXPECT_EQ(results[1].error, "");
  EXPECT_TRUE(results[2].audit->mutants.empty());
  EXPECT_EQ(script.JobsOf("a"), (std::vector<int64_t>{2}));
  EXPECT_EQ(script.JobsOf("b"), (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(script.JobsOf("c"), (std::vector<int64_t>{2, 1}));
}

TEST(Audit, AloneThereIsNobodyToMakeRoom) {
  Script script({{"a", {Failure("CUDA out of memory"), record::Audit()}}});
  const auto results = AuditWith(Tasks({"a"}), {}, script.Worker(), kQuiet, {});
  EXPECT_FALSE(results[0].audit);
  EXPECT_EQ(script.JobsOf("a").size(), 1U);
}

TEST(Audit, NothingBeginsAfterAStop) {
  std::stop_source stop;
  std::atomic<int> begun = 0;
  const AuditProgress stopping = [&](size_t, size_t, const AuditTask&) {
    ++begun;
    stop.request_stop();
  };
  Script script({{"a", {record::Audit()}}, {"b", {record::Audit()}}});
  const auto results = AuditWith(Tasks({"a", "b"}), {}, script.Worker(),
                                 stopping, stop.get_token());
  EXPECT_EQ(begun, 1);
  EXPECT_TRUE(results[0].audit);
  EXPECT_FALSE(results[1].audit);
  EXPECT_EQ(results[1].error, "") << "was not reached";
}

}  // namespace
}  // namespace kb::eval
