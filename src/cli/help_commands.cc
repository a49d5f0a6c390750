#include <fmt/format.h>

#include "command_text.h"
#include "commands.h"
#include "completion.h"
#include "manual.h"

namespace kb::cli {
namespace {

CommandText Everything() {
  Commands commands;
  return Describe(*MakeProgram(&commands));
}

int PrintCompletion(const std::string& shell) {
  const CommandText program = Everything();
  fmt::print("{}", shell == "bash"  ? BashCompletion(program)
                   : shell == "zsh" ? ZshCompletion(program)
                                    : FishCompletion(program));
  return 0;
}

int PrintManual() {
  fmt::print("{}", ManualPage(Everything(), KB_VERSION));
  return 0;
}

}  // namespace

void AddHelpCommands(CLI::App* app, Commands* commands) {
  CLI::App* schema =
      app->add_subcommand("schema", "the JSON Schema of what commands print");
  schema->footer("example:\n  kernelbench schema evaluation");
  schema->add_option("name", commands->schema.name,
                     "left out: lists all of them");
  schema->callback([commands] {
    commands->call = [commands] { return RunSchema(commands->schema); };
  });
  CLI::App* completion =
      app->add_subcommand("completion", "what a shell completes words by");
  completion->footer(
      "examples:\n  source <(kernelbench completion bash)\n  kernelbench "
      "completion zsh > ~/.zfunc/_kernelbench\n  kernelbench completion fish > "
      "~/.config/fish/completions/kernelbench.fish");
  completion->add_option("shell", commands->shell, "whose")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->callback([commands] {
    commands->call = [commands] { return PrintCompletion(commands->shell); };
  });
  CLI::App* manual = app->add_subcommand("man", "this help as a manual page");
  manual->footer("example:\n  kernelbench man | man -l -");
  manual->callback([commands] { commands->call = PrintManual; });
}

}  // namespace kb::cli
