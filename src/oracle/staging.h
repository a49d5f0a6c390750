#pragma once

#include <vector>

#include "device/occupation.h"
#include "exchange.h"

namespace kb::oracle {

// How long our own work just before a reading takes in one go: inputs are
// delivered, then the cache is evicted, then the gate is opened. Microseconds
// of the device's clock (device::Occupation::Micros).
struct Staging {
  double nothing_us = 0;  // no call; 0: not measured
  double one_us = 0;
  double all_us = 0;  // as many calls as there are slots
  size_t slots = 1;

  // Whether `micros` for so many calls shows that somebody else was there. To
  // work between two of our kernels takes two switches between processes, about
  // 150 us each on an H200, where our own work varies by 5 us.
  bool IsDisturbed(double micros, size_t calls) const;
};

// On an exchange that no process has been shown yet. `inputs`: of one call.
base::Result<Staging> MeasureStaging(device::Occupation* occupation,
                                     device::Kernels* kernels,
                                     Exchange* exchange,
                                     const std::vector<TensorView>& inputs);

// Whether another process has work on the device. Between two kernels of ours
// the device is given to it, for a slice of 2 ms on an H200; else the second
// one takes 10 us. False on cpu.
base::Result<bool> SomebodyWorks(device::Device* device);

// Waits until nobody has, for ten seconds at most. Whether somebody still does.
base::Result<bool> SomebodyStays(device::Device* device);

}  // namespace kb::oracle
