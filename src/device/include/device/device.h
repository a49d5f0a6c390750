#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/fd.h"
#include "record/policy.h"
#include "record/tensor.h"

namespace kb::device {

// Memory that two processes map. On cuda a VMM allocation, on cpu a memfd
// sealed against shrinking, so that nobody can take the pages away from under
// the other side. Unmapped on destruction.
class SharedMemory {
 public:
  virtual ~SharedMemory() = default;
  virtual std::byte* data() const = 0;  // device address
  virtual size_t size() const = 0;      // bytes, as asked for
  // A descriptor that another process imports. Owned by this object.
  virtual int fd() const = 0;
};

// A point on a stream's time line (or on the host's clock, on cpu).
class Timer {
 public:
  virtual ~Timer() = default;
  // `stream`: CUstream, ignored on cpu.
  virtual base::Result<void> Start(void* stream) = 0;
  virtual base::Result<void> Stop(void* stream) = 0;
  // Waits for Stop's point. Microseconds, device time.
  virtual base::Result<double> ElapsedMicros() = 0;
};

// What both sides of the border need of a device: shared memory, a clock,
// copies. Contains nothing about references, tolerances or seeds, because it is
// linked into the process that runs foreign code.
//
// Thread-safety: one thread.
class Device {
 public:
  virtual ~Device() = default;

  // "cuda:0" or "cpu". On cuda the primary context of the device is made
  // current on the calling thread.
  static base::Result<std::unique_ptr<Device>> Open(const std::string& name);

  virtual bool is_cuda() const = 0;
  virtual int index() const = 0;  // N of cuda:N, 0 on cpu
  // Full name, e.g. "NVIDIA H100 80GB HBM3" or the processor's.
  virtual std::string Name() const = 0;
  virtual std::string Driver() const = 0;  // "" on cpu
  virtual std::string Arch() const = 0;    // "sm_90", "x86-64"

  virtual base::Result<std::unique_ptr<SharedMemory>> Allocate(
      size_t bytes) = 0;
  // Maps what another process exported; takes the descriptor.
  virtual base::Result<std::unique_ptr<SharedMemory>> Import(os::Fd fd,
                                                             size_t bytes) = 0;
  // Bytes that can still be allocated.
  virtual base::Result<uint64_t> FreeMemory() = 0;

  // Between two device addresses, enqueued on `stream` (nullptr: the default
  // stream). On cpu done on return.
  virtual base::Result<void> Copy(std::byte* to, const std::byte* from,
                                  size_t bytes, void* stream) = 0;
  virtual base::Result<void> CopyToHost(void* to, const std::byte* from,
                                        size_t bytes) = 0;
  virtual base::Result<void> CopyFromHost(std::byte* to, const void* from,
                                          size_t bytes) = 0;
  // Enqueues one block of work that keeps the device busy for about `micros`
  // microseconds (a kernel that polls the device's clock; no toolkit needed).
  // Known work for calibration.
  virtual base::Result<void> Spin(double micros, void* stream) = 0;
  // Waits for everything this process enqueued on the device.
  virtual base::Result<void> Synchronize() = 0;
  virtual base::Result<std::unique_ptr<Timer>> NewTimer() = 0;
};

}  // namespace kb::device
