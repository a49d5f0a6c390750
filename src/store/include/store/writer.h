#pragma once

#include <string>
#include <utility>

#include "base/result.h"
#include "os/files.h"

namespace kb::store {

// The right to ask and judge for a store, of one process at a time: two runs on
// one store would ask for the same answers and judge the same samples. Held
// until destruction, by a lock on the file STORE.lock, which names process and
// machine. Who only appends to a store (Appender) or reads it needs none.
class Writer {
 public:
  // When somebody else has it, a usage Error that says who.
  static base::Result<Writer> Take(const std::string& store_path);

  static std::string LockPath(const std::string& store_path) {
    return store_path + ".lock";
  }

 private:
  explicit Writer(os::FileLock lock) : lock_(std::move(lock)) {}
  os::FileLock lock_;
};

// Says that somebody appends to a store, which is not removed meanwhile. Any
// number of processes, also beside a Writer, by a shared lock on the file
// STORE.appending, which the last of them removes.
class Appender {
 public:
  static base::Result<Appender> Join(const std::string& store_path);
  // Nobody joins until destruction. A usage Error when somebody has.
  static base::Result<Appender> Exclude(const std::string& store_path);

  static std::string LockPath(const std::string& store_path) {
    return store_path + ".appending";
  }

  Appender(const Appender&) = delete;
  Appender& operator=(const Appender&) = delete;
  Appender(Appender&&) noexcept = default;
  Appender& operator=(Appender&&) = delete;
  ~Appender();

 private:
  Appender(os::FileLock lock, std::string path)
      : lock_(std::move(lock)), path_(std::move(path)) {}
  os::FileLock lock_;
  std::string path_;  // of the lock
};

}  // namespace kb::store
