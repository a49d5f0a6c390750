#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <limits>

#include "base/hash.h"
#include "base/json.h"
#include "base/random.h"
#include "deflate.h"
#include "digest.h"
#include "expect_golden.h"
#include "html/base64.h"
#include "report/runs.h"
#include "text_fixture.h"

namespace kb::report {
namespace {

using base::Json;
using record::Evaluation;
using record::Verdict;

// U+202E turns what follows around, U+200B is invisible.
const std::string kHostile =
    std::string("</script><script>alert(1)</script>]]>--></style>") +
    "<img src=x onerror=\"alert(1)\">{{title}}\xe2\x80\xae" +
    "evil\xe2\x80\x8b" + "\x1b[31m\xff" + std::string(1, '\0') + "after NUL";

// What stands between two marks, the first time.
std::string Between(const std::string& text, const std::string& before,
                    const std::string& after) {
  const size_t start = text.find(before) + before.size();
  return text.substr(start, text.find(after, start) - start);
}

std::string BytesOfBase64(const std::string& text) {
  static const std::string kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<uint32_t>(kDigits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return bytes;
}

std::string Unpacked(const std::string& packed) {
  std::string text(64 << 20, '\0');
  uLongf size = text.size();
  EXPECT_EQ(
      uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                 reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
      Z_OK);
  text.resize(size);
  return text;
}

const std::string kPayloadMark =
    "<script type=\"application/octet-stream\" id=\"payload\">";

// The parts that the page's script unpacks.
Json PayloadOf(const std::string& page) {
  const std::string text =
      Unpacked(BytesOfBase64(Between(page, kPayloadMark, "</script>")));
  return base::ParseJson(text, "payload").value();
}

std::vector<Json> PartsOf(const std::string& page, const std::string& kind) {
  std::vector<Json> parts;
  for (const Json& part : PayloadOf(page))
    if (part["part"] == kind) parts.push_back(part);
  return parts;
}

// The page without what its script unpacks.
std::string WithoutPayload(const std::string& page) {
  const size_t start = page.find(kPayloadMark) + kPayloadMark.size();
  return page.substr(0, start) + page.substr(page.find("</script>", start));
}

// --- A small book ---

Evaluation NewEvaluation(const std::string& name, Verdict verdict) {
  Evaluation e;
  e.candidate.name = name;
  e.candidate.source = "__global__ void " + name + "() {}\n";
  e.model = "small";
  e.sample = 0;
  e.verdict = verdict;
  e.reason = "as expected";
  e.version = "0.1.0";
  return e;
}

void AddTrials(Evaluation* e, bool with_reference) {
  for (int i = 0; i < 4; ++i) {
    record::Trial trial;
    trial.timed = i > 0;
    trial.candidate_us = 10 + 0.5 * i;
    trial.counts = i != 2;
    if (with_reference) trial.reference_us = 20;
    e->trials.push_back(trial);
  }
  if (!with_reference) return;
  e->ruler = record::Ruler{.calls = 8,
                           .gated = false,
                           .reference_launches = record::Launches::kShown,
                           .candidate_launches = record::Launches::kShown};
  e->wall_speedup = {1.5, 1.25, 1.75};
}

void Add(Book* book, size_t run, size_t problem, const Evaluation& e,
         std::optional<double> speedup = std::nullopt) {
  BookSample sample;
  sample.run = run;
  sample.problem = problem;
  sample.outcome.problem_id = book->problems[problem].id;
  sample.outcome.candidate_name = e.candidate.name;
  sample.outcome.model = book->runs[run].name;
  sample.outcome.sample = static_cast<int64_t>(book->samples.size());
  sample.outcome.verdict = e.verdict;
  sample.outcome.reason = e.reason;
  sample.outcome.speedup = speedup;
  if (e.wall_speedup) sample.outcome.wall_speedup = e.wall_speedup->estimate;
  sample.detail = book->details.size();
  book->details.push_back(e);
  book->samples.push_back(sample);
}

BookRun NewRun(const std::string& name) {
  BookRun run;
  run.name = name;
  run.settings = {{"Prompt", "one-shot"}, {"Policy", "strict"}};
  run.isolation = "full";
  return run;
}

BookProblem NewProblem(const std::string& id) {
  BookProblem problem;
  problem.id = id;
  problem.name = "Softmax";
  problem.source = "import torch\n";
  return problem;
}

void SetScores(Book* book) {
  std::vector<analysis::Entry> entries;
  for (const BookSample& sample : book->samples)
    entries.push_back(
        {.run = book->runs[sample.run].name,
         .outcome = sample.outcome,
         .tags = book->problems[sample.problem].tags,
         .flagged = !book->problems[sample.problem].flags.empty()});
  book->scores = analysis::ScoreTwice(entries, book->scoring);
  book->table = book->scores;
  analysis::ScoreOptions options = book->scoring;
  options.by = analysis::By::kLevel;
  book->by_level = analysis::ScoreTwice(entries, options);
}

Book EmptyBook() {
  Book book;
  book.title = "A book";
  book.generated_at = "2026-03-05T12:00:00Z";
  book.version = "0.1.0";
  book.baseline = "eager";
  return book;
}

Book OneRun() {
  Book book = EmptyBook();
  book.runs = {NewRun("small")};
  book.problems = {NewProblem("level1/1"), NewProblem("level2/3")};
  Evaluation fast = NewEvaluation("fast.cu", Verdict::kCorrect);
  AddTrials(&fast, true);
  Add(&book, 0, 0, fast, 2.0);
  Add(&book, 0, 0, NewEvaluation("slow.cu", Verdict::kCorrect), 0.5);
  Add(&book, 0, 1, NewEvaluation("wrong.cu", Verdict::kIncorrect));
  SetScores(&book);
  return book;
}

Book TwoRuns() {
  Book book = OneRun();
  book.runs.push_back(NewRun("large"));
  book.runs[0].usd = 1.5;
  book.runs[1].usd = 6;
  book.runs[1].tokens.input = 1200;
  book.runs[1].tokens.output = 34;
  book.problems[1].flags = {{"constant_output", "always the same"}};
  book.problems[0].tags = {"reduction"};
  record::Cost cost;
  cost.compulsory_bytes = 1 << 20;
  cost.flops = 5e9;
  book.problems[0].cost = cost;
  book.roofline =
      analysis::Roofline{"H100", 2950, 390.5, "tf32 tensor cores", true};
  book.data_sheet =
      analysis::Roofline{"H100", 3352, 494.7, "tf32 tensor cores"};
  record::Baseline baseline;
  baseline.mode = record::BaselineMode::kEager;
  baseline.time = record::TimeSummary();
  baseline.time->median = 12.5;
  book.problems[0].baselines = {baseline};
  Add(&book, 1, 0, NewEvaluation("best.cu", Verdict::kCorrect), 3.0);
  Add(&book, 1, 1, NewEvaluation("timeout.cu", Verdict::kTimeout));
  SetScores(&book);
  FastCurve curve;
  curve.ps = {0, 1, 2};
  curve.values = {{0.5, 0.4, 0.6}, {0.3, 0.2, 0.4}, {0.1, 0, 0.2}};
  curve.problems = 10;
  book.curves = {curve};
  return book;
}

void ExpectGolden(const std::string& actual, const std::string& name) {
  kb::ExpectGolden(actual, std::string(KB_GOLDEN_DIR) + "/" + name);
}

// --- The page ---

TEST(Book, IsAsAccepted) {
  // Packed bytes differ between versions of zlib; what is in them does not.
  const std::string page = RenderBook(TwoRuns());
  ExpectGolden(WithoutPayload(page), "book.html");
  ExpectGolden(base::DumpJson(PayloadOf(page), 1) + "\n", "book_payload.json");
}

TEST(Book, EmptyBookSaysSo) {
  const std::string page = RenderBook(EmptyBook());
  EXPECT_TRUE(Has(page, "There is no run in this book."));
  EXPECT_TRUE(Has(page, "There is no problem in this book."));
  EXPECT_FALSE(Has(page, "<table"));
  EXPECT_FALSE(Has(page, "<svg class=\"chart"));
}

TEST(Book, ProblemsWithoutSamplesAreListed) {
  Book book = EmptyBook();
  book.problems = {NewProblem("level1/1")};
  const std::string page = RenderBook(book);
  EXPECT_TRUE(Has(page, "href=\"#problem/0\""));
  EXPECT_TRUE(Has(page, "Nothing was judged."));
}

TEST(Book, OneRunHasNoComparison) {
  const std::string page = RenderBook(OneRun());
  EXPECT_FALSE(Has(page, "id=\"pairings\""));
  EXPECT_TRUE(Has(RenderBook(TwoRuns()), "id=\"pairings\""));
}

TEST(Book, ReplayCostsNothingAndSaysNothingOfIt) {
  Book book = OneRun();
  book.runs[0].usd = 0;
  book.runs[0].tokens = {};
  EXPECT_FALSE(Has(RenderBook(book), "<dt>Cost</dt>"));
  book.runs[0].tokens.output = 5;
  EXPECT_TRUE(Has(RenderBook(book), "<dt>Cost</dt><dd>$0"));
}

TEST(Book, UnknownPriceDrawsNoPriceChart) {
  EXPECT_FALSE(Has(RenderBook(OneRun()), "Price against quality"));
  EXPECT_TRUE(Has(RenderBook(OneRun()), "not known"));
  EXPECT_TRUE(Has(RenderBook(TwoRuns()), "Price against quality"));
}

TEST(Book, WithoutBaselinesThereIsNoColumnOfThem) {
  EXPECT_FALSE(Has(RenderBook(OneRun()), "PyTorch, median"));
  const std::string page = RenderBook(TwoRuns());
  EXPECT_TRUE(Has(page, "PyTorch, median"));
  EXPECT_TRUE(Has(page, "12.5 \u00b5s"));
}

std::string FigureOf(const std::string& page, const std::string& name) {
  return Between(page, "<dt>" + name + "</dt><dd>", "<small>");
}

TEST(Book, CountsAgreeWithTheData) {
  const std::string page = RenderBook(TwoRuns());
  // Of the first run.
  EXPECT_EQ(FigureOf(page, "Problems"), "2");
  EXPECT_TRUE(Has(page, "<small>1 known to be weak</small>"));
  EXPECT_EQ(FigureOf(page, "Correct"), "2");
  EXPECT_TRUE(Has(page, "<small>of 3 samples</small>"));
  EXPECT_EQ(FigureOf(page, "fast_1, all problems"), "0.250");
  EXPECT_EQ(FigureOf(page, "fast_1, sound problems"), "0.500");
  EXPECT_EQ(FigureOf(page, "Cost"), "$1.50");
  EXPECT_TRUE(Has(page, "2 samples of 1 flagged problem (known to be weak)"));
  EXPECT_TRUE(Has(page, "2 runs, 2 problems, 5 samples"));
  const std::string row = Between(page, "data-verdicts=\"0:0 1:0 \"", "</tr>");
  EXPECT_TRUE(Has(row, "2.00x"));
  EXPECT_TRUE(Has(row, "3.00x"));
  EXPECT_EQ(TimesIn(page, "href=\"#sample/"), 5u);
  Book all = TwoRuns();
  all.scoring.with_flagged = true;
  EXPECT_FALSE(Has(RenderBook(all), "(known to be weak), except"));
}

TEST(Book, MoreScoresStandInASecondTable) {
  Book book = TwoRuns();
  ASSERT_EQ(book.table.all.rows.size(), 2u);
  const std::string mark = "aria-label=\"More scores\"";
  const std::string plain = Between(RenderBook(book), mark, "</table>");
  EXPECT_TRUE(Has(plain, "Speedup of all, failures as 1</th>"));
  EXPECT_FALSE(Has(plain, "SOL score"));
  EXPECT_FALSE(Has(plain, "Cost of"));
  analysis::Row& row = book.table.all.rows[0];
  row.of_k.push_back({.k = 5,
                      .problems = 1,
                      .pass = stats::Interval{1, 1, 1},
                      .fast = {},
                      .fast_upper = {},
                      .speedup = stats::Interval{1.5, 1, 2}});
  row.of_k.back().fast.resize(book.scoring.ps.size());
  row.of_k.back().fast_upper.resize(book.scoring.ps.size());
  row.roofline.value = row.sol_score.value = stats::Interval{0.75, 0.5, 1};
  row.sol_score.problems = row.problems;
  row.seconds_to_correct = {1, stats::Interval{12.34, 1, 20}};
  row.usd = 3;
  row.usd_per_correct = 1.5;
  row.usd_per_fast = 3;
  const std::string page = Between(RenderBook(book), mark, "</table>");
  for (const char* cell :
       {"Speedup of best of 5</th>", ">1.500<small>of 1 problem</small></td>",
        "SOL score</th>", ">0.750</td>", "Time to the first correct</th>",
        ">12.3 s<small>mean of 1 problem</small></td>",
        "Cost of a correct kernel</th>", ">$1.50</td>",
        "Cost of a faster kernel</th>", ">$3.00</td>", ">\u2013</td>"})
    EXPECT_TRUE(Has(page, cell)) << cell << page;
}

TEST(Book, ScoresShowWhatAnOpenSampleMayYetGive) {
  Book book = OneRun();
  const std::string mark = "aria-label=\"All scores\"";
  EXPECT_FALSE(Has(Between(RenderBook(book), mark, "</table>"), "up to"));
  book.table.all.rows.at(0).open = 1;
  book.table.all.rows.at(0).fast_upper.at(0) = 0.875;
  EXPECT_TRUE(Has(Between(RenderBook(book), mark, "</table>"),
                  "<small>up to 0.875</small>"));
}

TEST(Book, HeatMapReadsWithoutScript) {
  const std::string page = RenderBook(OneRun());
  EXPECT_EQ(TimesIn(page, "<table class=\"grid heat-table"), 7u);
  EXPECT_EQ(TimesIn(page, "type=\"radio\""), 7u);
  EXPECT_EQ(TimesIn(page, " checked>"), 1u);
}

TEST(Book, AnswerWithoutACandidateIsASampleWithItsKind) {
  Book book = OneRun();
  EXPECT_FALSE(Has(RenderBook(book), "answer truncated"));
  BookSample sample;
  sample.outcome.problem_id = book.problems[0].id;
  sample.outcome.unusable = record::GenerationStatus::kTruncated;
  book.samples.push_back(sample);
  EXPECT_TRUE(Has(RenderBook(book), "answer truncated"));
}

TEST(Book, VerdictsAreOfAllSamplesThatWereAskedFor) {
  Book book = OneRun();
  EXPECT_FALSE(Has(RenderBook(book), ">not asked</span>"));
  ASSERT_EQ(book.scores.all.rows.size(), 1u);
  book.scores.all.rows[0].missing = {{analysis::Missing::kNotAsked, 1234},
                                     {analysis::Missing::kNotJudged, 5}};
  const std::string page = RenderBook(book);
  EXPECT_TRUE(Has(Between(page, ">not asked</span>", "</tr>"), ">1,234</td>"));
  EXPECT_TRUE(Has(Between(page, ">not judged yet</span>", "</tr>"), ">5</td>"));
  EXPECT_FALSE(Has(page, ">no answer</span>"));
}

TEST(Book, MissingIsolationIsSaid) {
  Book book = OneRun();
  EXPECT_FALSE(Has(RenderBook(book), "No isolation"));
  book.runs[0].isolation = "none";
  EXPECT_TRUE(Has(RenderBook(book), "No isolation"));
}

// --- Hostile contents ---

Book HostileBook() {
  Book book = TwoRuns();
  book.title = book.version = book.generated_at = book.baseline = kHostile;
  book.runs[0].name = book.runs[0].isolation = kHostile;
  book.runs[0].settings = {{kHostile, kHostile}};
  book.runs[0].device.name = kHostile;
  book.runs[0].unusable = {{kHostile, 1}};
  book.problems[0].id = kHostile + "/1";
  book.problems[0].name = book.problems[0].source = kHostile;
  book.problems[0].tags = {kHostile};
  book.problems[0].flags = {{kHostile, kHostile}};
  book.roofline->name = book.roofline->precision = kHostile;
  Evaluation e = NewEvaluation("<script>alert(1)</script>", Verdict::kCorrect);
  e.candidate.path = e.candidate.source = e.reason = e.log = kHostile;
  e.notes = e.checked = e.unchecked = {kHostile};
  e.model = e.isolation = e.started_at = kHostile;
  book.answers.resize(book.details.size(), kHostile);
  book.answers.push_back(kHostile + "an answer");
  e.candidate.source += std::string(1 << 20, 'x');
  record::Mismatch m;
  m.structure = m.pattern = kHostile;
  m.max_abs_error = std::nan("");
  e.mismatch = m;
  e.trials.resize(1);
  e.trials[0].timed = true;
  e.trials[0].candidate_us = std::numeric_limits<double>::infinity();
  Add(&book, 0, 0, e, std::nan(""));
  SetScores(&book);
  book.scoring.with_flagged = true;
  analysis::Search search{kHostile, 0, {}, {}};
  search.turns.emplace_back().ask.place = kHostile;
  search.turns[0].told.emplace().approaches = {"a"};
  book.runs[0].searches = {search};
  book.runs[0].strategy = kHostile;
  book.runs[0].conversations = {
      {{1, {kHostile + "p", kHostile + "a", kHostile, false, kHostile}}}};
  return book;
}

TEST(Book, WhatOthersWroteIsNeverMarkup) {
  const std::string page = RenderBook(HostileBook());
  EXPECT_EQ(TimesIn(page, "<script"), 2u);
  EXPECT_EQ(TimesIn(page, "</script"), 2u);
  EXPECT_EQ(TimesIn(page, "</style"), 1u);
  EXPECT_FALSE(Has(page, "<img"));
  EXPECT_FALSE(Has(page, "onerror=\""));
  EXPECT_TRUE(Has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  // Template marks in a text are text.
  EXPECT_TRUE(Has(page, "{{title}}"));
}

TEST(Book, HiddenCharactersAreShownEverywhere) {
  const std::string page = RenderBook(HostileBook());
  const std::string payload = base::DumpJson(PayloadOf(page));
  for (const std::string& text : {page, payload})
    for (const std::string& hidden :
         {std::string(1, '\0'), std::string("\x1b"), std::string("\xff"),
          std::string("\xe2\x80\xae"), std::string("\xe2\x80\x8b")})
      EXPECT_FALSE(Has(text, hidden));
  EXPECT_FALSE(Has(payload, "\\u0000"));
  EXPECT_TRUE(Has(payload, "<U+202E>"));
  EXPECT_TRUE(Has(payload, "<\\\\xff>"));
}

TEST(Book, OnlyOurOwnScriptMayRun) {
  const std::string page = RenderBook(HostileBook());
  EXPECT_TRUE(Has(page, "default-src 'none'"));
  const std::string policy = Between(page, "script-src ", ";");
  EXPECT_FALSE(Has(policy, "unsafe"));
  EXPECT_EQ(Between(policy, "'sha256-", "'"),
            html::ScriptHash(Between(page, "<script>", "</script>")));
}

TEST(Book, NothingIsFetchedAndNothingIsParsedAsHtml) {
  const std::string page = RenderBook(TwoRuns());
  const std::string script = Between(page, "<script>", "</script>");
  for (const char* part : {"innerHTML", "outerHTML", "insertAdjacentHTML",
                           "document.write", "eval(", "fetch(", "DOMParser"})
    EXPECT_FALSE(Has(script, part)) << part;
  for (const char* part :
       {"https://", " src=", "url(", "@import", "<link", "<iframe"})
    EXPECT_FALSE(Has(page, part)) << part;
}

TEST(Book, VeryLongLinesAreShortened) {
  const std::string page = RenderBook(HostileBook());
  for (const Json& part : PartsOf(page, "source"))
    EXPECT_LT(part["text"].get<std::string>().size(), size_t{300} << 10);
}

// --- Details ---

TEST(Book, EqualSourcesAreKeptOnce) {
  Book book = OneRun();
  for (Evaluation& e : book.details) e.candidate.source = "same\n";
  // One for both problems, one for all candidates.
  EXPECT_EQ(PartsOf(RenderBook(book), "source").size(), 2u);
}

TEST(Book, WhatIsNotRecordedOfTrialsIsLeftOut) {
  Book book = OneRun();
  AddTrials(&book.details[1], false);
  const auto details = PartsOf(RenderBook(book), "detail");
  EXPECT_TRUE(details[0]["trials"].contains("reference"));
  EXPECT_EQ(details[0]["trials"]["counts"], "101");
  for (const Json& detail : details) {
    if (detail["index"] != 1) continue;
    EXPECT_EQ(detail["trials"]["candidate"].size(), 3u);
    EXPECT_FALSE(detail["trials"].contains("reference"));
    EXPECT_FALSE(detail.contains("ruler"));
  }
}

TEST(Book, WallTimeStandsBesideTheSpeedup) {
  const std::string page = RenderBook(OneRun());
  EXPECT_NE(page.find("2.00x<small>wall 1.50x</small>"), std::string::npos);
  EXPECT_NE(page.find("by wall time median 1.50x"), std::string::npos);
  const Json rows = PartsOf(page, "rows").at(0);
  EXPECT_EQ(rows["wall"][0], 1.5);
  EXPECT_TRUE(rows["wall"][1].is_null());
  const Json detail = PartsOf(page, "detail").at(0);
  EXPECT_EQ(detail["wall"], "1.50x [1.25, 1.75]");
  EXPECT_NE(base::DumpJson(detail["ruler"]).find("not hidden"),
            std::string::npos);
}

TEST(Book, RemarkStandsAboveAll) {
  Book book = OneRun();
  EXPECT_EQ(RenderBook(book).find("first ruler"), std::string::npos);
  book.remark = "measured by the first ruler";
  const std::string page = RenderBook(book);
  EXPECT_LT(page.find("measured by the first ruler"), page.find("<main"));
}

TEST(Book, AnswerIsThereUnlessItIsTheSourceAlone) {
  Book book = OneRun();
  book.answers = {"Words, then code."};
  EXPECT_EQ(PartsOf(RenderBook(book), "detail")[0]["answer"],
            "Words, then code.");
  book.answers = {book.details[0].candidate.source};
  EXPECT_FALSE(PartsOf(RenderBook(book), "detail")[0].contains("answer"));
  book.answers.clear();
  EXPECT_FALSE(PartsOf(RenderBook(book), "detail")[0].contains("answer"));
}

TEST(Book, ModelUnknownIsSaid) {
  Book book = OneRun();
  book.details[0].model.clear();
  const auto details = PartsOf(RenderBook(book), "detail");
  EXPECT_TRUE(
      Has(base::DumpJson(details[0]["origin"]), R"(["Model","not recorded"])"));
}

// A run of two searches, each of one turn.
Book SearchedBook() {
  Book book = OneRun();
  for (int64_t sample = 0; sample < 2; ++sample) {
    analysis::Search search{"level1/1", sample, {}, {}};
    search.turns.emplace_back().ask.turn = 1;
    book.runs[0].searches.push_back(search);
    book.runs[0].conversations.push_back(
        {{1, {"the prompt", "an answer", "x\n", true, ""}}});
  }
  return book;
}

TEST(Book, ConversationsAreThereWithEqualTextsOnce) {
  const std::string page = RenderBook(SearchedBook());
  const auto searches = PartsOf(page, "search");
  ASSERT_EQ(searches.size(), 2u);
  EXPECT_EQ(searches[1]["index"], 1);
  EXPECT_EQ(searches[1]["sample"], 1);
  const Json& turn = searches[1]["turns"][0];
  EXPECT_EQ(turn["prompt"], searches[0]["turns"][0]["prompt"]);
  size_t prompts = 0;
  for (const Json& part : PartsOf(page, "source"))
    if (part["text"] == "the prompt") {
      ++prompts;
      EXPECT_EQ(part["id"], turn["prompt"]);
    }
  EXPECT_EQ(prompts, 1u);
}

TEST(Book, ConversationsThatDoNotFitAreCounted) {
  Book book = SearchedBook();
  base::Sequence random(1);
  std::string& answer = book.runs[0].conversations[0].at(1).answer;
  for (int i = 0; i < 3000; ++i) answer += fmt::format("{:x}", random.Next());
  BookLimits limits;
  limits.max_bytes = RenderBook(SearchedBook()).size() + 5000;
  const std::string page = RenderBook(book, limits);
  EXPECT_EQ(PartsOf(page, "search").size(), 1u);
  EXPECT_TRUE(Has(page, "1 conversation cannot be opened"));
}

// Sources that do not pack, so that the limit is met.
Book LargeBook(size_t problems, int64_t samples, size_t details) {
  Book book = EmptyBook();
  book.runs = {NewRun("small"), NewRun("large"), NewRun("third")};
  base::Sequence random(1);
  for (size_t i = 0; i < problems; ++i)
    book.problems.push_back(NewProblem(fmt::format("level{}/{}", i % 4, i)));
  for (int64_t k = 0; k < samples; ++k)
    for (size_t i = 0; i < problems * 3; ++i) {
      const bool correct = random.Below(2) == 0;
      Evaluation e =
          NewEvaluation(fmt::format("sample_{}.cu", k),
                        correct ? Verdict::kCorrect : Verdict::kCompileError);
      if (book.details.size() < details)
        for (int line = 0; line < 40; ++line)
          e.candidate.source += fmt::format("{:x}{:x}{:x}\n", random.Next(),
                                            random.Next(), random.Next());
      const double speedup = 0.01 * static_cast<double>(1 + random.Below(300));
      Add(&book, i % 3, i / 3, e,
          correct ? std::optional(speedup) : std::nullopt);
      if (book.details.size() <= details) continue;
      book.details.pop_back();
      book.samples.back().detail.reset();
    }
  SetScores(&book);
  return book;
}

TEST(Book, HundredThousandSamplesFitTheLimit) {
  const Book book = LargeBook(250, 134, 2000);
  ASSERT_EQ(book.samples.size(), 100'500u);
  const std::string page = RenderBook(book);
  EXPECT_LE(page.size(), BookLimits().max_bytes);
  EXPECT_TRUE(Has(page, "Shows 2,000 of 100,500 samples, the best first"));
  EXPECT_EQ(TimesIn(page, "href=\"#problem/"), 250u + 2000u);
}

TEST(Book, DetailsAreLeftOutWorstFirst) {
  const Book book = LargeBook(20, 12, 720);
  BookLimits limits;
  limits.max_bytes = 700 << 10;
  const std::string page = RenderBook(book, limits);
  EXPECT_LE(page.size(), limits.max_bytes);
  EXPECT_GT(page.size(), limits.max_bytes * 9 / 10);
  const auto details = PartsOf(page, "detail");
  ASSERT_LT(details.size(), 720u);
  ASSERT_GT(details.size(), 120u);
  EXPECT_TRUE(Has(page, fmt::format("{} candidates can be opened in full",
                                    details.size())));
  EXPECT_TRUE(Has(page, fmt::format("The details of {} more are left out",
                                    720 - details.size())));
  // The best correct one of every problem and run comes first of all.
  const Digest digest = MakeDigest(book, limits.rows);
  for (size_t i = 0; i < 60; ++i) {
    const size_t index = details[i]["index"].get<size_t>();
    const BookSample& sample = book.samples[index];
    EXPECT_EQ(digest.tallies[sample.problem][sample.run].best, index);
  }
}

TEST(Book, ALimitThatNothingFitsLeavesTheTables) {
  BookLimits limits;
  limits.max_bytes = 1;
  const std::string page = RenderBook(TwoRuns(), limits);
  EXPECT_TRUE(Has(page, "The details of 5 more are left out"));
  EXPECT_TRUE(PayloadOf(page).empty());
}

TEST(Book, RowsAreLimitedAndTheBestOfEachProblemStays) {
  BookLimits limits;
  limits.rows = 2;
  const std::string page = RenderBook(TwoRuns(), limits);
  EXPECT_TRUE(Has(page, "Shows 2 of 5 samples"));
  EXPECT_TRUE(Has(page, ">best.cu</a>"));
  EXPECT_TRUE(Has(page, ">fast.cu</a>"));
  EXPECT_FALSE(Has(page, "slow.cu"));
}

// --- Packing ---

TEST(Deflater, WhatFitsComesBack) {
  Deflater deflater(10'000);
  EXPECT_TRUE(deflater.Add("[1"));
  EXPECT_TRUE(deflater.Add(std::string(1 << 20, ' ')));
  EXPECT_EQ(Unpacked(deflater.Finish("]")),
            "[1" + std::string(1 << 20, ' ') + "]");
}

TEST(Deflater, WhatDoesNotFitIsNotAdded) {
  Deflater deflater(400);
  base::Sequence random(3);
  std::string noise;
  for (int i = 0; i < 100; ++i) noise += fmt::format("{:x}", random.Next());
  EXPECT_TRUE(deflater.Add("begin"));
  EXPECT_FALSE(deflater.Add(noise));
  EXPECT_TRUE(deflater.Add(" end"));
  const std::string packed = deflater.Finish(".");
  EXPECT_LE(packed.size(), 400u);
  EXPECT_EQ(Unpacked(packed), "begin end.");
}

}  // namespace
}  // namespace kb::report
