#include "linux/suspend.h"

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "linux/process_tree.h"
#include "os/processor_set.h"

namespace kb::jail {
namespace {

std::unique_ptr<ProcessTree> NewTree() {
  return std::make_unique_for_overwrite<ProcessTree>();
}

// Of a process that may go meanwhile, with which its folder ends.
template <typename Do>
void ForEachThreadOf(pid_t pid, const Do& act) {
  using Entries = std::filesystem::directory_iterator;
  std::error_code error;
  for (Entries task(fmt::format("/proc/{}/task", pid), error);
       !error && task != Entries(); task.increment(error))
    act(std::atoi(task->path().filename().c_str()));
}

template <typename Do>
void ForEachThreadBelow(pid_t root, const Do& act) {
  const auto tree = NewTree();
  tree->Find(root);
  for (const pid_t pid : tree->pids()) ForEachThreadOf(pid, act);
}

bool IsOneOf(char state, std::string_view states) {
  return states.find(state) != std::string_view::npos;
}

// By its process's state: stopped, or ended and not yet gone. A process whose
// first thread has ended says that it has, whatever its others do.
bool IsStill(pid_t pid, char state) {
  if (state != 'Z') return IsOneOf(state, "Tt");
  bool still = true;
  ForEachThreadOf(pid, [&](pid_t thread) {
    still = still && IsOneOf(StateOf(thread), "TtZX");
  });
  return still;
}

}  // namespace

// Those that are not stopped yet may let others go on, and who ends may have
// left a successor that began after the search had passed its place: so it ends
// only when two passes one after the other found the same ones, all of them
// stopped, or waiting in the kernel: whoever has the signal stops before it
// runs code of its own again, and who waits for a child of vfork, which is
// stopped, does not stop before that. A signal takes a moment to arrive: tens
// of microseconds, which is a pass or two, or until who is to stop gets a core.
bool SuspendBelow(pid_t root) {
  constexpr std::chrono::seconds kPatience(10);
  constexpr int kHurriedPasses = 6;
  constexpr useconds_t kPauseMicros = 100;
  const auto tree = NewTree();
  std::vector<pid_t> before{root};  // found in no pass
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (int pass = 0; std::chrono::steady_clock::now() < end; ++pass) {
    tree->Find(root);
    bool still = true;
    for (const pid_t pid : tree->pids()) {
      const char state = StateOf(pid);
      if (IsStill(pid, state)) continue;
      still = still && state == 'D';
      ::kill(pid, SIGSTOP);
    }
    std::vector<pid_t> found(tree->pids().begin(), tree->pids().end());
    if (still && found == before) return true;
    before = still ? std::move(found) : std::vector{root};
    if (pass >= kHurriedPasses) ::usleep(kPauseMicros);
  }
  return false;
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
