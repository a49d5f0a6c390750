#include "run_table.h"

#include <fmt/format.h>

#include "base/text.h"
#include "workplace/names.h"
#include "workplace/progress.h"

namespace kb::cli {
namespace {

// "2m03s"
std::string Duration(double seconds) {
  const auto whole = static_cast<int64_t>(seconds);
  constexpr int64_t kMinute = 60, kHour = 3600;
  if (whole >= kHour)
    return fmt::format("{}h{:02}m", whole / kHour, whole % kHour / kMinute);
  return fmt::format("{}m{:02}s", whole / kMinute, whole % kMinute);
}

std::string Bar(int64_t done, int64_t of) {
  constexpr int64_t kWidth = 24;
  const auto filled =
      static_cast<size_t>(of > 0 ? done * kWidth / of : int64_t{0});
  return std::string(filled, '#') + std::string(kWidth - filled, '-');
}

}  // namespace

RunTable::RunTable(std::string title, std::vector<std::string> names,
                   bool judges, bool has_turns)
    : title_(std::move(title)),
      names_(std::move(names)),
      judges_(judges),
      has_turns_(has_turns),
      searches_(names_) {}

bool RunTable::Settles(const record::Generation& generation) const {
  return !judges_ || generation.status != record::GenerationStatus::kComplete;
}

void RunTable::OnKnownAnswer(const record::Generation& generation) {
  ++answered_;
  AddCost(generation);
  searches_.AddKnown(generation);
  if (!Settles(generation)) return;
  settled_ += has_turns_ ? 0 : 1;
  ++counts_[record::GenerationStatusName(generation.status)];
}

void RunTable::AddCost(const record::Generation& generation) {
  usd_ += generation.usd.value_or(0);
  unpriced_ += run::IsUnpriced(generation) ? 1 : 0;
}

std::string RunTable::Cost() const {
  if (unpriced_ == 0) return fmt::format("{:.4f} USD", usd_);
  return fmt::format("{:.4f} USD and the unknown cost of {}", usd_, unpriced_);
}

void RunTable::OnKnownVerdict(const record::Outcome& outcome) {
  settled_ += has_turns_ ? 0 : 1;
  ++counts_[workplace::NameOf(outcome.verdict)];
  searches_.AddKnown(outcome);
}

void RunTable::CountHere() {
  if (has_turns_) return;
  ++settled_;
  ++settled_here_;
}

void RunTable::OnSampleEnd(size_t index, bool before) {
  if (!has_turns_) return;
  searches_.End(index);
  ++settled_;
  settled_here_ += before ? 0 : 1;
  Draw();
}

std::string RunTable::NameOf(size_t index, int64_t turn, bool again) const {
  if (!has_turns_) return names_[index];
  return fmt::format("{} turn {}{}", names_[index], turn,
                     again ? " again" : "");
}

void RunTable::OnJudging(size_t index, const std::string& step) {
  judging_ = names_[index] + ": " + step;
  searches_.SetStep(index, "judging: " + step);
  Draw();
}

void RunTable::OnVerdict(size_t index, const record::Evaluation& evaluation) {
  CountHere();
  judging_.clear();
  searches_.Add(index, evaluation);
  if (!evaluation.confirms) ++counts_[workplace::NameOf(evaluation.verdict)];
  line_.Print(fmt::format("[{}/{}] {}: {}", settled_, names_.size(),
                          NameOf(index, evaluation.turn, evaluation.confirms),
                          workplace::ResultLine(evaluation)));
  Draw();
}

void RunTable::OnAsking(size_t index, const std::string& step) {
  asking_[index] = step;
  searches_.SetStep(index, "asking: " + step);
  Draw();
}

void RunTable::OnAnswer(size_t index, const record::Generation& generation) {
  asking_.erase(index);
  searches_.Add(index, generation);
  ++answered_;
  AddCost(generation);
  if (Settles(generation)) {
    CountHere();
    const char* status = record::GenerationStatusName(generation.status);
    ++counts_[status];
    line_.Print(fmt::format("[{}/{}] {}: {}{}", settled_, names_.size(),
                            NameOf(index, generation.turn, false), status,
                            generation.reason.empty()
                                ? std::string()
                                : fmt::format(" ({})", generation.reason)));
  }
  Draw();
}

void RunTable::OnUnanswered(size_t index, const std::string& why) {
  asking_.erase(index);
  searches_.SetStep(index, "");
  line_.Print(fmt::format("{}: no answer ({})", names_[index], why));
  Draw();
}

void RunTable::OnNotice(const std::string& text) {
  line_.Print(text);
  Draw();
}

void RunTable::Draw() {
  if (line_.terminal()) line_.Show(Block());
}

std::string RunTable::Counts() const {
  std::string counts;
  for (const auto& [name, count] : counts_)
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, name);
  return counts;
}

std::string RunTable::Summary() const {
  return fmt::format("{} answered, {}{}{}", answered_, Cost(),
                     counts_.empty() ? "" : ": ", Counts());
}

std::string RunTable::Block() const {
  const auto of = std::ssize(names_);
  const double spent =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_)
          .count();
  std::string left;
  if (settled_here_ > 0)
    left = ", " +
           Duration(spent / static_cast<double>(settled_here_) *
                    static_cast<double>(of - settled_)) +
           " left";
  std::string block =
      fmt::format("{} [{}] {}/{} done, {} answered, {}{}", title_,
                  Bar(settled_, of), settled_, of, answered_, Cost(), left);
  if (!counts_.empty()) block += "\n  " + Counts();
  return block + AtWork();
}

// Where samples take several turns they are a table.
std::string RunTable::AtWork() const {
  std::string lines;
  if (has_turns_) {
    constexpr size_t kRows = 12;
    for (const std::string_view line : base::Split(searches_.Text(kRows), '\n'))
      if (!line.empty()) lines += fmt::format("\n  {}", line);
    return lines;
  }
  if (!judging_.empty()) lines += "\n  judging " + judging_;
  if (!asking_.empty())
    lines +=
        fmt::format("\n  asking {}: {}: {}", asking_.size(),
                    names_[asking_.begin()->first], asking_.begin()->second);
  return lines;
}

}  // namespace kb::cli
