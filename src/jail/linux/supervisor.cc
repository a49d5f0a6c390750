#include "linux/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "jail/fork_server.h"
#include "linux/jail_init.h"
#include "linux/plan_codec.h"
#include "os/pipe.h"

namespace kb::jail {

using base::Fail;
using base::Ok;
using base::Result;
using std::chrono::milliseconds;

namespace {

// The time that copying a large seed on a slow disk may take.
constexpr milliseconds kSetupLimit{60000};
// Until the kernel must have ended a whole process namespace or control group.
constexpr milliseconds kGrace{3000};
// Without those the init hunts its descendants down, and killing the init would
// set free those that are left.
constexpr milliseconds kSweepGrace{30000};
constexpr milliseconds kDrainLimit{1000};
constexpr int kPipeBytes = 1 << 20;

std::string Text(const JailReport& report) {
  const std::string what(report.what,
                         ::strnlen(report.what, sizeof report.what));
  return fmt::format("{}: {}", what, ::strerror(report.error));
}

// One report, or nothing at the end or when there is none yet.
std::optional<JailReport> ReadReport(const os::Fd& from) {
  JailReport report;
  const ssize_t n = ::read(from.get(), &report, sizeof report);
  if (n != static_cast<ssize_t>(sizeof report)) return std::nullopt;
  return report;
}

Result<void> WriteMap(pid_t pid, const char* name, const std::string& map) {
  const std::string path = fmt::format("/proc/{}/{}", pid, name);
  const os::Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd.valid() || ::write(fd.get(), map.data(), map.size()) !=
                         static_cast<ssize_t>(map.size()))
    return os::FailErrno(fmt::format("write \"{}\" to {}", map, path));
  return Ok();
}

}  // namespace

// --- Start ---

Supervisor::Supervisor(JailPlan plan, ForkServer* server)
    : plan_(std::move(plan)),
      server_(server),
      kept_(plan_.limits.output_bytes),
      deadline_(plan_.limits.wall) {}

Result<std::unique_ptr<Supervisor>> Supervisor::Start(const JailSpec& spec) {
  KB_ASSIGN(JailPlan plan, MakeJailPlan(spec));
  auto* const server = spec.server;
  std::unique_ptr<Supervisor> made(new Supervisor(std::move(plan), server));
  if (auto launched = made->Launch(); !launched)
    return base::Propagate(launched.error().Wrap(fmt::format(
        "isolation level {} cannot be had", IsolationName(spec.isolation))));
  return made;
}

Result<void> Supervisor::Launch() {
  const os::Fd input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!input.valid()) return os::FailErrno("open /dev/null");
  KB_ASSIGN(os::Pipe output, os::MakePipe());
  KB_ASSIGN(os::Pipe go, os::MakePipe());
  KB_ASSIGN(os::Pipe status, os::MakePipe());
  asked_ = os::Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!asked_.valid()) return os::FailErrno("eventfd");
  ::fcntl(output.read.get(), F_SETPIPE_SZ, kPipeBytes);  // speed only
  ::fcntl(output.read.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(status.read.get(), F_SETFL, O_NONBLOCK);

  JailChildEnds ends;
  ends.input = input.get();
  ends.output = output.write.get();
  ends.go = go.read.get();
  ends.status = status.write.get();
  KB_TRY(Clone(ends));
  output_ = std::move(output.read);
  reports_ = std::move(status.read);
  lifeline_ = std::move(go.write);
  output.write.Close();
  status.write.Close();

  KB_TRY(MapUser());
  cgroup_ = Cgroup::Create(plan_.limits.memory_bytes,
                           plan_.limits.processes + 1, init_pid_);
  KB_TRY(ReleaseChild());
  KB_TRY(AwaitExec());
  deadline_ = os::Deadline(plan_.limits.wall);
  return Ok();
}

Result<void> Supervisor::Clone(const JailChildEnds& ends) {
  Result<FirstProcess> first;
  if (server_ != nullptr) {
    const EncodedPlan encoded = EncodePlan(plan_, ends);
    first = server_->Fork(encoded.text, encoded.fds);
  } else {
    first = StartJailInit(plan_, ends);
  }
  if (!first) return base::Propagate(first.error());
  init_pid_ = first->pid;
  init_ = std::move(first->pidfd);
  reaped_ = false;
  return Ok();
}

Result<void> Supervisor::MapUser() const {
  const Identity& identity = plan_.identity;
  if (identity.user_map.empty() || !identity.clear_groups) return Ok();
  KB_TRY(WriteMap(init_pid_, "uid_map", identity.user_map));
  return WriteMap(init_pid_, "gid_map", identity.group_map);
}

Result<void> Supervisor::ReleaseChild() {
  JailGo go;
  go.memory_limited = cgroup_.limits_memory();
  go.processes_limited = cgroup_.limits_processes();
  if (::write(lifeline_.get(), &go, sizeof go) !=
      static_cast<ssize_t>(sizeof go))
    return os::FailErrno("starting the jail");
  return Ok();
}

Result<void> Supervisor::AwaitExec() {
  const os::Deadline limit(kSetupLimit);
  pollfd fd = {reports_.get(), POLLIN, 0};
  while (::poll(&fd, 1, limit.PollTimeout()) <= 0)
    if (limit.Passed())
      return Fail("the jail was not set up in {} s",
                  kSetupLimit.count() / 1000);
  const auto report = ReadReport(reports_);
  if (!report) return Fail("the jail's first process died");
  if (report->kind != JailReport::Kind::kExecuting)
    return Fail("{}", Text(*report));
  payload_ = report->payload;
  return Ok();
}

// --- While it runs ---

void Supervisor::Kill() {
  kill_asked_ = true;
  Ask();
}

void Supervisor::KillUnstoppable() {
  unstoppable_ = true;
  Kill();
}

void Supervisor::LimitLife(milliseconds wall) {
  life_asked_ = wall;
  Ask();
}

void Supervisor::Ask() {
  const uint64_t one = 1;
  // Fails only when as many requests are pending as a counter can hold.
  [[maybe_unused]] const ssize_t n = ::write(asked_.get(), &one, sizeof one);
}

JailExit Supervisor::Watch() {
  while (!InitIsGone()) WatchOnce(deadline_.PollTimeout());
  ReapInit();
  if (plan_.level != Isolation::kFull) KillLeftBehind();
  DrainOutput();
  ReadReports();
  return Conclude();
}

// Without namespaces, foreign code of our own user may have killed the init.
void Supervisor::KillLeftBehind() const {
  cgroup_.Kill();
  if (init_status_ != 0 && payload_ > 0) ::kill(-payload_, SIGKILL);
}

bool Supervisor::InitIsGone() const {
  pollfd fd = {init_.get(), POLLIN, 0};
  return ::poll(&fd, 1, 0) > 0;
}

void Supervisor::WatchOnce(int timeout_ms) {
  // Closed descriptors are negative, which poll skips.
  pollfd fds[4] = {{output_.get(), POLLIN, 0},
                   {reports_.get(), POLLIN, 0},
                   {asked_.get(), POLLIN, 0},
                   {init_.get(), POLLIN, 0}};
  const int ready = ::poll(fds, 4, timeout_ms);
  if (ready > 0 && fds[0].revents != 0) ReadOutput();
  if (ready > 0 && fds[1].revents != 0) ReadReports();
  // A request that comes after the end did not bring it about.
  const bool gone = ready > 0 && fds[3].revents != 0;
  if (gone) return;
  if (ready > 0 && fds[2].revents != 0) {
    DoAsAsked();
  } else if (deadline_.Passed() && !ending_) {
    timed_out_ = true;
    BeginEnd();
  } else if (deadline_.Passed()) {
    deadline_ = os::Deadline(Grace());
    KillInit();
  }
}

void Supervisor::DoAsAsked() {
  uint64_t ignored = 0;
  [[maybe_unused]] const ssize_t n =
      ::read(asked_.get(), &ignored, sizeof ignored);
  const milliseconds life = life_asked_.exchange(kNotAsked);
  if (life != kNotAsked && !ending_) deadline_ = os::Deadline(life);
  if (!kill_asked_) return;
  kill_requested_ = true;
  BeginEnd();
}

void Supervisor::ReadOutput() {
  char buffer[1 << 16];
  const ssize_t n = ::read(output_.get(), buffer, sizeof buffer);
  if (n > 0) {
    kept_.Append({buffer, static_cast<size_t>(n)});
  } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
    output_.Close();
  }
}

void Supervisor::ReadReports() {
  if (!reports_.valid()) return;
  errno = 0;
  while (const auto report = ReadReport(reports_)) {
    if (report->kind == JailReport::Kind::kFailed && !failed_) failed_ = report;
    // Once we kill, how the program ends says nothing about it.
    const bool ours = kill_requested_ || timed_out_;
    if (report->kind == JailReport::Kind::kEnded && !ours) {
      ended_ = report;
      // From here the init only cleans up.
      ending_ = true;
      deadline_ = os::Deadline(Grace());
    }
    errno = 0;
  }
  if (errno != EAGAIN && errno != EINTR) reports_.Close();
}

milliseconds Supervisor::Grace() const {
  return plan_.level == Isolation::kFull ? kGrace : kSweepGrace;
}

void Supervisor::BeginEnd() {
  if (!ending_) deadline_ = os::Deadline(Grace());
  ending_ = true;
  if (plan_.level == Isolation::kFull) return KillInit();
  // All at once where the kernel can, else the init goes after them.
  cgroup_.Kill();
  lifeline_.Close();
}

void Supervisor::KillInit() const {
  cgroup_.Kill();
  ::syscall(SYS_pidfd_send_signal, init_.get(), SIGKILL, nullptr, 0);
}

// --- The end ---

void Supervisor::ReapInit() {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(init_pid_), &info, WEXITED) != 0)
    if (errno != EINTR) break;
  reaped_ = true;
  init_status_ = info.si_code == CLD_EXITED ? 0 : info.si_status;
}

// Nobody is left to write, unless somebody escaped or passed the pipe on: so
// not for ever.
void Supervisor::DrainOutput() {
  const os::Deadline limit(kDrainLimit);
  while (output_.valid() && !limit.Passed()) {
    pollfd fd = {output_.get(), POLLIN, 0};
    if (::poll(&fd, 1, limit.PollTimeout()) > 0) ReadOutput();
  }
}

JailExit Supervisor::Conclude() {
  JailExit exit;
  exit.output = kept_.Text();
  exit.output_total = kept_.total();
  exit.peak_memory_bytes = cgroup_.PeakMemoryBytes();
  const bool memory = cgroup_.OutOfMemory();
  if (failed_) {
    exit.kind = JailExit::Kind::kSetupFailed;
    exit.detail = Text(*failed_);
  } else if (ended_) {
    ConcludeFromReport(exit);
    const bool clean = exit.kind == JailExit::Kind::kExited && exit.code == 0;
    if (memory && !clean) exit.kind = JailExit::Kind::kOutOfMemory;
  } else if (timed_out_) {
    exit.kind = JailExit::Kind::kTimedOut;  // before anybody asked for its end
  } else if (kill_requested_) {
    exit.kind = JailExit::Kind::kKilled;
    exit.unstoppable = unstoppable_;
  } else if (memory) {
    exit.kind = JailExit::Kind::kOutOfMemory;
  } else {
    // Foreign code of our own user may have done it.
    exit.kind = plan_.InitIsOutOfReach() ? JailExit::Kind::kLost
                                         : JailExit::Kind::kKilled;
    exit.detail =
        fmt::format("somebody killed the jail's first process with signal {}",
                    init_status_);
  }
  return exit;
}

void Supervisor::ConcludeFromReport(JailExit& exit) const {
  if (WIFEXITED(ended_->wait_status)) {
    exit.kind = JailExit::Kind::kExited;
    exit.code = WEXITSTATUS(ended_->wait_status);
  } else {
    exit.kind = JailExit::Kind::kSignaled;
    exit.signal = WTERMSIG(ended_->wait_status);
  }
}

Supervisor::~Supervisor() {
  if (reaped_) return;
  KillInit();
  ReapInit();
}

}  // namespace kb::jail
