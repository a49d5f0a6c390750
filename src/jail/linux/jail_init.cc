#include "linux/jail_init.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "linux/descendants.h"
#include "linux/jail_payload.h"
#include "linux/jail_report.h"
#include "linux/jail_tree.h"

namespace kb::jail {
namespace {

bool WriteText(const char* path, const std::string& text) {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool good = ::write(fd, text.data(), text.size()) ==
                    static_cast<ssize_t>(text.size());
  return ::close(fd) == 0 && good;
}

class Init {
 public:
  Init(JailPlan& plan, const JailChildEnds& ends)
      : plan_(plan),
        ends_(ends),
        descriptors_(plan.inherited.size()),
        reporter_(descriptors_.status) {}

  // Returns in the payload only.
  void Run() {
    ResetSignals();
    ArrangeDescriptors();
    if (Full()) MapOwnUser();
    AwaitGo();
    if (Full()) EnterNamespaces();
    BecomeUntouchable();
    if (StartPayload()) return;
    CloseWhatThePayloadOwns();
    Supervise();
  }

 private:
  bool Full() const { return plan_.level == Isolation::kFull; }

  // Handlers of the parent's would run its code in here.
  void ResetSignals() {
    for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
    ::setsid();
  }

  int CopyAbove(int fd, int floor) {
    if (fd < 0) return -1;
    const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, floor);
    // The status pipe may not be in place yet: let it end, which is reported.
    if (copy < 0) ::_exit(125);
    return copy;
  }

  // First out of the way of every final number, then down. The copies of all
  // other descriptors of the parent go: they would keep pipes of other jails
  // open. std::vector is read only.
  void ArrangeDescriptors() {
    const int floor = descriptors_.end;
    const int go = CopyAbove(ends_.go, floor);
    const int status = CopyAbove(ends_.status, floor);
    const int seed = CopyAbove(plan_.seed.fd(), floor);
    const int ruleset = CopyAbove(plan_.ruleset.get(), floor);
    const int input = CopyAbove(ends_.input, floor);
    const int output = CopyAbove(ends_.output, floor);
    for (int& fd : plan_.inherited) fd = CopyAbove(fd, floor);
    ::dup2(input, 0);
    ::dup2(output, 1);
    ::dup2(output, 2);
    for (size_t i = 0; i < plan_.inherited.size(); ++i)
      ::dup2(plan_.inherited[i], 3 + static_cast<int>(i));
    Place(go, descriptors_.go);
    Place(status, descriptors_.status);
    Place(seed, descriptors_.seed);
    Place(ruleset, descriptors_.ruleset);
    CloseFrom(floor);
  }

  static void Place(int fd, int number) {
    if (fd >= 0)
      ::dup3(fd, number, O_CLOEXEC);
    else
      ::close(number);
  }

  // When we are root, the supervisor does it: only it may map another user.
  void MapOwnUser() {
    if (plan_.identity.clear_groups) return;
    // Makes /proc/self ours, should the supervisor be non-dumpable.
    ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    reporter_.Require(WriteText("/proc/self/setgroups", "deny"),
                      "write /proc/self/setgroups");
    reporter_.Require(WriteText("/proc/self/gid_map", plan_.identity.group_map),
                      "write /proc/self/gid_map");
    reporter_.Require(WriteText("/proc/self/uid_map", plan_.identity.user_map),
                      "write /proc/self/uid_map");
  }

  void AwaitGo() {
    if (::read(descriptors_.go, &go_, sizeof go_) != sizeof go_) ::_exit(124);
  }

  void EnterNamespaces() {
    CollectTree(plan_, reporter_);
    const Identity& identity = plan_.identity;
    if (identity.clear_groups)
      reporter_.Require(::syscall(SYS_setgroups, 0, nullptr) == 0, "setgroups");
    reporter_.Require(::syscall(SYS_setresgid, identity.group, identity.group,
                                identity.group) == 0,
                      "setresgid");
    reporter_.Require(::syscall(SYS_setresuid, identity.user, identity.user,
                                identity.user) == 0,
                      "setresuid");
    EnterTree(plan_, reporter_);
    reporter_.Require(::sethostname("jail", 4) == 0, "sethostname");
    DropCapabilities();
  }

  // The payload may have our user, and we hold a copy of the supervisor's
  // memory.
  void BecomeUntouchable() {
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (!Full())
      reporter_.Require(::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0,
                        "become a subreaper");
  }

  // Whether we are it. fork() takes locks in its handlers, but what goes on in
  // place needs them: a library may keep threads that are gone now.
  bool StartPayload() {
    payload_ =
        plan_.in_place
            ? ::fork()
            : static_cast<pid_t>(::syscall(
                  SYS_clone, static_cast<unsigned long>(SIGCHLD), 0, 0, 0, 0));
    reporter_.Require(payload_ >= 0, "clone");
    if (payload_ == 0) RunPayload(plan_, go_, descriptors_);
    return payload_ == 0;
  }

  // Whoever waits for the end of these waits for the payload, not for us.
  void CloseWhatThePayloadOwns() {
    for (int fd = 0; fd < descriptors_.go; ++fd) ::close(fd);
    ::close(descriptors_.seed);
    ::close(descriptors_.ruleset);
  }

  [[noreturn]] void Supervise() {
    sigset_t child;
    ::sigemptyset(&child);
    ::sigaddset(&child, SIGCHLD);  // blocked, as all are
    const int signals = ::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    reporter_.Require(signals >= 0, "signalfd");
    for (;;) {
      ReapEnded();
      pollfd fds[2] = {{signals, POLLIN, 0}, {descriptors_.go, POLLIN, 0}};
      ::poll(fds, 2, -1);
      if (fds[1].revents != 0) End();
      signalfd_siginfo ignored;
      while (::read(signals, &ignored, sizeof ignored) > 0) {
      }
    }
  }

  void ReapEnded() {
    int status = 0;
    pid_t pid = 0;
    while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (pid != payload_) continue;
      reporter_.Ended(status);
      End();
    }
  }

  // The end of the first process of a namespace is the end of them all.
  [[noreturn]] void End() {
    if (!Full()) KillDescendants();
    ::_exit(0);
  }

  JailPlan& plan_;
  const JailChildEnds& ends_;
  const JailDescriptors descriptors_;
  const JailReporter reporter_;
  JailGo go_;
  pid_t payload_ = -1;
};

// No handler of ours may run in the child.
class BlockSignals {
 public:
  BlockSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockSignals(const BlockSignals&) = delete;
  BlockSignals& operator=(const BlockSignals&) = delete;

 private:
  sigset_t before_;
};

unsigned long CloneFlags(const JailPlan& plan) {
  unsigned long flags = CLONE_PIDFD | SIGCHLD;
  if (plan.in_place) flags |= CLONE_PARENT;
  if (plan.level == Isolation::kFull)
    flags |= CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET |
             CLONE_NEWIPC | CLONE_NEWUTS;
  return flags;
}

}  // namespace

// The old clone, because containers forbid clone3.
base::Result<FirstProcess> StartJailInit(JailPlan& plan,
                                         const JailChildEnds& ends) {
  int pidfd = -1;
  const BlockSignals block;
  const long pid =
      ::syscall(SYS_clone, CloneFlags(plan), nullptr, &pidfd, nullptr, 0);
  if (pid < 0) return os::FailErrno("clone");
  if (pid == 0) {
    Init(plan, ends).Run();
    return FirstProcess{};
  }
  return FirstProcess{static_cast<pid_t>(pid), os::Fd(pidfd)};
}

}  // namespace kb::jail
