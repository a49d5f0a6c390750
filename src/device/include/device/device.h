#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/fd.h"
#include "record/policy.h"
#include "record/profile.h"
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

// How the device is doing, for a person; 0 or empty where nobody can tell.
struct Health {
  double clock_mhz = 0;
  double temperature_c = 0;
  std::string warning;  // throttling, in one line
};

// Host memory whose words the device's streams wait for and write, so that work
// can be enqueued before it may begin and its end is seen without a call of the
// driver. Registered until destruction.
class Gate {
 public:
  virtual ~Gate() = default;
  // Enqueues a wait: what follows on `stream` begins when `word`, which lies in
  // the registered memory, has reached `value`. A waiting stream takes nothing
  // from other work of the device.
  virtual base::Result<void> Wait(const std::atomic<uint32_t>& word,
                                  uint32_t value, void* stream) = 0;
  // Enqueues `word` = `value`, after the work before it has ended and what it
  // wrote can be seen.
  virtual base::Result<void> Mark(std::atomic<uint32_t>* word, uint32_t value,
                                  void* stream) = 0;
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
  virtual base::Result<record::DeviceLimits> Limits() const = 0;

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
  // 0: the least work there is.
  virtual base::Result<void> Spin(double micros, void* stream) = 0;
  // Sends a CUgraphExec of this context to the device, so that its launch on
  // `stream` waits for nothing that was enqueued before. An Error on cpu.
  virtual base::Result<void> UploadGraph(void* graph, void* stream) = 0;
  // Waits for everything this process enqueued on the device.
  virtual base::Result<void> Synchronize() = 0;
  // Whether everything enqueued on `stream` has ended. An Error when the device
  // refuses all further work of this process.
  virtual base::Result<bool> Idle(void* stream) = 0;
  // Registers `bytes` of page-aligned host memory. Null on a device without
  // streams (cpu); an Error when the device cannot wait for host memory.
  virtual base::Result<std::unique_ptr<Gate>> NewGate(void* memory,
                                                      size_t bytes) = 0;
  // Copies up to 64 KiB in all to the host, without waiting for work of other
  // processes on the device (by a copy engine: 10 us on an H200 for the first
  // look and 2 for each more, also while somebody else's kernel runs).
  struct Look {
    std::byte* to;
    const std::byte* from;
    size_t bytes;
  };
  virtual base::Result<void> Glance(std::span<const Look> looks) = 0;
  virtual base::Result<std::unique_ptr<Timer>> NewTimer() = 0;
  virtual Health ReadHealth() = 0;
  // Microseconds from one launch of the least kernel to the next when they wait
  // in the queue. A property of the context: on an H200 some take 1.46 and some
  // 1.58, for as long as they live. 0 on cpu. About 5 ms.
  virtual base::Result<double> LaunchMicros() = 0;
};

}  // namespace kb::device
