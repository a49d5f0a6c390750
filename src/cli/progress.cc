#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "report/format.h"

namespace kb::cli {
namespace {

size_t TerminalWidth() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
    return size.ws_col;
  return 80;
}

}  // namespace

Progress::Progress(std::vector<std::string> names, store::Store* store)
    : names_(std::move(names)),
      store_(store),
      terminal_(isatty(STDERR_FILENO) == 1),
      results_(names_.size()) {}

Progress::~Progress() { ClearLine(); }

void Progress::ClearLine() {
  if (terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::OnStep(size_t index, const std::string& step) {
  if (!terminal_) return;
  const std::string line =
      fmt::format("[{}/{}] {}: {}", done_, names_.size(), names_[index], step);
  fmt::print(stderr, "\r\033[K{}", line.substr(0, TerminalWidth() - 1));
  std::fflush(stderr);
}

void Progress::OnDone(size_t index, const record::Evaluation& evaluation) {
  ++done_;
  results_[index] = evaluation;
  if (store_ != nullptr && !store_error_) {
    const auto stored = store_->Append(evaluation);
    if (!stored) store_error_ = stored.error();
  }
  ClearLine();
  fmt::print(
      stderr, "[{}/{}] {}: {}{}\n", done_, names_.size(), names_[index],
      report::FormatVerdict(evaluation),
      evaluation.speedup
          ? fmt::format(" {}", report::FormatSpeedup(*evaluation.speedup))
          : "");
  std::fflush(stderr);
}

std::vector<std::optional<record::Evaluation>> Progress::TakeResults() {
  return std::move(results_);
}

}  // namespace kb::cli
