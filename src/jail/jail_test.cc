#include "jail/jail.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

#include "hostile_child_test.h"
#include "jail/fork_server.h"
#include "linux/landlock.h"
#include "os/files.h"
#include "os/process.h"

namespace kb::jail {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Kind = JailExit::Kind;

const IsolationReport& Machine() {
  static const IsolationReport kReport = ProbeIsolation();
  return kReport;
}

bool MachineHas(const std::string& name) {
  for (const Mechanism& mechanism : Machine().mechanisms)
    if (mechanism.name == name) return mechanism.works;
  ADD_FAILURE() << "no mechanism is called " << name;
  return false;
}

// Both ends of a pipe. As long as anybody inside a jail lives, the write end
// that it inherited is open.
struct Leash {
  Leash() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
    read = os::Fd(ends[0]);
    write = os::Fd(ends[1]);
  }
  // Whether every holder ended within the limit.
  bool AllGone(milliseconds limit) {
    write.Close();
    const auto end = std::chrono::steady_clock::now() + limit;
    do {
      pollfd fd = {read.get(), POLLIN, 0};
      ::poll(&fd, 1, 10);
      char byte = 0;
      if (fd.revents != 0 && ::read(read.get(), &byte, 1) == 0) return true;
    } while (std::chrono::steady_clock::now() < end);
    return false;
  }
  void AwaitUp() const {
    char text[2];
    ASSERT_EQ(2, ::read(read.get(), text, 2));
  }

  os::Fd read;
  os::Fd write;
};

// Whether both letters of the deed "tick" arrive from now on.
bool BothTick(const Leash& leash) {
  std::set<char> seen;
  const auto end = std::chrono::steady_clock::now() + milliseconds(10000);
  while (seen.size() < 2 && std::chrono::steady_clock::now() < end) {
    pollfd fd = {leash.read.get(), POLLIN, 0};
    char letter = 0;
    if (::poll(&fd, 1, 100) == 1 && ::read(leash.read.get(), &letter, 1) == 1)
      seen.insert(letter);
  }
  return seen.size() == 2;
}

// Reads what is there.
void Drain(const Leash& leash) {
  pollfd fd = {leash.read.get(), POLLIN, 0};
  char letters[4096];
  while (::poll(&fd, 1, 0) == 1 &&
         ::read(leash.read.get(), letters, sizeof letters) > 0) {
  }
}

bool IsSilentFor(const Leash& leash, milliseconds time) {
  pollfd fd = {leash.read.get(), POLLIN, 0};
  return ::poll(&fd, 1, static_cast<int>(time.count())) == 0;
}

// Of this process.
std::vector<int> UsableProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(0, ::sched_getaffinity(0, sizeof set, &set));
  std::vector<int> usable;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(static_cast<size_t>(i), &set)) usable.push_back(i);
  return usable;
}

size_t OpenDescriptors() {
  const fs::directory_iterator all("/proc/self/fd");
  return static_cast<size_t>(std::distance(fs::begin(all), fs::end(all)));
}

// Forks the programs of all jails that are not to execute them.
ForkServer* Server() {
  static const auto kServer =
      ForkServer::Start({{HostileProgram(), kHostileFlag, "serve-forks"}, {}});
  EXPECT_TRUE(kServer) << kServer.error().message();
  return kServer ? kServer->get() : nullptr;
}

// A level, and how the program gets into it.
enum class How { kExecuted, kForked };
using Way = std::tuple<Isolation, How>;
const auto kBothWays = testing::Values(How::kExecuted, How::kForked);

std::string WayName(const testing::TestParamInfo<Way>& info) {
  const auto [level, how] = info.param;
  return IsolationName(level) +
         std::string(how == How::kForked ? "_forked" : "");
}

class JailTest : public testing::TestWithParam<Way> {
 protected:
  static Isolation Level() { return std::get<Isolation>(GetParam()); }
  static bool IsForked() { return std::get<How>(GetParam()) == How::kForked; }

  void SetUp() override {
    if (Level() > Machine().best) GTEST_SKIP() << Machine().why_not_better;
  }

  static JailSpec Spec(std::vector<std::string> deed) {
    JailSpec spec;
    spec.argv = {HostileProgram(), kHostileFlag};
    spec.argv.insert(spec.argv.end(), deed.begin(), deed.end());
    spec.binds = {{HostileProgram(), "", false}};
    spec.isolation = Level();
    spec.limits.wall = milliseconds(20000);
    if (IsForked()) spec.server = Server();
    return spec;
  }

  static JailExit Run(const JailSpec& spec) {
    auto jail = Jail::Start(spec);
    if (!jail) {
      ADD_FAILURE() << jail.error().message();
      return {};
    }
    return jail->Wait();
  }

  static JailExit Run(std::vector<std::string> deed) {
    return Run(Spec(std::move(deed)));
  }

  // errno of an action, 0 when it works.
  static int Try(std::vector<std::string> action) {
    action.insert(action.begin(), "try");
    const JailExit exit = Run(std::move(action));
    EXPECT_EQ(Kind::kExited, exit.kind) << exit.output;
    return exit.code;
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, JailTest,
                         testing::Combine(testing::Values(Isolation::kNone,
                                                          Isolation::kReduced,
                                                          Isolation::kFull),
                                          kBothWays),
                         WayName);

TEST_P(JailTest, ExitCodeArrives) {
  const JailExit exit = Run({"exit", "42"});
  EXPECT_EQ(Kind::kExited, exit.kind);
  EXPECT_EQ(42, exit.code);
}

TEST_P(JailTest, SegfaultIsASignal) {
  const JailExit exit = Run({"crash"});
  EXPECT_EQ(Kind::kSignaled, exit.kind);
  EXPECT_EQ(SIGSEGV, exit.signal);
}

TEST_P(JailTest, EndlessOutputIsReadAndShortened) {
  JailSpec spec = Spec({"print", "1200000000"});
  spec.limits.wall = milliseconds(80000);
  const JailExit exit = Run(spec);
  EXPECT_EQ(Kind::kExited, exit.kind);
  EXPECT_EQ(0, exit.code);
  EXPECT_EQ(1200000000u, exit.output_total);
  EXPECT_LT(exit.output.size(), JailLimits().output_bytes + 100);
  EXPECT_NE(std::string::npos, exit.output.find("bytes left out"));
}

TEST_P(JailTest, OutputIsReadWhileNobodyWaits) {
  auto jail = Jail::Start(Spec({"print", "100000000"}));
  ASSERT_TRUE(jail) << jail.error().message();
  pollfd end = {jail->wait_fd(), POLLIN, 0};
  EXPECT_EQ(1, ::poll(&end, 1, 20000));
  EXPECT_EQ(100000000u, jail->Wait().output_total);
}

TEST_P(JailTest, SleeperIsKilledAtTheWallLimit) {
  JailSpec spec = Spec({"sleep"});
  spec.limits.wall = milliseconds(300);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(Kind::kTimedOut, Run(spec).kind);
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(300));
}

TEST_P(JailTest, LifeCanBeLimitedLater) {
  for (const bool longer : {false, true}) {
    Leash leash;
    JailSpec spec = Spec({"tick"});
    spec.inherited_fds = {leash.write.get()};
    spec.limits.wall = longer ? milliseconds(300) : milliseconds(3600 * 1000);
    auto jail = Jail::Start(spec);
    ASSERT_TRUE(jail) << jail.error().message();
    jail->LimitLife(longer ? milliseconds(3600 * 1000) : milliseconds(300));
    if (longer) {
      std::this_thread::sleep_for(milliseconds(600));
      EXPECT_TRUE(BothTick(leash));
      jail->Kill();
    }
    EXPECT_EQ(longer ? Kind::kKilled : Kind::kTimedOut, jail->Wait().kind);
  }
}

TEST_P(JailTest, ForkBombEndsAndNothingRemains) {
  if (!MachineHas("control groups") && Level() == Isolation::kNone &&
      ::geteuid() == 0)
    GTEST_SKIP() << "nothing limits root without control groups";
  Leash leash;
  JailSpec spec = Spec({"bomb"});
  spec.limits.wall = milliseconds(1000);
  spec.limits.processes = 30;
  spec.inherited_fds = {leash.write.get()};
  const JailExit exit = Run(spec);
  EXPECT_EQ(Kind::kTimedOut, exit.kind)
      << "signal " << exit.signal << " " << exit.detail;
  EXPECT_TRUE(leash.AllGone(milliseconds(50)));
}

TEST_P(JailTest, MemoryHogIsOutOfMemory) {
  if (!MachineHas("control groups")) GTEST_SKIP() << "no control groups";
  JailSpec spec = Spec({"hog", "400000000"});
  spec.limits.memory_bytes = 100 << 20;
  const JailExit exit = Run(spec);
  EXPECT_EQ(Kind::kOutOfMemory, exit.kind);
  ASSERT_TRUE(exit.peak_memory_bytes);
  EXPECT_GT(*exit.peak_memory_bytes, 90u << 20);
  EXPECT_LE(*exit.peak_memory_bytes, 100u << 20);
}

TEST_P(JailTest, MemoryBelowTheLimitIsFine) {
#ifdef KB_SANITIZE  // whose own memory is several times the program's
  constexpr int64_t kLimit = int64_t{2} << 30;
#else
  constexpr int64_t kLimit = int64_t{200} << 20;
#endif
  JailSpec spec = Spec({"hog", "50000000"});
  spec.limits.memory_bytes = kLimit;
  EXPECT_EQ(Kind::kExited, Run(spec).kind);
}

TEST_P(JailTest, DaemonThatHoldsTheOutputIsGone) {
  Leash leash;
  JailSpec spec = Spec({"daemon"});
  spec.inherited_fds = {leash.write.get()};
  // Would end it too, but not before CTest's limit.
  spec.limits.wall = std::chrono::hours(2);
  const JailExit exit = Run(spec);
  EXPECT_EQ(Kind::kExited, exit.kind);
  EXPECT_EQ(7, exit.code);
  EXPECT_TRUE(leash.AllGone(milliseconds(50)));
}

TEST_P(JailTest, AnotherThreadKills) {
  Leash leash;
  JailSpec spec = Spec({"sleep"});
  spec.inherited_fds = {leash.write.get()};
  auto jail = Jail::Start(spec);
  ASSERT_TRUE(jail) << jail.error().message();
  leash.AwaitUp();
  std::thread killer([&] {
    std::this_thread::sleep_for(milliseconds(50));
    jail->Kill();
  });
  EXPECT_EQ(Kind::kKilled, jail->Wait().kind);
  killer.join();
  EXPECT_TRUE(leash.AllGone(milliseconds(50)));
}

// By somebody who may, which is no program inside: another user there, or in
// another namespace.
TEST_P(JailTest, InitThatIsKilledFromOutsideIsLost) {
  Leash leash;
  JailSpec spec = Spec({"sleep"});
  spec.inherited_fds = {leash.write.get()};
  auto jail = Jail::Start(spec);
  ASSERT_TRUE(jail) << jail.error().message();
  leash.AwaitUp();
  ASSERT_EQ(0, ::syscall(SYS_pidfd_send_signal, jail->wait_fd(), SIGKILL,
                         nullptr, 0));
  pollfd ended{jail->wait_fd(), POLLIN, 0};
  ASSERT_EQ(1, ::poll(&ended, 1, 10000));
  jail->Kill();  // as a lane does: that it came too late is seen
  const JailExit& exit = jail->Wait();
  const bool same_user = Level() == Isolation::kNone ||
                         (Level() == Isolation::kReduced && ::geteuid() != 0);
  EXPECT_EQ(same_user ? Kind::kKilled : Kind::kLost, exit.kind);
  EXPECT_EQ("somebody killed the jail's first process with signal 9",
            exit.detail);
  EXPECT_TRUE(leash.AllGone(milliseconds(2000)));
}

TEST_P(JailTest, DestructionKills) {
  Leash leash;
  JailSpec spec = Spec({"sleep"});
  spec.inherited_fds = {leash.write.get()};
  {
    auto jail = Jail::Start(spec);
    ASSERT_TRUE(jail) << jail.error().message();
    leash.AwaitUp();
  }
  EXPECT_TRUE(leash.AllGone(milliseconds(50)));
}

// The program and its child, which has left the session; also where the
// program's first thread has ended.
TEST_P(JailTest, SuspendStopsEverythingInsideUntilResume) {
  for (const char* deed : {"tick", "tick-without-leader"}) {
    Leash leash;
    JailSpec spec = Spec({deed});
    spec.inherited_fds = {leash.write.get()};
    auto jail = Jail::Start(spec);
    ASSERT_TRUE(jail) << jail.error().message();
    ASSERT_TRUE(BothTick(leash)) << deed;
    for (int turn = 0; turn < 3; ++turn) {
      jail->Suspend();
      // What was being written at that moment.
      std::this_thread::sleep_for(milliseconds(20));
      Drain(leash);
      EXPECT_TRUE(IsSilentFor(leash, milliseconds(100))) << deed << turn;
      jail->Resume();
      EXPECT_TRUE(BothTick(leash)) << deed << turn;
    }
    jail->Kill();
    EXPECT_EQ(Kind::kKilled, jail->Wait().kind);
  }
}

TEST_P(JailTest, WhoWaitsForAChildIsStoppedWithIt) {
  Leash leash;
  JailSpec spec = Spec({"tick-in-vfork"});
  spec.inherited_fds = {leash.write.get()};
  auto jail = Jail::Start(spec);
  ASSERT_TRUE(jail) << jail.error().message();
  for (int turn = 0; turn < 3; ++turn) {
    ASSERT_FALSE(IsSilentFor(leash, milliseconds(10000))) << turn;
    jail->Suspend();
    std::this_thread::sleep_for(milliseconds(20));
    Drain(leash);
    EXPECT_TRUE(IsSilentFor(leash, milliseconds(100))) << turn;
    jail->Resume();
  }
  jail->Kill();
  EXPECT_FALSE(jail->Wait().unstoppable);
}

// Each of a row of processes is there for some microseconds. They are stopped,
// or the jail ends.
TEST_P(JailTest, NobodyRunsOnByStartingOthers) {
  Leash leash;
  JailSpec spec = Spec({"relay"});
  spec.inherited_fds = {leash.write.get()};
  auto jail = Jail::Start(spec);
  ASSERT_TRUE(jail) << jail.error().message();
  for (int turn = 0; turn < 10; ++turn) {
    if (IsSilentFor(leash, milliseconds(turn > 0 ? 1000 : 10000))) {
      EXPECT_GT(turn, 0) << "it never ran";
      break;  // it could not be stopped, or start another
    }
    jail->Suspend();
    std::this_thread::sleep_for(milliseconds(20));
    Drain(leash);
    ASSERT_TRUE(IsSilentFor(leash, milliseconds(50))) << turn;
    jail->Resume();
  }
  jail->Kill();
  EXPECT_EQ(Kind::kKilled, jail->Wait().kind);
}

TEST_P(JailTest, WhatIsSuspendedCanBeKilled) {
  Leash leash;
  JailSpec spec = Spec({"tick"});
  spec.inherited_fds = {leash.write.get()};
  auto jail = Jail::Start(spec);
  ASSERT_TRUE(jail) << jail.error().message();
  ASSERT_TRUE(BothTick(leash));
  jail->Suspend();
  jail->Kill();
  EXPECT_EQ(Kind::kKilled, jail->Wait().kind);
  leash.write.Close();
  Drain(leash);
  EXPECT_TRUE(leash.AllGone(milliseconds(50)));
}

TEST_P(JailTest, SuspendedProgramsMeetTheWallLimitAllTheSame) {
  Leash leash;
  JailSpec spec = Spec({"tick"});
  spec.inherited_fds = {leash.write.get()};
  spec.limits.wall = milliseconds(500);
  auto jail = Jail::Start(spec);
  ASSERT_TRUE(jail) << jail.error().message();
  jail->Suspend();
  EXPECT_EQ(Kind::kTimedOut, jail->Wait().kind);
}

TEST_P(JailTest, SeesTheGivenProcessorsOnly) {
  const std::vector<int> usable = UsableProcessors();
  JailSpec spec = Spec({"processors"});
  std::string all;
  for (const int processor : usable) all += std::to_string(processor) + " ";
  EXPECT_EQ(all, Run(spec).output) << "none given: all";
  if (usable.size() < 2) GTEST_SKIP() << "one processor";
  for (const int processor : {usable.front(), usable.back()}) {
    spec.processors = {processor};
    EXPECT_EQ(std::to_string(processor) + " ", Run(spec).output);
  }
}

TEST_P(JailTest, ConfineMovesTheProgramAndItsChildren) {
  const std::vector<int> usable = UsableProcessors();
  if (usable.size() < 2) GTEST_SKIP() << "one processor";
  Leash leash;
  JailSpec spec = Spec({"await-processors", std::to_string(usable.back())});
  spec.inherited_fds = {leash.write.get()};
  auto jail = Jail::Start(spec);
  ASSERT_TRUE(jail) << jail.error().message();
  leash.AwaitUp();
  jail->Confine({usable.back()});
  const JailExit& exit = jail->Wait();
  EXPECT_EQ(Kind::kExited, exit.kind);
  EXPECT_EQ(0, exit.code);
}

TEST_P(JailTest, MissingProgramIsSetupFailed) {
  JailSpec spec = Spec({});
  spec.server = nullptr;
  spec.argv = {"/usr/bin/there-is-no-such-program"};
  const JailExit exit = Run(spec);
  EXPECT_EQ(Kind::kSetupFailed, exit.kind);
  EXPECT_NE(std::string::npos, exit.detail.find("No such file")) << exit.detail;
}

TEST_P(JailTest, MissingBindIsAnError) {
  JailSpec spec = Spec({"exit", "0"});
  spec.binds.push_back({"/usr/there-is-no-such-folder", "", false});
  const auto jail = Jail::Start(spec);
  ASSERT_FALSE(jail);
  EXPECT_NE(std::string::npos, jail.error().message().find("no-such-folder"));
}

TEST_P(JailTest, TmpSeedArrivesWithItsTimes) {
  const auto folder = os::TempDir::Create();
  ASSERT_TRUE(folder);
  const std::string file = folder->path() + "/sub/file";
  ASSERT_TRUE(os::MakeDirectories(folder->path() + "/sub"));
  ASSERT_TRUE(os::WriteFileAtomically(file, "content"));
  fs::permissions(file, fs::perms(0640));
  const timespec times[2] = {{1000, 5}, {1234567, 89}};
  ASSERT_EQ(0, ::utimensat(AT_FDCWD, file.c_str(), times, 0));
  JailSpec spec = Spec({"seed", "{TMP}/cache/sub/file"});
  spec.tmp_seed_source = folder->path();
  spec.tmp_seed_name = "cache";
  EXPECT_EQ("640 1234567.89 content", Run(spec).output);
  // The copy belongs to the program: it may add to it.
  spec.argv = Spec({"try", "write", "{TMP}/cache/sub/new"}).argv;
  EXPECT_EQ(0, Run(spec).code);
  EXPECT_FALSE(fs::exists(folder->path() + "/sub/new"));
}

TEST_P(JailTest, WritableBindReceivesOutputs) {
  const auto folder = os::TempDir::Create();
  ASSERT_TRUE(folder);
  fs::permissions(fs::path(folder->path()), fs::perms(0755));
  JailSpec spec = Spec({"try", "write", folder->path() + "/made"});
  spec.binds.push_back({folder->path(), "", true});
  EXPECT_EQ(0, Run(spec).code);
  EXPECT_TRUE(fs::exists(folder->path() + "/made"));
}

TEST_P(JailTest, InheritedDescriptorIsThreeAndNoOtherIsOpen) {
  const os::Fd spare(::open("/dev/null", O_RDONLY));  // without close-on-exec
  Leash leash;
  JailSpec spec = Spec({"descriptors"});
  spec.inherited_fds = {leash.write.get(), leash.read.get()};
  EXPECT_EQ("0 1 2 3 4 ", Run(spec).output);
  spec.inherited_fds.clear();
  EXPECT_EQ("0 1 2 ", Run(spec).output);
}

TEST_P(JailTest, EnvironmentIsExactlyWhatWasGiven) {
  ::setenv("KB_SECRET", "of the parent", 1);
  JailSpec spec = Spec({"environment"});
  spec.env = {{"A", "1"}, {"HOME", "/h"}, {"TMPDIR", "/t"}};
  EXPECT_EQ("A=1\nHOME=/h\nTMPDIR=/t\n", Run(spec).output);
}

TEST_P(JailTest, TmpIsWritableAndGoneAfterwards) {
  EXPECT_EQ(0, Try({"write", "{TMP}/x"}));
  EXPECT_EQ(ENOENT, Try({"read", "{TMP}/x"}));
}

TEST_P(JailTest, FileLimitHolds) {
  JailSpec spec = Spec({"grow", "{TMP}/big", "2000000"});
  spec.limits.file_bytes = 1000000;
  const JailExit exit = Run(spec);
  EXPECT_EQ(Kind::kSignaled, exit.kind);
  EXPECT_EQ(SIGXFSZ, exit.signal);
}

TEST_P(JailTest, ManyAtOnceLeaveNoDescriptors) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "a clone of a process with threads waits for ever for a lock "
                  "of ThreadSanitizer that another thread held";
#endif
  Run({"exit", "0"});
  const size_t before = OpenDescriptors();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([i] {
      for (int k = 0; k < 10; ++k) {
        const JailExit exit = Run({"exit", std::to_string(10 * i + k)});
        EXPECT_EQ(Kind::kExited, exit.kind) << exit.detail;
        EXPECT_EQ(10 * i + k, exit.code);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(before, OpenDescriptors());
}

// What a supervisor that is killed leaves behind: no process, and nothing that
// a sweep does not remove.
TEST_P(JailTest, KilledSupervisorLeavesNothing) {
  Leash leash;
  os::Process::Options options;
  options.argv = {HostileProgram(), kHostileFlag, "supervise",
                  IsolationName(Level())};
  if (IsForked()) options.argv.emplace_back("forked");
  options.inherited_fds = {leash.write.get()};
  auto supervisor = os::Process::Start(options);
  ASSERT_TRUE(supervisor) << supervisor.error().message();
  const std::string mark =
      "kernelbench-jail-" + std::to_string(supervisor->pid()) + "-";
  leash.AwaitUp();
  ASSERT_EQ(0, ::kill(supervisor->pid(), SIGKILL));
  supervisor->Wait(milliseconds(5000));
  EXPECT_TRUE(leash.AllGone(milliseconds(2000)));
  SweepStaleJails();
  for (const auto& entry : fs::directory_iterator("/tmp"))
    EXPECT_FALSE(entry.path().filename().string().starts_with(mark));
}

// Nothing of the server's is left in what it forked, and nothing of a program's
// in the next.
TEST_P(JailTest, ForkedProgramsAreAsNewAsExecutedOnes) {
  JailSpec first = Spec({"environment"});
  first.env = {{"HOME", "/h"}, {"TMPDIR", "/t"}, {"OF", "the first"}};
  JailSpec second = Spec({"environment"});
  second.env = {{"HOME", "/h"}, {"TMPDIR", "/t"}};
  EXPECT_EQ("HOME=/h\nOF=the first\nTMPDIR=/t\n", Run(first).output);
  EXPECT_EQ("HOME=/h\nTMPDIR=/t\n", Run(second).output);
}

TEST(ForkServerTest, OneThatEndsSaysSo) {
  auto server = ForkServer::Start({{"/bin/sh", "-c", "exit 3"}, {}});
  ASSERT_TRUE(server) << server.error().message();
  JailSpec spec;
  spec.argv = {HostileProgram(), kHostileFlag, "exit", "0"};
  spec.binds = {{HostileProgram(), "", false}};
  spec.isolation = Isolation::kNone;
  spec.server = server->get();
  const auto jail = Jail::Start(spec);
  ASSERT_FALSE(jail);
  EXPECT_NE(std::string::npos, jail.error().message().find("fork server"))
      << jail.error().message();
  EXPECT_FALSE((*server)->alive());
}

// --- What is refused, at the levels that promise it ---

class ConfinementTest : public JailTest {};

INSTANTIATE_TEST_SUITE_P(Levels, ConfinementTest,
                         testing::Combine(testing::Values(Isolation::kReduced,
                                                          Isolation::kFull),
                                          kBothWays),
                         WayName);

TEST_P(ConfinementTest, SystemCallsOutOfTheJailAreRefused) {
  for (const char* action :
       {"internet", "netlink", "ptrace", "unshare-user", "clone-user", "mount",
        "chroot", "bpf", "perf", "io_uring", "keyctl", "userfaultfd",
        "shared-memory", "semaphores", "messages"})
    EXPECT_EQ(EPERM, Try({action})) << action;
  EXPECT_EQ(ENOSYS, Try({"clone3"}));
  if (Level() != Isolation::kReduced) return;
  for (const char* action : {"slow-parent", "slow-user", "pin-parent"})
    EXPECT_EQ(EPERM, Try({action})) << action;
  EXPECT_NE(0, Try({"become-root"}));
}

TEST_P(ConfinementTest, ItsProcessorsAreNotItsChoice) {
  EXPECT_EQ(EPERM, Try({"pin-self"}));
}

TEST_P(ConfinementTest, SystemFoldersAreReadOnly) {
  for (const char* path : {"/etc/kb-x", "/usr/kb-x", "/kb-x", "/dev/kb-x",
                           "/sys/kb-x", "/proc/sys/kernel/core_pattern"})
    EXPECT_NE(0, Try({"write", path})) << path;
  EXPECT_EQ(0, Try({"read", "/etc/ld.so.cache"}));
}

TEST_P(ConfinementTest, TheHostsFilesAreHidden) {
  for (const char* path : {"/root", "/home", "/var", "/work", "/mnt", "/opt"})
    EXPECT_NE(0, Try({"list", path})) << path;
  for (const char* path : {"/proc/1/environ", "/etc/shadow", "/etc/passwd",
                           "/etc/hostname", "/etc/fstab", "/etc/hosts"})
    EXPECT_NE(0, Try({"read", path})) << path;
  const auto secret = os::TempDir::Create();
  ASSERT_TRUE(secret);
  fs::permissions(fs::path(secret->path()), fs::perms(0755));
  ASSERT_TRUE(os::WriteFileAtomically(secret->path() + "/x", "secret"));
  EXPECT_NE(0, Try({"read", secret->path() + "/x"}));
  EXPECT_NE(0, Try({"write", secret->path() + "/y"}));
}

TEST_P(ConfinementTest, ReadOnlyBindIsReadOnly) {
  const auto folder = os::TempDir::Create();
  ASSERT_TRUE(folder);
  fs::permissions(fs::path(folder->path()), fs::perms(0777));
  ASSERT_TRUE(os::WriteFileAtomically(folder->path() + "/x", "shown"));
  JailSpec spec = Spec({"try", "read", folder->path() + "/x"});
  spec.binds.push_back({folder->path(), "", false});
  EXPECT_EQ(0, Run(spec).code);
  spec.argv = Spec({"try", "write", folder->path() + "/y"}).argv;
  EXPECT_NE(0, Run(spec).code);
  EXPECT_FALSE(fs::exists(folder->path() + "/y"));
}

TEST_P(ConfinementTest, SocketsOfTheHostAreOutOfReach) {
  const auto folder = os::TempDir::Create();
  ASSERT_TRUE(folder);
  fs::permissions(fs::path(folder->path()), fs::perms(0777));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder->path() + "/s";
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const os::Fd server(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(0, ::bind(server.get(), reinterpret_cast<sockaddr*>(&address),
                      sizeof address));
  ASSERT_EQ(0, ::listen(server.get(), 1));
  fs::permissions(path, fs::perms(0777));
  EXPECT_NE(0, Try({"connect", path}));

  const std::string letters = folder->path() + "/d";
  address.sun_path[letters.size() - 1] = 'd';
  const os::Fd receiver(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(0, ::bind(receiver.get(), reinterpret_cast<sockaddr*>(&address),
                      sizeof address));
  fs::permissions(letters, fs::perms(0777));
  EXPECT_NE(0, Try({"send", letters}));
}

TEST_P(ConfinementTest, TheInitSurvivesItsPayload) {
  if (Level() == Isolation::kReduced && ::geteuid() != 0 &&
      LandlockVersion() < 6)
    GTEST_SKIP() << "this Landlock does not keep signals inside";
  const JailExit exit = Run({"try", "kill-parent"});
  EXPECT_EQ(Kind::kExited, exit.kind) << exit.detail;
}

// The control of the tests above: the same deeds work where nothing is
// promised, so that refusals are the jail's doing.
TEST(UnconfinedTest, TheSameDeedsWork) {
  if (::geteuid() != 0) GTEST_SKIP() << "not root";
  if (Machine().best != Isolation::kFull)
    GTEST_SKIP() << Machine().why_not_better;
  for (const char* action :
       {"internet", "netlink", "ptrace", "unshare-user", "clone-user", "chroot",
        "pin-self", "become-root"}) {
    JailSpec spec;
    spec.argv = {HostileProgram(), kHostileFlag, "try", action};
    spec.isolation = Isolation::kNone;
    auto jail = Jail::Start(spec);
    ASSERT_TRUE(jail) << jail.error().message();
    EXPECT_EQ(Kind::kExited, jail->Wait().kind);
    EXPECT_EQ(0, jail->Wait().code) << action;
  }
}

// --- Level full only ---

class FullJailTest : public JailTest {};
INSTANTIATE_TEST_SUITE_P(Levels, FullJailTest,
                         testing::Combine(testing::Values(Isolation::kFull),
                                          kBothWays),
                         WayName);

TEST_P(FullJailTest, BindAppearsWhereItWasAskedFor) {
  const auto folder = os::TempDir::Create();
  ASSERT_TRUE(folder);
  ASSERT_TRUE(os::WriteFileAtomically(folder->path() + "/x", "here"));
  fs::permissions(fs::path(folder->path()), fs::perms(0755));
  for (const char* target :
       {"/root/.pyenv/versions", "/opt-of-ours", "/tmp/in"}) {
    JailSpec spec = Spec({"seed", std::string(target) + "/x"});
    spec.binds.push_back({folder->path(), target, false});
    EXPECT_NE(std::string::npos, Run(spec).output.find("here")) << target;
  }
}

TEST_P(FullJailTest, PrivateTmpIsLimited) {
  JailSpec spec = Spec({"print", "8000000"});
  const std::string program = spec.argv[0];
  spec.server = nullptr;
  spec.argv = {"/bin/sh", "-c",
               program + " --hostile print 8000000 > /tmp/x || exit 9"};
  spec.limits.tmp_bytes = 4 << 20;
  EXPECT_EQ(9, Run(spec).code);
  spec.limits.tmp_bytes = 16 << 20;
  EXPECT_EQ(0, Run(spec).code);
}

TEST(IsolationTest, NamesAreParsedBack) {
  for (const Isolation level :
       {Isolation::kNone, Isolation::kReduced, Isolation::kFull})
    EXPECT_EQ(level, ParseIsolation(IsolationName(level)));
  EXPECT_FALSE(ParseIsolation("Full"));
}

TEST(IsolationTest, EveryMissingMechanismHasAdvice) {
  for (const Mechanism& mechanism : Machine().mechanisms) {
    EXPECT_FALSE(mechanism.detail.empty()) << mechanism.name;
    EXPECT_NE(mechanism.works, !mechanism.advice.empty()) << mechanism.name;
  }
  EXPECT_EQ(Machine().best == Isolation::kFull,
            Machine().why_not_better.empty());
}

}  // namespace
}  // namespace kb::jail
