#include <cstring>

#include "os/process.h"

namespace kb::os {

std::string Describe(const ExitStatus& status) {
  if (const auto* exited = std::get_if<Exited>(&status))
    return fmt::format("exit code {}", exited->code);
  if (const auto* signaled = std::get_if<Signaled>(&status))
    return fmt::format("killed by signal {} ({})", signaled->signal,
                       ::strsignal(signaled->signal));
  return "timed out";
}

}  // namespace kb::os
