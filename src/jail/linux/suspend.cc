#include "linux/suspend.h"

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

#include "linux/process_tree.h"
#include "os/processor_set.h"

namespace kb::jail {
namespace {

std::unique_ptr<ProcessTree> NewTree() {
  return std::make_unique_for_overwrite<ProcessTree>();
}

// Stopped, or ended.
bool IsStill(pid_t pid) {
  return std::string_view("TtZX").find(StateOf(pid)) != std::string_view::npos;
}

template <typename Do>
void ForEachThreadBelow(pid_t root, const Do& act) {
  const auto tree = NewTree();
  tree->Find(root);
  for (const pid_t pid : tree->pids()) {
    std::error_code error;
    const auto tasks = fmt::format("/proc/{}/task", pid);
    for (const auto& task : std::filesystem::directory_iterator(tasks, error))
      act(std::atoi(task.path().filename().c_str()));
  }
}

}  // namespace

// Those that are not stopped yet may let others go on, so it ends only when
// all were found stopped in one pass. A signal takes a moment to arrive: tens
// of microseconds, which is a pass or two, or until who is to stop gets a core.
void SuspendBelow(pid_t root) {
  constexpr int kPasses = 500;
  constexpr int kHurriedPasses = 5;
  constexpr useconds_t kPauseMicros = 100;
  const auto tree = NewTree();
  for (int pass = 0; pass < kPasses; ++pass) {
    tree->Find(root);
    bool still = true;
    for (const pid_t pid : tree->pids()) {
      if (IsStill(pid)) continue;
      still = false;
      ::kill(pid, SIGSTOP);
    }
    if (still) return;
    if (pass >= kHurriedPasses) ::usleep(kPauseMicros);
  }
}

void ResumeBelow(pid_t root) {
  const auto tree = NewTree();
  tree->Find(root);
  for (const pid_t pid : tree->pids()) ::kill(pid, SIGCONT);
}

void ConfineBelow(pid_t root, const std::vector<int>& processors) {
  const cpu_set_t set = os::ProcessorSet(processors);
  ForEachThreadBelow(root, [&](pid_t thread) {
    ::sched_setaffinity(thread, sizeof set, &set);
  });
}

void PreferBelow(pid_t root) {
  constexpr int kNice = -10;
  ForEachThreadBelow(root, [](pid_t thread) {
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(thread), kNice);
  });
}

}  // namespace kb::jail
