#include "commands/help.h"

#include <fmt/format.h>

#include "command_text.h"
#include "commands.h"
#include "completion.h"
#include "manual.h"

namespace kb::cli {
namespace {

using base::Result;

CommandText Everything() {
  Commands commands;
  return Describe(*MakeProgram(&commands));
}

Result<ExitCode> PrintCompletion(const CompletionOptions& options) {
  const CommandText program = Everything();
  fmt::print("{}", options.shell == "bash"  ? BashCompletion(program)
                   : options.shell == "zsh" ? ZshCompletion(program)
                                            : FishCompletion(program));
  return ExitCode::kDone;
}

Result<ExitCode> PrintManual() {
  fmt::print("{}", ManualPage(Everything(), KB_VERSION));
  return ExitCode::kDone;
}

}  // namespace

void AddCompletion(CLI::App* program, CompletionOptions* options, Call* call) {
  CLI::App* completion =
      program->add_subcommand("completion", "what a shell completes words by");
  completion->footer(
      "examples:\n  source <(kernelbench completion bash)\n  kernelbench "
      "completion zsh > ~/.zfunc/_kernelbench\n  kernelbench completion fish > "
      "~/.config/fish/completions/kernelbench.fish");
  completion->add_option("shell", options->shell, "whose")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  Means(completion, call, options, PrintCompletion);
}

void AddManual(CLI::App* program, Call* call) {
  CLI::App* manual =
      program->add_subcommand("man", "this help as a manual page");
  manual->footer("example:\n  kernelbench man | man -l -");
  manual->callback([call] { *call = PrintManual; });
}

}  // namespace kb::cli
