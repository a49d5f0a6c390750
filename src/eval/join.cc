#include "eval/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace kb::eval {
namespace {

using record::Judgement;
using record::Ruler;

void AddNote(const std::string& text, std::vector<std::string>* notes) {
  if (std::ranges::find(*notes, text) == notes->end()) notes->push_back(text);
}

// One such note is enough of all processes.
bool SaysOfItself(const std::string& note) {
  return note.starts_with(record::kSaysOfItself);
}

int64_t TimedProcesses(const std::vector<record::Trial>& trials) {
  std::set<int64_t> timed;
  for (const record::Trial& trial : trials)
    if (trial.timed) timed.insert(trial.process);
  return std::ssize(timed);
}

// The geometric mean, as of the times that it is compared with. 0 is not known
// and says nothing.
double MeanOf(double mean, int64_t before, double next) {
  if (next <= 0) return mean;
  if (mean <= 0) return next;
  const auto count = static_cast<double>(before);
  return std::exp((count * std::log(mean) + std::log(next)) / (count + 1));
}

// Of shares of the readings in which a side waited: what is left of a time
// without them is the geometric mean, as of the times.
double JoinedWait(double joined, int64_t before, double next) {
  const auto count = static_cast<double>(before);
  return 1 -
         std::pow(std::pow(1 - joined, count) * (1 - next), 1 / (count + 1));
}

// In a further process only some were asked.
void TellWrong(const std::vector<record::Outside::Case>& asked,
               std::vector<record::Outside::Case>* all) {
  for (const record::Outside::Case& tried : asked) {
    if (tried.outcome != record::Outside::Outcome::kWrong) continue;
    const auto known =
        std::ranges::find(*all, tried.name, &record::Outside::Case::name);
    if (known == all->end())
      all->push_back(tried);
    else
      *known = tried;
  }
}

}  // namespace

void Join(const lane::TurnResult& next, int64_t before,
          lane::TurnResult* whole) {
  Judgement& into = whole->judgement;
  const Judgement& from = next.judgement;
  const int64_t timed_before = TimedProcesses(into.trials);
  for (const std::string& note : from.notes)
    if (!SaysOfItself(note) || std::ranges::none_of(into.notes, SaysOfItself))
      AddNote(note, &into.notes);
  into.trials.insert(into.trials.end(), from.trials.begin(), from.trials.end());
  if (from.status != Judgement::Status::kOk) {
    TellWrong(from.distributions, &into.distributions);
    into.status = from.status;
    into.loaded = from.loaded;
    into.text = from.text;
    into.limit_s = from.limit_s;
    into.mismatch = from.mismatch;
    into.tolerance = from.tolerance;
    whole->exit = next.exit;
    return;
  }
  if (!into.mismatch) into.mismatch = from.mismatch;  // Turn::baseline
  const bool timed = std::ranges::any_of(
      from.trials, [](const record::Trial& trial) { return trial.timed; });
  if (!timed || !from.ruler || !into.ruler) {
    AddNote(fmt::format("process {} could not be read as the first one was",
                        before + 1),
            &into.notes);
    return;
  }
  Ruler& ruler = *into.ruler;
  ruler.control_us =
      MeanOf(ruler.control_us, timed_before, from.ruler->control_us);
  ruler.reference_waited = JoinedWait(ruler.reference_waited, timed_before,
                                      from.ruler->reference_waited);
  ruler.candidate_waited = JoinedWait(ruler.candidate_waited, timed_before,
                                      from.ruler->candidate_waited);
  ruler.disturbed += from.ruler->disturbed;
}

}  // namespace kb::eval
