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
      "examples:\n  kernelbench eval softmax.cu --problem level1/23\n  "
      "kernelbench eval kernels/ --json\n  kernelbench eval softmax.cu --watch"
      "\n\nexit code: 0 all correct, 1 not all, 2 wrong usage, 3 our failure, "
      "130 interrupted");
  EvalOptions* options = &commands->eval;
  eval->add_option("candidate", options->candidates,
                   "what to judge: .cu, .cpp and .py files, answers of models "
                   "in .md and .txt files, folders, patterns, - for standard "
                   "input");
  eval->add_option_function<std::vector<std::string>>(
      "--candidate",
      [options](const std::vector<std::string>& more) {
        options->candidates.insert(options->candidates.end(), more.begin(),
                                   more.end());
      },
      "the same, by name");
  eval->add_option("--problem", options->problems,
                   "ids such as level1/23,level1/24: each candidate is judged "
                   "on each (default: the candidate's own \"problem:\" line, "
                   "or the only problem of the pack)")
      ->delimiter(',')
      ->allow_extra_args(false);
  eval->add_flag("--watch", options->watch,
                 "judge again what is saved, until Ctrl-C");
  eval->add_flag("--json-lines", options->json_lines,
                 "print a verdict a line as it comes; with - as the candidate, "
                 "standard input holds tasks as JSON lines");
  AddJudgeOptions(eval, &options->judge);
  eval->callback([commands] {
    commands->call = [commands] { return RunEval(commands->eval); };
  });
}

void AddDemo(CLI::App* app, Commands* commands) {
  CLI::App* demo = app->add_subcommand(
      "demo", "judge every sample, print a table, write an HTML report");
  demo->footer(
      "example:\n  kernelbench demo --device cpu --filter softmax\n\nexit "
      "code: "
      "0 all as expected, 1 not all, 2 wrong usage, 3 our failure, 130 "
      "interrupted");
  DemoOptions* options = &commands->demo;
  demo->add_option("--samples", options->samples, "folder of samples");
  demo->add_option("--out", options->out, "folder for report.html and run.db")
      ->capture_default_str();
  demo->add_option("--filter", options->filter,
                   "only samples whose path contains this");
  AddJudgeOptions(demo, &options->judge);
  demo->callback([commands] {
    commands->call = [commands] { return RunDemo(commands->demo); };
  });
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
  audit->callback([commands] {
    commands->call = [commands] { return RunAudit(commands->audit); };
  });
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
  import->callback([commands] {
    commands->call = [commands] { return RunImport(commands->import); };
  });
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
  command->callback([commands] {
    commands->call = [commands] { return RunExport(commands->exporting); };
  });
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
    commands->call = [commands] { return RunProblemsList(commands->problems); };
  });
  show->callback([commands] {
    commands->call = [commands] { return RunProblemsShow(commands->problems); };
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
    commands->call = [commands] {
      return RunSelftestTiming(commands->selftest);
    };
  });
}

void AddDoctor(CLI::App* app, Commands* commands) {
  CLI::App* doctor = app->add_subcommand(
      "doctor", "what this machine has, what is missing, what to do");
  doctor->footer("example:\n  kernelbench doctor --json");
  doctor->add_flag("--json", commands->doctor.json, "print JSON for machines");
  doctor->callback([commands] {
    commands->call = [commands] { return RunDoctor(commands->doctor); };
  });
}

int RunCommand(int argc, char** argv) {
  Commands commands;
  const std::unique_ptr<CLI::App> app = MakeProgram(&commands);
  try {
    app->parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app->exit(e);
  } catch (const CLI::ParseError& e) {
    app->exit(e);
    return kUsage;
  }
  return commands.call();
}

}  // namespace

std::unique_ptr<CLI::App> MakeProgram(Commands* commands) {
  auto app = std::make_unique<CLI::App>(
      "kernelbench: is this GPU kernel correct, and how much faster than "
      "PyTorch?");
  app->set_version_flag("-V,--version", std::string("kernelbench " KB_VERSION),
                        "print the version and exit");
  app->require_subcommand(1);
  AddEval(app.get(), commands);
  AddDemo(app.get(), commands);
  AddAudit(app.get(), commands);
  AddProblems(app.get(), commands);
  AddImport(app.get(), commands);
  AddExport(app.get(), commands);
  AddRunCommands(app.get(), commands);
  AddSelftest(app.get(), commands);
  AddDoctor(app.get(), commands);
  AddHelpCommands(app.get(), commands);
  app->footer(
      "environment:\n"
      "  KB_PYTHON       the python3 with PyTorch (else .venv beside the "
      "program, "
      "then PATH)\n"
      "  KB_NVCC         the nvcc (else PATH, /usr/local/cuda, wheels beside "
      "PyTorch)\n"
      "  KB_CACHE        folder for what is built and probed (else "
      "~/.cache/kernelbench)\n"
      "  KB_CACHE_LIMIT  how many bytes of builds are kept there, e.g. 4G\n"
      "  KB_DUCKDB       libduckdb.so, which reads Parquet files\n"
      "  NO_COLOR        no colours\n"
      "  XDG_DATA_HOME   results go to kernelbench/ in it (else "
      "~/.local/share)\n\n"
      "exit code: 0 done, 1 the answer is no, 2 wrong usage, 3 our failure, "
      "130 interrupted");
  return app;
}

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
