#include "device/occupation.h"

#include "cuda/cuda_occupation.h"

namespace kb::device {
namespace {

class CpuOccupation : public Occupation {
 public:
  explicit CpuOccupation(std::unique_ptr<Timer> timer)
      : timer_(std::move(timer)) {}

  base::Result<void> Begin() override { return timer_->Start(nullptr); }
  base::Result<void> Await() override { return timer_->Stop(nullptr); }
  void Release() override {}
  base::Result<double> Micros() override { return timer_->ElapsedMicros(); }

 private:
  std::unique_ptr<Timer> timer_;
};

}  // namespace

base::Result<std::unique_ptr<Occupation>> Occupation::Create(Device* device) {
  if (device->is_cuda()) return cuda::CreateCudaOccupation(device);
  KB_ASSIGN(auto timer, device->NewTimer());
  return std::make_unique<CpuOccupation>(std::move(timer));
}

}  // namespace kb::device
