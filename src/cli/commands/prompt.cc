#include "commands/prompt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "models.h"
#include "os/files.h"
#include "record/document.h"
#include "shared_options.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Result;

Result<ExitCode> List(const PromptOptions& options) {
  KB_ASSIGN(const std::string root, os::InstallRoot());
  KB_ASSIGN(const prompt::Catalogue found,
            prompt::List(root + "/share/prompts"));
  if (options.judge.json) {
    fmt::print("{}\n",
               base::DumpJson(
                   record::Document("prompts", {{"version", KB_VERSION},
                                                {"prompts", found.prompts},
                                                {"backends", found.backends},
                                                {"hardware", found.hardware}}),
                   2));
    return ExitCode::kDone;
  }
  fmt::print("prompts   {}\nbackends  {}\nhardware  {}\n",
             fmt::join(found.prompts, ", "), fmt::join(found.backends, ", "),
             fmt::join(found.hardware, ", "));
  return ExitCode::kDone;
}

Result<ExitCode> Show(const PromptOptions& options) {
  KB_ASSIGN(const PromptPlace place, PlaceOf(options.judge));
  KB_ASSIGN(const record::Problem problem,
            place.pack.Load(options.problem, place.size, place.fit_bytes));
  const record::Precision precision = problem.In(place.precision);
  KB_ASSIGN(const ChosenPrompt chosen,
            ChoosePrompt(options.prompt, place, {precision}));
  KB_ASSIGN(const prompt::Prompt prompt,
            chosen.writers.at(precision).Write(problem));
  if (options.judge.json) {
    fmt::print("{}\n",
               base::DumpJson(record::Document(
                                  "prompt", {{"version", KB_VERSION},
                                             {"system", prompt.system},
                                             {"user", prompt.user},
                                             {"file_name", prompt.file_name}}),
                              2));
    return ExitCode::kDone;
  }
  fmt::print("--- system ---\n{}\n--- user ---\n{}\n", prompt.system,
             prompt.user);
  return ExitCode::kDone;
}

}  // namespace

void AddPrompt(CLI::App* program, PromptOptions* options, Call* call) {
  CLI::App* prompt = program->add_subcommand("prompt", "what models are asked");
  prompt->require_subcommand(1);
  CLI::App* list =
      prompt->add_subcommand("list", "prompts, backends and hardware blocks");
  CLI::App* show = prompt->add_subcommand("show", "exactly what would be sent");
  show->footer(
      "example:\n  kernelbench prompt show level1/23 --backend triton "
      "--hardware H100");
  show->add_option("problem", options->problem, "level1/23")->required();
  AddPromptChoice(show, &options->prompt);
  AddPromptPlace(show, &options->judge);
  for (CLI::App* command : {list, show})
    command->add_flag("--json", options->judge.json, "print JSON for machines");
  Means(list, call, options, List);
  Means(show, call, options, Show);
}

}  // namespace kb::cli
