#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/fd.h"

namespace kb::jail {

// The first process of a jail, a child of ours.
struct FirstProcess {
  pid_t pid = 0;  // 0: where it was forked in place, we are the payload
  os::Fd pidfd;
};

// A trusted process that has loaded what many jailed programs load first, and
// of which they are then forked (JailSpec::server). It runs nothing foreign and
// knows nothing of ours but what it is started with: its memory is what every
// such program begins with. Ends with this object.
//
// Thread-safety: any thread.
class ForkServer {
 public:
  struct Options {
    // A program that calls kb_jail_await_fork (jail/fork_service.h) with
    // descriptor 3.
    std::vector<std::string> argv;
    std::map<std::string, std::string> env;  // the whole environment
    // From now until it has loaded everything.
    std::chrono::seconds start_limit{180};
  };
  // Does not wait for what it loads.
  static base::Result<std::unique_ptr<ForkServer>> Start(Options options);
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;
  ForkServer& operator=(const ForkServer&) = delete;

  // False once it has died or refused to fork: it is of no use any more.
  bool alive() const;

  // `plan` and `fds` are the jail's own affair. Waits until the server has
  // loaded everything.
  base::Result<FirstProcess> Fork(std::string_view plan,
                                  const std::vector<int>& fds);

 private:
  struct State;
  explicit ForkServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace kb::jail
