#include "linux/suspend.h"

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include "os/processor_set.h"

namespace kb::jail {
namespace {

// Children belong to the thread that made them.
void AddBelow(pid_t pid, std::set<pid_t>* found) {
  std::error_code error;
  const auto tasks = fmt::format("/proc/{}/task", pid);
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child = 0; children >> child;)
      if (found->insert(child).second) AddBelow(child, found);
  }
}

// Stopped, or ended.
bool IsStill(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string stat;
  if (!std::getline(file, stat)) return true;
  // The name before it may hold anything, also a parenthesis.
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= stat.size()) return true;
  return std::string_view("TtZX").find(stat[name_end + 2]) !=
         std::string_view::npos;
}

}  // namespace

// Those that are not stopped yet may let others go on, so it ends only when
// all were found stopped in one pass. A signal takes a moment to arrive.
void SuspendBelow(pid_t root) {
  constexpr int kPasses = 500;
  constexpr useconds_t kPauseMicros = 100;
  for (int pass = 0; pass < kPasses; ++pass) {
    std::set<pid_t> found;
    AddBelow(root, &found);
    bool still = true;
    for (const pid_t pid : found) {
      if (IsStill(pid)) continue;
      still = false;
      ::kill(pid, SIGSTOP);
    }
    if (still) return;
    if (pass > 0) ::usleep(kPauseMicros);
  }
}

void ResumeBelow(pid_t root) {
  std::set<pid_t> found;
  AddBelow(root, &found);
  for (const pid_t pid : found) ::kill(pid, SIGCONT);
}

void ConfineBelow(pid_t root, const std::vector<int>& processors) {
  const cpu_set_t set = os::ProcessorSet(processors);
  std::set<pid_t> found;
  AddBelow(root, &found);
  for (const pid_t pid : found) {
    std::error_code error;
    const auto tasks = fmt::format("/proc/{}/task", pid);
    for (const auto& task : std::filesystem::directory_iterator(tasks, error))
      ::sched_setaffinity(std::atoi(task.path().filename().c_str()), sizeof set,
                          &set);
  }
}

}  // namespace kb::jail
