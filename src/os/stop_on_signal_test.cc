#include "os/stop_on_signal.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <initializer_list>
#include <thread>

namespace kb::os {
namespace {

// Whether a child that does so with SIGHUP beforehand is asked to stop by the
// signals, in this order, within so many milliseconds.
bool IsStoppedBy(std::initializer_list<int> signals, void (*hangup)(int),
                 int patience = 30'000) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGHUP, hangup);
    const StopOnSignal stop;
    for (const int signal : signals) kill(getpid(), signal);
    for (int i = 0; i < patience && !stop.token().stop_requested(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    _exit(stop.token().stop_requested() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  return WEXITSTATUS(status) == 1;
}

TEST(StopOnSignal, HangingUpStops) {
  EXPECT_TRUE(IsStoppedBy({SIGHUP}, SIG_DFL));
}

TEST(StopOnSignal, HangingUpIsIgnoredWhereSomebodySaidSo) {
  EXPECT_FALSE(IsStoppedBy({SIGHUP}, SIG_IGN, 200));
  EXPECT_TRUE(IsStoppedBy({SIGHUP, SIGINT}, SIG_IGN));
}

}  // namespace
}  // namespace kb::os
