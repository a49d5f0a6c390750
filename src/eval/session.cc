#include "eval/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "build_ahead.h"
#include "eval/every_size.h"
#include "lane_loop.h"
#include "lane_runner.h"
#include "new_evaluation.h"
#include "obstacles.h"
#include "profiled_runner.h"
#include "session_parts.h"
#include "source_check/static_check.h"

namespace kb::eval {
namespace {

using base::Result;
using record::Evaluation;
using record::Verdict;

// Tasks of the same open problem one after the other, in the order in which
// the problems first appear.
std::vector<size_t> OrderByProblem(const std::vector<Task>& tasks) {
  std::map<std::string, size_t> first_seen;
  std::vector<std::pair<size_t, size_t>> keyed;
  for (size_t i = 0; i < tasks.size(); ++i)
    keyed.emplace_back(first_seen.emplace(GroupOf(tasks[i]), i).first->second,
                       i);
  std::sort(keyed.begin(), keyed.end());
  std::vector<size_t> order;
  for (const auto& [group, index] : keyed) order.push_back(index);
  return order;
}

std::string InWords(const source_check::Finding& finding) {
  return finding.line > 0
             ? fmt::format("line {}: {}", finding.line, finding.message)
             : finding.message;
}

// Where nobody can look at what runs, the text alone says whose work it is.
record::Policy CheckedBy(const Task& task, const lane::LaneOptions& lane) {
  record::Policy policy = task.policy;
  if (IsInterpreted(task, lane.device))
    policy.provenance = record::ProvenanceRule::kOff;
  return policy;
}

// False: it breaks the policy, or a compiler is missing, and nothing of it is
// built or run.
bool Admit(const SessionParts& parts, const SessionOptions& options, Told* told,
           Built* built) {
  built->notes = built->task.notes;
  const std::string missing = parts.why_not_built(built->task.candidate);
  if (!missing.empty()) {
    Evaluation evaluation =
        NewEvaluation(built->task, options, options.lanes.front());
    evaluation.reason = missing;
    told->Done(built->index, evaluation);
    return false;
  }
  if (built->task.trusted) return true;
  for (const source_check::Finding& finding :
       source_check::Check(built->task.candidate,
                           CheckedBy(built->task, options.lanes.front()))) {
    if (finding.severity != source_check::Severity::kReject) {
      built->notes.push_back(InWords(finding));
      continue;
    }
    Evaluation evaluation =
        NewEvaluation(built->task, options, options.lanes.front());
    evaluation.verdict = Verdict::kRejected;
    evaluation.reason = InWords(finding);
    told->Done(built->index, evaluation);
    return false;
  }
  return true;
}

// What PyTorch and nvcc call the device's architecture, from the toolchain's
// probe.
std::string ArchitectureOf(const std::string& device,
                           const compile::Toolchain& tools) {
  if (device == "cpu" || !tools.python.tool) return "cpu";
  for (const auto& each : tools.python.tool->cuda_devices)
    if (device == each.TorchName()) {
      std::string digits = each.capability;
      std::erase(digits, '.');
      return fmt::format("sm_{}", digits);
    }
  return "cpu";
}

}  // namespace

Result<void> RunSession(TaskQueue* queue, const SessionParts& given,
                        const SessionOptions& options, Observer* observer,
                        std::stop_token stop) {
  SessionParts parts = given;
  std::vector<std::unique_ptr<ProfiledRunner>> profiled;
  for (size_t i = 0; options.profile != nullptr && i < parts.runners.size();
       ++i) {
    profiled.push_back(std::make_unique<ProfiledRunner>(
        parts.runners[i], options.profile, options.lanes.at(i).device));
    parts.runners[i] = profiled.back().get();
  }
  const lane::RunOn away(options.lanes.front().processors.others);
  const size_t lanes = parts.runners.size();
  Told told(observer);
  BuiltQueue built(lanes);
  BuildAhead builds(
      queue, &built, parts.build, options.compile_jobs,
      {[&](Built* each) { return Admit(parts, options, &told, each); },
       [&](size_t index) { told.Step(index, "compiling"); }, options.profile},
      stop);
  // A device opens while the first candidates compile, and others where there
  // are as many; else when there is something for them.
  if (const auto first = builds.First()) {
    built.Reserve(0, GroupOf(*first));
    parts.runners.front()->StartAhead(*first);
    for (size_t i = 1; i < std::min(lanes, queue->Added()); ++i)
      parts.runners[i]->StartAhead();
  }
  std::vector<Result<void>> ended(lanes, base::Ok());
  std::vector<std::jthread> others;
  for (size_t i = 1; i < lanes; ++i)
    others.emplace_back(
        [&, i] { ended[i] = RunLane(i, parts, options, &built, &told, stop); });
  ended[0] = RunLane(0, parts, options, &built, &told, stop);
  others.clear();  // joins
  for (Result<void>& each : ended) KB_TRY(std::move(each));
  return base::Ok();
}

Result<void> JudgeQueue(TaskQueue* queue, const compile::Compiler& compiler,
                        const SessionOptions& options, Observer* observer,
                        std::stop_token stop) {
  const std::string arch =
      ArchitectureOf(options.lanes.front().device, compiler.toolchain());
  std::vector<std::unique_ptr<LaneRunner>> runners;
  SessionParts parts;
  for (const lane::LaneOptions& lane : options.lanes) {
    runners.push_back(std::make_unique<LaneRunner>(lane, stop));
    parts.runners.push_back(runners.back().get());
  }
  parts.build = [&](const Task& task, std::stop_token stopped) {
    return compiler.Compile(task.candidate, task.policy, arch,
                            std::move(stopped));
  };
  parts.why_not_runnable = [&](const record::Candidate& candidate) {
    return WhyNotRunnable(candidate, options.lanes.front().device != "cpu",
                          compiler.toolchain());
  };
  parts.why_not_built = [&](const record::Candidate& candidate) {
    return WhyNotBuilt(candidate, compiler.toolchain());
  };
  return RunSession(queue, parts, options, observer, std::move(stop));
}

Result<void> JudgeAll(const std::vector<Task>& tasks,
                      const compile::Compiler& compiler,
                      const SessionOptions& options, Observer* observer,
                      std::stop_token stop) {
  EverySize sizes(observer);
  for (const size_t index : OrderByProblem(tasks))
    sizes.Add(index, tasks[index]);
  sizes.Close();
  return JudgeQueue(sizes.queue(), compiler, options, &sizes, std::move(stop));
}

}  // namespace kb::eval
