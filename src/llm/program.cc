#include "program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "os/pipe.h"

namespace kb::llm {
namespace {

using base::Json;
using base::Result;

// One whose reader never waits.
Result<os::Pipe> MakePipe() {
  KB_ASSIGN(os::Pipe pipe, os::MakePipe());
  ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

}  // namespace

Result<Program> StartProgram(const std::vector<std::string>& command,
                             const Question& question, int input) {
  KB_ASSIGN(os::Pipe out, MakePipe());
  KB_ASSIGN(os::Pipe err, MakePipe());
  os::Process::Options options;
  options.argv = command;
  options.extra_env = {{"KB_PROBLEM", question.problem_id},
                       {"KB_SAMPLE", fmt::format("{}", question.sample)},
                       {"KB_TURN", fmt::format("{}", question.turn)}};
  options.stdio = {input, out.write.get(), err.write.get()};
  KB_ASSIGN(os::Process process, os::Process::Start(options));
  return Program{std::move(process), std::move(out.read), std::move(err.read)};
}

bool ReadSome(const os::Fd& file, std::string* text) {
  std::array<char, 65536> bytes;
  const ssize_t count = ::read(file.get(), bytes.data(), bytes.size());
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  text->append(bytes.data(), static_cast<size_t>(count));
  return count > 0;
}

int CodeOf(const os::ExitStatus& status) {
  constexpr int kSignals = 128;
  if (const auto* exited = std::get_if<os::Exited>(&status))
    return exited->code;
  if (const auto* signaled = std::get_if<os::Signaled>(&status))
    return kSignals + signaled->signal;
  return -1;
}

std::string Complaint(int code, const std::string& errors) {
  const auto line = base::Printable(base::LastLine(errors));
  return fmt::format("exit code {}: {}", code,
                     line.empty() ? "nothing on standard error"
                                  : base::ShortenLine(line, 200));
}

Failure OfProgram(const Model& model, const Failure& failure) {
  return {failure.kind, fmt::format("{}: {}: {}", model.name, model.command[0],
                                    failure.message)};
}

std::string JsonLineOf(const Question& question) {
  Json messages = Json::array();
  for (const Message& message : MessagesOf(question))
    messages.push_back(
        {{"role", RoleName(message.role)}, {"content", message.text}});
  return base::DumpJson({{"problem", question.problem_id},
                         {"sample", question.sample},
                         {"turn", question.turn},
                         {"system", question.system},
                         {"messages", std::move(messages)}}) +
         "\n";
}

}  // namespace kb::llm
