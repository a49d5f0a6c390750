#include "staging.h"

#include <chrono>
#include <thread>

#include "os/machine.h"
#include "stats/summary.h"
#include "wire/poll.h"

namespace kb::oracle {

using base::Result;

namespace {

// A thread that lost its processor meanwhile measures again, so often.
constexpr int kMeasurements = 8;

}  // namespace

bool Staging::IsDisturbed(double micros, size_t calls) const {
  constexpr double kMicros = 50;
  constexpr double kShare = 0.02;
  if (nothing_us <= 0) return false;
  double expected = nothing_us;
  if (calls > 0) expected = one_us;
  if (calls > 1)
    expected += (all_us - one_us) * static_cast<double>(calls - 1) /
                static_cast<double>(slots - 1);
  return micros > (1 + kShare) * expected + kMicros;
}

Result<Staging> MeasureStaging(device::Occupation* occupation,
                               device::Kernels* kernels, Exchange* exchange,
                               const std::vector<TensorView>& inputs) {
  for (size_t slot = 0; slot < exchange->slots(); ++slot)
    KB_TRY(exchange->Fill(slot, inputs));
  const auto measure = [&](size_t calls) -> Result<double> {
    std::vector<double> readings;
    constexpr size_t kReadings = 3;
    for (int i = 0; readings.size() < kReadings; ++i) {
      const int64_t preemptions = os::Preemptions();
      KB_TRY(occupation->Begin());
      if (calls > 0) KB_TRY(exchange->Deliver(0, calls));
      KB_TRY(kernels->EvictCache());
      KB_TRY(occupation->Await());
      occupation->Release();
      KB_ASSIGN(const double micros, occupation->Micros());
      const bool again = i < kMeasurements && os::Preemptions() > preemptions;
      // The first one loads and allocates.
      if (i > 0 && !again) readings.push_back(micros);
    }
    return stats::Median(readings);
  };
  Staging staging;
  staging.slots = exchange->slots();
  KB_ASSIGN(staging.nothing_us, measure(0));
  KB_ASSIGN(staging.one_us, measure(1));
  KB_ASSIGN(staging.all_us, measure(staging.slots));
  return staging;
}

Result<bool> SomebodyWorks(device::Device* device) {
  constexpr double kMicros = 100;
  if (!device->is_cuda()) return false;
  for (int tried = 1;; ++tried) {
    const int64_t preemptions = os::Preemptions();
    double micros = 0;
    for (int i = 0; i < 2; ++i) {  // the first makes the device switch to us
      const int64_t start = wire::NowNanos();
      KB_TRY(device->Spin(0, nullptr));
      KB_TRY(device->Synchronize());
      micros = wire::MicrosSince(start);
    }
    if (micros <= kMicros) return false;
    if (tried == kMeasurements || os::Preemptions() == preemptions) return true;
  }
}

Result<bool> SomebodyStays(device::Device* device) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kPatience{10};
  constexpr std::chrono::milliseconds kPause{20};
  constexpr int kLooks = 3;  // programs pause between two kernels, too
  const auto end = Clock::now() + kPatience;
  for (int quiet = 0; quiet < kLooks;) {
    KB_ASSIGN(const bool works, SomebodyWorks(device));
    quiet = works ? 0 : quiet + 1;
    if (works && Clock::now() > end) return true;
    if (works) std::this_thread::sleep_for(kPause);
  }
  return false;
}

}  // namespace kb::oracle
