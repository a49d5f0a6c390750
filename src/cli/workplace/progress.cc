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
  const std::string text = fmt::format("{}: {}, {}", problem_id,
                                       record::BaselineModeName(mode), step);
  line_.Show(fmt::format("[{}/{}] {}", index + 1, of, text));
  steps_[index] = {text, std::chrono::steady_clock::now()};
}

std::vector<std::string> BaselineProgress::Underway() const {
  const auto now = std::chrono::steady_clock::now();
  std::vector<std::string> list;
  for (const auto& [index, step] : steps_)
    list.push_back(fmt::format(
        "{} ({} s)", step.text,
        std::chrono::duration_cast<std::chrono::seconds>(now - step.since)
            .count()));
  return list;
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
  steps_.erase(index);
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
