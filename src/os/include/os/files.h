#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/fd.h"

namespace kb::os {

// A whole file, at most `max_bytes` of it (an Error beyond). Pipes, which may
// never end, are an Error.
base::Result<std::string> ReadFile(const std::string& path,
                                   uint64_t max_bytes = uint64_t{64} << 20);

// Writes beside `path` and renames, so that a reader sees all or nothing. What
// is no file is not replaced, which is an Error.
base::Result<void> WriteFileAtomically(const std::string& path,
                                       std::string_view bytes);

// Writes to where a person said: a device, a pipe or what a link leads to takes
// the bytes and stays what it is, all else is written atomically.
base::Result<void> WriteOutput(const std::string& path, std::string_view bytes);

// false: at `to` is something already, which is left as it is.
base::Result<bool> RenameNew(const std::string& from, const std::string& to);

// mkdir -p.
base::Result<void> MakeDirectories(const std::string& path);

// rm -rf, also of folders that foreign code has closed to their owner. An Error
// when something is left; nothing was there is none.
base::Result<void> RemoveTree(const std::string& path);

// A new folder of mode 0700 in TMPDIR or /tmp, removed with all it holds on
// destruction. `prefix` begins with "kb".
class TempDir {
 public:
  static base::Result<TempDir> Create(const std::string& prefix = "kb");
  // Removes those of ours whose owners were killed.
  static void RemoveStale();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  TempDir(TempDir&&) noexcept;
  TempDir& operator=(TempDir&&) noexcept;
  ~TempDir();
  const std::string& path() const { return path_; }
  // Gives the folder up: it stays.
  std::string Release();

 private:
  TempDir(std::string path, Fd lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  std::string path_;
  Fd lock_;  // on the folder: it is in use
};

// A lock on a file, held until destruction; the system takes it from a process
// that ends, however it ends. Exclusive, but for Share. Who holds it may remove
// the file.
class FileLock {
 public:
  // Waits; an Error when it takes longer than `limit`.
  static base::Result<FileLock> Acquire(const std::string& path,
                                        std::chrono::milliseconds limit);
  // Held by any number of sharers, as long as nobody has it exclusively.
  static base::Result<FileLock> Share(const std::string& path,
                                      std::chrono::milliseconds limit);
  // Nothing when somebody else has it; otherwise the file says `holder`.
  static base::Result<std::optional<FileLock>> TryAcquire(
      const std::string& path, std::string_view holder);
  // Gives a lock on `path` up, and removes the file unless others share it.
  void RemoveIfLast(const std::string& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  FileLock(FileLock&&) noexcept;
  FileLock& operator=(FileLock&&) noexcept;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  static base::Result<FileLock> Await(const std::string& path, int operation,
                                      std::chrono::milliseconds limit);
  int fd_;
};

// Per-user folders of ours, created on demand: KB_CACHE, else
// $XDG_CACHE_HOME/kernelbench, else ~/.cache/kernelbench, else /tmp/....
base::Result<std::string> CacheDirectory(const std::string& name);

// The folder above bin/ of the running program: where hosts, problems, samples
// and share lie (build/dist).
base::Result<std::string> InstallRoot();

}  // namespace kb::os
