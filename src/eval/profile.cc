#include "eval/profile.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace kb::eval {
namespace {

using base::Json;

constexpr std::array<std::string_view, kPhases> kNames{
    "build", "wait", "prepare", "start", "inputs", "trials", "compare", "idle"};

constexpr double kMicrosOfSecond = 1e6;

}  // namespace

std::string_view PhaseName(Phase phase) {
  return kNames.at(static_cast<size_t>(phase));
}

double Profile::SteadySeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Profile::Profile(Clock clock) : clock_(std::move(clock)), start_(clock_()) {}

Profile::Span::Span(Profile* profile, std::string row, Phase phase,
                    std::string what)
    : profile_(profile),
      row_(std::move(row)),
      phase_(phase),
      what_(std::move(what)) {
  if (profile_ != nullptr) begin_ = profile_->clock_() - profile_->start_;
}

Profile::Span::~Span() {
  if (profile_ == nullptr) return;
  const double end = profile_->clock_() - profile_->start_;
  profile_->Add(row_, {0, phase_, std::move(what_), begin_, end, spent_});
}

void Profile::Add(const std::string& row, Done done) {
  const base::MutexLock lock(&mutex_);
  const auto known = std::ranges::find(rows_, row);
  done.row = static_cast<size_t>(known - rows_.begin());
  if (known == rows_.end()) rows_.push_back(row);
  spans_.push_back(std::move(done));
}

Profile::Summary Profile::Summarize() const {
  const base::MutexLock lock(&mutex_);
  Summary summary;
  summary.wall_seconds = clock_() - start_;
  for (const std::string& name : rows_) summary.rows.push_back({.name = name});
  for (const Done& span : spans_) {
    Row& row = summary.rows.at(span.row);
    row.builds = IsOfBuilds(span.phase);
    const auto add = [&](Phase phase, double more) {
      row.seconds.at(static_cast<size_t>(phase)) += more;
    };
    add(Phase::kStart, span.spent.load_s);
    add(Phase::kInputs, span.spent.inputs_s);
    add(Phase::kCompare, span.spent.compare_s);
    add(span.phase, span.end - span.begin - span.spent.Sum());
  }
  return summary;
}

Json Profile::Trace() const {
  const base::MutexLock lock(&mutex_);
  Json events = Json::array();
  for (size_t row = 0; row < rows_.size(); ++row)
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", 1},
                      {"tid", row},
                      {"args", {{"name", rows_[row]}}}});
  for (const Done& span : spans_) {
    Json event{{"name", span.what.empty() ? std::string(PhaseName(span.phase))
                                          : span.what},
               {"cat", PhaseName(span.phase)},
               {"ph", "X"},
               {"pid", 1},
               {"tid", span.row},
               {"ts", span.begin * kMicrosOfSecond},
               {"dur", (span.end - span.begin) * kMicrosOfSecond},
               {"args", {{"phase", PhaseName(span.phase)}}}};
    if (span.spent != record::Spent{})
      event["args"]["spent"] = record::ToJson(span.spent);
    events.push_back(std::move(event));
  }
  return {{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}};
}

}  // namespace kb::eval
