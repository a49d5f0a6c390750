// How large a report of runs is and how long it takes: writes one of MODELS x
// PROBLEMS x SAMPLES made-up samples, hostile ones among them.
//
//   report_bench MODELS PROBLEMS SAMPLES FILE
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>

#include "analysis/scores.h"
#include "analysis/searches.h"
#include "base/random.h"
#include "report/runs.h"

namespace kb {
namespace {

using record::Evaluation;
using record::Verdict;
using Clock = std::chrono::steady_clock;

// What a page of the real thing can open; the rest has rows only.
constexpr size_t kMaxDetails = 2000;

double Noise(base::Sequence* random) {
  return static_cast<double>(random->Below(20001)) / 10000 - 1;
}

constexpr const char* kReference = R"py(import torch
import torch.nn as nn


class Model(nn.Module):
    """Applies {0} to rows of {1} numbers."""

    def __init__(self, dim: int = {1}):
        super().__init__()
        self.dim = dim
        self.weight = nn.Parameter(torch.randn(dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # one pass over the rows
        return torch.{0}(x * self.weight, dim=1)


batch_size = {2}


def get_inputs():
    return [torch.rand(batch_size, {1})]


def get_init_inputs():
    return [{1}]
)py";

constexpr const char* kCuda = R"cuda(#include <kernelbench/candidate.h>

// {0}: one block of {1} threads per row, {2} numbers in flight.
template <int kThreads>
__global__ void __launch_bounds__(kThreads)
Rows(const float* __restrict__ x, const float* __restrict__ w, float* y,
     int cols) {{
  __shared__ float partial[{1} / 32];
  float sum = {3}f;
  const auto* row = reinterpret_cast<const float4*>(x + blockIdx.x * cols);
  for (int i = threadIdx.x; i < cols / 4; i += kThreads) {{
    const float4 v = row[i];
    sum = fmaxf(sum, v.x * w[4 * i] + v.y * w[4 * i + 1]);
    sum += __expf(v.z - sum) + {4}e-3f * v.w;
  }}
{5}
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = partial[0];
}}

KB_CANDIDATE(inputs, outputs, stream) {{
  Rows<{1}><<<inputs[0].shape[0], {1}, 0, stream>>>(
      inputs[0].data<float>(), inputs[1].data<float>(),
      outputs[0].data<float>(), static_cast<int>(inputs[0].shape[1]));
}}
)cuda";

constexpr const char* kTriton = R"py(import torch
import triton
import triton.language as tl


@triton.jit
def rows(x, w, y, cols, BLOCK: tl.constexpr):
    """{0}, {1} numbers at a time."""
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32) + {3}
    for start in range(0, cols, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + i, mask=i < cols, other=0.0)
        total += v * tl.load(w + i, mask=i < cols) * {4}e-3
{5}
    tl.store(y + row, tl.sum(total, axis=0))


class ModelNew(torch.nn.Module):
    def __init__(self, dim={2}):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(dim))

    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device)
        rows[(x.shape[0],)](x, self.weight, y, x.shape[1], BLOCK={1})
        return y
)py";

const char* const kOps[] = {"softmax", "logsumexp", "amax",    "cumsum",
                            "matmul",  "gelu",      "rmsnorm", "conv2d"};

// Lines that differ from candidate to candidate.
std::string Filler(base::Sequence* random, const char* comment) {
  std::string text;
  const uint64_t lines = 3 + random->Below(12);
  for (uint64_t i = 0; i < lines; ++i)
    text += fmt::format("  {} step {}: tile {}x{}, stage {}\n", comment, i,
                        8 << random->Below(5), 16 << random->Below(4),
                        random->Below(100000));
  return text;
}

std::string Source(const std::string& op, bool python, base::Sequence* random) {
  const auto threads = 64 << random->Below(5);
  return fmt::format(fmt::runtime(python ? kTriton : kCuda), op, threads,
                     4 << random->Below(4), random->Below(1000),
                     random->Below(1000), Filler(random, python ? "#" : "//"));
}

record::TimeSummary Around(double us, int64_t count) {
  return {count,     us,         us * 1.002, us * 0.006,
          us * 0.99, us * 1.013, us * 0.997, us * 1.004};
}

record::Interval About(double ratio) {
  return {ratio, ratio * 0.984, ratio * 1.017};
}

void AddTrials(double reference, double candidate, base::Sequence* random,
               Evaluation* e) {
  constexpr double kConstant = 148.5;
  constexpr double kHost = 9;  // of a call, beyond its device time
  e->ruler = record::Ruler{.calls = 8, .constant_us = kConstant};
  e->trials.resize(5);
  for (int i = 0; i < 60; ++i) {
    record::Trial trial;
    trial.seed = random->Next();
    trial.timed = true;
    trial.reference_us = reference * (1 + 0.01 * Noise(random));
    trial.candidate_us = candidate * (1 + 0.012 * Noise(random));
    trial.counts = random->Below(14) != 0;
    trial.constant_us = kConstant;
    e->trials.push_back(trial);
  }
  e->reference_time = Around(reference, 55);
  e->candidate_time = Around(candidate, 55);
  e->speedup = About(reference / candidate);
  e->reference_wall = Around(reference + kHost, 55);
  e->candidate_wall = Around(candidate + kHost, 55);
  e->wall_speedup = About((reference + kHost) / (candidate + kHost));
}

void AddMismatch(base::Sequence* random, Evaluation* e) {
  record::Mismatch m;
  m.elements = 65536;
  m.wrong = static_cast<int64_t>(random->Below(65536));
  m.max_abs_error = 0.1 + static_cast<double>(random->Below(1000)) / 100;
  m.max_rel_error = 1;
  record::Mismatch::Position position;
  position.index = {static_cast<int64_t>(random->Below(16)), 4064};
  position.expected = 1.25;
  m.first = m.worst = position;
  m.pattern = "last tile of dimension 1 (32 of 4096)";
  m.seed = 123;
  e->mismatch = m;
}

struct Draw {
  size_t run, problem;
  int64_t sample;
};

Verdict DrawVerdict(const Draw& draw, base::Sequence* random) {
  const uint64_t skill = 35 + 15 * (draw.run % 3) - 2 * (draw.problem % 9);
  if (random->Below(100) < skill) return Verdict::kCorrect;
  constexpr Verdict kOthers[] = {
      Verdict::kIncorrect,    Verdict::kIncorrect,   Verdict::kCompileError,
      Verdict::kCompileError, Verdict::kTimeout,     Verdict::kRuntimeError,
      Verdict::kRejected,     Verdict::kNotCertified};
  return kOthers[random->Below(8)];
}

void SayWhy(const std::string& op, base::Sequence* random, Evaluation* e) {
  switch (*e->verdict) {
    case Verdict::kCorrect:
      e->reason = "correct in 65 of 65 trials";
      break;
    case Verdict::kIncorrect:
      AddMismatch(random, e);
      e->reason = fmt::format("output 0: {} of 65,536 elements are wrong",
                              e->mismatch->wrong);
      break;
    case Verdict::kCompileError:
      e->reason = fmt::format(
          "{}.cu(14): error: identifier \"tile_{}\" is "
          "undefined",
          op, random->Below(1000));
      e->log = e->reason +
               "\n  for (int i = 0; i < tile_; ++i)\n"
               "                      ^\n\n1 error detected.\n";
      break;
    default:
      e->reason =
          fmt::format("{} after {} ms", record::VerdictName(*e->verdict),
                      random->Below(20000));
  }
}

const std::string kHostile =
    "</script><script>alert(1)</script><img src=x onerror=\"alert(1)\">"
    "]]>{{title}}\xe2\x80\xae"
    "evil\xe2\x80\x8b\x1b[31m\xff";

void MakeHostile(Evaluation* e) {
  const std::string text = kHostile + std::string(1, '\0') + "after NUL";
  e->candidate.name = "<script>alert(1)</script>";
  e->candidate.path = text;
  e->candidate.source = text + "\n" + std::string(1 << 20, 'x') + "\n// end\n";
  e->reason = text;
  e->log = text;
  e->notes = {text};
  e->model = text;
}

Evaluation NewEvaluation(const report::Book& book, const Draw& draw,
                         base::Sequence* random) {
  const std::string op = kOps[draw.problem % 8];
  const bool python = random->Below(2) == 0;
  Evaluation e;
  e.model = book.runs[draw.run].name;
  e.sample = draw.sample;
  e.problem_id = book.problems[draw.problem].id;
  e.candidate.name =
      fmt::format("{}_{}{}", op, draw.sample, python ? ".py" : ".cu");
  e.candidate.path = e.candidate.name;
  e.candidate.source = Source(op, python, random);
  e.candidate.track = python ? record::Track::kPython : record::Track::kNative;
  e.candidate.backend =
      python ? record::Backend::kTriton : record::Backend::kCuda;
  e.device = book.runs[draw.run].device;
  e.isolation = "full";
  e.version = book.version;
  e.tolerance = {1e-4, 1e-4};
  e.started_at = "2026-03-04T05:05:01Z";
  e.checked = {"number, type and shape of the outputs", "every element"};
  e.unchecked = {"whether the kernel draws on a vendor library"};
  e.verdict = DrawVerdict(draw, random);
  const double reference =
      book.problems[draw.problem].baselines.front().time->median;
  if (e.verdict == Verdict::kCorrect || e.verdict == Verdict::kNotCertified)
    AddTrials(
        reference,
        reference * std::exp(0.55 * Noise(random) - 0.12 * draw.run + 0.1),
        random, &e);
  if (e.verdict != Verdict::kCorrect) {
    e.speedup.reset();
    e.wall_speedup.reset();
  }
  SayWhy(op, random, &e);
  if (draw.problem == 1 && draw.sample == 1 && draw.run == 0) MakeHostile(&e);
  return e;
}

record::Outcome OutcomeOf(const Evaluation& e, int64_t id) {
  record::Outcome outcome;
  outcome.id = id;
  outcome.problem_id = e.problem_id;
  outcome.candidate_name = e.candidate.name;
  outcome.model = e.model;
  outcome.sample = e.sample;
  outcome.backend = e.candidate.backend;
  outcome.verdict = e.verdict;
  outcome.reason = e.reason;
  if (e.speedup) outcome.speedup = e.speedup->estimate;
  if (e.wall_speedup) outcome.wall_speedup = e.wall_speedup->estimate;
  if (e.candidate_time) outcome.candidate_us = e.candidate_time->median;
  if (e.candidate_wall) outcome.candidate_wall_us = e.candidate_wall->median;
  if (e.ruler) outcome.ruler = e.ruler->version;
  outcome.usd = 0.013;
  return outcome;
}

record::Baseline NewBaseline(record::BaselineMode mode, double us) {
  record::Baseline baseline;
  baseline.mode = mode;
  baseline.device.name = "NVIDIA H100 80GB HBM3";
  baseline.device.torch = "2.11.0+cu130";
  baseline.tf32 = "cudnn";
  baseline.time = Around(us, 100);
  baseline.compile_seconds = 4.2;
  baseline.measured_at = "2026-03-03T11:00:00Z";
  return baseline;
}

report::BookProblem NewProblem(size_t i, base::Sequence* random) {
  const char* op = kOps[i % 8];
  report::BookProblem problem;
  problem.id = fmt::format("level{}/{}", 1 + i % 3, 1 + i / 3);
  problem.name = fmt::format("{} over {}", op, 512 << (i % 5));
  problem.tags = {op, i % 2 == 0 ? "reduction" : "elementwise"};
  if (i % 11 == 5)
    problem.flags = {{"constant_output", "every row has the same answer"}};
  problem.source =
      fmt::format(fmt::runtime(kReference), op, 512 << (i % 5), 16 << (i % 4));
  record::Cost cost;
  cost.compulsory_bytes = (64 + random->Below(400)) << 20;
  cost.memory_bytes = 3 * cost.compulsory_bytes;
  if (i % 8 == 4 || i % 8 == 7)
    cost.flops = static_cast<double>(cost.compulsory_bytes) *
                 static_cast<double>(10 + random->Below(300));
  problem.cost = cost;
  const double us = static_cast<double>(cost.compulsory_bytes) / 1.9e6 +
                    cost.flops / 1.1e8 + 20;
  problem.baselines = {NewBaseline(record::BaselineMode::kEager, us),
                       NewBaseline(record::BaselineMode::kCompile, us * 0.8)};
  return problem;
}

report::BookRun NewRun(size_t i, int64_t answers) {
  report::BookRun run;
  run.name = i == 0 ? "made-up-large" : fmt::format("made-up-{}", i);
  run.settings = {{"Prompt", "one-shot"}, {"Temperature", "0.7"}};
  run.device.device = "cuda:0";
  run.device.name = "NVIDIA H100 80GB HBM3";
  run.device.torch = "2.11.0+cu130";
  run.isolation = "full";
  run.tokens.input = answers * 1800;
  run.tokens.output = answers * (2100 + 900 * static_cast<int64_t>(i));
  run.usd = static_cast<double>(answers) * 0.013 * std::pow(3, i);
  run.answers = answers;
  run.unusable = {{"no_code", answers / 40}};
  return run;
}

// A prompt and its answer, as a conversation holds them.
report::BookTurn TurnTexts(const std::string& op, bool first,
                           base::Sequence* random) {
  report::BookTurn turn;
  turn.is_python = false;
  turn.source = Source(op, false, random);
  turn.answer = fmt::format("I use {} threads.\n\n```cuda\n{}```\n",
                            64 << random->Below(5), turn.source);
  turn.prompt =
      first ? fmt::format("Rewrite in CUDA C++:\n\n{}\n{}",
                          fmt::format(fmt::runtime(kReference), op, 512, 16),
                          Filler(random, "Rule:"))
            : fmt::format(
                  "Your program is correct and takes {} us; the reference "
                  "takes {} us.\n{}\nWrite a faster one.",
                  random->Below(900), random->Below(900), Filler(random, "-"));
  return turn;
}

// Chains of refinements, or programs made of others.
analysis::SearchTurn NewTurn(int64_t number, bool chain,
                             base::Sequence* random) {
  using record::AskKind;
  analysis::SearchTurn turn;
  turn.ask = {number, AskKind::kFirst, {}, chain ? "" : "island 1"};
  const int64_t before =
      1 + static_cast<int64_t>(random->Below(
              static_cast<uint64_t>(std::max<int64_t>(number - 1, 1))));
  if (number > 1 && chain)
    turn.ask = {number, AskKind::kRefine, {number - 1}, ""};
  else if (number > 3 && number % 4 == 0)
    turn.ask = {number, AskKind::kCrossover, {before, 1}, "island 2"};
  else if (number > 2)
    turn.ask = {number, AskKind::kMutation, {before}, "island 1"};
  record::Told& told = turn.told.emplace();
  told.turn = number;
  told.status = record::GenerationStatus::kComplete;
  told.verdict = DrawVerdict({2, 0, 0}, random);
  if (told.verdict == Verdict::kCorrect)
    told.speedup = std::exp(0.5 * Noise(random) + 0.05 * number);
  told.seconds = 20 + 10 * Noise(random);
  told.approaches = {"shared memory", "warp shuffles"};
  turn.tokens = 3000 + static_cast<int64_t>(random->Below(3000));
  turn.usd = 0.02;
  return turn;
}

// Of the first two runs, ten turns each.
void AddSearches(report::Book* book, base::Sequence* random) {
  constexpr size_t kProblems = 16;
  constexpr int64_t kTurns = 10;
  for (size_t i = 0; i < std::min<size_t>(2, book->runs.size()); ++i) {
    report::BookRun& run = book->runs[i];
    run.strategy = i == 0 ? "" : "islands:islands=2,parallel=4,seed=0";
    for (size_t k = 0; k < std::min(kProblems, book->problems.size()); ++k) {
      analysis::Search search{book->problems[k].id, 0, {}, 1};
      std::map<int64_t, report::BookTurn> texts;
      for (int64_t number = 1; number <= kTurns; ++number) {
        search.turns.push_back(NewTurn(number, i == 0, random));
        report::BookTurn text = TurnTexts(kOps[k % 8], number == 1, random);
        text.reason = "as it was judged";
        if (k == 1 && number == 2)
          text.prompt = text.answer = text.source = text.reason = kHostile;
        texts.emplace(number, std::move(text));
      }
      for (const int64_t turn : analysis::Improvements(search))
        search.best = turn;
      run.searches.push_back(std::move(search));
      run.conversations.push_back(std::move(texts));
    }
  }
}

std::vector<analysis::Entry> EntriesOf(const report::Book& book) {
  std::vector<analysis::Entry> entries;
  for (const report::BookSample& sample : book.samples) {
    const report::BookProblem& problem = book.problems[sample.problem];
    entries.push_back({.run = book.runs[sample.run].name,
                       .outcome = sample.outcome,
                       .tags = problem.tags,
                       .flagged = !problem.flags.empty()});
  }
  return entries;
}

void SetScores(report::Book* book) {
  const std::vector<analysis::Entry> entries = EntriesOf(*book);
  book->scoring.ks = {1, 4};
  book->scores = book->table = analysis::ScoreTwice(entries, book->scoring);
  analysis::ScoreOptions options = book->scoring;
  options.by = analysis::By::kLevel;
  book->by_level = analysis::ScoreTwice(entries, options);
  options.by = analysis::By::kRun;
  options.ps.clear();
  for (int i = 0; i <= 40; ++i) options.ps.push_back(0.1 * i);
  const analysis::Scores fine = analysis::Score(entries, options);
  for (size_t run = 0; run < book->runs.size(); ++run)
    for (const analysis::Row& row : fine.rows)
      if (row.run == book->runs[run].name)
        book->curves.push_back({run, options.ps, row.fast, row.problems});
}

report::Book NewBook(size_t models, size_t problems, int64_t samples) {
  base::Sequence random(1);
  report::Book book;
  book.title =
      fmt::format("{} made-up models on {} problems", models, problems);
  book.generated_at = "2026-03-05T12:00:00Z";
  book.version = "0.1.0";
  book.baseline = "eager";
  book.roofline = {"NVIDIA H100 SXM", 3352, 494.7, "tf32 tensor cores"};
  for (size_t i = 0; i < models; ++i)
    book.runs.push_back(NewRun(i, static_cast<int64_t>(problems) * samples));
  for (size_t i = 0; i < problems; ++i)
    book.problems.push_back(NewProblem(i, &random));
  for (int64_t sample = 0; sample < samples; ++sample)
    for (size_t problem = 0; problem < problems; ++problem)
      for (size_t run = 0; run < models; ++run) {
        Evaluation e = NewEvaluation(book, {run, problem, sample}, &random);
        report::BookSample row;
        row.run = run;
        row.problem = problem;
        row.outcome = OutcomeOf(e, static_cast<int64_t>(book.samples.size()));
        if (book.details.size() < kMaxDetails) {
          row.detail = book.details.size();
          book.details.push_back(std::move(e));
        }
        book.samples.push_back(std::move(row));
      }
  AddSearches(&book, &random);
  SetScores(&book);
  return book;
}

int Run(char** argv) {
  const report::Book book =
      NewBook(static_cast<size_t>(std::atoll(argv[1])),
              static_cast<size_t>(std::atoll(argv[2])), std::atoll(argv[3]));
  const auto start = Clock::now();
  const std::string page = report::RenderBook(book);
  const std::chrono::duration<double> seconds = Clock::now() - start;
  std::ofstream(argv[4], std::ios::binary) << page;
  fmt::print("{} samples, {} details: {} bytes in {:.2f} s\n",
             book.samples.size(), book.details.size(), page.size(),
             seconds.count());
  return 0;
}

}  // namespace
}  // namespace kb

int main(int argc, char** argv) {
  if (argc == 5) return kb::Run(argv);
  fmt::print(stderr, "report_bench MODELS PROBLEMS SAMPLES FILE\n");
  return 2;
}
