#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kb::jail {

// The control groups of one jail: version 2 where it has the controllers, else
// version 1, else none. Not every machine lets us have them, so each part can
// be missing and the caller asks which are there. Removed on destruction, when
// every process in them must be gone.
class Cgroup {
 public:
  Cgroup() = default;
  // Makes what can be made and moves `pid` into it.
  static Cgroup Create(uint64_t memory_bytes, uint64_t processes, pid_t pid);
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;
  Cgroup(Cgroup&&) noexcept;
  Cgroup& operator=(Cgroup&&) noexcept;
  ~Cgroup();

  // Memory includes swap.
  bool limits_memory() const { return !memory_.empty(); }
  bool limits_processes() const { return !processes_.empty(); }
  bool can_kill() const { return !kill_.empty(); }

  // SIGKILL to every process inside, none of which can escape it.
  void Kill() const;

  // Whether the kernel killed a process for exceeding the memory limit.
  bool OutOfMemory() const;
  std::optional<uint64_t> PeakMemoryBytes() const;

  // "memory (v1), pids (v1), kill (v2)", for people.
  std::string Describe() const;

  // Removes the groups of supervisors that are dead.
  static void RemoveStale();

 private:
  void Remove();

  // Folders, empty when missing; in version 2 all are the same one.
  std::string memory_;
  std::string processes_;
  std::string kill_;
  bool memory_v2_ = false;
};

}  // namespace kb::jail
