#include "workplace/progress.h"

#include <fmt/format.h>

#include "html/format.h"

namespace kb::workplace {

Progress::Progress(std::vector<std::string> names, store::Store* store)
    : names_(std::move(names)), store_(store), results_(names_.size()) {}

void Progress::OnStep(size_t index, const std::string& step) {
  line_.Show(
      fmt::format("[{}/{}] {}: {}", done_, names_.size(), names_[index], step));
}

void Progress::OnDone(size_t index, const record::Evaluation& evaluation) {
  ++done_;
  results_[index] = evaluation;
  if (store_ != nullptr && !store_error_) {
    const auto stored = store_->Append(evaluation);
    if (!stored) store_error_ = stored.error();
  }
  line_.Show("");
  line_.Print(fmt::format("[{}/{}] {}: {}", done_, names_.size(), names_[index],
                          ResultLine(evaluation)));
}

void Progress::OnNotice(const std::string& text) { line_.Print(text); }

std::vector<std::optional<record::Evaluation>> Progress::TakeResults() {
  return std::move(results_);
}

void BaselineProgress::OnStep(size_t index, size_t of,
                              const std::string& problem_id,
                              record::BaselineMode mode,
                              const std::string& step) {
  line_.Show(fmt::format("[{}/{}] {}: {}, {}", index + 1, of, problem_id,
                         record::BaselineModeName(mode), step));
}

base::Result<void> BaselineProgress::OnMeasured(
    size_t index, size_t of, const record::Baseline& baseline) {
  Tell(index, of, baseline);
  return base::Ok();
}

void BaselineProgress::OnFailed(size_t index, size_t of,
                                const record::Baseline& baseline) {
  ++failed_;
  Tell(index, of, baseline);
}

void BaselineProgress::Tell(size_t index, size_t of,
                            const record::Baseline& baseline) {
  line_.Print(
      fmt::format("[{}/{}] {} {}: {}{}", index + 1, of, baseline.problem_id,
                  record::BaselineModeName(baseline.mode),
                  baseline.time ? html::FormatTime(baseline.time->median) : "-",
                  baseline.reason.empty() ? "" : " (" + baseline.reason + ")"));
}

std::string ResultLine(const record::Evaluation& evaluation) {
  if (!evaluation.speedup) return html::FormatVerdict(evaluation);
  return fmt::format("{} {}", html::FormatVerdict(evaluation),
                     html::FormatSpeedup(*evaluation.speedup));
}

}  // namespace kb::workplace
