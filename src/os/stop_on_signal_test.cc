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

// As a batch system sends it before its time is up.
TEST(StopOnSignal, SomebodysOwnSignalStopsNothing) {
  EXPECT_FALSE(IsStoppedBy({SIGUSR1}, SIG_DFL, 200));
  EXPECT_TRUE(IsStoppedBy({SIGUSR1, SIGUSR1, SIGTERM}, SIG_DFL));
}

TEST(StopOnSignal, SecondSignalIsTheSameRequest) {
  const pid_t child = fork();
  if (child == 0) {
    {
      const StopOnSignal stop;
      for (const int signal : {SIGTERM, SIGTERM, SIGINT})
        kill(getpid(), signal);
      while (!stop.token().stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      kill(getpid(), SIGTERM);
    }
    kill(getpid(), SIGTERM);
    _exit(3);  // what was done has been said
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST(StopOnSignal, NothingIsBlockedAfterwardsWithoutARequest) {
  const pid_t child = fork();
  if (child == 0) {
    {
      const StopOnSignal stop;
    }
    kill(getpid(), SIGTERM);
    _exit(3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
}

}  // namespace
}  // namespace kb::os
