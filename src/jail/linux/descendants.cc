#include "linux/descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kb::jail {
namespace {

// Paths below /proc, put together without the allocator.
class Path {
 public:
  Path& operator<<(const char* text) {
    while (*text != '\0' && length_ + 1 < sizeof text_)
      text_[length_++] = *text++;
    text_[length_] = '\0';
    return *this;
  }
  Path& operator<<(pid_t number) {
    char digits[12] = {};
    size_t i = sizeof digits - 1;
    do digits[--i] = static_cast<char>('0' + number % 10);
    while ((number /= 10) > 0);
    return *this << digits + i;
  }
  const char* get() const { return text_; }

 private:
  char text_[80] = {};
  size_t length_ = 0;
};

// What getdents64 fills in; a name of any length begins in `name`.
struct Entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[5];
};

class Descendants {
 public:
  // Finds every process below this one, as many as there is room for, and
  // stops each before looking for its children.
  void FindAndStop() {
    count_ = 0;
    AddChildrenOf(static_cast<pid_t>(::getpid()));
    for (size_t i = 0; i < count_; ++i) {
      ::kill(pids_[i], SIGSTOP);
      AddChildrenOf(pids_[i]);
    }
  }
  void Kill() const {
    for (size_t i = 0; i < count_; ++i) ::kill(pids_[i], SIGKILL);
  }
  size_t count() const { return count_; }

 private:
  static constexpr size_t kRoom = 32768;

  // Children belong to the thread that made them.
  void AddChildrenOf(pid_t pid) {
    Path tasks;
    tasks << "/proc/" << pid << "/task";
    const int folder = ::open(tasks.get(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;  // gone
    alignas(Entry) char buffer[4096];
    long n = 0;
    while ((n = ::syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
      for (long at = 0; at < n;) {
        const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
        at += entry->length;
        if (entry->name[0] == '.') continue;
        Path children;
        children << tasks.get() << "/" << entry->name << "/children";
        AddFrom(children.get());
      }
    }
    ::close(folder);
  }

  // Numbers, each followed by a space.
  void AddFrom(const char* path) {
    const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    char buffer[4096];
    pid_t pid = 0;
    ssize_t n = 0;
    while ((n = ::read(fd, buffer, sizeof buffer)) > 0) {
      for (ssize_t i = 0; i < n; ++i) {
        if (buffer[i] >= '0' && buffer[i] <= '9') {
          pid = pid * 10 + (buffer[i] - '0');
        } else {
          if (pid > 0 && count_ < kRoom) pids_[count_++] = pid;
          pid = 0;
        }
      }
    }
    ::close(fd);
  }

  pid_t pids_[kRoom];
  size_t count_;
};

// Too large for a stack.
Descendants descendants;

// A killed process makes room for another one below the limit of processes, and
// a fork bomb fills it at once. A stopped one keeps its place. So stop until no
// more are found, and kill then.
void StopAll() {
  constexpr int kPasses = 50;
  size_t before = 0;
  for (int i = 0; i < kPasses; ++i) {
    descendants.FindAndStop();
    if (i > 0 && descendants.count() == before) return;
    before = descendants.count();
  }
}

}  // namespace

void KillDescendants() {
  // Among hundreds of runnable processes we would hardly get to run. Works for
  // root only.
  ::setpriority(PRIO_PROCESS, 0, -20);
  for (;;) {
    StopAll();
    descendants.Kill();
    pid_t reaped = 0;
    while ((reaped = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (reaped < 0 && errno == ECHILD) return;
    ::poll(nullptr, 0, 1);
  }
}

}  // namespace kb::jail
