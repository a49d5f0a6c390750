#include "cli/main.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>

#include "commands.h"
#include "os/output.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

// In the order of --help.
void AddCommands(Command* program, Commands* said) {
  Call* call = &said->call;
  AddEval(program, &said->eval, call);
  AddProfile(program, &said->profile, call);
  AddDemo(program, &said->demo, call);
  AddAudit(program, &said->audit, call);
  AddProblems(program, &said->problems, call);
  AddImport(program, &said->import, call);
  AddExport(program, &said->exporting, call);
  AddPrompt(program, &said->prompt, call);
  AddPrices(program, &said->prices, call);
  AddGenerate(program, &said->generate, call);
  AddRun(program, &said->run, call);
  AddBaseline(program, &said->baseline, call);
  AddAnalyze(program, &said->analyze, call);
  AddReport(program, &said->report, call);
  AddLeaderboard(program, &said->leaderboard, call);
  AddRuns(program, &said->runs, call);
  AddCache(program, &said->cache, call);
  AddSelftest(program, &said->selftest, call);
  AddDoctor(program, &said->doctor, call);
  AddSchema(program, &said->schema, call);
  AddCompletion(program, &said->completion, call);
  AddManual(program, call);
}

ExitCode RunCommand(int argc, char** argv) {
  Commands commands;
  const std::unique_ptr<Command> program = MakeProgram(&commands);
  if (const auto over = program->Parse(argc, argv)) return *over;
  const base::Result<ExitCode> code = commands.call();
  return code ? *code : workplace::Complain(code.error());
}

}  // namespace

std::unique_ptr<Command> MakeProgram(Commands* commands) {
  auto program = Command::Program(
      "kernelbench: is this GPU kernel correct, and how much faster than "
      "PyTorch?");
  program->AddVersion("-V,--version", "kernelbench " KB_VERSION,
                      "print the version and exit");
  program->NeedCommand(1, 1);
  AddCommands(program.get(), commands);
  program->Footer(
      "environment:\n"
      "  KB_PYTHON       the python3 with PyTorch (else .venv beside the "
      "program, "
      "then PATH)\n"
      "  KB_CXX          the C++ compiler (else g++ or c++ in PATH)\n"
      "  KB_NVCC         the nvcc (else PATH, /usr/local/cuda, wheels beside "
      "PyTorch)\n"
      "  KB_NCU          the ncu (else PATH, /usr/local/cuda)\n"
      "  KB_INCLUDE      folders of headers for candidates, A:B (see "
      "--include)\n"
      "  KB_CACHE        folder for what is built and probed (else "
      "~/.cache/kernelbench)\n"
      "  KB_CACHE_SHARED such folders of others, A:B, whose builds are used\n"
      "  KB_CACHE_LIMIT  how many bytes of builds are kept there, e.g. 4G\n"
      "  CUTLASS_PATH, THUNDERKITTENS_ROOT\n"
      "                  where these headers lie (else as pip installs them)\n"
      "  NO_COLOR        no colours\n"
      "  XDG_DATA_HOME   results go to kernelbench/ in it (else "
      "~/.local/share)\n"
      "  XDG_CONFIG_HOME models.toml and prices are in kernelbench/ in it "
      "(else "
      "~/.config)\n"
      "  XDG_CACHE_HOME  for ~/.cache, where KB_CACHE is not set\n\n"
      "exit code: 0 done, 1 the answer is no, 2 wrong usage, 3 our failure, "
      "130 interrupted");
  return program;
}

int Main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  // Where files may not grow (ulimit -f) a write fails, which is said; children
  // get the default again.
  std::signal(SIGXFSZ, SIG_IGN);
  os::ProtectOutput();
  const ExitCode code = RunCommand(argc, argv);
  const int error = os::LostOutput();
  if (error == 0) return static_cast<int>(code);
  fmt::print(stderr,
             "kernelbench: cannot write standard output: {}; free some space, "
             "or send it elsewhere\n",
             std::strerror(error));
  return static_cast<int>(code == ExitCode::kUsage ? code
                                                   : ExitCode::kOurFailure);
}

}  // namespace kb::cli
