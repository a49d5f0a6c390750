#include <gtest/gtest.h>

#include "base/text.h"
#include "cli_fixture.h"

namespace kb::cli {
namespace {

using Words = std::vector<std::string>;

// What a command line means that must mean something.
std::unique_ptr<Parsed> Right(const std::string& line) {
  auto parsed = Parse(base::Split(line, ' '));
  EXPECT_EQ(parsed->error, "");
  EXPECT_TRUE(parsed->commands.call);
  return parsed;
}

TEST(RunCommand, TakesWhatAModelIsAsked) {
  const auto parsed = Right(
      "run --model openai:gpt-5 --level 1,v3/2 "
      "--problem level1/3 --problem level1/4 --select metr "
      "--samples 8 --prompt few-shot --backend triton --hardware "
      "H100 --temperature 0 --top-p 0.9 --max-tokens 4096 --seed "
      "-7 --concurrency 4");
  const RunOptions& run = parsed->commands.run;
  EXPECT_EQ(run.model, "openai:gpt-5");
  EXPECT_EQ(run.selection.levels, (Words{"1", "v3/2"}));
  EXPECT_EQ(run.selection.problems, (Words{"level1/3", "level1/4"}));
  EXPECT_EQ(run.selection.select, "metr");
  EXPECT_EQ(run.samples, 8);
  EXPECT_EQ(run.prompt.prompt, "few-shot");
  EXPECT_EQ(run.prompt.backend, "triton");
  EXPECT_EQ(run.prompt.hardware, "H100");
  EXPECT_EQ(run.temperature, 0.0);
  EXPECT_EQ(run.top_p, 0.9);
  EXPECT_EQ(run.max_tokens, 4096);
  EXPECT_EQ(run.seed, -7);
  EXPECT_EQ(run.concurrency, 4);
  EXPECT_FALSE(run.generate_only);
}

TEST(RunCommand, SaysNothingThatTheUserDidNot) {
  const auto parsed = Right("run --model m");
  const RunOptions& run = parsed->commands.run;
  EXPECT_FALSE(run.samples || run.temperature || run.top_p || run.max_tokens ||
               run.seed || run.concurrency || run.budget.usd);
  EXPECT_FALSE(run.dry_run || run.with_unpriced || run.judge.no_store);
  EXPECT_EQ(run.prompt.prompt, "one-shot");
  EXPECT_EQ(run.prompt.backend, "cuda");
  EXPECT_EQ(run.prompt.hardware, "auto");
  EXPECT_TRUE(run.baselines.empty());
  EXPECT_EQ(run.judge.policy + run.judge.size + run.judge.store, "");
}

TEST(RunCommand, TakesABudgetAndHowToJudge) {
  const auto parsed = Right(
      "run --model m --max-cost 2.5 --with-unpriced --dry-run "
      "--baseline eager,compile --policy strict --precision bf16 "
      "--device cuda:1 --trials 0 --processes 3 --cache warm "
      "--tolerance 1e-3 --store m.db --json");
  const RunOptions& run = parsed->commands.run;
  EXPECT_EQ(run.budget.usd, 2.5);
  EXPECT_TRUE(run.with_unpriced && run.dry_run && run.judge.json);
  EXPECT_EQ(run.baselines, (Words{"eager", "compile"}));
  EXPECT_EQ(run.judge.policy, "strict");
  EXPECT_EQ(run.judge.precision, "bf16");
  EXPECT_EQ(run.judge.device, "cuda:1");
  EXPECT_EQ(run.judge.trials, 0);
  EXPECT_EQ(run.judge.processes, 3);
  EXPECT_EQ(run.judge.cache, "warm");
  EXPECT_EQ(run.judge.tolerance, 1e-3);
  EXPECT_EQ(run.judge.store, "m.db");
}

TEST(GenerateCommand, AsksAndDoesNotJudge) {
  const auto parsed = Right("generate --model m --store m.db");
  EXPECT_TRUE(parsed->commands.generate.generate_only);
  EXPECT_EQ(parsed->commands.generate.judge.store, "m.db");
}

TEST(FitOption, IsAnAmountOfMemoryWithItsUnit) {
  const std::vector<std::pair<const char*, uint64_t>> cases{
      {"24GB", 24'000'000'000},
      {"24GiB", uint64_t{24} << 30},
      {"512MB", 512'000'000},
      {"4096", 4096}};
  for (const auto& [text, bytes] : cases)
    EXPECT_EQ(
        Right(std::string("audit --fit ") + text)->commands.audit.judge.fit,
        bytes)
        << text;
}

TEST(AnalyzeCommand, ScoresAsTheOriginalUnlessToldOtherwise) {
  const auto plain = Right("analyze a.db");
  EXPECT_EQ(plain->commands.analyze.scoring.ks, std::vector<int64_t>{1});
  EXPECT_EQ(plain->commands.analyze.scoring.by, "run");
  EXPECT_EQ(plain->commands.analyze.scoring.time, "device");
  EXPECT_EQ(plain->commands.analyze.baseline, "eager");
  const auto parsed = Right(
      "analyze a.db b.db --p 1,2.5 --k 1,4 --by level --time wall "
      "--csv");
  const AnalyzeOptions& analyze = parsed->commands.analyze;
  EXPECT_EQ(analyze.runs, (Words{"a.db", "b.db"}));
  EXPECT_EQ(analyze.scoring.ps, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(analyze.scoring.ks, (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(analyze.scoring.by, "level");
  EXPECT_EQ(analyze.scoring.time, "wall");
  EXPECT_TRUE(analyze.csv);
  EXPECT_FALSE(analyze.json);
}

TEST(ReportCommand, WritesOneFileOfSeveralRuns) {
  const auto parsed = Right(
      "report a.db b.db -o r.html --baseline compile "
      "--with-flagged --p 3");
  const ReportOptions& report = parsed->commands.report;
  EXPECT_EQ(report.runs, (Words{"a.db", "b.db"}));
  EXPECT_EQ(report.out, "r.html");
  EXPECT_EQ(report.baseline, "compile");
  EXPECT_TRUE(report.with_flagged);
  EXPECT_EQ(report.scoring.ps, std::vector<double>{3});
  const auto plain = Right("report a.db");
  EXPECT_EQ(plain->commands.report.out, "report.html");
  EXPECT_EQ(plain->commands.report.baseline, "eager");
  EXPECT_FALSE(plain->commands.report.with_flagged);
}

TEST(BaselineCommand, MeasuresAllModesUnlessToldOtherwise) {
  const auto plain = Right("baseline");
  EXPECT_EQ(plain->commands.baseline.modes, Words{"all"});
  EXPECT_FALSE(plain->commands.baseline.again);
  const auto parsed = Right(
      "baseline --level 1 --mode eager,compile --again --limit 60 "
      "--out times");
  const BaselineOptions& baseline = parsed->commands.baseline;
  EXPECT_EQ(baseline.selection.levels, Words{"1"});
  EXPECT_EQ(baseline.modes, (Words{"eager", "compile"}));
  EXPECT_TRUE(baseline.again);
  EXPECT_EQ(baseline.limit, 60);
  EXPECT_EQ(baseline.out, "times");
}

TEST(AuditCommand, KnowsWhatToCompareAndToRecord) {
  const auto parsed = Right(
      "audit --references --jobs 4 --limit 30 --shapes s "
      "--record-shapes rs --record-costs rc --unsafe-no-sandbox");
  const AuditOptions& audit = parsed->commands.audit;
  EXPECT_TRUE(audit.references);
  EXPECT_EQ(audit.jobs, 4);
  EXPECT_EQ(audit.limit, 30);
  EXPECT_EQ(audit.shapes, "s");
  EXPECT_EQ(audit.record_shapes, "rs");
  EXPECT_EQ(audit.record_costs, "rc");
  EXPECT_TRUE(audit.judge.unsafe_no_sandbox);
}

TEST(AuditCommand, IsSandboxedWithMutantsUnlessToldOtherwise) {
  const auto parsed = Right("audit");
  EXPECT_FALSE(parsed->commands.audit.references);
  EXPECT_FALSE(parsed->commands.audit.judge.unsafe_no_sandbox);
  EXPECT_EQ(parsed->commands.audit.jobs, 1);
}

TEST(PromptCommand, ShowsOneProblemAndListsWithoutOne) {
  const auto list = Right("prompt list --json");
  EXPECT_EQ(list->commands.prompt.problem, "");
  EXPECT_TRUE(list->commands.prompt.judge.json);
  const auto show =
      Right("prompt show level1/23 --backend triton --hardware none");
  const PromptOptions& prompt = show->commands.prompt;
  EXPECT_EQ(prompt.problem, "level1/23");
  EXPECT_EQ(prompt.prompt.prompt, "one-shot");
  EXPECT_EQ(prompt.prompt.backend, "triton");
  EXPECT_EQ(prompt.prompt.hardware, "none");
}

TEST(RunsCommand, TakesWhatEachWordNeeds) {
  const auto list = Right("runs list folder --json");
  EXPECT_EQ(list->named, "runs list");
  EXPECT_EQ(list->commands.runs.folder, "folder");
  EXPECT_TRUE(list->commands.runs.json);
  const auto show = Right("runs show a.db");
  EXPECT_EQ(show->named, "runs show");
  EXPECT_EQ(show->commands.runs.runs, Words{"a.db"});
  const auto merge = Right("runs merge a.db b.db --out c.db");
  EXPECT_EQ(merge->named, "runs merge");
  EXPECT_EQ(merge->commands.runs.runs, (Words{"a.db", "b.db"}));
  EXPECT_EQ(merge->commands.runs.out, "c.db");
}

TEST(RunsCommand, DeletesOnlyOnAYes) {
  const auto asked = Right("runs delete a.db");
  EXPECT_FALSE(asked->commands.runs.yes);
  const auto sure = Right("runs delete --yes a.db b.db");
  EXPECT_TRUE(sure->commands.runs.yes);
  EXPECT_EQ(sure->commands.runs.runs, (Words{"a.db", "b.db"}));
}

TEST(RunsCommand, CallsWhatIsNamed) {
  const std::string missing = "/nonexistent/a.db";
  for (const char* line :
       {"runs list ", "runs show ", "runs merge --out b.db "})
    EXPECT_FALSE(Right(line + missing)->commands.call()) << line;
}

TEST(ExportCommand, WritesTheOriginalsFormat) {
  const auto parsed = Right("export run.db --out original");
  EXPECT_EQ(parsed->commands.exporting.run, "run.db");
  EXPECT_EQ(parsed->commands.exporting.out, "original");
  EXPECT_EQ(parsed->commands.exporting.format, "kernelbench");
}

TEST(ImportCommand, TakesAPackOrARun) {
  const auto pack =
      Right("import test.parquet --run --out pack --device cpu --jobs 2");
  EXPECT_EQ(pack->commands.import.judge.pack, "test.parquet");
  EXPECT_EQ(pack->commands.import.judge.device, "cpu");
  EXPECT_TRUE(pack->commands.import.run);
  EXPECT_EQ(pack->commands.import.out, "pack");
  EXPECT_EQ(pack->commands.import.jobs, 2);
  const auto run = Right(
      "import runs/gpt --level 1 --baseline times.json --store "
      "gpt.db");
  EXPECT_FALSE(run->commands.import.run);
  EXPECT_EQ(run->commands.import.level, "1");
  EXPECT_EQ(run->commands.import.baseline, "times.json");
  EXPECT_EQ(run->commands.import.judge.store, "gpt.db");
}

TEST(SelftestCommand, TimesTheReferencesOfASelection) {
  const auto parsed =
      Right("selftest timing --level 1 --size full --processes 2 --json");
  const SelftestOptions::Timing& timing = parsed->commands.selftest.timing;
  EXPECT_EQ(timing.selection.levels, Words{"1"});
  EXPECT_EQ(timing.judge.size, "full");
  EXPECT_EQ(timing.judge.processes, 2);
  EXPECT_TRUE(timing.judge.json);
  EXPECT_TRUE(timing.judge.several_devices);
}

TEST(SelftestCommand, JudgesProgramsWhoseNatureIsKnown) {
  const auto parsed = Right("selftest --hostile --filter clock --device cpu");
  const SelftestOptions& selftest = parsed->commands.selftest;
  EXPECT_TRUE(selftest.hostile);
  EXPECT_FALSE(selftest.legitimate);
  EXPECT_EQ(selftest.filter, "clock");
  EXPECT_EQ(selftest.judge.device, "cpu");
  EXPECT_FALSE(selftest.judge.several_devices);
  EXPECT_TRUE(parsed->commands.call);
}

TEST(DoctorCommand, SpeaksToPeopleUnlessToldOtherwise) {
  EXPECT_FALSE(Right("doctor")->commands.doctor.json);
  EXPECT_TRUE(Right("doctor --json")->commands.doctor.json);
}

}  // namespace
}  // namespace kb::cli
