#include "linux/jail_payload.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace kb::jail {
namespace {

constexpr rlim_t kOpenFiles = 4096;

// Lowers a limit; never raises one.
bool Limit(__rlimit_resource_t resource, rlim_t value) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return false;
  limit.rlim_max = std::min(limit.rlim_max, value);
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(resource, &limit) == 0;
}

void SetLimits(const JailPlan& plan, const JailGo& go,
               const JailReporter& reporter) {
  bool good = Limit(RLIMIT_CORE, 0) && Limit(RLIMIT_NOFILE, kOpenFiles) &&
              Limit(RLIMIT_FSIZE, plan.limits.file_bytes);
  if (!go.processes_limited)
    good = good && Limit(RLIMIT_NPROC, plan.process_limit);
  // CUDA reserves far more than it uses, so that a limit would break it.
  if (!go.memory_limited && !plan.gpu)
    good = good && Limit(RLIMIT_DATA, plan.limits.memory_bytes);
  reporter.Require(good, "setrlimit");
  if (plan.processors)
    reporter.Require(
        ::sched_setaffinity(0, sizeof(cpu_set_t), &*plan.processors) == 0,
        "sched_setaffinity");
}

void Detach(const JailReporter& reporter) {
  reporter.Require(::setsid() >= 0, "setsid");
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// The namespace's user is taken on by the init already. System calls, because
// libc's functions would look for the threads of the program we are cloned
// from.
void ChangeUser(const Identity& identity, const JailReporter& reporter) {
  if (!identity.change || !identity.user_map.empty()) return;
  reporter.Require(::syscall(SYS_setgroups, 0, nullptr) == 0, "setgroups");
  reporter.Require(::syscall(SYS_setresgid, identity.group, identity.group,
                             identity.group) == 0,
                   "setresgid");
  reporter.Require(::syscall(SYS_setresuid, identity.user, identity.user,
                             identity.user) == 0,
                   "setresuid");
}

void UnpackSeed(const JailPlan& plan, int seed, const JailReporter& reporter) {
  const char* tmp = plan.tmp.c_str();
  const int folder = ::open(tmp, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  reporter.Require(folder >= 0, "open", tmp);
  const char* failed = plan.seed.Unpack(folder, seed);
  reporter.Require(failed == nullptr, "seed", failed != nullptr ? failed : "");
  ::close(folder);
}

void Confine(const JailPlan& plan, int ruleset, const JailReporter& reporter) {
  if (plan.level == Isolation::kNone) return;
  reporter.Require(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0,
                   "no_new_privs");
  if (plan.ruleset.valid())
    reporter.Require(::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0,
                     "Landlock");
  sock_fprog program{};
  program.len = static_cast<unsigned short>(plan.filter->size());
  program.filter = const_cast<sock_filter*>(plan.filter->data());
  reporter.Require(
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0,
      "seccomp");
}

// As after an exec: the system forbids a process that has changed its user to
// write below its own /proc/self, which CUDA does.
void GoOnInPlace(const JailDescriptors& descriptors) {
  CloseFrom(descriptors.go);
  ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

void DropBoundingSet() {
  for (int capability = 0; capability < 64; ++capability)
    ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
}

}  // namespace

void CloseFrom(int first) {
  if (::syscall(SYS_close_range, first, ~0u, 0) == 0) return;
  for (int fd = first; fd < 65536; ++fd) ::close(fd);
}

void DropCapabilities() {
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  DropBoundingSet();
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  ::syscall(SYS_capset, &header, none);
}

void RunPayload(const JailPlan& plan, const JailGo& go,
                const JailDescriptors& descriptors) {
  const JailReporter reporter(descriptors.status);
  Detach(reporter);
  SetLimits(plan, go, reporter);
  if (plan.level != Isolation::kNone) {
    // Before the change of user, which takes the right to do this away.
    DropBoundingSet();
    ChangeUser(plan.identity, reporter);
    DropCapabilities();
  }
  // Cleared by the change of user. The init is our parent and has one thread.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::umask(022);
  UnpackSeed(plan, descriptors.seed, reporter);
  reporter.Require(::chdir(plan.working_directory.c_str()) == 0, "chdir",
                   plan.working_directory.c_str());
  Confine(plan, descriptors.ruleset, reporter);
  reporter.Executing(static_cast<int>(::getpid()));
  if (plan.in_place) return GoOnInPlace(descriptors);
  ::execve(plan.program.c_str(), plan.argv.get(), plan.environment.get());
  reporter.Fail("exec", plan.program.c_str());
}

}  // namespace kb::jail
