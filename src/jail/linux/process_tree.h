#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>

namespace kb::jail {

// The processes below one, as /proc knows them. Uses no allocator, so that a
// child of fork may ask; 128 KiB, too large for a stack.
class ProcessTree {
 public:
  // Those below `root`, without it, as many as there is room for (32,768).
  void Find(pid_t root);
  // The same; each is stopped before its children are looked for.
  void FindAndStop(pid_t root);

  std::span<const pid_t> pids() const { return {pids_, count_}; }

 private:
  static constexpr size_t kRoom = 32768;

  void AddChildrenOf(pid_t pid);
  void AddFrom(const char* path);

  pid_t pids_[kRoom];
  size_t count_ = 0;
};

// As in proc_pid_stat(5): 'T' for stopped, 'Z' for ended; 'X' for gone.
// Async-signal-safe.
char StateOf(pid_t pid);

}  // namespace kb::jail
