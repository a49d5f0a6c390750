#include "verdicts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "html/html.h"
#include "os/colour.h"
#include "record/document.h"
#include "report/details.h"
#include "workplace/names.h"
#include "workplace/progress.h"

namespace kb::cli {

using base::Json;
using record::Evaluation;

Verdicts::Verdicts(Show show, store::Store* store)
    : show_(show), store_(store) {}

size_t Verdicts::Expect(const eval::Task& task, Json id) {
  const base::MutexLock lock(&mutex_);
  waiting_[expected_] = {task.problem.id + " " + task.candidate.name,
                         std::move(id)};
  return expected_++;
}

void Verdicts::Refuse(const Json& id, const std::string& why) {
  const base::MutexLock lock(&mutex_);
  ++refused_;
  fmt::print("{}\n", base::DumpJson(record::Document(
                         "error", {{"id", id}, {"error", why}})));
  std::fflush(stdout);
}

void Verdicts::WaitForRoom(size_t most, const std::stop_token& stop) {
  const base::MutexLock lock(&mutex_);
  room_.Wait(&mutex_, stop,
             [&]() KB_REQUIRES(mutex_) { return waiting_.size() < most; });
}

void Verdicts::OnStep(size_t index, const std::string& step) {
  const base::MutexLock lock(&mutex_);
  line_.Show(fmt::format("[{}/{}] {}: {}", done_, expected_,
                         waiting_.at(index).name, step));
}

void Verdicts::OnDone(size_t index, const Evaluation& evaluation) {
  const base::MutexLock lock(&mutex_);
  ++done_;
  ++counts_[workplace::NameOf(evaluation.verdict)];
  if (store_ != nullptr && !store_error_)
    if (const auto kept = store_->Append(evaluation); !kept)
      store_error_ = kept.error();
  const auto task = waiting_.extract(index);
  line_.Show("");
  line_.Print(fmt::format("[{}/{}] {}: {}", done_, expected_,
                          task.mapped().name,
                          workplace::ResultLine(evaluation)));
  Print(task.mapped(), evaluation);
  if (show_ == Show::kLater) evaluations_[index] = evaluation;
  room_.NotifyAll();
}

void Verdicts::OnNotice(const std::string& text) {
  const base::MutexLock lock(&mutex_);
  line_.Print(text);
}

void Verdicts::Print(const Waiting& task, const Evaluation& evaluation) {
  if (show_ == Show::kLater) return;
  if (show_ == Show::kAtOnce) {
    fmt::print("{}\n",
               report::RenderDetails(evaluation, os::HasColour(STDOUT_FILENO)));
  } else {
    Json json = record::Document("evaluation", {{"id", task.id}});
    json.update(record::ToJson(evaluation));
    fmt::print("{}\n", base::DumpJson(json));
  }
  std::fflush(stdout);
}

std::vector<std::optional<Evaluation>> Verdicts::TakeEvaluations() {
  const base::MutexLock lock(&mutex_);
  std::vector<std::optional<Evaluation>> list(expected_);
  for (auto& [index, evaluation] : evaluations_)
    list[index] = std::move(evaluation);
  return list;
}

void PrintEvaluations(const std::vector<std::optional<Evaluation>>& evaluations,
                      bool interrupted) {
  Json list = Json::array();
  for (const auto& evaluation : evaluations)
    if (evaluation) list.push_back(record::ToJson(*evaluation));
  fmt::print("{}\n", base::DumpJson(
                         record::Document("evaluations",
                                          {{"version", KB_VERSION},
                                           {"interrupted", interrupted},
                                           {"evaluations", std::move(list)}}),
                         2));
}

std::string Verdicts::Summary() const {
  const base::MutexLock lock(&mutex_);
  std::string text;
  for (const auto& [name, count] : counts_)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  return html::CountOf(done_, "candidate") + (text.empty() ? "" : ": ") + text;
}

size_t Verdicts::expected() const {
  const base::MutexLock lock(&mutex_);
  return expected_;
}

std::optional<base::Error> Verdicts::store_error() const {
  const base::MutexLock lock(&mutex_);
  return store_error_;
}

workplace::ExitCode Verdicts::exit_code() const {
  using workplace::ExitCode;
  const base::MutexLock lock(&mutex_);
  if (done_ < expected_ || counts_.contains("infra_error"))
    return ExitCode::kOurFailure;
  if (refused_ > 0) return ExitCode::kUsage;
  const auto correct = counts_.find("correct");
  const auto all = static_cast<int64_t>(done_);
  const bool all_correct =
      done_ == 0 || (correct != counts_.end() && correct->second == all);
  return all_correct ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace kb::cli
