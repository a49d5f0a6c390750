#include "search_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "html/format.h"
#include "html/html.h"
#include "workplace/names.h"

namespace kb::cli {
SearchTable::SearchTable(const std::vector<std::string>& names)
    : names_(names) {
  for (size_t i = 0; i < names_.size(); ++i) places_[names_[i]] = i;
}

void SearchTable::AddKnown(const record::Generation& answer) {
  const auto place =
      places_.find(workplace::SampleName(answer.problem_id, answer.sample));
  if (place != places_.end()) Add(place->second, answer);
}

void SearchTable::AddKnown(const record::Outcome& outcome) {
  const auto place =
      places_.find(workplace::SampleName(outcome.problem_id, outcome.sample));
  if (place != places_.end() && !outcome.confirms)
    Judge(&rows_[place->second], outcome.verdict, outcome.speedup);
}

void SearchTable::Add(size_t index, const record::Generation& answer) {
  Row& row = rows_[index];
  row.turns = std::max(row.turns, answer.turn);
  row.usd += answer.usd.value_or(0);
  row.step.clear();
}

void SearchTable::Add(size_t index, const record::Evaluation& evaluation) {
  Row& row = rows_[index];
  row.step.clear();
  if (evaluation.confirms) return;
  Judge(&row, evaluation.verdict,
        evaluation.speedup ? std::optional(evaluation.speedup->estimate)
                           : std::nullopt);
}

void SearchTable::Judge(Row* row, std::optional<record::Verdict> verdict,
                        std::optional<double> speedup) {
  const analysis::TurnRank rank = analysis::RankOf(verdict, speedup);
  if (!row->best.empty() && rank <= row->rank) return;
  row->rank = rank;
  row->best = rank.speedup > 0 ? html::FormatRatio(rank.speedup)
                               : workplace::NameOf(verdict);
}

void SearchTable::SetStep(size_t index, const std::string& step) {
  rows_[index].step = step;
}

void SearchTable::End(size_t index) { rows_[index].is_over = true; }

std::string SearchTable::Line(size_t index, size_t width) const {
  const Row& row = rows_.at(index);
  const std::string step = row.is_over ? "done" : row.step;
  return fmt::format("{:<{}}  turn {:>3}  best {:<14}  {:>9.4f} USD  {}",
                     names_[index], width, row.turns,
                     row.best.empty() ? "-" : row.best, row.usd, step);
}

std::string SearchTable::Text(size_t rows) const {
  std::vector<size_t> order;
  for (const auto& [index, row] : rows_) order.push_back(index);
  std::ranges::stable_sort(order, {}, [this](size_t index) {
    const Row& row = rows_.at(index);
    return row.is_over ? 2 : row.step.empty() ? 1 : 0;
  });
  const size_t shown = std::min(rows, order.size());
  size_t width = 0;
  for (size_t i = 0; i < shown; ++i)
    width = std::max(width, names_[order[i]].size());
  std::string text;
  for (size_t i = 0; i < shown; ++i)
    text += fmt::format("{}{}", i > 0 ? "\n" : "", Line(order[i], width));
  if (shown < names_.size() && shown > 0)
    text += fmt::format("\nand {}",
                        html::CountOf(names_.size() - shown, "more search"));
  return text;
}

}  // namespace kb::cli
