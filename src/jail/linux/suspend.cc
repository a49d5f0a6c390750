#include "linux/suspend.h"

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

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

}  // namespace

void SuspendBelow(pid_t root) {
  constexpr int kPasses = 20;
  std::set<pid_t> stopped;
  for (int pass = 0; pass < kPasses; ++pass) {
    std::set<pid_t> found;
    AddBelow(root, &found);
    // Again those of before too: one that was not stopped yet may have let them
    // go on.
    for (const pid_t pid : found) ::kill(pid, SIGSTOP);
    if (found == stopped) return;
    stopped = std::move(found);
  }
}

void ResumeBelow(pid_t root) {
  std::set<pid_t> found;
  AddBelow(root, &found);
  for (const pid_t pid : found) ::kill(pid, SIGCONT);
}

void ConfineBelow(pid_t root, const std::vector<int>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors)
    CPU_SET(static_cast<size_t>(processor), &set);
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
