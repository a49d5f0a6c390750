// The test program: runs the tests, or a deed (see the header).

#include "hostile_child_test.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "jail/fork_server.h"
#include "jail/fork_service.h"
#include "jail/jail.h"
#include "os/files.h"

namespace kb::jail {

const std::string& HostileProgram() {
  static const os::TempDir kFolder = [] {
    auto made = os::TempDir::Create("kernelbench-jail-test");
    if (!made) std::abort();
    namespace fs = std::filesystem;
    fs::permissions(made->path(), fs::perms(0755));
    fs::copy_file("/proc/self/exe", made->path() + "/hostile");
    fs::permissions(made->path() + "/hostile", fs::perms(0755));
    return std::move(*made);
  }();
  static const std::string kProgram = kFolder.path() + "/hostile";
  return kProgram;
}

namespace {

using Arguments = std::vector<std::string>;

uint64_t Number(const std::string& text) {
  return std::strtoull(text.c_str(), nullptr, 10);
}

[[noreturn]] void SleepForEver() {
  for (;;) ::pause();
}

int Crash() {
  ::signal(SIGSEGV, SIG_DFL);  // sanitizers have a handler
  volatile int* nowhere = nullptr;
  return *nowhere;
}

int Sleep() {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  // Fails when the test passed no descriptor.
  [[maybe_unused]] const ssize_t n = ::write(3, "up", 2);
  SleepForEver();
}

int Print(uint64_t bytes) {
  const std::string block(1 << 16, 'x');
  while (bytes > 0) {
    const ssize_t n =
        ::write(1, block.data(), std::min<uint64_t>(bytes, block.size()));
    if (n <= 0) return 1;
    bytes -= static_cast<uint64_t>(n);
  }
  return 0;
}

int Hog(uint64_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  std::memset(memory, 1, bytes);
  return 0;
}

// Should the jail fail, the machine shall survive.
int Bomb() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(8);
  while (std::chrono::steady_clock::now() < end)
    if (::fork() == 0) ::setsid();
  return 0;
}

// The grandchild keeps descriptor 3 and stdout open.
int LeaveDaemon() {
  int ready[2];
  if (::pipe(ready) != 0) return 1;
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) {
      [[maybe_unused]] const ssize_t n = ::write(ready[1], "x", 1);
      SleepForEver();
    }
    ::_exit(0);
  }
  char byte = 0;
  return ::read(ready[0], &byte, 1) == 1 ? 7 : 1;
}

// 0 when a call returned 0 or a descriptor, else errno.
int Errno(long result) { return result >= 0 ? 0 : errno; }

int Connect(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return errno;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return Errno(
      ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address));
}

int SendTo(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  if (fd < 0) return errno;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return Errno(::sendto(fd, "x", 1, 0, reinterpret_cast<sockaddr*>(&address),
                        sizeof address));
}

int ReadSomething(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY);
  if (fd < 0) return errno;
  char byte = 0;
  const ssize_t n = ::read(fd, &byte, 1);
  return n < 0 && errno != EISDIR ? errno : 0;
}

int Try(const Arguments& arguments) {
  const std::string& action = arguments[0];
  const std::string path = arguments.size() > 1 ? arguments[1] : "";
  const std::map<std::string, std::function<int()>> actions = {
      {"write",
       [&] { return Errno(::open(path.c_str(), O_WRONLY | O_CREAT, 0644)); }},
      {"read", [&] { return ReadSomething(path); }},
      {"list",
       [&] { return Errno(::open(path.c_str(), O_RDONLY | O_DIRECTORY)); }},
      {"connect", [&] { return Connect(path); }},
      {"send", [&] { return SendTo(path); }},
      {"internet", [] { return Errno(::socket(AF_INET, SOCK_STREAM, 0)); }},
      {"netlink", [] { return Errno(::socket(AF_NETLINK, SOCK_RAW, 0)); }},
      {"ptrace",
       [] { return Errno(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); }},
      {"unshare-user", [] { return Errno(::unshare(CLONE_NEWUSER)); }},
      {"clone-user",
       [] {
         const long pid =
             ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
         if (pid == 0) ::_exit(0);
         return Errno(pid);
       }},
      {"clone3", [] { return Errno(::syscall(SYS_clone3, nullptr, 0)); }},
      {"mount",
       [] { return Errno(::mount("x", "/tmp", "tmpfs", 0, nullptr)); }},
      {"chroot", [] { return Errno(::chroot("/")); }},
      {"bpf", [] { return Errno(::syscall(SYS_bpf, 0, nullptr, 0)); }},
      {"perf",
       [] {
         return Errno(::syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0));
       }},
      {"io_uring",
       [] {
         io_uring_params parameters{};
         return Errno(::syscall(SYS_io_uring_setup, 4, &parameters));
       }},
      {"keyctl", [] { return Errno(::syscall(SYS_keyctl, 0, -3, 1)); }},
      {"userfaultfd", [] { return Errno(::syscall(SYS_userfaultfd, 1)); }},
      {"shared-memory",
       [] {
         const int made = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
         const int error = Errno(made);
         if (made >= 0) ::shmctl(made, IPC_RMID, nullptr);
         return error;
       }},
      {"semaphores",
       [] {
         const int made = ::semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
         const int error = Errno(made);
         if (made >= 0) ::semctl(made, 0, IPC_RMID);
         return error;
       }},
      {"messages",
       [] {
         const int made = ::msgget(IPC_PRIVATE, IPC_CREAT | 0600);
         const int error = Errno(made);
         if (made >= 0) ::msgctl(made, IPC_RMID, nullptr);
         return error;
       }},
      {"kill-parent", [] { return Errno(::kill(::getppid(), SIGKILL)); }},
      {"slow-parent",
       [] { return Errno(::setpriority(PRIO_PROCESS, ::getppid(), 19)); }},
      {"slow-user", [] { return Errno(::setpriority(PRIO_USER, 0, 19)); }},
      {"pin-parent",
       [] {
         cpu_set_t first;
         CPU_ZERO(&first);
         CPU_SET(0, &first);
         return Errno(::sched_setaffinity(::getppid(), sizeof first, &first));
       }},
      {"pin-self",
       [] {
         // All there are; the kernel takes those that exist.
         cpu_set_t all;
         std::memset(&all, 0xff, sizeof all);
         return Errno(::sched_setaffinity(0, sizeof all, &all));
       }},
      {"become-root", [] { return Errno(::setresuid(0, 0, 0)); }}};
  return actions.at(action)();
}

int Descriptors() {
  for (int fd = 0; fd < 5000; ++fd)
    if (::fcntl(fd, F_GETFD) >= 0) std::printf("%d ", fd);
  return 0;
}

int Environment() {
  for (char** entry = environ; *entry != nullptr; ++entry)
    std::printf("%s\n", *entry);
  return 0;
}

int Seed(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return errno;
  const std::string text = os::ReadFile(path).value_or("unreadable");
  std::printf("%o %ld.%ld %s", status.st_mode & 07777, status.st_mtim.tv_sec,
              status.st_mtim.tv_nsec, text.c_str());
  return 0;
}

int Grow(const std::string& path, uint64_t bytes) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT, 0644);
  if (fd < 0) return errno;
  return Errno(::ftruncate(fd, static_cast<off_t>(bytes)));
}

[[noreturn]] void Tick() {
  char letter = 'p';
  if (::fork() == 0) {
    ::setsid();
    letter = 'c';
  }
  constexpr timespec kPause{0, 1000000};
  while (true) {
    [[maybe_unused]] const ssize_t n = ::write(3, &letter, 1);
    ::nanosleep(&kPause, nullptr);
  }
}

// A process whose first thread has ended looks as if it had ended.
[[noreturn]] void TickWithoutLeader() {
  std::thread([] { Tick(); }).detach();
  ::syscall(SYS_exit, 0);
  std::abort();
}

// One of a row of processes that each start the next and end, on stacks that
// they take by turns.
constexpr size_t kStacks = 64;
constexpr size_t kStackBytes = 64 << 10;
char g_stacks[kStacks][kStackBytes];

int RunInRelay(void* turn) {
  const auto mine = reinterpret_cast<uintptr_t>(turn);
  const char letter = 'r';
  if (mine % kStacks == 0) [[maybe_unused]]
    const ssize_t n = ::write(3, &letter, 1);
  ::clone(RunInRelay, g_stacks[mine % kStacks] + kStackBytes,
          CLONE_VM | CLONE_PARENT | SIGCHLD, reinterpret_cast<void*>(mine + 1));
  ::syscall(SYS_exit_group, 0);
  return 0;
}

// Among children that have ended and that nobody takes notice of, so that a
// search takes a while.
[[noreturn]] void Relay() {
  constexpr int kEnded = 200;
  for (int i = 0; i < kEnded; ++i)
    if (::fork() == 0) ::_exit(0);
  ::clone(RunInRelay, g_stacks[0] + kStackBytes,
          CLONE_VM | CLONE_PARENT | SIGCHLD, reinterpret_cast<void*>(1));
  SleepForEver();
}

int TickAlone(void* /*unused*/) {
  constexpr timespec kPause{0, 1000000};
  const char letter = 'c';
  while (true) {
    [[maybe_unused]] const ssize_t n = ::write(3, &letter, 1);
    ::nanosleep(&kPause, nullptr);
  }
}

// Waits in the kernel for its child, as vfork does.
int TickInVfork() {
  ::clone(TickAlone, g_stacks[0] + kStackBytes,
          CLONE_VM | CLONE_VFORK | SIGCHLD, nullptr);
  return 0;
}

cpu_set_t Processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) ::_exit(98);
  return set;
}

int PrintProcessors() {
  const cpu_set_t set = Processors();
  for (size_t i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) std::printf("%zu ", i);
  return 0;
}

int AwaitProcessors(size_t processor) {
  const pid_t child = ::fork();
  if (child != 0 && ::write(3, "up", 2) != 2) return 1;
  constexpr timespec kPause{0, 1000000};
  for (cpu_set_t set = Processors();
       CPU_COUNT(&set) != 1 || !CPU_ISSET(processor, &set); set = Processors())
    ::nanosleep(&kPause, nullptr);
  if (child == 0) ::_exit(0);
  int status = 1;
  return ::waitpid(child, &status, 0) == child ? status : 1;
}

int Supervise(const std::string& level, bool forked) {
  JailSpec spec;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::unique_ptr<ForkServer> server;
  if (forked) {
    auto started = ForkServer::Start({{self, kHostileFlag, "serve-forks"}, {}});
    if (!started) return 1;
    server = std::move(*started);
    spec.server = server.get();
  }
  spec.argv = {self, kHostileFlag, "sleep"};
  spec.binds = {{self, "", false}};
  spec.isolation = *ParseIsolation(level);
  spec.inherited_fds = {3};
  const auto jail = Jail::Start(spec);
  if (!jail) return 1;
  SleepForEver();
}

// The program that is forked is this one, with other arguments.
int ServeForks();

int Do(const std::string& deed, const Arguments& arguments) {
  if (deed == "exit") return static_cast<int>(Number(arguments[0]));
  if (deed == "crash") return Crash();
  if (deed == "sleep") return Sleep();
  if (deed == "print") return Print(Number(arguments[0]));
  if (deed == "hog") return Hog(Number(arguments[0]));
  if (deed == "bomb") return Bomb();
  if (deed == "daemon") return LeaveDaemon();
  if (deed == "try") return Try(arguments);
  if (deed == "descriptors") return Descriptors();
  if (deed == "environment") return Environment();
  if (deed == "seed") return Seed(arguments[0]);
  if (deed == "grow") return Grow(arguments[0], Number(arguments[1]));
  if (deed == "tick") Tick();
  if (deed == "relay") Relay();
  if (deed == "tick-in-vfork") return TickInVfork();
  if (deed == "tick-without-leader") TickWithoutLeader();
  if (deed == "processors") return PrintProcessors();
  if (deed == "await-processors") return AwaitProcessors(Number(arguments[0]));
  if (deed == "supervise") return Supervise(arguments[0], arguments.size() > 1);
  if (deed == "serve-forks") return ServeForks();
  return 99;
}

int DoAndFlush(const std::vector<std::string>& command) {
  const int code = Do(command[2], {command.begin() + 3, command.end()});
  std::fflush(stdout);
  return code;
}

int ServeForks() {
  int asked = 0;
  while ((asked = kb_jail_await_fork(3)) == 1) {
    const int forked = kb_jail_fork();
    if (forked < 0) return 1;
    if (forked == 0) continue;
    ::clearenv();
    for (int i = 0; kb_jail_environment(i) != nullptr; ++i)
      ::putenv(const_cast<char*>(kb_jail_environment(i)));
    std::vector<std::string> command;
    for (int i = 0; kb_jail_argument(i) != nullptr; ++i)
      command.emplace_back(kb_jail_argument(i));
    return DoAndFlush(command);
  }
  return asked == 0 ? 0 : 1;
}

}  // namespace
}  // namespace kb::jail

int main(int argc, char** argv) {
  if (argc > 2 && std::string(argv[1]) == kb::jail::kHostileFlag) {
    // Not exit: the leak checker would want to ptrace.
    ::_exit(kb::jail::DoAndFlush({argv, argv + argc}));
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
