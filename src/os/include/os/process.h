#pragma once

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "os/fd.h"

namespace kb::os {

struct Exited {
  int code;
};
struct Signaled {
  int signal;
};
struct TimedOut {};
using ExitStatus = std::variant<Exited, Signaled, TimedOut>;

// "exit code 3", "killed by signal 11 (Segmentation fault)", "timed out".
std::string Describe(const ExitStatus& status);

// A trusted child process of ours (oracle, probe). Untrusted programs go
// through Jail. Destroying it kills its process group and reaps it; so does
// Wait() once the child itself has ended. Should we be killed, nobody tells the
// child: it must end when the socket that it talks to us through is closed.
// Spawned without copying our memory map.
class Process {
 public:
  struct Options {
    std::vector<std::string> argv;
    std::map<std::string, std::string> extra_env;  // on top of ours
    bool inherits_env = true;                      // false: extra_env is all
    std::vector<int> inherited_fds;                // become 3, 4, ...
    std::string log_path;  // stdout and stderr go there; empty: ours
    // What becomes 0, 1 and 2; -1: nothing to read, and as log_path says.
    std::array<int, 3> stdio{-1, -1, -1};
  };
  static base::Result<Process> Start(const Options& options);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  Process(Process&&) noexcept;
  Process& operator=(Process&&) noexcept;
  ~Process();

  int pid() const;
  int wait_fd() const;  // pidfd: readable when it has ended
  void Kill();
  ExitStatus Wait(std::chrono::milliseconds timeout);

 private:
  struct State;
  explicit Process(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

struct Captured {
  ExitStatus status;
  std::string out;
  std::string err;
};
// Runs a trusted program to its end and captures what it prints (1 MiB each).
base::Result<Captured> RunAndCapture(const std::vector<std::string>& argv,
                                     std::chrono::milliseconds timeout);

// Where a program of this name is on PATH.
base::Result<std::string> FindProgram(const std::string& name);

}  // namespace kb::os
