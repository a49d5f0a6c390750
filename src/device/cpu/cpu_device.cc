#include "cpu/cpu_device.h"

#include <sys/utsname.h>

#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "base/check.h"
#include "cpu/cpu_memory.h"
#include "os/machine.h"

namespace kb::device {

namespace {

class HostTimer : public Timer {
 public:
  base::Result<void> Start(void*) override {
    start_ = Clock::now();
    stop_.reset();
    return base::Ok();
  }
  base::Result<void> Stop(void*) override {
    stop_ = Clock::now();
    return base::Ok();
  }
  base::Result<double> ElapsedMicros() override {
    if (!start_ || !stop_)
      return base::Fail("a timer was read before it was started and stopped");
    return std::chrono::duration<double, std::micro>(*stop_ - *start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> start_;
  std::optional<Clock::time_point> stop_;
};

class CpuDevice : public Device {
 public:
  bool is_cuda() const override { return false; }
  int index() const override { return 0; }

  std::string Name() const override { return os::ProcessorName(); }

  std::string Driver() const override { return ""; }

  base::Result<record::DeviceLimits> Limits() const override {
    return record::DeviceLimits();
  }
  std::string Arch() const override {
    utsname names{};
    if (uname(&names) != 0) return "unknown";
    const std::string machine = names.machine;
    return machine == "x86_64" ? "x86-64" : machine;
  }

  base::Result<std::unique_ptr<SharedMemory>> Allocate(size_t bytes) override {
    return AllocateMemfd(bytes);
  }

  base::Result<std::unique_ptr<SharedMemory>> Import(os::Fd fd,
                                                     size_t bytes) override {
    return MapMemfd(std::move(fd), bytes);
  }

  base::Result<uint64_t> FreeMemory() override {
    const auto available = os::AvailableMemory();
    if (!available)
      return base::Fail("/proc/meminfo has no MemAvailable: is /proc mounted?");
    return *available;
  }

  base::Result<void> Copy(std::byte* to, const std::byte* from, size_t bytes,
                          void*) override {
    if (bytes > 0) std::memmove(to, from, bytes);
    return base::Ok();
  }

  base::Result<void> CopyToHost(void* to, const std::byte* from,
                                size_t bytes) override {
    if (bytes > 0) std::memmove(to, from, bytes);
    return base::Ok();
  }

  base::Result<void> CopyFromHost(std::byte* to, const void* from,
                                  size_t bytes) override {
    if (bytes > 0) std::memmove(to, from, bytes);
    return base::Ok();
  }

  base::Result<void> Spin(double micros, void*) override {
    KB_CHECK(micros >= 0);
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const std::chrono::duration<double, std::micro> duration(micros);
    while (Clock::now() - start < duration) {
    }
    return base::Ok();
  }

  base::Result<void> Synchronize() override { return base::Ok(); }

  base::Result<bool> Idle(void*) override { return true; }

  base::Result<std::unique_ptr<Gate>> NewGate(void*, size_t) override {
    return std::unique_ptr<Gate>();
  }

  base::Result<void> Glance(std::span<const Look> looks) override {
    for (const Look& look : looks)
      KB_TRY(CopyToHost(look.to, look.from, look.bytes));
    return base::Ok();
  }

  base::Result<std::unique_ptr<Timer>> NewTimer() override {
    return std::make_unique<HostTimer>();
  }

  base::Result<void> UploadGraph(void*, void*) override {
    return base::Fail("there are no graphs on cpu");
  }
  base::Result<double> LaunchMicros() override { return 0; }

  Health ReadHealth() override { return {}; }
};

}  // namespace

base::Result<std::unique_ptr<Device>> OpenCpuDevice() {
  return std::make_unique<CpuDevice>();
}

}  // namespace kb::device
