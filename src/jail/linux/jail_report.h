#pragma once

#include <cstdint>

namespace kb::jail {

// What the supervisor tells the child once it has a control group.
struct JailGo {
  bool memory_limited = false;     // else by RLIMIT_DATA
  bool processes_limited = false;  // else by RLIMIT_NPROC
};

// What the child tells the supervisor through a pipe that closes on exec; small
// enough to be written in one piece.
struct JailReport {
  enum class Kind : uint32_t {
    kFailed,     // `error` (errno) when trying `what`
    kExecuting,  // everything is set up; `payload`
    kEnded,      // `wait_status`
  };
  Kind kind = Kind::kFailed;
  int32_t error = 0;
  int32_t payload = 0;
  int32_t wait_status = 0;
  char what[240] = {};
};

// The child's end. Async-signal-safe.
class JailReporter {
 public:
  explicit JailReporter(int fd) : fd_(fd) {}

  // Reports errno and ends this process.
  [[noreturn]] void Fail(const char* what, const char* path = "") const;
  void Executing(int payload) const;
  void Ended(int wait_status) const;

  // Fails unless `good`.
  void Require(bool good, const char* what, const char* path = "") const {
    if (!good) Fail(what, path);
  }

 private:
  void Send(const JailReport& report) const;

  int fd_;
};

}  // namespace kb::jail
