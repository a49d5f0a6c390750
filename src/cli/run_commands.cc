#include <CLI/CLI.hpp>

#include "commands.h"
#include "options.h"
#include "record/baseline.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

std::string Baselines() { return record::BaselineModeNames() + ", all"; }

void AddPromptChoice(CLI::App* command, PromptChoice* choice) {
  command
      ->add_option("--prompt", choice->prompt,
                   "zero-shot, one-shot, few-shot, chain-of-thought, or a "
                   ".toml file")
      ->capture_default_str();
  command
      ->add_option("--backend", choice->backend,
                   "what to write the kernel in; see kernelbench prompt list")
      ->capture_default_str();
  command
      ->add_option("--hardware", choice->hardware,
                   "the device described in the prompt: a name, auto or none")
      ->capture_default_str();
}

void AddPrompt(CLI::App* app, Commands* commands) {
  CLI::App* prompt = app->add_subcommand("prompt", "what models are asked");
  prompt->require_subcommand(1);
  PromptOptions* options = &commands->prompt;
  CLI::App* list =
      prompt->add_subcommand("list", "prompts, backends and hardware blocks");
  CLI::App* show = prompt->add_subcommand("show", "exactly what would be sent");
  show->footer(
      "example:\n  kernelbench prompt show level1/23 --backend triton "
      "--hardware H100");
  show->add_option("problem", options->problem, "level1/23")->required();
  AddPromptChoice(show, &options->prompt);
  show->add_option("--pack", options->judge.pack,
                   "folder, .jsonl, .parquet or .py file of problems");
  show->add_option("--size", options->judge.size, "full (default) or small");
  AddFit(show, &options->judge.fit);
  show->add_option("--precision", options->judge.precision,
                   "fp32 (default), fp16 or bf16");
  show->add_option("--device", options->judge.device,
                   "whose hardware block is taken: cuda:N or cpu");
  for (CLI::App* command : {list, show}) {
    command->add_flag("--json", options->judge.json, "print JSON for machines");
    command->callback([commands] {
      commands->call = [commands] { return RunPrompt(commands->prompt); };
    });
  }
}

void AddPrices(CLI::App* app, Commands* commands) {
  CLI::App* prices = app->add_subcommand("prices", "what tokens cost");
  prices->require_subcommand(1);
  PricesOptions* options = &commands->prices;
  CLI::App* show = prices->add_subcommand("show", "the table, or one model");
  show->add_option("model", options->model, "vendor/name or name");
  show->add_flag("--json", options->json, "print JSON for machines");
  show->callback([commands] {
    commands->call = [commands] { return RunPrices(commands->prices); };
  });
  CLI::App* update = prices->add_subcommand(
      "update", "fetch a new table from a models endpoint");
  update
      ->add_option("--url", options->url, "an endpoint in OpenRouter's format")
      ->default_val("https://openrouter.ai/api/v1/models");
  update->callback([commands] {
    commands->prices.update = true;
    commands->call = [commands] { return RunPrices(commands->prices); };
  });
}

// What `generate` and `run` share.
void AddAsking(CLI::App* command, RunOptions* options) {
  command
      ->add_option("--model", options->model,
                   "a name of models.toml, or PROVIDER:MODEL, or "
                   "replay:FOLDER, or \"command:PROGRAM ARG...\"")
      ->required();
  command->add_option("--models", options->models_file,
                      "file of models (default: ./models.toml, then the "
                      "user's, then ours)");
  AddSelection(command, &options->selection);
  command
      ->add_option("--samples", options->samples,
                   "for each problem (default: 1; of a replay all that there "
                   "are)")
      ->check(CLI::Range(int64_t{1}, int64_t{100000}));
  AddPromptChoice(command, &options->prompt);
  command->add_option("--temperature", options->temperature, "of sampling")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--top-p", options->top_p, "of sampling")
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--max-tokens", options->max_tokens, "of an answer")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", options->seed,
                      "of sampling; sample i is asked with seed + i");
  command->add_option("--reasoning-effort", options->reasoning_effort,
                      "as the provider names it: low, medium, high");
  command
      ->add_option("--concurrency", options->concurrency,
                   "questions at the same time")
      ->check(CLI::Range(int64_t{1}, int64_t{1024}));
  command
      ->add_option("--max-cost", options->max_cost,
                   "USD that the whole run may cost")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--dry-run", options->dry_run,
                    "ask nothing; say how many questions there are and what "
                    "they would cost");
  command->add_flag("--with-unpriced", options->with_unpriced,
                    "with --max-cost: go on after an answer whose cost is not "
                    "known, as if it had cost nothing");
}

void AddRun(CLI::App* app, Commands* commands) {
  CLI::App* run = app->add_subcommand(
      "run", "ask a model for kernels, judge them, say how good it is");
  run->footer(
      "examples:\n  kernelbench run --model deepseek --level 1,2 --samples 8\n"
      "  kernelbench run --model openai:gpt-5 --problem level2/40\n\nThe same "
      "command goes on where it was interrupted.\n\nexit code: 0 done, 1 "
      "stopped at the budget, 2 wrong usage, 3 questions without an answer or "
      "our failure");
  RunOptions* options = &commands->run;
  AddAsking(run, options);
  AddJudgeOptions(run, &options->judge);
  run->add_option("--baseline", options->baselines, Baselines())
      ->delimiter(',')
      ->capture_default_str();
  run->callback([commands] {
    commands->call = [commands] { return RunModel(commands->run); };
  });
}

void AddGenerate(CLI::App* app, Commands* commands) {
  CLI::App* generate = app->add_subcommand(
      "generate", "ask a model for kernels; `run` with the same store judges");
  generate->footer(
      "example:\n  kernelbench generate --model deepseek --level 1 --samples 8 "
      "--hardware H100");
  RunOptions* options = &commands->generate;
  options->generate_only = true;
  AddAsking(generate, options);
  workplace::JudgeOptions* judge = &options->judge;
  generate->add_option("--pack", judge->pack,
                       "folder, .jsonl, .parquet or .py file of problems");
  generate->add_option("--size", judge->size, "full (default) or small");
  AddFit(generate, &judge->fit);
  generate->add_option("--precision", judge->precision,
                       "fp32 (default), fp16 or bf16");
  generate->add_option("--device", judge->device,
                       "whose hardware block is taken: cuda:N or cpu");
  generate->add_option("--store", judge->store,
                       "SQLite file that answers are added to");
  generate->add_flag("--json", judge->json, "print JSON for machines");
  AddQuiet(generate);
  generate->callback([commands] {
    commands->call = [commands] { return RunModel(commands->generate); };
  });
}

void AddBaseline(CLI::App* app, Commands* commands) {
  CLI::App* baseline = app->add_subcommand(
      "baseline", "time the references: eager and torch.compile");
  baseline->footer(
      "example:\n  kernelbench baseline --level 1 --mode eager,compile\n\nOnly "
      "what is not known for this device, driver and torch is measured.");
  BaselineOptions* options = &commands->baseline;
  AddSelection(baseline, &options->selection);
  baseline->add_option("--mode", options->modes, Baselines())
      ->delimiter(',')
      ->capture_default_str();
  baseline->add_flag("--again", options->again, "measure what is known, too");
  baseline->add_option("--limit", options->limit, "seconds for one mode")
      ->check(CLI::PositiveNumber);
  baseline->add_option("--out", options->out,
                       "folder for the original's baseline files");
  AddJudgeOptions(baseline, &options->judge);
  baseline->callback([commands] {
    commands->call = [commands] { return RunBaseline(commands->baseline); };
  });
}

void AddReport(CLI::App* app, Commands* commands) {
  CLI::App* report = app->add_subcommand(
      "report", "runs as one HTML file that needs no network");
  report->footer("example:\n  kernelbench report a.db b.db -o report.html");
  ReportOptions* options = &commands->report;
  report
      ->add_option("run", options->runs,
                   "one or more stores (--store), or names of runs")
      ->required();
  report->add_option("-o,--out", options->out, "file to write")
      ->capture_default_str();
  report
      ->add_option("--baseline", options->baseline,
                   "what speedups are over: " + record::BaselineModeNames())
      ->capture_default_str();
  report->add_flag("--with-flagged", options->with_flagged,
                   "count problems with known weaknesses, too");
  report->add_option("--pack", options->pack,
                     "where sources, tags and flags come from");
  report->callback([commands] {
    commands->call = [commands] { return RunReport(commands->report); };
  });
}

void AddAnalyze(CLI::App* app, Commands* commands) {
  CLI::App* analyze = app->add_subcommand(
      "analyze", "fast_p, pass@k and comparisons of runs, with intervals");
  analyze->footer(
      "example:\n  kernelbench analyze a.db b.db --by level --k 1,4\n  "
      "kernelbench analyze a.db --baseline compile\n  kernelbench analyze "
      "a.db --time wall");
  AnalyzeOptions* options = &commands->analyze;
  analyze
      ->add_option("run", options->runs,
                   "one or more stores (--store), or names of runs")
      ->required();
  analyze->add_option("--p", options->ps, "thresholds of fast_p")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber);
  analyze->add_option("--k", options->ks, "best of how many samples")
      ->delimiter(',')
      ->check(CLI::Range(int64_t{1}, int64_t{1000000}));
  analyze->add_option("--by", options->by, "run, model, level, tag or problem")
      ->capture_default_str();
  analyze
      ->add_option("--baseline", options->baseline,
                   "what speedups are over: " + record::BaselineModeNames())
      ->capture_default_str();
  analyze
      ->add_option("--time", options->time,
                   "device: launches hidden; wall: one call after the other, "
                   "host included")
      ->capture_default_str();
  analyze->add_option("--pack", options->pack,
                      "where tags and flags come from");
  analyze->add_flag("--csv", options->csv, "print CSV");
  analyze->add_flag("--json", options->json, "print JSON for machines");
  analyze->callback([commands] {
    commands->call = [commands] { return RunAnalyze(commands->analyze); };
  });
}

void AddRuns(CLI::App* app, Commands* commands) {
  using Action = RunsOptions::Action;
  CLI::App* runs = app->add_subcommand("runs", "the stores of judged samples");
  runs->require_subcommand(1);
  RunsOptions* options = &commands->runs;
  const auto add = [&](const char* name, const char* about, Action action) {
    CLI::App* command = runs->add_subcommand(name, about);
    command->callback([commands, action] {
      commands->runs.action = action;
      commands->call = [commands] { return RunRuns(commands->runs); };
    });
    return command;
  };
  CLI::App* list = add("list", "all stores of a folder", Action::kList);
  list->add_option("folder", options->folder,
                   "default: where eval keeps its results");
  CLI::App* show = add("show", "what one store holds", Action::kShow);
  CLI::App* merge = add("merge", "several stores as a new one", Action::kMerge);
  merge->add_option("--out", options->out, "new file")->required();
  CLI::App* remove = add("delete", "remove stores", Action::kDelete);
  remove->add_flag("--yes", options->yes, "do it");
  for (CLI::App* command : {show, merge, remove})
    command->add_option("run", options->runs, "stores (--store)")->required();
  show->get_option("run")->expected(1);
  merge->footer("example:\n  kernelbench runs merge a.db b.db --out all.db");
  for (CLI::App* command : {list, show})
    command->add_flag("--json", options->json, "print JSON for machines");
}

}  // namespace

void AddRunCommands(CLI::App* app, Commands* commands) {
  AddPrompt(app, commands);
  AddPrices(app, commands);
  AddGenerate(app, commands);
  AddRun(app, commands);
  AddBaseline(app, commands);
  AddAnalyze(app, commands);
  AddReport(app, commands);
  AddRuns(app, commands);
}

}  // namespace kb::cli
