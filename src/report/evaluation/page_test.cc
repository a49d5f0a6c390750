#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "base/hash.h"
#include "base/random.h"
#include "expect_golden.h"
#include "html/text.h"
#include "report/details.h"
#include "report/evaluations.h"
#include "text_fixture.h"

namespace kb::report {
namespace {

using record::Evaluation;
using record::Verdict;

constexpr const char* kCudaSource = R"cuda(#include <kernelbench/candidate.h>

// One block per row; the row is read once and kept in registers.
__global__ void SoftmaxRow(const float* __restrict__ x, float* y, int cols) {
  extern __shared__ float shared[];
  /* Two passes: the maximum
     and then the sum. */
  float best = -1e30f;
  for (int i = threadIdx.x; i < cols; i += blockDim.x)
    best = fmaxf(best, x[blockIdx.x * cols + i]);
  best = BlockMax(best, shared);
  if (threadIdx.x == 0) printf("row %d \"max\" %f\n", blockIdx.x, best);
}

KB_CANDIDATE(inputs, outputs, stream) {
  SoftmaxRow<<<1'024, 256, 0, stream>>>(inputs[0], outputs[0], 65'536);
}
)cuda";

constexpr const char* kPythonSource = R"py("""A fused GELU
in Triton."""
import torch
import triton
import triton.language as tl


@triton.jit
def gelu(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    # tanh form, as PyTorch's approximate='tanh'
    tl.store(y + i, 0.5 * v * (1 + tl.math.tanh(0.79788456 * v)), mask=i < n)


class ModelNew(torch.nn.Module):
    def forward(self, x):
        return launch(gelu, x, f"grid {x.numel()}")
)py";

PageFacts Facts() {
  return {.title = "Level 1, one sample each",
          .generated_at = "2026-03-04T05:06:07Z",
          .version = "0.1.0",
          .device = {"cuda:0", "NVIDIA H100 80GB HBM3", "580.159.04",
                     "2.11.0+cu130", "sm_90"},
          .isolation = "reduced"};
}

Evaluation Base(const std::string& problem, const std::string& candidate) {
  Evaluation e;
  e.candidate.name = candidate;
  e.candidate.path = "samples/" + candidate;
  e.candidate.source = kCudaSource;
  e.problem_id = problem;
  e.problem_hash =
      "9b74c9897bac770ffc029102a200c5de0d5ea5c0b3b5a4a8e4c1f0a3a2b9e7d1";
  e.policy = *record::NamedPolicy("strict");
  e.device = Facts().device;
  e.isolation = "reduced";
  e.version = "0.1.0";
  e.tolerance = {1e-4, 1e-4};
  e.compile_seconds = 0.612;
  e.wall_seconds = 1.84;
  e.started_at = "2026-03-04T05:05:01Z";
  e.checked = {"number, type and shape of the outputs",
               "every element of every trial", "red zones of the outputs",
               "inputs unchanged"};
  e.unchecked = {"whether the kernel draws on a vendor library"};
  return e;
}

// Deterministic noise in [-1, 1].
double Noise(base::Sequence* sequence) {
  return static_cast<double>(sequence->Below(20001)) / 10000.0 - 1;
}

// Five untimed trials and `timed` ones around these times; every `every`th of
// them disturbed.
void AddTrials(Evaluation* e, double reference, double candidate, int timed,
               int every) {
  constexpr double kConstant = 148.5;
  constexpr int64_t kCalls = 8;
  base::Sequence sequence(7);
  for (const uint64_t seed : {42, 123, 456, 789, 1337})
    e->trials.push_back({.seed = seed});
  e->ruler = record::Ruler{.calls = kCalls,
                           .constant_us = kConstant,
                           .floor_us = 0.4 * candidate,
                           .disturbed = timed / every};
  for (int i = 1; i <= timed; ++i) {
    record::Trial trial;
    trial.seed = sequence.Next();
    trial.timed = true;
    trial.counts = i % every != 0;
    trial.reference_us = reference * (1 + 0.01 * Noise(&sequence));
    trial.candidate_us = candidate * (1 + 0.012 * Noise(&sequence));
    if (!trial.counts) trial.candidate_us *= 1.2;
    trial.reference_one_us = kConstant + trial.reference_us;
    trial.reference_chain_us = kConstant + kCalls * trial.reference_us;
    trial.candidate_one_us = kConstant + trial.candidate_us;
    trial.candidate_chain_us = kConstant + kCalls * trial.candidate_us;
    trial.reference_wall_us = trial.reference_us + 9;
    trial.candidate_wall_us = trial.candidate_us + 12;
    trial.constant_us = kConstant + Noise(&sequence);
    trial.clock_mhz = 1980;
    trial.temperature_c = 41;
    e->trials.push_back(trial);
  }
}

record::TimeSummary Around(double us, int64_t count) {
  return {count,     us,         us * 1.002, us * 0.006,
          us * 0.99, us * 1.013, us * 0.997, us * 1.004};
}

record::Interval About(double ratio) {
  return {ratio, ratio * 0.984, ratio * 1.017};
}

void SetSpeed(Evaluation* e, double reference, double candidate) {
  AddTrials(e, reference, candidate, 40, 13);
  e->reference_time = Around(reference, 37);
  e->candidate_time = Around(candidate, 37);
  e->speedup = About(reference / candidate);
  e->reference_wall = Around(reference + 9, 37);
  e->candidate_wall = Around(candidate + 12, 37);
  e->wall_speedup = About((reference + 9) / (candidate + 12));
}

Evaluation Fast() {
  Evaluation e = Base("level1/23", "softmax_fused.cu");
  e.verdict = Verdict::kCorrect;
  e.reason = "correct in 45 of 45 trials";
  e.notes = {"the same input gave the same bits twice"};
  e.compile_cached = true;
  SetSpeed(&e, 412.7, 225.4);
  return e;
}

Evaluation Slow() {
  Evaluation e = Base("level1/1", "matmul_naive.py");
  e.candidate.source = kPythonSource;
  e.candidate.track = record::Track::kPython;
  e.candidate.backend = record::Backend::kCuda;
  e.candidate.builds_extension = true;
  e.precision = record::Precision::kFp16;
  e.verdict = Verdict::kCorrect;
  e.reason = "correct in 45 of 45 trials";
  SetSpeed(&e, 2715, 11840);
  e.ruler->gated = false;
  e.ruler->reference_launches = e.ruler->candidate_launches =
      record::Launches::kShown;
  e.ruler->copied = true;
  e.ruler->copy_us = 3.5;
  return e;
}

Evaluation Wrong() {
  Evaluation e = Base("level1/47", "sum_tail.cu");
  e.verdict = Verdict::kIncorrect;
  e.reason =
      "output 0: 3,072 of 65,536 elements are wrong (last tile of "
      "dimension 1)";
  e.trials = {{.seed = 42}, {.seed = 123}};
  record::Mismatch m;
  m.elements = 65536;
  m.wrong = 3072;
  m.nonfinite = 12;
  m.unwritten = 3060;
  m.max_abs_error = std::numeric_limits<double>::infinity();
  m.max_rel_error = 1.0;
  m.first = {{0, 4064}, 1.25, 0};
  m.worst = {{127, 4095}, -0.000321, std::nan("")};
  m.pattern = "last tile of dimension 1 (32 of 4096)";
  m.seed = 123;
  e.mismatch = m;
  return e;
}

Evaluation Broken() {
  Evaluation e = Base("level1/36", "rmsnorm.cu");
  e.verdict = Verdict::kCompileError;
  e.reason = "rmsnorm.cu(14): error: identifier \"warpSize_\" is undefined";
  e.log =
      "rmsnorm.cu(14): error: identifier \"warpSize_\" is undefined\n"
      "    for (int i = 0; i < warpSize_; ++i)\n"
      "                        ^\n\n1 error detected in the compilation of "
      "\"rmsnorm.cu\".\n";
  return e;
}

Evaluation Forged() {
  Evaluation e = Base("level1/19", "relu_skips_work.cu");
  e.verdict = Verdict::kNotCertified;
  e.reason = "4.1 us a call is below the floor of 60 us";
  e.notes = {"the floor: 268 MB at the measured 4.4 TB/s"};
  AddTrials(&e, 214, 4.1, 40, 13);
  return e;
}

// As it is read from a store of before version 2.
Evaluation OfTheFirstRuler() {
  Evaluation e = Fast();
  e.candidate.name = "softmax_old.cu";
  e.ruler = record::Ruler{.version = 1};
  e.wall_speedup.reset();
  e.reference_wall.reset();
  e.candidate_wall.reset();
  for (record::Trial& trial : e.trials)
    trial = {.seed = trial.seed,
             .timed = trial.timed,
             .counts = trial.counts,
             .reference_us = trial.reference_us,
             .candidate_us = trial.candidate_us};
  return e;
}

Evaluation Rejected() {
  Evaluation e = Base("level2/12", "gemm_calls_torch.py");
  e.candidate.source = kPythonSource;
  e.candidate.track = record::Track::kPython;
  e.candidate.backend = record::Backend::kTorch;
  e.verdict = Verdict::kRejected;
  e.reason =
      "line 17: torch.nn.functional.linear is not allowed by the "
      "policy";
  e.checked = {"the source text"};
  e.unchecked = {"outputs", "times"};
  e.compile_seconds = 0;
  return e;
}

Evaluation Interpreted() {
  Evaluation e = Base("level1/26", "gelu_triton.py");
  e.candidate.source = kPythonSource;
  e.candidate.track = record::Track::kPython;
  e.candidate.backend = record::Backend::kTriton;
  e.size = record::Size::kSmall;
  e.device = {"cpu", "AMD EPYC 9B14", "", "2.11.0+cpu", "x86-64"};
  e.interpreted = true;
  e.verdict = Verdict::kCorrect;
  e.reason = "correct in 5 of 5 trials, in Triton's interpreter";
  return e;
}

Evaluation NotRun() {
  Evaluation e = Base("level1/89", "cumsum.cu");
  e.reason = "compiled; CUDA source cannot run on cpu";
  return e;
}

// U+202E turns what follows around, U+200B is invisible.
constexpr const char* kHostile =
    "</style></script><img src=x onerror=\"alert(1)\">'{{title}}\xe2\x80\xae"
    "evil\xe2\x80\x8b\x1b[31m\xff";

Evaluation Hostile() {
  Evaluation e = Base("level1/<b>40</b>", "<script>alert(1)</script>");
  const std::string text = std::string(kHostile) + '\0' + "after NUL";
  e.candidate.path = text;
  e.candidate.source = "// */ \"\"\" R\"(\n" + text + "\n\"unterminated \\";
  e.verdict = Verdict::kRuntimeError;
  e.reason = text;
  e.log = text;
  e.notes = {text};
  e.checked = {text};
  e.unchecked = {text};
  e.device.name = text;
  e.isolation = text;
  e.started_at = text;
  e.policy.name = text;
  record::Mismatch m;
  m.structure = text;
  m.pattern = text;
  e.mismatch = m;
  return e;
}

std::vector<Evaluation> All() {
  return {Fast(),     Slow(),        Wrong(),  Broken(), Forged(),
          Rejected(), Interpreted(), NotRun(), Hostile()};
}

void ExpectGolden(const std::string& actual, const std::string& name) {
  kb::ExpectGolden(actual, std::string(KB_GOLDEN_DIR) + "/" + name);
}

TEST(Page, IsAsAccepted) {
  PageFacts facts = Facts();
  facts.expected = {"correct",  "correct", "incorrect",
                    "rejected", "",        "rejected"};
  ExpectGolden(RenderHtml(All(), facts), "page.html");
}

// What stands between two marks, the first time.
std::string Between(const std::string& text, const std::string& before,
                    const std::string& after) {
  const size_t start = text.find(before) + before.size();
  return text.substr(start, text.find(after, start) - start);
}

TEST(Page, NothingIsFetchedFromElsewhere) {
  const std::string page = RenderHtml({Fast(), Wrong()}, Facts());
  for (const char* part : {"http://", "https://", "src=", "url(", "@import",
                           "<link", "<iframe", "<object"})
    EXPECT_FALSE(Has(page, part)) << part;
}

TEST(Page, WhatACandidateWroteIsNeverMarkup) {
  const std::string page = RenderHtml({Hostile()}, Facts());
  EXPECT_EQ(TimesIn(page, "<script"), 1u);
  EXPECT_EQ(TimesIn(page, "</script"), 1u);
  EXPECT_EQ(TimesIn(page, "</style"), 1u);
  EXPECT_FALSE(Has(page, "<img"));
  EXPECT_FALSE(Has(page, "<b>40"));
  EXPECT_FALSE(Has(page, "onerror=\""));
  EXPECT_TRUE(Has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  // Template marks in a text are text.
  EXPECT_TRUE(Has(page, "{{title}}"));
}

TEST(Page, HiddenCharactersAreShown) {
  const std::string page = RenderHtml({Hostile()}, Facts());
  for (const std::string& hidden :
       {std::string(1, '\0'), std::string("\x1b"), std::string("\xff"),
        std::string("\xe2\x80\xae"), std::string("\xe2\x80\x8b")})
    EXPECT_FALSE(Has(page, hidden));
  for (const char* shown : {"&lt;U+0000&gt;", "&lt;U+001B&gt;", "&lt;\\xff&gt;",
                            "&lt;U+202E&gt;", "&lt;U+200B&gt;"})
    EXPECT_TRUE(Has(page, shown)) << shown;
}

TEST(Page, HostileFactsOfThePageAreTextToo) {
  PageFacts facts = Facts();
  facts.title = facts.version = facts.generated_at = kHostile;
  facts.device.name = facts.isolation = kHostile;
  const std::string page = RenderHtml({}, facts);
  EXPECT_EQ(TimesIn(page, "</style"), 1u);
  EXPECT_FALSE(Has(page, "<img"));
}

std::string HexOfBase64(const std::string& text) {
  static const std::string kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bits;
  for (const char c : text) {
    if (c == '=') break;
    for (int bit = 5; bit >= 0; --bit)
      bits += (kDigits.find(c) >> bit & 1) != 0 ? '1' : '0';
  }
  std::string hex;
  for (size_t i = 0; i + 8 <= bits.size(); i += 8)
    hex += fmt::format("{:02x}", std::stoi(bits.substr(i, 8), nullptr, 2));
  return hex;
}

TEST(Page, OnlyOurOwnScriptMayRun) {
  const std::string page = RenderHtml({Fast()}, Facts());
  EXPECT_TRUE(Has(page, "default-src 'none'"));
  const std::string policy = Between(page, "script-src ", ";");
  EXPECT_FALSE(Has(policy, "unsafe"));
  EXPECT_EQ(HexOfBase64(Between(policy, "'sha256-", "'")),
            base::Sha256(Between(page, "<script>", "</script>")));
}

TEST(Page, HugeLogIsShortened) {
  Evaluation e = Broken();
  e.log = "first line\n" + std::string(5 << 20, '<') + "\nlast line";
  const std::string page = RenderHtml({e}, Facts());
  EXPECT_LT(page.size(), size_t{1} << 20);
  EXPECT_TRUE(Has(page, "first line"));
  EXPECT_TRUE(Has(page, "bytes left out"));
  EXPECT_TRUE(Has(page, "last line"));
}

std::string FigureOf(const std::string& page, const std::string& name) {
  return Between(page, "<dt>" + name + "</dt><dd>", "<small>");
}

TEST(Page, HeadlineCountsOnlyCorrectAndCertified) {
  Evaluation uncertified = Forged();
  uncertified.speedup = {100, 99, 101};
  const std::string page = RenderHtml(
      {Fast(), Slow(), Interpreted(), uncertified, NotRun()}, Facts());
  EXPECT_EQ(FigureOf(page, "Judged"), "4");
  EXPECT_EQ(FigureOf(page, "Correct"), "3");
  EXPECT_EQ(FigureOf(page, "Certified"), "2");
  EXPECT_EQ(FigureOf(page, "Faster than PyTorch"), "1");
}

// The candidates in the list, from the top.
std::vector<std::string> Order(const std::string& page) {
  const std::string table = Between(page, "<tbody role", "</tbody>");
  const std::string mark = "<a href=\"#";
  std::vector<std::string> ids;
  for (size_t at = table.find(mark); at != std::string::npos;
       at = table.find(mark, at + 1))
    ids.push_back(Between(table.substr(at), mark, "\""));
  return ids;
}

TEST(Page, LeadsWithWhatIsNotAsExpected) {
  PageFacts facts = Facts();
  facts.expected = {"not_run", "correct", "rejected or timeout", "correct"};
  const std::string page =
      RenderHtml({NotRun(), Slow(), Wrong(), Fast()}, facts);
  EXPECT_TRUE(Has(page,
                  "<p class=\"lead bad\"><b>3 of 4 as expected.</b> 1 "
                  "not: <span><a href=\"#c3\">sum_tail.cu</a> "
                  "(level1/47) is incorrect, expected rejected or "
                  "timeout."));
  EXPECT_EQ(FigureOf(page, "As expected"), "3");
  EXPECT_EQ(TimesIn(page, "class=\"unexpected\">"), 1u);
  EXPECT_TRUE(Has(page, "<summary>1 not run</summary>"));
}

TEST(Page, AllAsExpectedIsGood) {
  PageFacts facts = Facts();
  facts.expected = {"correct", "not_certified"};
  const std::string page = RenderHtml({Fast(), Forged()}, facts);
  EXPECT_TRUE(
      Has(page, "<p class=\"lead good\"><b>2 of 2 as expected.</b></p>"));
  EXPECT_FALSE(Has(page, "class=\"unexpected\""));
}

TEST(Page, ListsSurprisesThenTheFastestThenTheRest) {
  PageFacts facts = Facts();
  facts.expected = {"incorrect", "correct", "correct", "compile_error", ""};
  const std::string page =
      RenderHtml({Forged(), Slow(), Fast(), Broken(), Interpreted()}, facts);
  EXPECT_EQ(Order(page),
            (std::vector<std::string>{"c1", "c3", "c2", "c5", "c4"}));
}

TEST(Page, WithoutExpectationsThereIsNoColumnForThem) {
  const std::string page = RenderHtml({Fast(), NotRun()}, Facts());
  EXPECT_FALSE(Has(page, "Expected</th>\n        <th role"));
  EXPECT_FALSE(Has(page, "as expected"));
}

TEST(Page, EmptyRunSaysSo) {
  const std::string page = RenderHtml({}, Facts());
  EXPECT_TRUE(Has(page, "Nothing was judged"));
  EXPECT_FALSE(Has(page, "<table"));
}

TEST(Page, MissingIsolationIsSaidAtTheTop) {
  PageFacts facts = Facts();
  EXPECT_FALSE(Has(RenderHtml({Fast()}, facts), "No isolation."));
  facts.isolation = "none";
  EXPECT_TRUE(Has(RenderHtml({Fast()}, facts), "No isolation."));
}

TEST(Page, TimesThatAreNoNumbersDrawNoPlot) {
  Evaluation e = Fast();
  e.trials.back().candidate_us = std::nan("");
  const std::string page = RenderHtml({e}, Facts());
  EXPECT_FALSE(Has(page, "class=\"trials\""));
  EXPECT_TRUE(Has(page, "Raw trials"));
}

TEST(Page, SaysHowItWasMeasured) {
  const std::string page = RenderHtml({Slow()}, Facts());
  for (const char* part :
       {"How it was measured", "not hidden: not all can wait",
        "outputs are copied within the measured time, on both sides",
        "wall 0.230x [0.226, 0.234]", "wall 11.9 ms", "candidate, wall"})
    EXPECT_TRUE(Has(page, part)) << part;
}

TEST(Page, FirstRulerIsNamed) {
  const std::string page = RenderHtml({OfTheFirstRuler()}, Facts());
  EXPECT_TRUE(Has(page, "measured by the first ruler"));
  EXPECT_FALSE(Has(page, "Calls of a chain"));
  EXPECT_FALSE(Has(page, "wall 1."));
}

TEST(Details, AreAsAccepted) {
  std::string details;
  for (const Evaluation& e : All()) details += RenderDetails(e, false);
  details += RenderDetails(OfTheFirstRuler(), false);
  ExpectGolden(details, "details.txt");
}

TEST(Table, IsAsAccepted) {
  ExpectGolden(RenderTable(All(), {.width = 160}), "table.txt");
}

std::vector<std::string> LinesOf(const std::string& table) {
  std::vector<std::string> lines;
  std::istringstream stream(table);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Table, EveryEvaluationIsOneLineThatFits) {
  Evaluation e = Hostile();
  e.reason = "first\nsecond\r\nthird\ttab " + std::string(500, 'x');
  for (const size_t width : {80u, 100u, 120u, 200u}) {
    const auto lines = LinesOf(RenderTable({Fast(), e}, {.width = width}));
    ASSERT_EQ(lines.size(), 3u);
    for (const std::string& line : lines) EXPECT_LE(html::Columns(line), width);
  }
}

TEST(Table, NarrowTerminalKeepsTheNumbersAndDropsTheReason) {
  const std::string table = RenderTable({Fast()}, {.width = 76});
  EXPECT_TRUE(Has(table, "1.83x [1.80, 1.86]"));
  EXPECT_TRUE(Has(table, "1.78x"));  // by wall time
  EXPECT_FALSE(Has(table, "correct in 45"));
  EXPECT_FALSE(Has(table, "reason"));
}

TEST(Table, WallTimesAreThereWhereThereIsRoomForAll) {
  EXPECT_TRUE(Has(RenderTable({Fast()}, {.width = 200}), "422 us"));
  const std::string table = RenderTable({Fast()}, {.width = 100});
  EXPECT_FALSE(Has(table, "422 us"));
  EXPECT_TRUE(Has(table, "1.78x"));
  EXPECT_TRUE(Has(table, "413 us"));
}

TEST(Table, ColoursOnlyWhenAllowed) {
  EXPECT_FALSE(Has(RenderTable(All(), {}), "\x1b"));
  const std::string table = RenderTable(All(), {.colour = true});
  EXPECT_TRUE(Has(table, "\x1b[32mcorrect\x1b[0m"));
  EXPECT_TRUE(Has(table, "\x1b[31mincorrect\x1b[0m"));
  EXPECT_TRUE(Has(table, "\x1b[33mnot certified\x1b[0m"));
}

TEST(Table, ExpectedVerdictsAreMarked) {
  const std::string table =
      RenderTable({Fast(), Wrong(), NotRun(), Slow()},
                  {.expected = {"correct", "not_certified", "correct", ""}});
  const auto lines = LinesOf(table);
  EXPECT_TRUE(Has(lines[0], "expected"));
  EXPECT_TRUE(Has(lines[1], " ok "));
  EXPECT_TRUE(Has(lines[2], "UNEXPECTED (not certified)"));
  EXPECT_FALSE(Has(lines[3], " ok "));
  EXPECT_FALSE(Has(lines[3], "UNEXPECTED"));
  EXPECT_FALSE(Has(lines[4], "UNEXPECTED"));
  EXPECT_FALSE(Has(RenderTable({Fast()}), "expected"));
}

TEST(Table, InterpretedAndNotRunCarryNoSpeedup) {
  const auto lines = LinesOf(RenderTable({Interpreted(), NotRun()}));
  EXPECT_TRUE(Has(lines[1], "interpreted"));
  EXPECT_TRUE(Has(lines[2], "not run"));
}

}  // namespace
}  // namespace kb::report
