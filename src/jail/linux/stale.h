#pragma once

#include <signal.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace kb::jail {

// Whether `name` is "<prefix><pid>-..." of a process that does not run.
inline bool OwnerIsDead(const std::string& name, const std::string& prefix) {
  if (!name.starts_with(prefix)) return false;
  char* end = nullptr;
  const long pid = std::strtol(name.c_str() + prefix.size(), &end, 10);
  if (pid <= 0 || *end != '-') return false;
  return ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
}

}  // namespace kb::jail
