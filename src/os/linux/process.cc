#include "os/process.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "os/c_strings.h"
#include "os/deadline.h"
#include "os/pipe.h"

namespace kb::os {
namespace {

using base::Fail;
using base::Ok;
using base::Result;

constexpr size_t kCaptureBytes = size_t{1} << 20;

// posix_spawn's two structures, which want to be destroyed.
struct SpawnSetup {
  SpawnSetup() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }
  ~SpawnSetup() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnSetup(const SpawnSetup&) = delete;
  SpawnSetup& operator=(const SpawnSetup&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

// What the child's descriptors 0, 1, ... are copies of.
using Layout = std::vector<int>;

// Copies above every target first, so that no dup2 overwrites the source of
// the next one.
Result<std::vector<Fd>> CopiesAbove(const Layout& layout) {
  std::vector<Fd> copies;
  const int floor = static_cast<int>(layout.size()) + 3;
  for (const int fd : layout) {
    copies.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, floor));
    if (!copies.back().valid())
      return FailErrno(fmt::format("duplicating file descriptor {}", fd));
  }
  return copies;
}

void SetUpSignalsAndGroup(posix_spawnattr_t* attributes) {
  sigset_t none;
  ::sigemptyset(&none);
  sigset_t all;
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(attributes, &none);
  ::posix_spawnattr_setsigdefault(attributes, &all);
  ::posix_spawnattr_setpgroup(attributes, 0);
  ::posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP |
                                             POSIX_SPAWN_SETSIGMASK |
                                             POSIX_SPAWN_SETSIGDEF);
}

using Variables = std::map<std::string, std::string>;

Variables OursWith(const Variables& extra) {
  Variables all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    all.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  for (const auto& [name, value] : extra) all[name] = value;
  return all;
}

Result<pid_t> Spawn(const std::vector<std::string>& argv, const Layout& layout,
                    const Variables& all_variables) {
  if (argv.empty()) return Fail("starting a program: no name given");
  KB_ASSIGN(const std::vector<Fd> copies, CopiesAbove(layout));
  SpawnSetup setup;
  for (size_t i = 0; i < copies.size(); ++i)
    ::posix_spawn_file_actions_adddup2(&setup.actions, copies[i].get(),
                                       static_cast<int>(i));
  ::posix_spawn_file_actions_addclosefrom_np(&setup.actions,
                                             static_cast<int>(layout.size()));
  // Some libraries do not load where the working folder is gone.
  std::array<char, PATH_MAX> folder;
  if (::getcwd(folder.data(), folder.size()) == nullptr && errno == ENOENT)
    ::posix_spawn_file_actions_addchdir_np(&setup.actions, "/");
  SetUpSignalsAndGroup(&setup.attributes);
  const CStrings arguments(argv);
  const CStrings environment = CStrings::Environment(all_variables);
  pid_t pid = -1;
  errno = ::posix_spawnp(&pid, argv[0].c_str(), &setup.actions,
                         &setup.attributes, arguments.get(), environment.get());
  if (errno != 0) return FailErrno("starting " + argv[0]);
  return pid;
}

// A spawned process. Destroying it kills its group and reaps it.
class Child {
 public:
  Child(pid_t pid, Fd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    Kill();
    Reap();
  }

  pid_t pid() const { return pid_; }
  int pidfd() const { return pidfd_.get(); }

  void Kill() const {
    if (!status_) ::kill(-pid_, SIGKILL);
  }

  ExitStatus Wait(const Deadline& deadline) {
    pollfd end = {pidfd_.get(), POLLIN, 0};
    while (!status_ && ::poll(&end, 1, deadline.PollTimeout()) <= 0)
      if (deadline.Passed()) return TimedOut{};
    Reap();
    return *status_;
  }

 private:
  // Waits for the end. The group goes first: once the leader is reaped, its
  // number may be somebody else's.
  void Reap() {
    if (status_) return;
    siginfo_t info{};
    const auto id = static_cast<id_t>(pid_);
    while (::waitid(P_PID, id, &info, WEXITED | WNOWAIT) != 0)
      if (errno != EINTR) break;
    ::kill(-pid_, SIGKILL);
    while (::waitid(P_PID, id, &info, WEXITED) != 0)
      if (errno != EINTR) break;
    if (info.si_code == CLD_EXITED)
      status_ = Exited{info.si_status};
    else
      status_ = Signaled{info.si_status};
  }

  pid_t pid_;
  Fd pidfd_;
  std::optional<ExitStatus> status_;
};

Result<std::unique_ptr<Child>> StartChild(const std::vector<std::string>& argv,
                                          const Layout& layout,
                                          const Variables& environment) {
  KB_ASSIGN(const pid_t pid, Spawn(argv, layout, environment));
  Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!pidfd.valid()) {
    auto failure = FailErrno("pidfd_open");
    ::kill(-pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return failure;
  }
  return std::make_unique<Child>(pid, std::move(pidfd));
}

}  // namespace

struct Process::State {
  std::unique_ptr<Child> child;
};

Process::Process(std::unique_ptr<State> state) : state_(std::move(state)) {}
Process::Process(Process&&) noexcept = default;
Process& Process::operator=(Process&&) noexcept = default;
Process::~Process() = default;

Result<Process> Process::Start(const Options& options) {
  const Fd input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!input.valid()) return FailErrno("open /dev/null");
  Fd log;
  if (!options.log_path.empty()) {
    log = Fd(::open(options.log_path.c_str(),
                    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!log.valid()) return FailErrno("open " + options.log_path);
  }
  Layout layout = {input.get(), log.valid() ? log.get() : 1,
                   log.valid() ? log.get() : 2};
  for (size_t i = 0; i < options.stdio.size(); ++i)
    if (options.stdio.at(i) >= 0) layout[i] = options.stdio.at(i);
  layout.insert(layout.end(), options.inherited_fds.begin(),
                options.inherited_fds.end());
  auto state = std::make_unique<State>();
  KB_ASSIGN(state->child,
            StartChild(options.argv, layout,
                       options.inherits_env ? OursWith(options.extra_env)
                                            : options.extra_env));
  return Process(std::move(state));
}

int Process::pid() const { return state_->child->pid(); }
int Process::wait_fd() const { return state_->child->pidfd(); }
void Process::Kill() { state_->child->Kill(); }

ExitStatus Process::Wait(std::chrono::milliseconds timeout) {
  return state_->child->Wait(Deadline(timeout));
}

namespace {

// Reads once; closes `from` at its end. What goes beyond the limit is dropped,
// so that the program never blocks on us.
void ReadSome(Fd& from, std::string& to) {
  char buffer[1 << 16];
  const ssize_t n = ::read(from.get(), buffer, sizeof buffer);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) return from.Close();
  const size_t room = kCaptureBytes - std::min(to.size(), kCaptureBytes);
  to.append(buffer, std::min(room, static_cast<size_t>(n)));
}

// Until both are at their end, or the deadline.
void ReadBoth(Fd& out, Fd& err, const Deadline& deadline, Captured& captured) {
  while (out.valid() || err.valid()) {
    pollfd fds[2] = {{out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}};
    const int ready = ::poll(fds, 2, deadline.PollTimeout());
    if (ready <= 0 && deadline.Passed()) return;
    if (ready <= 0) continue;
    if (fds[0].revents != 0) ReadSome(out, captured.out);
    if (fds[1].revents != 0) ReadSome(err, captured.err);
  }
}

}  // namespace

Result<Captured> RunAndCapture(const std::vector<std::string>& argv,
                               std::chrono::milliseconds timeout) {
  const Deadline deadline(timeout);
  const Fd input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!input.valid()) return FailErrno("open /dev/null");
  KB_ASSIGN(Pipe out, MakePipe());
  KB_ASSIGN(Pipe err, MakePipe());
  const Layout layout = {input.get(), out.write.get(), err.write.get()};
  KB_ASSIGN(const std::unique_ptr<Child> child,
            StartChild(argv, layout, OursWith({})));
  out.write.Close();
  err.write.Close();
  Captured captured{TimedOut{}, {}, {}};
  ReadBoth(out.read, err.read, deadline, captured);
  captured.status = child->Wait(deadline);
  return captured;
}

Result<std::string> FindProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (::access(name.c_str(), X_OK) == 0) return name;
    return FailErrno(name);
  }
  const char* path = std::getenv("PATH");
  for (const std::string& folder :
       base::Split(path != nullptr ? path : "/usr/bin:/bin", ':')) {
    std::string candidate = folder + "/" + name;
    if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0)
      return candidate;
  }
  return Fail("{} is not on PATH", name);
}

}  // namespace kb::os
