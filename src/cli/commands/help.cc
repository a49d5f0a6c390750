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

void AddCompletion(Command* program, CompletionOptions* options, Call* call) {
  Command* completion =
      program->AddCommand("completion", "what a shell completes words by");
  completion->Footer(
      "examples:\n  source <(kernelbench completion bash)\n  kernelbench "
      "completion zsh > ~/.zfunc/_kernelbench\n  kernelbench completion fish > "
      "~/.config/fish/completions/kernelbench.fish");
  completion->Add("shell", &options->shell, "whose")
      .Required()
      .OneOf({"bash", "zsh", "fish"});
  Means(completion, call, options, PrintCompletion);
}

void AddManual(Command* program, Call* call) {
  Command* manual = program->AddCommand("man", "this help as a manual page");
  manual->Footer("example:\n  kernelbench man | man -l -");
  manual->Then([call] { *call = PrintManual; });
}

}  // namespace kb::cli
