#include "cuda/cuda_device.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "cuda/cuda_memory.h"
#include "cuda/gate.h"
#include "cuda/launch_rate.h"
#include "cuda/module.h"
#include "cuda/nvml.h"

extern "C" const char kb_kernels_spin_ptx[];

namespace kb::device::cuda {

namespace {

CUdeviceptr Address(const std::byte* data) {
  return static_cast<CUdeviceptr>(reinterpret_cast<uintptr_t>(data));
}

// Owner of an event with timing.
class Event {
 public:
  static base::Result<Event> Create(ContextPtr context) {
    CUevent event = nullptr;
    KB_TRY(context->driver().event_create(&event, kEventDefault));
    return Event(std::move(context), event);
  }
  Event(Event&&) noexcept = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  Event& operator=(Event&&) = delete;
  ~Event() {
    if (context_) context_->driver().event_destroy.Status(event_);
  }
  CUevent get() const { return event_; }

 private:
  Event(ContextPtr context, CUevent event)
      : context_(std::move(context)), event_(event) {}
  ContextPtr context_;  // null after a move
  CUevent event_;
};

class EventTimer : public Timer {
 public:
  EventTimer(const Driver* driver, Event start, Event stop)
      : driver_(driver), start_(std::move(start)), stop_(std::move(stop)) {}

  base::Result<void> Start(void* stream) override {
    return driver_->event_record(start_.get(), static_cast<CUstream>(stream));
  }
  base::Result<void> Stop(void* stream) override {
    return driver_->event_record(stop_.get(), static_cast<CUstream>(stream));
  }
  base::Result<double> ElapsedMicros() override {
    KB_TRY(driver_->event_synchronize(stop_.get()));
    float milliseconds = 0;
    KB_TRY(driver_->event_elapsed(&milliseconds, start_.get(), stop_.get()));
    return static_cast<double>(milliseconds) * 1000;
  }

 private:
  const Driver* driver_;
  Event start_;
  Event stop_;
};

// The kernel module's version, as nvidia-smi prints it; empty when the kernel
// does not say.
std::string ModuleVersion() {
  std::ifstream file("/sys/module/nvidia/version");
  std::string line;
  std::getline(file, line);
  return std::string(base::Trim(line));
}

class CudaDevice : public Device {
 public:
  CudaDevice(ContextPtr context, int index, std::string name, std::string arch)
      : context_(std::move(context)),
        index_(index),
        name_(std::move(name)),
        arch_(std::move(arch)) {}

  const ContextPtr& context() const { return context_; }
  bool is_cuda() const override { return true; }
  int index() const override { return index_; }
  std::string Name() const override { return name_; }
  std::string Arch() const override { return arch_; }

  base::Result<record::DeviceLimits> Limits() const override {
    record::DeviceLimits limits;
    const std::pair<int, int64_t*> rows[] = {
        {kAttributeMultiprocessors, &limits.multiprocessors},
        {kAttributeThreadsOfMultiprocessor, &limits.threads},
        {kAttributeBlocksOfMultiprocessor, &limits.blocks},
        {kAttributeRegistersOfMultiprocessor, &limits.registers},
        {kAttributeSharedOfMultiprocessor, &limits.shared_bytes},
        {kAttributeReservedSharedOfBlock, &limits.reserved_shared_bytes}};
    for (const auto& [attribute, value] : rows) {
      KB_ASSIGN(*value, context_->Attribute(attribute));
    }
    return limits;
  }

  std::string Driver() const override {
    int version = 0;
    driver().driver_get_version.Status(&version);
    const std::string cuda =
        fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
    const std::string module = ModuleVersion();
    return module.empty() ? cuda : fmt::format("{} ({})", module, cuda);
  }

  base::Result<std::unique_ptr<SharedMemory>> Allocate(size_t bytes) override {
    return AllocateVmm(context_, bytes);
  }

  base::Result<std::unique_ptr<SharedMemory>> Import(os::Fd fd,
                                                     size_t bytes) override {
    return ImportVmm(context_, std::move(fd), bytes);
  }

  base::Result<uint64_t> FreeMemory() override {
    size_t free = 0, total = 0;
    KB_TRY(driver().mem_get_info(&free, &total));
    return free;
  }

  base::Result<void> Copy(std::byte* to, const std::byte* from, size_t bytes,
                          void* stream) override {
    if (bytes == 0) return base::Ok();
    return driver().memcpy_async(Address(to), Address(from), bytes,
                                 static_cast<CUstream>(stream));
  }

  base::Result<void> CopyToHost(void* to, const std::byte* from,
                                size_t bytes) override {
    if (bytes == 0) return base::Ok();
    return driver().memcpy_to_host(to, Address(from), bytes);
  }

  base::Result<void> CopyFromHost(std::byte* to, const void* from,
                                  size_t bytes) override {
    if (bytes == 0) return base::Ok();
    KB_TRY(driver().memcpy_from_host(Address(to), from, bytes));
    // The driver may return when the bytes are staged, not yet in place.
    return driver().ctx_synchronize();
  }

  base::Result<void> Spin(double micros, void* stream) override {
    KB_CHECK(micros >= 0);
    KB_ASSIGN(Module * spin, Spinner());
    const Grid grid{1, 1, static_cast<CUstream>(stream)};
    return spin->Launch("spin", grid,
                        static_cast<unsigned long long>(micros * 1000));
  }

  base::Result<void> Synchronize() override {
    return driver().ctx_synchronize();
  }

  base::Result<void> UploadGraph(void* graph, void* stream) override {
    return driver().graph_upload(static_cast<CUgraphExec>(graph),
                                 static_cast<CUstream>(stream));
  }

  base::Result<bool> Idle(void* stream) override {
    const int status =
        driver().stream_query.Status(static_cast<CUstream>(stream));
    if (status == kErrorNotReady) return false;
    if (status == kSuccess) return true;
    return base::Fail("{}", DescribeFailure("cuStreamQuery", status));
  }

  base::Result<std::unique_ptr<Gate>> NewGate(void* memory,
                                              size_t bytes) override {
    return RegisterGate(context_, memory, bytes);
  }

  base::Result<void> Glance(std::span<const Look> looks) override {
    if (!peephole_) {
      KB_ASSIGN(auto made, Peephole::Create(context_));
      peephole_.emplace(std::move(made));
    }
    return peephole_->Read(looks);
  }

  base::Result<std::unique_ptr<Timer>> NewTimer() override {
    KB_ASSIGN(auto start, Event::Create(context_));
    KB_ASSIGN(auto stop, Event::Create(context_));
    return std::make_unique<EventTimer>(&driver(), std::move(start),
                                        std::move(stop));
  }

  Health ReadHealth() override {
    if (!nvml_) nvml_.emplace(*context_);
    return nvml_->Read();
  }

  base::Result<double> LaunchMicros() override {
    KB_ASSIGN(Module * spin, Spinner());
    return cuda::LaunchMicros(context_, spin);
  }

 private:
  const cuda::Driver& driver() const { return context_->driver(); }

  base::Result<Module*> Spinner() {
    if (!spin_) {
      KB_ASSIGN(auto loaded, Module::Load(context_, kb_kernels_spin_ptx));
      spin_.emplace(std::move(loaded));
    }
    return &*spin_;
  }

  ContextPtr context_;
  int index_;
  std::string name_;
  std::string arch_;
  std::optional<Module> spin_;        // loaded when first needed
  std::optional<Peephole> peephole_;  // made by the first Glance
  std::optional<Nvml> nvml_;          // opened by the first ReadHealth
};

}  // namespace

base::Result<std::unique_ptr<Device>> OpenCudaDevice(int index) {
  KB_ASSIGN(ContextPtr context, PrimaryContext::Retain(index));
  std::array<char, 256> name{};
  KB_TRY(context->driver().device_get_name(
      name.data(), static_cast<int>(name.size()) - 1, context->device()));
  KB_ASSIGN(std::string arch, context->Arch());
  return std::make_unique<CudaDevice>(std::move(context), index, name.data(),
                                      std::move(arch));
}

ContextPtr ContextOf(const Device& device) {
  const auto* cuda_device = dynamic_cast<const CudaDevice*>(&device);
  KB_CHECK(cuda_device != nullptr);
  return cuda_device->context();
}

}  // namespace kb::device::cuda
