#include "linux/seccomp_filter.h"

#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "base/check.h"
#include "base/mutex.h"
#include "os/fd.h"

namespace kb::jail {
namespace {

using base::Fail;
using base::Ok;
using base::Result;

// Ways to other processes, to the kernel's inside and out of the namespaces.
// Numbers of calls that an architecture lacks are negative and are skipped.
constexpr int kDenied[] = {
    // Mounts and namespaces: without this, nested user namespaces give back
    // every capability that was dropped.
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(umount), SCMP_SYS(pivot_root),
    SCMP_SYS(chroot), SCMP_SYS(move_mount), SCMP_SYS(open_tree),
    SCMP_SYS(fsopen), SCMP_SYS(fsmount), SCMP_SYS(fsconfig), SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr), SCMP_SYS(setns), SCMP_SYS(unshare),
    // Other processes.
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
    SCMP_SYS(process_madvise), SCMP_SYS(pidfd_getfd), SCMP_SYS(kcmp),
    // What outlives who made it.
    SCMP_SYS(shmget), SCMP_SYS(semget), SCMP_SYS(msgget), SCMP_SYS(mq_open),
    // Files by handle go around every path rule.
    SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at),
    // Large and often broken parts of the kernel that kernels do not need.
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd),
    SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register), SCMP_SYS(keyctl), SCMP_SYS(add_key),
    SCMP_SYS(request_key), SCMP_SYS(vmsplice), SCMP_SYS(lookup_dcookie),
    // The machine.
    SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module),
    SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(reboot),
    SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(quotactl),
    SCMP_SYS(quotactl_fd), SCMP_SYS(acct), SCMP_SYS(syslog),
    SCMP_SYS(nfsservctl), SCMP_SYS(fanotify_init), SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime), SCMP_SYS(adjtimex), SCMP_SYS(clock_adjtime),
    SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(vhangup), SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname)};

constexpr uint64_t kNamespaceFlags[] = {
    CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
    CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};

// Collects rules; the first failure is kept.
class Builder {
 public:
  Builder() : context_(::seccomp_init(SCMP_ACT_ALLOW)) {}

  void Deny(int call, int error = EPERM) {
    if (call >= 0) Add(call, error, 0, scmp_arg_cmp{});
  }
  void DenyIf(int call, scmp_arg_cmp argument) {
    if (call >= 0) Add(call, EPERM, 1, argument);
  }

  Result<std::vector<sock_filter>> Compile() {
    if (context_ == nullptr) return Fail("seccomp_init failed");
    if (error_ != 0) return Failure("adding a seccomp rule", error_);
    // libseccomp of Debian 12 exports to files only.
    const os::Fd file(::memfd_create("kernelbench-seccomp", MFD_CLOEXEC));
    if (!file.valid()) return os::FailErrno("memfd_create");
    const int exported = ::seccomp_export_bpf(context_.get(), file.get());
    if (exported != 0) return Failure("compiling the seccomp filter", exported);
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    if (size < 0) return os::FailErrno("reading the seccomp filter");
    std::vector<sock_filter> program(static_cast<size_t>(size) /
                                     sizeof(sock_filter));
    if (::pread(file.get(), program.data(), static_cast<size_t>(size), 0) !=
        size)
      return os::FailErrno("reading the seccomp filter");
    return program;
  }

 private:
  struct Release {
    void operator()(scmp_filter_ctx context) const {
      ::seccomp_release(context);
    }
  };

  static tl::unexpected<base::Error> Failure(const char* what, int error) {
    errno = -error;
    return os::FailErrno(what);
  }

  void Add(int call, int error, unsigned count, scmp_arg_cmp argument) {
    if (context_ == nullptr || error_ != 0) return;
    error_ = ::seccomp_rule_add_array(
        context_.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call,
        count, count == 0 ? nullptr : &argument);
  }

  std::unique_ptr<void, Release> context_;
  int error_ = 0;
};

scmp_arg_cmp Compare(unsigned index, scmp_compare how, uint64_t a,
                     uint64_t b = 0) {
  return scmp_arg_cmp{index, how, a, b};
}

Result<std::vector<sock_filter>> Compile(Isolation level) {
  Builder builder;
  for (const int call : kDenied) builder.Deny(call);
  // Which processors it has is ours to say (JailSpec::processors).
  builder.Deny(SCMP_SYS(sched_setaffinity));
  // Its flags lie behind a pointer; libc falls back to clone.
  builder.Deny(SCMP_SYS(clone3), ENOSYS);
  for (const uint64_t flag : kNamespaceFlags)
    builder.DenyIf(SCMP_SYS(clone), Compare(0, SCMP_CMP_MASKED_EQ, flag, flag));
  // Types into the terminal of whoever started us. The kernel looks at the low
  // 32 bits only.
  builder.DenyIf(SCMP_SYS(ioctl),
                 Compare(1, SCMP_CMP_MASKED_EQ, 0xffffffff, TIOCSTI));
  for (const int call : {SCMP_SYS(socket), SCMP_SYS(socketpair)})
    builder.DenyIf(call, Compare(0, SCMP_CMP_NE, AF_UNIX));
  if (level == Isolation::kReduced) {
    // No namespace hides the host. A Unix socket of a daemon (Docker's, say)
    // can be had by path.
    builder.Deny(SCMP_SYS(connect));
    // Datagrams need no connection; a raw Unix socket is one for them.
    for (const int call : {SCMP_SYS(socket), SCMP_SYS(socketpair)})
      for (const uint64_t type : {SOCK_DGRAM, SOCK_RAW})
        builder.DenyIf(call, Compare(1, SCMP_CMP_MASKED_EQ, 0xf, type));
    // When we are not root, the oracle has the same user: no slowing it down.
    for (const int call : {SCMP_SYS(prlimit64), SCMP_SYS(sched_setscheduler),
                           SCMP_SYS(sched_setparam), SCMP_SYS(sched_setattr)})
      builder.DenyIf(call, Compare(0, SCMP_CMP_NE, 0));
    for (const int call : {SCMP_SYS(setpriority), SCMP_SYS(ioprio_set)})
      builder.DenyIf(call, Compare(1, SCMP_CMP_NE, 0));
    // PRIO_USER with 0 means everything of our user.
    builder.DenyIf(SCMP_SYS(setpriority),
                   Compare(0, SCMP_CMP_NE, PRIO_PROCESS));
    builder.DenyIf(SCMP_SYS(ioprio_set), Compare(0, SCMP_CMP_NE, 1));
  }
  return builder.Compile();
}

}  // namespace

Result<const std::vector<sock_filter>*> SeccompFilter(Isolation level) {
  KB_CHECK(level != Isolation::kNone);
  static base::Mutex mutex;
  static std::unique_ptr<std::vector<sock_filter>> cache[2];
  const base::MutexLock lock(&mutex);
  auto& program = cache[level == Isolation::kFull ? 1 : 0];
  if (program == nullptr) {
    KB_ASSIGN(auto compiled, Compile(level));
    program = std::make_unique<std::vector<sock_filter>>(std::move(compiled));
  }
  return program.get();
}

}  // namespace kb::jail
