#include "cuda/cuda_occupation.h"

#include <atomic>
#include <chrono>
#include <new>
#include <utility>

#include "cuda/cuda_device.h"
#include "cuda/load_kernels.h"

namespace kb::device::cuda {
namespace {

using base::Result;

// Nobody lets a kernel go whose process hangs.
constexpr unsigned long long kMostNanos = 1000000000;

// Host memory that our kernels write and poll. Kernels are numbered.
struct Words {
  std::atomic<uint32_t> there{0};  // the last one that began
  std::atomic<uint32_t> leave{0};  // the last one that is to end
};

class CudaOccupation : public Occupation {
 public:
  CudaOccupation(ContextPtr context, Module module,
                 std::unique_ptr<Timer> timer, Words* words)
      : context_(std::move(context)),
        module_(std::move(module)),
        timer_(std::move(timer)),
        words_(words) {}
  CudaOccupation(const CudaOccupation&) = delete;
  CudaOccupation& operator=(const CudaOccupation&) = delete;
  ~CudaOccupation() override {
    Release();
    driver().ctx_synchronize.Status();
    driver().host_free.Status(words_);
  }

  Result<void> Begin() override {
    Release();  // what an error left behind
    KB_TRY(Launch());
    KB_TRY(timer_->Start(nullptr));
    return AwaitKernel();
  }

  Result<void> Await() override {
    const uint32_t first = number_;
    KB_TRY(Launch());
    KB_TRY(timer_->Stop(nullptr));
    words_->leave.store(first, std::memory_order_release);
    return AwaitKernel();
  }

  void Release() override {
    words_->leave.store(number_, std::memory_order_release);
  }

  Result<double> Micros() override { return timer_->ElapsedMicros(); }

 private:
  const Driver& driver() const { return context_->driver(); }

  Result<void> Launch() {
    return module_.Launch("stay", {}, &words_->there, &words_->leave, ++number_,
                          kMostNanos);
  }

  // Until the last kernel is there.
  Result<void> AwaitKernel() {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::seconds kPatience{20};
    const auto end = Clock::now() + kPatience;
    while (words_->there.load(std::memory_order_acquire) < number_)
      if (Clock::now() > end)
        return base::Fail("no kernel of ours began within {} s",
                          kPatience.count());
    return base::Ok();
  }

  ContextPtr context_;
  Module module_;
  std::unique_ptr<Timer> timer_;
  Words* words_;
  uint32_t number_ = 0;  // of the last kernel
};

}  // namespace

Result<std::unique_ptr<Occupation>> CreateCudaOccupation(Device* device) {
  const ContextPtr context = ContextOf(*device);
  KB_ASSIGN(const Nvrtc* nvrtc, Nvrtc::Get());
  KB_ASSIGN(auto module, LoadKernels(context, CubinCache(nvrtc), "occupy.cu"));
  KB_ASSIGN(auto timer, device->NewTimer());
  void* page = nullptr;
  KB_TRY(context->driver().host_alloc(&page, sizeof(Words), 0));
  return std::make_unique<CudaOccupation>(context, std::move(module),
                                          std::move(timer), new (page) Words);
}

}  // namespace kb::device::cuda
