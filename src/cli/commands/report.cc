#include "commands/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/baseline.h"
#include "analysis/rulers.h"
#include "base/clock.h"
#include "html/html.h"
#include "os/files.h"
#include "page_file.h"
#include "report/collect.h"
#include "run/files.h"
#include "run/reading.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Result;

// The stores of the runs, the pack, and the data sheets that we come with.
class StoresAndPack : public report::RunSources {
 public:
  static Result<StoresAndPack> Open(const std::vector<std::string>& paths,
                                    const problems::Pack& pack) {
    StoresAndPack sources(pack);
    for (const std::string& path : paths) {
      KB_ASSIGN(store::Store store, run::OpenRun(path));
      sources.stores_.push_back(std::move(store));
    }
    return sources;
  }

  Result<std::vector<record::Generation>> Answers(size_t run) override {
    store::GenerationFilter light;
    light.with_texts = false;
    return stores_.at(run).Generations(light);
  }

  Result<std::vector<record::Decision>> Decisions(size_t run) override {
    return stores_.at(run).Decisions();
  }

  Result<std::vector<record::Outcome>> Outcomes(size_t run) override {
    return stores_.at(run).Outcomes();
  }

  Result<std::vector<record::Generation>> Conversation(
      size_t run, const std::string& problem_id, int64_t sample) override {
    store::GenerationFilter filter;
    filter.problem_id = problem_id;
    filter.sample = sample;
    return stores_.at(run).Generations(filter);
  }

  Result<std::optional<record::Evaluation>> Sample(size_t run,
                                                   int64_t id) override {
    store::Filter filter;
    filter.id = id;
    KB_ASSIGN(auto found, stores_.at(run).Evaluations(filter));
    std::optional<record::Evaluation> sample;
    if (!found.empty()) sample = std::move(found.front());
    return sample;
  }

  Result<std::string> AnswerText(size_t run,
                                 const record::Outcome& outcome) override {
    if (outcome.sample < 0) return std::string();
    store::GenerationFilter filter;
    filter.problem_id = outcome.problem_id;
    filter.sample = outcome.sample;
    filter.turn = outcome.turn;
    KB_ASSIGN(auto found, stores_.at(run).Generations(filter));
    const auto own =
        std::ranges::find(found, outcome.model, &record::Generation::model);
    return own == found.end() ? std::string() : std::move(own->answer);
  }

  std::optional<record::Problem> Problem(const std::string& id,
                                         record::Size size) override {
    auto problem = pack_.Load(id, size);
    if (!problem) return std::nullopt;
    return std::move(*problem);
  }

  std::optional<analysis::Roofline> Roofline(
      const std::string& device_name) override {
    const auto root = os::InstallRoot();
    if (!root) return std::nullopt;
    return run::RooflineOf(*root + "/share/prompts", device_name,
                           record::Precision::kFp32);
  }

 private:
  explicit StoresAndPack(const problems::Pack& pack) : pack_(pack) {}

  const problems::Pack& pack_;
  std::vector<store::Store> stores_;
};

Result<ExitCode> Run(const ReportOptions& options) {
  KB_TRY(CheckPageFile(options.out));
  KB_ASSIGN(analysis::ScoreOptions scoring,
            ScoringOf(options.scoring, {options.baseline}));
  scoring.with_flagged = options.with_flagged;
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(options.pack));
  KB_ASSIGN(const analysis::RunReading reading,
            run::ReadRuns(options.runs, pack, options.baseline));
  if (scoring.time == analysis::Time::kWall)
    KB_TRY(analysis::CheckWallTimes(reading.entries));
  KB_ASSIGN(auto sources, StoresAndPack::Open(reading.paths, pack));
  report::CollectOptions collecting;
  collecting.generated_at = base::UtcNow();
  collecting.scoring = scoring;
  KB_ASSIGN(const report::Book book,
            report::Collect(reading, &sources, collecting));
  if (!book.remark.empty()) fmt::print("{}\n", book.remark);
  const std::string page = report::RenderBook(book);
  KB_TRY(WritePage(options.out, page));
  if (reading.without_baseline > 0)
    fmt::print(
        "{} without a time of the baseline: correct, not counted as fast\n",
        html::CountOf(static_cast<size_t>(reading.without_baseline), "sample"));
  fmt::print("{}: {} of {}, {:.1f} MB\n", options.out,
             html::CountOf(book.samples.size(), "sample"),
             html::CountOf(book.runs.size(), "run"),
             static_cast<double>(page.size()) / 1e6);
  return ExitCode::kDone;
}

}  // namespace

void AddReport(Command* program, ReportOptions* options, Call* call) {
  Command* report = program->AddCommand(
      "report", "runs as one HTML file that needs no network");
  report->Footer("example:\n  kernelbench report a.db b.db -o report.html");
  report
      ->Add("run", &options->runs,
            "one or more stores (--store), or names of runs")
      .Required();
  report->Add("-o,--out", &options->out, "file to write").ShowDefault();
  report
      ->Add("--baseline", &options->baseline,
            "what speedups are over: " + analysis::BaselineNames())
      .ShowDefault();
  AddScoring(report, &options->scoring);
  report->AddFlag("--with-flagged", &options->with_flagged,
                  "count problems with known weaknesses, too");
  report->Add("--pack", &options->pack,
              "where sources, tags and flags come from");
  Means(report, call, options, Run);
}

}  // namespace kb::cli
