#include "staging.h"

#include "stats/summary.h"
#include "wire/poll.h"

namespace kb::oracle {

using base::Result;

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

Result<Staging> MeasureStaging(device::Device* device, device::Kernels* kernels,
                               Exchange* exchange,
                               const std::vector<TensorView>& inputs) {
  for (size_t slot = 0; slot < exchange->slots(); ++slot)
    KB_TRY(exchange->Fill(slot, inputs));
  const auto measure = [&](size_t calls) -> Result<double> {
    std::vector<double> readings;
    constexpr int kReadings = 4;
    for (int i = 0; i < kReadings; ++i) {
      KB_TRY(device->Synchronize());
      const int64_t start = wire::NowNanos();
      if (calls > 0) KB_TRY(exchange->Deliver(0, calls));
      KB_TRY(kernels->EvictCache());
      KB_TRY(device->Synchronize());
      if (i > 0)  // the first loads and allocates
        readings.push_back(static_cast<double>(wire::NowNanos() - start) /
                           1000);
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

}  // namespace kb::oracle
