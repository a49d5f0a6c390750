#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text.h"
#include "jail/jail.h"
#include "linux/best_level.h"
#include "linux/cgroup.h"
#include "linux/jail_plan.h"
#include "linux/landlock.h"
#include "linux/seccomp_filter.h"
#include "os/files.h"

namespace kb::jail {
namespace {

using base::Fail;
using base::Ok;
using base::Result;

// Runs `attempt`, which returns 0 or errno and is async-signal-safe, in a child
// with new namespaces. Returns what it returned, or clone's errno.
int InChild(unsigned long namespaces, int (*attempt)(const void*),
            const void* argument = nullptr) {
  const long pid =
      ::syscall(SYS_clone, namespaces | SIGCHLD, nullptr, nullptr, nullptr, 0);
  if (pid < 0) return errno;
  if (pid == 0) ::_exit(attempt(argument));
  int status = 0;
  while (::waitpid(static_cast<pid_t>(pid), &status, 0) < 0)
    if (errno != EINTR) return errno;
  return WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

int Nothing(const void*) { return 0; }

int PivotRoot(const void*) {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return errno;
  if (::mount("tmpfs", "/tmp", "tmpfs", 0, "size=64k") != 0) return errno;
  if (::chdir("/tmp") != 0) return errno;
  return ::syscall(SYS_pivot_root, ".", ".") == 0 ? 0 : errno;
}

int MountProc(const void*) {
  return ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
                 "") == 0
             ? 0
             : errno;
}

int CloneTreeReadOnly(const void*) {
  const auto tree = static_cast<int>(
      ::syscall(SYS_open_tree, AT_FDCWD, "/usr",
                OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
  if (tree < 0) return errno;
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  return ::syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE,
                   &attributes, sizeof attributes) == 0
             ? 0
             : errno;
}

int LoadFilter(const void* argument) {
  const auto* filter = static_cast<const std::vector<sock_filter>*>(argument);
  sock_fprog program{};
  program.len = static_cast<unsigned short>(filter->size());
  program.filter = const_cast<sock_filter*>(filter->data());
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0
             ? 0
             : errno;
}

int ChangeUser(const void*) {
  return ::syscall(SYS_setresuid, kOutsideUser, kOutsideUser, kOutsideUser) == 0
             ? 0
             : errno;
}

int Pause(const void*) {
  ::pause();
  return 0;
}

// --- Advice ---

bool FileSays(const char* path, std::string_view value) {
  const auto text = os::ReadFile(path);
  return text && base::Trim(*text) == value;
}

bool InContainer() {
  return ::access("/.dockerenv", F_OK) == 0 ||
         ::access("/run/.containerenv", F_OK) == 0;
}

std::string NamespaceAdvice() {
  const bool root = ::geteuid() == 0;
  if (FileSays("/proc/sys/user/max_user_namespaces", "0"))
    return "sysctl -w user.max_user_namespaces=10000";
  if (!root &&
      FileSays("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"))
    return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 "
           "(Ubuntu 23.10 and later), or run as root";
  if (!root && FileSays("/proc/sys/kernel/unprivileged_userns_clone", "0"))
    return "sysctl -w kernel.unprivileged_userns_clone=1, or run as root";
  if (InContainer())
    return "start the container with --security-opt seccomp=unconfined "
           "--security-opt apparmor=unconfined --security-opt "
           "systempaths=unconfined";
  return "the kernel or a security module forbids it: run outside a container "
         "or as root";
}

std::string CgroupAdvice() {
  if (InContainer())
    return "start the container with --cgroupns=private and a writable "
           "/sys/fs/cgroup (--privileged), else memory is limited by "
           "RLIMIT_DATA, and not at all for programs that use a GPU";
  return "run as root, or under systemd-run --user --scope -p Delegate=yes, "
         "else memory is limited by RLIMIT_DATA, and not at all for programs "
         "that use a GPU";
}

// --- Mechanisms ---

Mechanism Tried(const char* name, int error, Isolation needed_for,
                const std::string& advice) {
  Mechanism mechanism;
  mechanism.name = name;
  mechanism.works = error == 0;
  mechanism.detail = error == 0 ? "works" : ::strerror(error);
  if (error != 0) mechanism.advice = advice;
  mechanism.needed_for = needed_for;
  return mechanism;
}

Mechanism ProbeLandlock() {
  const int version = LandlockVersion();
  Mechanism mechanism =
      Tried("Landlock", version > 0 ? 0 : ENOSYS, Isolation::kReduced,
            "Linux 5.13 or later, with landlock in the list of the kernel "
            "parameter lsm=");
  if (version > 0) mechanism.detail = fmt::format("version {}", version);
  if (version > 0 && version < 6)
    mechanism.detail +=
        " (6 and later also keep signals inside: unless we are root, a "
        "reduced jail's program can kill processes of its user)";
  return mechanism;
}

Mechanism ProbeSeccomp() {
  const char* name = "seccomp filters";
  const char* advice = "a kernel with CONFIG_SECCOMP_FILTER";
  const auto filter = SeccompFilter(Isolation::kFull);
  if (filter)
    return Tried(name, InChild(0, LoadFilter, *filter), Isolation::kReduced,
                 advice);
  Mechanism mechanism = Tried(name, ENOSYS, Isolation::kReduced, advice);
  mechanism.detail = filter.error().message();
  return mechanism;
}

Mechanism ProbeOwnUser() {
  if (::geteuid() == 0)
    return Tried("own user", InChild(0, ChangeUser), Isolation::kReduced,
                 fmt::format("allow the container CAP_SETUID and map user {}",
                             kOutsideUser));
  Mechanism mechanism = Tried("own user", 0, Isolation::kReduced, "");
  mechanism.detail =
      "not root: foreign code keeps our user, inside a user namespace or "
      "behind Landlock";
  return mechanism;
}

Mechanism ProbeCgroup() {
  const long pid = ::syscall(SYS_clone, static_cast<unsigned long>(SIGCHLD),
                             nullptr, nullptr, nullptr, 0);
  if (pid == 0) ::_exit(Pause(nullptr));
  const int error = pid < 0 ? errno : 0;
  Mechanism mechanism = Tried("control groups", error, Isolation::kFull, "");
  if (pid < 0) return mechanism;
  const auto member = static_cast<pid_t>(pid);
  {
    const Cgroup cgroup = Cgroup::Create(uint64_t{1} << 30, 64, member);
    mechanism.works = cgroup.limits_memory() && cgroup.limits_processes();
    mechanism.detail = cgroup.Describe();
    ::kill(member, SIGKILL);
    ::waitpid(member, nullptr, 0);
  }
  if (!mechanism.works) mechanism.advice = CgroupAdvice();
  return mechanism;
}

// A real jail, to its end.
Result<void> TryLevel(Isolation level) {
  JailSpec spec;
  spec.argv = {::access("/bin/true", X_OK) == 0 ? "/bin/true"
                                                : "/usr/bin/true"};
  spec.isolation = level;
  spec.limits.wall = std::chrono::seconds(10);
  KB_ASSIGN(Jail jail, Jail::Start(spec));
  const JailExit& exit = jail.Wait();
  if (exit.kind == JailExit::Kind::kExited && exit.code == 0) return Ok();
  return Fail("{} did not run to its end at isolation level {}. {}",
              spec.argv[0], IsolationName(level), exit.detail);
}

std::string AdviceFor(const IsolationReport& report, Isolation level) {
  for (const Mechanism& mechanism : report.mechanisms)
    if (!mechanism.works && mechanism.needed_for <= level &&
        !mechanism.advice.empty())
      return fmt::format(" ({}: {})", mechanism.name, mechanism.advice);
  return "";
}

}  // namespace

IsolationReport ProbeIsolation() {
  constexpr Isolation kFull = Isolation::kFull;
  const std::string advice = NamespaceAdvice();
  IsolationReport report;
  report.mechanisms = {
      Tried("user namespaces", InChild(CLONE_NEWUSER, Nothing), kFull, advice),
      Tried("mount namespaces", InChild(CLONE_NEWUSER | CLONE_NEWNS, PivotRoot),
            kFull, advice),
      Tried("read-only mounts",
            InChild(CLONE_NEWUSER | CLONE_NEWNS, CloneTreeReadOnly), kFull,
            "Linux 5.12 or later (mount_setattr); " + advice),
      Tried("process namespaces",
            InChild(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID, MountProc),
            kFull, advice),
      Tried("network namespaces",
            InChild(CLONE_NEWUSER | CLONE_NEWNET, Nothing), kFull, advice),
      ProbeLandlock(),
      ProbeSeccomp(),
      ProbeOwnUser(),
      ProbeCgroup()};
  BestLevel best = FindBestLevel([&](Isolation level) -> Result<void> {
    const auto tried = TryLevel(level);
    if (tried) return Ok();
    return Fail("{}{}", tried.error().message(), AdviceFor(report, level));
  });
  report.best = best.level;
  report.why_not_better = std::move(best.why_not_better);
  return report;
}

}  // namespace kb::jail
