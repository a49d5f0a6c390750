#include "cuda/gate.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace kb::device::cuda {
namespace {

class RegisteredGate : public Gate {
 public:
  RegisteredGate(ContextPtr context, void* memory, CUdeviceptr address)
      : context_(std::move(context)), memory_(memory), address_(address) {}
  RegisteredGate(const RegisteredGate&) = delete;
  RegisteredGate& operator=(const RegisteredGate&) = delete;
  ~RegisteredGate() override { driver().host_unregister.Status(memory_); }

  base::Result<void> Wait(const std::atomic<uint32_t>& word, uint32_t value,
                          void* stream) override {
    return driver().stream_wait_value(static_cast<CUstream>(stream),
                                      AddressOf(&word), value,
                                      kWaitValueReached);
  }

  base::Result<void> Mark(std::atomic<uint32_t>* word, uint32_t value,
                          void* stream) override {
    return driver().stream_write_value(static_cast<CUstream>(stream),
                                       AddressOf(word), value,
                                       kWriteValueDefault);
  }

 private:
  const Driver& driver() const { return context_->driver(); }

  CUdeviceptr AddressOf(const std::atomic<uint32_t>* word) const {
    return address_ + (reinterpret_cast<uintptr_t>(word) -
                       reinterpret_cast<uintptr_t>(memory_));
  }

  ContextPtr context_;
  void* memory_;
  CUdeviceptr address_;
};

}  // namespace

base::Result<std::unique_ptr<Gate>> RegisterGate(const ContextPtr& context,
                                                 void* memory, size_t bytes) {
  const Driver& driver = context->driver();
  KB_TRY(driver.host_register(memory, bytes, kHostRegisterDeviceMap));
  CUdeviceptr address = 0;
  const auto mapped = driver.host_device_pointer(&address, memory, 0);
  if (!mapped) {
    driver.host_unregister.Status(memory);
    return base::Propagate(mapped.error());
  }
  return std::make_unique<RegisteredGate>(context, memory, address);
}

base::Result<Peephole> Peephole::Create(const ContextPtr& context) {
  const Driver& driver = context->driver();
  CUstream stream = nullptr;
  KB_TRY(driver.stream_create(&stream, kStreamNonBlocking));
  Peephole peephole(context, stream, nullptr);
  KB_TRY(driver.host_alloc(&peephole.page_, kBytes, 0));
  return peephole;
}

Peephole::Peephole(Peephole&& other) noexcept
    : context_(std::move(other.context_)),
      stream_(other.stream_),
      page_(other.page_) {}

Peephole::~Peephole() {
  if (!context_) return;
  if (page_ != nullptr) context_->driver().host_free.Status(page_);
  context_->driver().stream_destroy.Status(stream_);
}

base::Result<void> Peephole::Read(std::span<const Device::Look> looks) {
  const Driver& driver = context_->driver();
  auto* const page = static_cast<std::byte*>(page_);
  size_t offset = 0;
  for (const Device::Look& look : looks) {
    KB_CHECK(look.bytes <= kBytes - offset);
    const auto address =
        static_cast<CUdeviceptr>(reinterpret_cast<uintptr_t>(look.from));
    KB_TRY(driver.memcpy_to_host_async(page + offset, address, look.bytes,
                                       stream_));
    offset += look.bytes;
  }
  KB_TRY(driver.stream_synchronize(stream_));
  offset = 0;
  for (const Device::Look& look : looks) {
    std::memcpy(look.to, page + offset, look.bytes);
    offset += look.bytes;
  }
  return base::Ok();
}

}  // namespace kb::device::cuda
