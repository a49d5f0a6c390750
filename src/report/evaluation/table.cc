#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "html/format.h"
#include "html/text.h"
#include "report/evaluations.h"

namespace kb::report {
namespace {

using record::Evaluation;
using record::Verdict;

constexpr const char* kGreen = "\x1b[32m";
constexpr const char* kRed = "\x1b[31m";
constexpr const char* kYellow = "\x1b[33m";
constexpr const char* kMagenta = "\x1b[35m";
constexpr const char* kBold = "\x1b[1m";
constexpr const char* kDim = "\x1b[2m";
constexpr const char* kPlain = "\x1b[0m";

constexpr size_t kGap = 2;
constexpr size_t kMaxNameColumns = 32;
// A reason shorter than this says nothing; it is left out instead.
constexpr size_t kMinReason = 16;
constexpr int kTurns = 5;  // the largest Column::goes

struct Cell {
  std::string text;
  const char* style = "";
};
using TableRow = std::vector<Cell>;

struct Column {
  const char* title;
  bool right = false;  // numbers stand on the right
  // Where the terminal is narrow: how far the column may be cut, and whether
  // it may go altogether.
  size_t least = 0;
  int goes = 0;  // 0: stays; 1 goes first
};

const char* VerdictStyle(const Evaluation& evaluation) {
  if (!evaluation.verdict) return kDim;
  switch (*evaluation.verdict) {
    case Verdict::kCorrect:
      return kGreen;
    case Verdict::kNotCertified:
      return kYellow;
    case Verdict::kRejected:
      return kMagenta;
    case Verdict::kInfraError:
      return kDim;
    default:
      return kRed;
  }
}

std::string Speedup(const Evaluation& evaluation) {
  if (evaluation.speedup) return html::FormatSpeedup(*evaluation.speedup);
  return evaluation.interpreted && evaluation.verdict ? "interpreted" : "-";
}

std::string Median(const std::optional<record::TimeSummary>& time) {
  return time ? html::FormatTime(time->median) : "-";
}

// What `expected` asks of the evaluation. One that could not run here is
// neither as expected nor not.
Cell Expectation(const Evaluation& evaluation, const std::string& expected) {
  if (expected.empty() || !evaluation.verdict) return {"-", kDim};
  if (expected == record::VerdictName(*evaluation.verdict))
    return {"ok", kGreen};
  std::string words = expected;
  std::replace(words.begin(), words.end(), '_', ' ');
  return {"UNEXPECTED (" + words + ")", kRed};
}

std::vector<Column> ColumnsFor(bool with_expected) {
  std::vector<Column> columns{
      {.title = "problem", .least = 10},
      {.title = "candidate", .least = 20},
      {.title = "backend", .goes = 3},
      {.title = "verdict"},
  };
  if (with_expected) columns.push_back({.title = "expected"});
  columns.push_back({.title = "speedup"});
  columns.push_back({.title = "wall", .right = true});
  columns.push_back({.title = "time", .right = true, .goes = 5});
  columns.push_back({.title = "PyTorch", .right = true, .goes = 4});
  columns.push_back({.title = "wall time", .right = true, .goes = 1});
  columns.push_back({.title = "PyTorch wall", .right = true, .goes = 1});
  columns.push_back({.title = "reason", .least = kMinReason, .goes = 2});
  return columns;
}

TableRow TableRowOf(const Evaluation& e, const std::string* expected) {
  TableRow row{
      {html::CutToColumns(html::VisibleLine(e.problem_id), kMaxNameColumns)},
      {html::CutToColumns(html::VisibleLine(e.candidate.name),
                          kMaxNameColumns)},
      {record::BackendName(e.candidate.backend)},
      {html::FormatVerdict(e), VerdictStyle(e)}};
  if (expected != nullptr) row.push_back(Expectation(e, *expected));
  row.push_back({Speedup(e), e.speedup ? kBold : kDim});
  row.push_back(
      {e.wall_speedup ? html::FormatRatio(e.wall_speedup->estimate) : "-",
       e.wall_speedup ? "" : kDim});
  for (const auto* time : {&e.candidate_time, &e.reference_time,
                           &e.candidate_wall, &e.reference_wall})
    row.push_back({Median(*time)});
  row.push_back({html::VisibleLine(e.reason), kDim});
  return row;
}

std::vector<size_t> Widths(const std::vector<Column>& columns,
                           const std::vector<TableRow>& rows) {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns.size(); ++i) {
    size_t width = html::Columns(columns[i].title);
    for (const TableRow& row : rows)
      width = std::max(width, html::Columns(row[i].text));
    widths.push_back(width);
  }
  return widths;
}

size_t Total(const std::vector<size_t>& widths) {
  size_t total = 0;
  for (const size_t width : widths)
    if (width > 0) total += width + (total > 0 ? kGap : 0);
  return total;
}

// The widths with the columns hidden (0) that go in turns 1 to `turn`, and the
// others cut as far as it takes and they may. Turn 0: all as they are.
std::vector<size_t> WidthsInTurn(int turn, size_t terminal,
                                 const std::vector<Column>& columns,
                                 std::vector<size_t> widths) {
  if (turn == 0) return widths;
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i].goes > 0 && columns[i].goes <= turn) widths[i] = 0;
  for (size_t i = columns.size(); i-- > 0;) {
    const size_t total = Total(widths);
    if (total <= terminal) break;
    if (columns[i].least == 0 || widths[i] <= columns[i].least) continue;
    widths[i] -= std::min(total - terminal, widths[i] - columns[i].least);
  }
  return widths;
}

// The first turn that fits the terminal, or the last.
std::vector<size_t> Fit(size_t terminal, const std::vector<Column>& columns,
                        const std::vector<size_t>& natural) {
  if (terminal == 0) return natural;
  std::vector<size_t> widths;
  for (int turn = 0; turn <= kTurns; ++turn) {
    widths = WidthsInTurn(turn, terminal, columns, natural);
    if (Total(widths) <= terminal) break;
  }
  return widths;
}

std::string Line(const TableRow& row, const std::vector<Column>& columns,
                 const std::vector<size_t>& widths, bool colour) {
  std::string line;
  size_t pending = 0;  // spaces before the next text, so that none trail
  for (size_t i = 0; i < row.size(); ++i) {
    if (widths[i] == 0) continue;
    const std::string text = html::CutToColumns(row[i].text, widths[i]);
    const size_t padding = widths[i] - html::Columns(text);
    if (columns[i].right) pending += padding;
    if (!text.empty()) {
      line.append(pending, ' ');
      pending = 0;
      const bool styled = colour && *row[i].style != '\0';
      line += styled ? row[i].style + text + kPlain : text;
    }
    pending += kGap + (columns[i].right ? 0 : padding);
  }
  return line + "\n";
}

}  // namespace

std::string RenderTable(const std::vector<Evaluation>& evaluations,
                        const TableOptions& options) {
  const bool with_expected =
      std::any_of(options.expected.begin(), options.expected.end(),
                  [](const std::string& name) { return !name.empty(); });
  const std::vector<Column> columns = ColumnsFor(with_expected);
  static const std::string kNoOpinion;
  std::vector<TableRow> rows;
  for (size_t i = 0; i < evaluations.size(); ++i) {
    const std::string& expected =
        i < options.expected.size() ? options.expected[i] : kNoOpinion;
    rows.push_back(
        TableRowOf(evaluations[i], with_expected ? &expected : nullptr));
  }
  const std::vector<size_t> widths =
      Fit(options.width, columns, Widths(columns, rows));

  TableRow head;
  for (const Column& column : columns) head.push_back({column.title, kBold});
  std::string table = Line(head, columns, widths, options.colour);
  for (const TableRow& row : rows)
    table += Line(row, columns, widths, options.colour);
  return table;
}

}  // namespace kb::report
