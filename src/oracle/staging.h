#pragma once

#include <vector>

#include "exchange.h"

namespace kb::oracle {

// How long our own work just before a reading takes on a device that nobody
// else uses: inputs are delivered, then the cache is evicted. Microseconds.
struct Staging {
  double nothing_us = 0;  // no call; 0: not measured
  double one_us = 0;
  double all_us = 0;  // as many calls as there are slots
  size_t slots = 1;

  // Whether `micros` for so many calls shows that somebody else was there. To
  // work between two of our kernels takes two switches between processes, about
  // 150 us each on an H200, where our own work varies by 10 us.
  bool IsDisturbed(double micros, size_t calls) const;
};

// On an exchange that no process has been shown yet. `inputs`: of one call.
base::Result<Staging> MeasureStaging(device::Device* device,
                                     device::Kernels* kernels,
                                     Exchange* exchange,
                                     const std::vector<TensorView>& inputs);

}  // namespace kb::oracle
