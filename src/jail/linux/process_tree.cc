#include "linux/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string_view>

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

}  // namespace

void ProcessTree::Find(pid_t root) {
  count_ = 0;
  AddChildrenOf(root);
  for (size_t i = 0; i < count_; ++i) AddChildrenOf(pids_[i]);
}

void ProcessTree::FindAndStop(pid_t root) {
  count_ = 0;
  AddChildrenOf(root);
  for (size_t i = 0; i < count_; ++i) {
    ::kill(pids_[i], SIGSTOP);
    AddChildrenOf(pids_[i]);
  }
}

// Children belong to the thread that made them.
void ProcessTree::AddChildrenOf(pid_t pid) {
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
void ProcessTree::AddFrom(const char* path) {
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

char StateOf(pid_t pid) {
  constexpr char kGone = 'X';
  Path path;
  path << "/proc/" << pid << "/stat";
  const int fd = ::open(path.get(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return kGone;
  // The number, the name (16 bytes, which may hold a parenthesis) and the state
  // are in the first hundred bytes.
  char buffer[512];
  const ssize_t n = ::read(fd, buffer, sizeof buffer);
  ::close(fd);
  if (n <= 0) return kGone;
  const std::string_view stat(buffer, static_cast<size_t>(n));
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos || name_end + 2 >= stat.size())
    return kGone;
  return stat[name_end + 2];
}

}  // namespace kb::jail
