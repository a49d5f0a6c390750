#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "html/base64.h"
#include "html/format.h"
#include "html/html.h"
#include "html/page_template.h"
#include "report/leaderboard.h"
#include "runs/charts.h"
#include "runs/digest.h"
#include "runs/overview.h"

extern "C" const char kb_report_style[];
extern "C" const char kb_report_script[];
extern "C" const char kb_book_style[];
extern "C" const char kb_leaderboard_page[];

namespace kb::report {
namespace {

using analysis::Row;
using html::Data;
using html::DataList;

const char* KindOf(Standing standing) {
  switch (standing) {
    case Standing::kVerified:
      return "good";
    case Standing::kUnisolated:
      return "bad";
    case Standing::kClaimed:
    case Standing::kUnjudged:
      return "doubt";
  }
  return "";
}

std::string Why(const BoardRow& row) {
  switch (row.standing) {
    case Standing::kVerified:
      return "judged in a sandbox";
    case Standing::kUnisolated:
      return "candidates could lie";
    case Standing::kClaimed:
      return html::CountOf(static_cast<size_t>(row.claimed), "sample") +
             " not judged here";
    case Standing::kUnjudged:
      return "no answer of it was judged";
  }
  return "";
}

// What of a row is open may yet turn out well, and so may what has no time of
// the baseline be fast.
std::string UpTo(const Row& row, size_t p) {
  const bool open = row.open > 0 || row.fast_upper[p] > row.fast[p].estimate;
  return open ? "up to " + ShareText(row.fast_upper[p]) : "";
}

void SetShare(const char* name, const Row* row, std::optional<size_t> p,
              Data* data) {
  const bool known = row != nullptr && p && *p < row->fast.size();
  data->set(name, known ? ShareText(row->fast[*p].estimate) : "\u2013");
  data->set(fmt::format("{}_key", name),
            known ? fmt::format("{}", row->fast[*p].estimate) : "");
  data->set(fmt::format("{}_interval", name),
            known && row->problems >= analysis::kLeastProblems
                ? IntervalText(row->fast[*p])
                : "");
  data->set(fmt::format("{}_upper", name), known ? UpTo(*row, *p) : "");
}

void SetSpeedup(const Row* row, Data* data) {
  const bool known =
      row != nullptr && row->speedup && std::isfinite(row->speedup->estimate);
  data->set("speedup",
            known ? html::FormatRatio(row->speedup->estimate) : "\u2013");
  data->set("speedup_key",
            known ? fmt::format("{}", row->speedup->estimate) : "");
  data->set(
      "speedup_note",
      known ? fmt::format("of {} correct", html::FormatCount(row->with_speedup))
            : "");
}

void SetPrice(const Row* row, Data* data) {
  const bool known = row != nullptr && row->usd_per_correct.has_value();
  data->set("price",
            known ? fmt::format("${:.3g}", *row->usd_per_correct) : "\u2013");
  data->set("price_key", known ? fmt::format("{}", *row->usd_per_correct) : "");
}

Data RowData(const Leaderboard& board, size_t i) {
  const Book& book = board.book;
  const BoardRow& place = board.rows[i];
  const Row* row = RowOf(book.by_run(), book.runs[i].name, "");
  Data data;
  data.set("place", std::to_string(place.place));
  data.set("run_class", RunClass(i));
  data.set("model", html::Cell(place.model));
  data.set("setting", html::Cell(place.setting));
  data.set("runs", html::Cell(fmt::format("{}", fmt::join(place.runs, ", "))));
  data.set("standing", StandingName(place.standing));
  data.set("kind", KindOf(place.standing));
  data.set("why", Why(place));
  data.set("problems", html::FormatCount(row == nullptr ? 0 : row->problems));
  data.set("samples",
           html::CountOf(row == nullptr ? 0 : static_cast<size_t>(row->samples),
                         "sample"));
  SetShare("correct", row, IndexOfP(book.scoring, 0), &data);
  SetShare("fast_1", row, IndexOfP(book.scoring, 1), &data);
  SetShare("fast_2", row, IndexOfP(book.scoring, 2), &data);
  SetSpeedup(row, &data);
  SetPrice(row, &data);
  return data;
}

// Who leads, in one sentence.
std::string Lead(const Leaderboard& board) {
  const Book& book = board.book;
  const auto one = IndexOfP(book.scoring, 1);
  const Row* row = RowOf(book.by_run(), book.runs.front().name, "");
  if (row == nullptr || !one) return "";
  std::string text =
      fmt::format("{} leads: fast_1 {}", html::Cell(board.rows.front().model),
                  ShareText(row->fast[*one].estimate));
  if (row->problems >= analysis::kLeastProblems)
    text += " " + IntervalText(row->fast[*one]);
  return text + fmt::format(" of {}, {}.",
                            html::CountOf(static_cast<size_t>(row->problems),
                                          "problem"),
                            StandingName(board.rows.front().standing));
}

// Of which problems the scores are.
const char* ProblemsOf(const Book& book) {
  if (!book.scoring.with_flagged) return "sound problems (no known weakness)";
  const auto& rows = book.scores.all.rows;
  return std::ranges::all_of(
             rows, [](const Row& row) { return row.unlike_paper.empty(); })
             ? "all problems (comparable with the paper)"
             : "all problems";
}

void SetHead(const Leaderboard& board, Data* page) {
  const std::string script(kb_report_script);
  page->set("style", std::string(kb_report_style) + kb_book_style);
  page->set("script", script);
  page->set("script_hash", html::ScriptHash(script));
  page->set("version", html::Cell(board.book.version));
  page->set("generated_at", html::Cell(board.book.generated_at));
  page->set("baseline", html::Cell(board.book.baseline));
  page->set("of", ProblemsOf(board.book));
  page->set("has_remark", !board.book.remark.empty());
  page->set("remark", html::Cell(board.book.remark));
  page->set("any", !board.rows.empty());
}

}  // namespace

std::string RenderLeaderboard(const Leaderboard& board) {
  Data page;
  SetHead(board, &page);
  page.set("lead", board.rows.empty() ? "" : Lead(board));
  DataList rows;
  for (size_t i = 0; i < board.rows.size(); ++i)
    rows.push_back(RowData(board, i));
  page.set("rows", Data(rows));
  DataList standings;
  for (const Standing standing : {Standing::kVerified, Standing::kUnisolated,
                                  Standing::kClaimed, Standing::kUnjudged})
    standings.push_back(Data("standing", StandingName(standing)));
  page.set("standings", Data(standings));
  SetCharts(board.book, "rows", &page);
  return html::FillPage(kb_leaderboard_page, page);
}

}  // namespace kb::report
