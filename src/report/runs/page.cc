#include <fmt/format.h>

#include "charts.h"
#include "digest.h"
#include "html/base64.h"
#include "html/format.h"
#include "html/html.h"
#include "html/page_template.h"
#include "overview.h"
#include "payload.h"
#include "report/runs.h"
#include "searches.h"
#include "tables.h"

extern "C" const char kb_report_style[];
extern "C" const char kb_book_page[];
extern "C" const char kb_book_style[];
extern "C" const char kb_book_text_script[];
extern "C" const char kb_book_plots_script[];
extern "C" const char kb_book_view_script[];
extern "C" const char kb_book_search_script[];
extern "C" const char kb_book_script[];

namespace kb::report {
namespace {

using html::Data;

// What the page says of its details, before they are known.
constexpr size_t kReserve = 512;

// One script, so that one hash allows it: the first part makes it strict.
std::string Script() {
  return std::string(kb_book_text_script) + kb_book_plots_script +
         kb_book_view_script + kb_book_search_script + kb_book_script;
}

void SetHead(const Book& book, Data* page) {
  const std::string script = Script();
  page->set("style", std::string(kb_report_style) + kb_book_style);
  page->set("script", script);
  page->set("script_hash", html::ScriptHash(script));
  page->set("title", html::Cell(book.title));
  page->set("version", html::Cell(book.version));
  page->set("generated_at", html::Cell(book.generated_at));
  page->set("baseline", html::Cell(book.baseline));
  page->set("time", analysis::TimeName(book.scoring.time));
  page->set("has_remark", !book.remark.empty());
  page->set("remark", html::Cell(book.remark));
  page->set("counts",
            fmt::format("{}, {}, {}", html::CountOf(book.runs.size(), "run"),
                        html::CountOf(book.problems.size(), "problem"),
                        html::CountOf(book.samples.size(), "sample")));
}

void SetParts(const Book& book, const Digest& digest, Data* page) {
  SetPart("runs", RunsHtml(book), page);
  SetPart("not_counted", book.runs.empty() ? "" : NotCountedHtml(book), page);
  SetPart("heat_map", HeatMapHtml(book), page);
  SetPart("scores", ScoresHtml(book), page);
  SetCharts(book, "runs", page);
  SetPart("speedups", SpeedupsHtml(book), page);
  SetPart("verdicts", VerdictsHtml(book), page);
  SetPart("pairings", PairingsHtml(book), page);
  SetPart("searches", SearchesHtml(book), page);
  SetPart("problems", ProblemsHtml(book, digest), page);
  SetPart("samples", SamplesHtml(book, digest), page);
}

std::string DetailsNote(const Payload& payload) {
  std::string note = fmt::format("{} can be opened in full.",
                                 html::CountOf(payload.details, "candidate"));
  if (payload.left_out > 0)
    note += fmt::format(
        " The details of {} more are left out to keep this page small: the "
        "best of every problem and run were kept first, then one of each other "
        "verdict.",
        html::FormatCount(static_cast<int64_t>(payload.left_out)));
  if (payload.conversations_left_out > 0)
    note += fmt::format(
        " {} cannot be opened, to keep this page small.",
        html::CountOf(payload.conversations_left_out, "conversation"));
  return note;
}

}  // namespace

std::string RenderBook(const Book& book, const BookLimits& limits) {
  const Digest digest = MakeDigest(book, limits.rows);
  Data page;
  SetHead(book, &page);
  SetParts(book, digest, &page);
  page.set("note", "");
  page.set("payload", "");
  const size_t taken = html::FillPage(kb_book_page, page).size() + kReserve;
  // The tables are there whatever the limit; the details take what is left.
  const Payload payload = MakePayload(
      book, digest, limits.max_bytes > taken ? limits.max_bytes - taken : 0);
  page.set("note", DetailsNote(payload));
  page.set("payload", payload.base64);
  return html::FillPage(kb_book_page, page);
}

}  // namespace kb::report
