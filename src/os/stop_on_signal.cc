#include "os/stop_on_signal.h"

#include <pthread.h>

#include <ctime>

namespace kb::os {

StopOnSignal::StopOnSignal() {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1})
    sigaddset(&signals_, signal);
  // As `nohup` wants it. A shell's background commands ignore SIGINT as well,
  // and shall end by it all the same: it is sent on purpose.
  struct sigaction hangup{};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaddset(&signals_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  waiter_ = std::thread([this] {
    int signal = SIGUSR1;
    // Anybody may send that one; a batch system does before its time is up.
    while (signal == SIGUSR1 && !ends_) sigwait(&signals_, &signal);
    if (signal != SIGUSR1) source_.request_stop();
  });
}

StopOnSignal::~StopOnSignal() {
  ends_ = true;
  pthread_kill(waiter_.native_handle(), SIGUSR1);
  waiter_.join();
  // `timeout` signals the program and then its group: the second signal is the
  // same request, and shall not end who still says what was done.
  const timespec now{};
  while (sigtimedwait(&signals_, nullptr, &now) > 0) {
  }
  if (source_.stop_requested())
    for (const int signal : {SIGTERM, SIGHUP})
      if (sigismember(&signals_, signal) == 1) sigaddset(&before_, signal);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace kb::os
