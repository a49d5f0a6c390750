#include "commands.h"

#include <chrono>

#include "os/files.h"
#include "os/process.h"

namespace kb::builder {
namespace {

// Whoever started us limits the time.
constexpr std::chrono::hours kLongest{24};
constexpr int kNotStarted = 127;
constexpr int kSignaled = 128;

int Code(const os::ExitStatus& status) {
  if (const auto* exited = std::get_if<os::Exited>(&status))
    return exited->code;
  if (const auto* signaled = std::get_if<os::Signaled>(&status))
    return kSignaled + signaled->signal;
  return kNotStarted;
}

Ran RunNow(const std::string& command,
           const std::map<std::string, std::string>& environment,
           const std::string& log) {
  os::Process::Options options;
  options.argv = {"/bin/sh", "-c", command};
  options.extra_env = environment;
  options.log_path = log;
  auto process = os::Process::Start(options);
  if (!process) return {kNotStarted, process.error().message()};
  const int code = Code(process->Wait(kLongest));
  return {code, os::ReadFile(log).value_or("")};
}

}  // namespace

Ran Commands::Run(const std::string& command,
                  const std::map<std::string, std::string>& environment) {
  {
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [&] { return free_ > 0; });
    --free_;
  }
  Ran ran = RunNow(command, environment, folder_ + "/" + NewName() + ".log");
  const std::lock_guard lock(mutex_);
  ++free_;
  freed_.notify_one();
  return ran;
}

}  // namespace kb::builder
