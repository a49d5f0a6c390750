#include "lane_runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kb::eval {

using base::Result;
using compile::Artifact;

std::map<std::string, std::string> EnvironmentOf(const Task& task, bool cpu) {
  std::map<std::string, std::string> env;
  const bool triton = task.candidate.backend == record::Backend::kTriton;
  const bool compiled = task.mode != "eager";
  if (triton && cpu) env["TRITON_INTERPRET"] = "1";
  std::vector<std::string> ahead;
  if (!cpu && (triton || compiled)) ahead.emplace_back("triton");
  if (compiled) ahead.emplace_back("compile");
  if (task.candidate.builds_extension) ahead.emplace_back("extension");
  if (!ahead.empty())
    env["KB_AHEAD"] = fmt::format("{}", fmt::join(ahead, ","));
  return env;
}

LaneRunner::LaneRunner(const lane::LaneOptions& options, std::stop_token stop)
    : lane_(options, std::move(stop)) {}

Opened LaneRunner::Open(
    const Task& task, const std::function<void(const std::string&)>& on_step) {
  Opened opened;
  opened.problem = lane_.Start(on_step);
  if (!opened.problem) return opened;
  opened.device = lane_.lane().device();
  opened.problem = lane_.Open(
      task.problem, task.precision, task.policy,
      std::chrono::seconds(std::llround(task.policy.wall_seconds)), on_step);
  if (opened.problem) return opened;
  opened.problem = base::Propagate(
      opened.problem.error().Wrap("the reference of " + task.problem.id));
  opened.reference_failed = lane_.lane().alive();
  return opened;
}

void LaneRunner::StartAhead(const Task& task) {
  if (lane_.StartAhead())
    (void)lane_.lane().LaunchReferences(task.problem, task.policy, 1);
}

void LaneRunner::StartAhead() { (void)lane_.StartAhead(); }

Result<void> LaneRunner::Launch(const Built& built, int64_t count) {
  KB_TRY(lane_.StartAhead());
  lane::Lane& lane = lane_.lane();
  KB_TRY(lane.LaunchReferences(built.task.problem, built.task.policy, count));
  Jails& jails = jails_[built.index];
  while (std::ssize(jails) < count) {
    KB_ASSIGN(const auto request, RequestFor(built.task, *built.artifact));
    KB_ASSIGN(auto jail, lane.Launch(request));
    jails.push_back(std::move(jail));
  }
  return base::Ok();
}

Result<int64_t> LaneRunner::LaunchObserved(const Built& built) {
  KB_ASSIGN(auto request, RequestFor(built.task, *built.artifact));
  request.observed = true;
  KB_ASSIGN(auto jail, lane_.lane().Launch(request));
  Jails& jails = jails_[built.index];
  jails.push_back(std::move(jail));
  return std::ssize(jails) - 1;
}

Result<void> LaneRunner::Prepare(const Built& built,
                                 const record::Policy& policy,
                                 int64_t process) {
  const auto& jail = jails_.at(built.index).at(static_cast<size_t>(process));
  return lane_.lane().Prepare(jail.get(), process, built.task.candidate.track,
                              policy);
}

Result<lane::TurnResult> LaneRunner::Judge(
    const Built& built, const record::Policy& policy, const record::Turn& turn,
    const std::function<void(int64_t, int64_t)>& progress) {
  auto& jail = jails_.at(built.index).at(static_cast<size_t>(turn.process));
  return lane_.lane().Judge(std::move(jail), policy, turn, progress);
}

void LaneRunner::End(size_t index) { jails_.erase(index); }

void LaneRunner::StartOver(bool fresh) {
  jails_.clear();
  if (fresh)
    lane_.End();
  else
    lane_.Forget();
}

Result<lane::JailRequest> LaneRunner::RequestFor(const Task& task,
                                                 const Artifact& artifact) {
  lane::JailRequest request;
  request.track = task.candidate.track;
  request.name = task.candidate.name;
  request.source = task.candidate.source;
  request.policy = task.policy;
  request.entry = task.entry;
  request.mode = task.mode;
  request.binds = artifact.run_binds;
  request.env = artifact.run_env;
  request.env.merge(EnvironmentOf(task, lane_.options().device == "cpu"));
  if (IsCompiledReference(task)) KB_TRY(ShareCompiled(&request));
  if (task.candidate.track == record::Track::kNative) {
    request.library = artifact.path;
  } else if (artifact.status == compile::BuildStatus::kOk) {
    // Its own copy, gone with the jail: what it does to it nobody else meets.
    request.extensions = artifact.path;
    if (lane_.options().isolation != jail::Isolation::kFull) {
      request.env["TORCH_EXTENSIONS_DIR"] = "{TMP}/torch_extensions";
      request.env["KB_BUILT_ELSEWHERE"] = "1";  // hosts/candidate_host.py
    }
  }
  return request;
}

Result<void> LaneRunner::ShareCompiled(lane::JailRequest* request) {
  std::string folder = lane_.options().compiled;
  if (folder.empty() && !compiled_) {
    KB_ASSIGN(compiled_, os::TempDir::Create());
  }
  if (folder.empty()) folder = compiled_->path();
  request->binds.push_back({folder, "", true});
  request->env["TORCHINDUCTOR_CACHE_DIR"] = folder + "/inductor";
  request->env["TRITON_CACHE_DIR"] = folder + "/triton";
  // Processes that compile Triton's kernels. The fork server read one
  // (lane/jail_spec.cc); hosts/candidate_host.py takes this instead.
  const size_t processors = lane_.options().processors.others.size();
  request->env["TORCHINDUCTOR_COMPILE_THREADS"] =
      std::to_string(std::clamp<size_t>(processors, 1, 16));
  return base::Ok();
}

}  // namespace kb::eval
