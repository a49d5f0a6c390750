#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/rulers.h"
#include "report/leaderboard.h"
#include "runs/curves.h"
#include "runs/digest.h"
#include "runs/model_name.h"

namespace kb::report {
namespace {

using analysis::Entry;
using record::Outcome;

// Model, size, precision, policy and device: what makes scores comparable.
using Setting =
    std::tuple<std::string, std::string, std::string, std::string, std::string>;

Setting SettingOf(const Entry& entry) {
  const Outcome& o = entry.outcome;
  return {o.model.empty() ? entry.run : o.model, record::SizeName(o.size),
          record::PrecisionName(o.precision), o.policy, o.device_name};
}

std::string InWords(const Setting& setting) {
  const auto& [model, size, precision, policy, device] = setting;
  std::string words = fmt::format("{}, {}", size, precision);
  for (const std::string& more : {policy, device})
    if (!more.empty()) words += ", " + more;
  return words;
}

// Nothing that judges leaves PyTorch's version out, but where a text alone is
// rejected.
bool IsClaimed(const Outcome& outcome) {
  return outcome.verdict && outcome.torch.empty() &&
         !(outcome.verdict == record::Verdict::kRejected &&
           outcome.device_name.empty());
}

struct Group {
  std::set<std::string> runs;
  std::vector<std::pair<std::string, int64_t>> judged;  // by us: run, id
  int64_t claimed = 0;
  std::vector<Entry> entries;
};

// What has no answer, or one without a candidate, was judged nowhere; results
// that an import misses, and programs that were not run before there was a
// device, have none: they count in every setting that their run has.
bool HasNoPlace(const Entry& entry) {
  const Outcome& outcome = entry.outcome;
  return entry.missing || outcome.unusable ||
         (outcome.torch.empty() && outcome.device_name.empty());
}

// What is the same of a result in all stores that it was copied to.
using Copy = std::tuple<std::string, std::string, std::string, int64_t, int64_t,
                        bool, double, double>;

Copy CopyOf(const Outcome& o) {
  return {o.model, o.problem_id, o.candidate_hash, o.sample,
          o.turn,  o.confirms,   o.wall_seconds,   o.candidate_us.value_or(0)};
}

// Runs all of whose results another one has, which was merged of them. Two that
// were imported may look alike without a time.
std::map<std::string, std::string> ContainedRuns(
    const std::vector<Entry>& entries) {
  std::map<std::string, std::set<Copy>> runs;
  std::set<std::string> judged;
  for (const Entry& entry : entries) {
    if (entry.outcome.id == 0) continue;
    runs[entry.run].insert(CopyOf(entry.outcome));
    if (entry.outcome.wall_seconds > 0) judged.insert(entry.run);
  }
  std::erase_if(runs,
                [&](const auto& run) { return !judged.contains(run.first); });
  std::map<std::string, std::string> contained;
  for (const auto& [run, results] : runs)
    for (const auto& [other, others] : runs)
      if (other != run && !contained.contains(other) &&
          std::ranges::includes(others, results))
        contained[run] = other;
  return contained;
}

// The rows that an entry without a place counts in: those of its run at its
// size and precision; where no request names these all of its run; else those
// of its model in the same setting on whatever device, else a new one.
std::vector<Group*> PlacesOf(const Entry& entry,
                             std::map<Setting, Group>* groups) {
  const auto& [model, size, precision, policy, device] = SettingOf(entry);
  std::vector<Group*> own, of_run, of_setting;
  for (auto& [setting, group] : *groups) {
    if (std::get<0>(setting) != model) continue;
    const bool is_alike =
        std::get<1>(setting) == size && std::get<2>(setting) == precision;
    const bool is_of_run = group.runs.contains(entry.run);
    if (is_of_run) of_run.push_back(&group);
    if (is_of_run && is_alike) own.push_back(&group);
    if (is_alike && std::get<3>(setting) == policy)
      of_setting.push_back(&group);
  }
  if (!own.empty()) return own;
  if (!of_run.empty() && entry.asked_on.empty()) return of_run;
  if (!of_setting.empty()) return of_setting;
  return {&(*groups)[SettingOf(entry)]};
}

std::map<Setting, Group> Grouped(const std::vector<Entry>& entries) {
  std::map<Setting, Group> groups;
  for (const Entry& entry : entries) {
    if (HasNoPlace(entry)) continue;
    Group& group = groups[SettingOf(entry)];
    group.runs.insert(entry.run);
    if (IsClaimed(entry.outcome))
      ++group.claimed;
    else
      group.judged.emplace_back(entry.run, entry.outcome.id);
    group.entries.push_back(entry);
  }
  for (const Entry& entry : entries) {
    if (!HasNoPlace(entry)) continue;
    for (Group* group : PlacesOf(entry, &groups)) {
      group->runs.insert(entry.run);
      group->claimed += IsClaimed(entry.outcome) ? 1 : 0;
      group->entries.push_back(entry);
    }
  }
  return groups;
}

Standing StandingOf(const Group& group, const IsolationOf& isolation) {
  if (group.claimed > 0) return Standing::kClaimed;
  if (group.judged.empty()) return Standing::kUnjudged;
  const bool all_isolated =
      std::ranges::all_of(group.judged, [&](const auto& judged) {
        const std::string level = isolation(judged.first, judged.second);
        return level == "full" || level == "reduced";
      });
  return all_isolated ? Standing::kVerified : Standing::kUnisolated;
}

std::pair<double, double> Merit(const Leaderboard& board, size_t i) {
  const analysis::Row* row =
      RowOf(board.book.by_run(), board.book.runs[i].name, "");
  const auto correct = IndexOfP(board.book.scoring, 0);
  const auto fast = IndexOfP(board.book.scoring, 1);
  if (row == nullptr || !correct || !fast) return {-1, -1};
  return {row->fast[*fast].estimate, row->fast[*correct].estimate};
}

// Rows, runs and their names in the order of merit. The entries go by name.
void Sort(Leaderboard* board) {
  std::vector<std::pair<double, double>> merits;
  for (size_t i = 0; i < board->rows.size(); ++i)
    merits.push_back(Merit(*board, i));
  std::vector<size_t> order(merits.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](size_t i) { return merits[i]; });
  std::vector<BoardRow> rows;
  std::vector<BookRun> runs;
  for (const size_t i : order) {
    BoardRow& row = board->rows[i];
    const bool tied =
        !rows.empty() && merits[order[rows.size() - 1]] == merits[i];
    row.place =
        tied ? rows.back().place : static_cast<int64_t>(rows.size()) + 1;
    rows.push_back(std::move(row));
    runs.push_back(std::move(board->book.runs[i]));
  }
  board->rows = std::move(rows);
  board->book.runs = std::move(runs);
}

}  // namespace

const char* StandingName(Standing standing) {
  switch (standing) {
    case Standing::kVerified:
      return "verified";
    case Standing::kUnisolated:
      return "no sandbox";
    case Standing::kClaimed:
      return "as its owner says";
    case Standing::kUnjudged:
      return "not judged";
  }
  return "";
}

Leaderboard Rank(const analysis::RunReading& reading,
                 const IsolationOf& isolation, const CollectOptions& options) {
  Leaderboard board;
  Book& book = board.book;
  book.title = "Leaderboard";
  book.generated_at = options.generated_at;
  book.version = KB_VERSION;
  book.baseline = reading.baseline;
  book.remark = analysis::RulerRemark(reading.ruler);
  book.scoring = options.scoring;
  const auto contained = ContainedRuns(reading.entries);
  std::vector<Entry> each_once = reading.entries;
  std::erase_if(each_once, [&](const Entry& entry) {
    return contained.contains(entry.run);
  });
  board.contained.assign(contained.begin(), contained.end());
  std::vector<Entry> entries;
  std::map<std::string, int> named;
  for (auto& [setting, group] : Grouped(each_once)) {
    BoardRow& row = board.rows.emplace_back();
    row.model = ModelName(std::get<0>(setting));
    row.setting = InWords(setting);
    row.runs.assign(group.runs.begin(), group.runs.end());
    row.standing = StandingOf(group, isolation);
    row.claimed = group.claimed;
    BookRun& run = book.runs.emplace_back();
    run.name = fmt::format("{} ({})", row.model, row.setting);
    // Scores go by name, and two replays' folders may be called the same.
    if (const int number = ++named[run.name]; number > 1)
      run.name += fmt::format(" #{}", number);
    for (Entry& entry : group.entries) {
      entry.asked_in = std::exchange(entry.run, run.name);
      entries.push_back(std::move(entry));
    }
  }
  book.scores = analysis::ScoreTwice(entries, book.scoring);
  Sort(&board);
  std::vector<std::string> names;
  for (BookRun& run : book.runs) {
    names.push_back(run.name);
    if (const analysis::Row* row = RowOf(book.by_run(), run.name, ""))
      run.usd = row->usd;
  }
  book.curves = CurvesOf(names, entries, book.scoring);
  return board;
}

}  // namespace kb::report
