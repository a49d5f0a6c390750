#include "cli/main.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstring>

#include "commands.h"
#include "options.h"
#include "os/output.h"

namespace kb::cli {
namespace {

constexpr int kUsage = 2;
constexpr int kFailure = 3;

void AddEval(CLI::App* app, Commands* commands) {
  CLI::App* eval = app->add_subcommand(
      "eval", "judge candidates: correct? how much faster than PyTorch?");
  eval->footer(
      "example:\n  kernelbench eval --problem level1/23 --candidate softmax.cu"
      "\n\nexit code: 0 all correct, 1 not all, 2 wrong usage, 3 our failure");
  EvalOptions* options = &commands->eval;
  eval->add_option("--problem", options->problem,
                   "id such as level1/23 (default: the candidate's own "
                   "\"problem:\" line)");
  eval->add_option("--candidate", options->candidates,
                   "one or more .cu, .cpp or .py files")
      ->required();
  AddJudgeOptions(eval, &options->judge);
  eval->callback([commands] { commands->exit_code = RunEval(commands->eval); });
}

void AddDemo(CLI::App* app, Commands* commands) {
  CLI::App* demo = app->add_subcommand(
      "demo", "judge every sample, print a table, write an HTML report");
  demo->footer("example:\n  kernelbench demo --device cpu --filter softmax");
  DemoOptions* options = &commands->demo;
  demo->add_option("--samples", options->samples, "folder of samples");
  demo->add_option("--out", options->out, "folder for report.html and run.db")
      ->capture_default_str();
  demo->add_option("--filter", options->filter,
                   "only samples whose path contains this");
  AddJudgeOptions(demo, &options->judge);
  demo->callback([commands] { commands->exit_code = RunDemo(commands->demo); });
}

void AddAudit(CLI::App* app, Commands* commands) {
  CLI::App* audit = app->add_subcommand(
      "audit", "examine the problems: which wrong answers would pass?");
  audit->footer(
      "example:\n  kernelbench audit --level 1 --policy strict\n\nexit code: 0 "
      "when wrong answers survive on flagged problems only, else 1");
  AuditOptions* options = &commands->audit;
  AddSelection(audit, &options->selection);
  audit->add_flag("--references", options->references,
                  "run the references only, no mutants");
  audit->add_option("--jobs", options->jobs, "oracles at the same time")
      ->check(CLI::Range(int64_t{1}, int64_t{64}));
  audit->add_option("--limit", options->limit, "seconds for one problem")
      ->check(CLI::PositiveNumber);
  audit->add_option("--shapes", options->shapes,
                    "file of recorded shapes to compare with");
  audit->add_option("--record-shapes", options->record_shapes,
                    "file to write the shapes to");
  audit->add_option("--record-costs", options->record_costs,
                    "file to add memory, bytes and FLOPs to (cuda)");
  AddJudgeOptions(audit, &options->judge);
  audit->callback(
      [commands] { commands->exit_code = RunAudit(commands->audit); });
}

void AddImport(CLI::App* app, Commands* commands) {
  CLI::App* import = app->add_subcommand(
      "import",
      "check other people's problems, or add a run of KernelBench to a store");
  import->footer(
      "examples:\n  kernelbench import test.parquet --run --out pack\n  "
      "kernelbench import runs/gpt --level 1 --baseline "
      "baseline_time_torch.json --store gpt.db\n\nexit code: 0 when all can be "
      "used, else 1");
  ImportOptions* options = &commands->import;
  import
      ->add_option("pack", options->judge.pack,
                   "folder like the original's, .jsonl, .parquet or .py file; "
                   "or a run folder with eval_results.json")
      ->required();
  import->add_option("--out", options->out,
                     "new folder that the usable problems are written to");
  import->add_flag("--run", options->run, "run the references, too");
  import->add_option("--device", options->judge.device,
                     "where they run: cuda:N or cpu");
  import->add_option("--size", options->judge.size,
                     "at which size: full (default) or small");
  import->add_option("--jobs", options->jobs, "oracles at the same time")
      ->check(CLI::Range(int64_t{1}, int64_t{64}));
  import->add_option("--limit", options->limit, "seconds for one problem")
      ->check(CLI::PositiveNumber);
  import->add_option("--level", options->level, "of a run: 1 or level1");
  import->add_option("--baseline", options->baseline,
                     "of a run: the original's baseline times, for speedups");
  import->add_option("--store", options->judge.store,
                     "of a run: SQLite file that results are added to");
  import->add_flag("--json", options->judge.json, "print JSON for machines");
  import->callback(
      [commands] { commands->exit_code = RunImport(commands->import); });
}

void AddExport(CLI::App* app, Commands* commands) {
  CLI::App* command =
      app->add_subcommand("export", "a run as the original's scripts read it");
  command->footer(
      "example:\n  kernelbench export run.db --out original\n\nwrites "
      "runs/NAME_LEVEL/eval_results.json with the kernels, and "
      "results/timing/this/baseline_time_torch.json");
  ExportOptions* options = &commands->exporting;
  command->add_option("run", options->run, "a store (--store)")->required();
  command->add_option("--format", options->format, "kernelbench")
      ->capture_default_str();
  command->add_option("--out", options->out, "new folder")->required();
  command->add_option("--pack", options->pack,
                      "where the problems' file names come from");
  command->callback(
      [commands] { commands->exit_code = RunExport(commands->exporting); });
}

void AddProblems(CLI::App* app, Commands* commands) {
  CLI::App* problems = app->add_subcommand("problems", "look at the problems");
  problems->require_subcommand(1);
  ProblemsOptions* options = &commands->problems;
  CLI::App* list = problems->add_subcommand("list", "all problems of a pack");
  CLI::App* show = problems->add_subcommand(
      "show", "one problem: the source that runs, and what is known of it");
  show->footer("example:\n  kernelbench problems show level1/23 --size small");
  show->add_option("id", options->id, "level1/23")->required();
  show->add_option("--size", options->size, "full (default) or small");
  AddFit(show, &options->fit);
  AddSelection(list, &options->selection);
  for (CLI::App* command : {list, show}) {
    command->add_option("--pack", options->pack,
                        "folder, .jsonl, .parquet or .py file of problems");
    command->add_flag("--json", options->json, "print JSON for machines");
  }
  list->callback([commands] {
    commands->exit_code = RunProblemsList(commands->problems);
  });
  show->callback([commands] {
    commands->exit_code = RunProblemsShow(commands->problems);
  });
}

void AddSelftest(CLI::App* app, Commands* commands) {
  CLI::App* selftest =
      app->add_subcommand("selftest", "what can be relied on here");
  selftest->require_subcommand(1);
  CLI::App* timing = selftest->add_subcommand(
      "timing", "references as their own candidates: is the ruler straight?");
  timing->footer(
      "example:\n  kernelbench selftest timing --level 1 --size full\n\nexit "
      "code: 0 the ruler is straight, 1 it is not, 2 wrong usage, 3 our "
      "failure");
  SelftestOptions* options = &commands->selftest;
  AddSelection(timing, &options->selection);
  AddJudgeOptions(timing, &options->judge);
  timing->callback([commands] {
    commands->exit_code = RunSelftestTiming(commands->selftest);
  });
}

void AddDoctor(CLI::App* app, Commands* commands) {
  CLI::App* doctor = app->add_subcommand(
      "doctor", "what this machine has, what is missing, what to do");
  doctor->footer("example:\n  kernelbench doctor --json");
  doctor->add_flag("--json", commands->doctor.json, "print JSON for machines");
  doctor->callback(
      [commands] { commands->exit_code = RunDoctor(commands->doctor); });
}

int RunCommand(int argc, char** argv) {
  CLI::App app{
      "kernelbench: is this GPU kernel correct, and how much faster than "
      "PyTorch?"};
  app.set_version_flag("--version", std::string("kernelbench " KB_VERSION));
  app.require_subcommand(1);
  Commands commands;
  AddEval(&app, &commands);
  AddDemo(&app, &commands);
  AddAudit(&app, &commands);
  AddProblems(&app, &commands);
  AddImport(&app, &commands);
  AddExport(&app, &commands);
  AddRunCommands(&app, &commands);
  AddSelftest(&app, &commands);
  AddDoctor(&app, &commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    app.exit(e);
    return kUsage;
  }
  return commands.exit_code;
}

}  // namespace

int Main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  os::ProtectOutput();
  const int exit_code = RunCommand(argc, argv);
  const int error = os::LostOutput();
  if (error == 0) return exit_code;
  fmt::print(stderr,
             "kernelbench: cannot write standard output: {}; free some space, "
             "or send it elsewhere\n",
             std::strerror(error));
  return exit_code == kUsage ? kUsage : kFailure;
}

}  // namespace kb::cli
