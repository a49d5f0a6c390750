#pragma once

#include <string>

#include "base/result.h"
#include "os/files.h"

namespace kb::store {

// The right to ask and judge for a store, of one process at a time: two runs on
// one store would ask for the same answers and judge the same samples. Held
// until destruction, by a lock on the file STORE.lock, which names process and
// machine. Who only appends to a store or reads it needs none.
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

}  // namespace kb::store
