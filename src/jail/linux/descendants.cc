#include "linux/descendants.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "linux/process_tree.h"

namespace kb::jail {
namespace {

// Too large for a stack.
ProcessTree below;

// A killed process makes room for another one below the limit of processes, and
// a fork bomb fills it at once. A stopped one keeps its place. So stop until no
// more are found, and kill then.
void StopAll() {
  constexpr int kPasses = 50;
  size_t before = 0;
  for (int i = 0; i < kPasses; ++i) {
    below.FindAndStop(::getpid());
    if (i > 0 && below.pids().size() == before) return;
    before = below.pids().size();
  }
}

}  // namespace

void KillDescendants() {
  // Among hundreds of runnable processes we would hardly get to run. Works for
  // root only.
  ::setpriority(PRIO_PROCESS, 0, -20);
  for (;;) {
    StopAll();
    for (const pid_t pid : below.pids()) ::kill(pid, SIGKILL);
    pid_t reaped = 0;
    while ((reaped = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (reaped < 0 && errno == ECHILD) return;
    ::poll(nullptr, 0, 1);
  }
}

}  // namespace kb::jail
