#pragma once

#include <memory>

#include "base/result.h"
#include "device/device.h"

namespace kb::device {

// Work on a device that no other process gets a slice of time in the middle of,
// and after which the device is ours until we say so. A device gives processes
// their slices in turn, and one that has nothing to run loses its own at once:
// so a kernel of ours stays while the work is enqueued, and another one after
// it. On cpu nothing is kept, and the host's clock is read.
//
// Thread-safety: one thread. Begin, Await and Release come in this order.
class Occupation {
 public:
  virtual ~Occupation() = default;
  static base::Result<std::unique_ptr<Occupation>> Create(Device* device);

  // Returns when a kernel of ours is on the device. What is enqueued on the
  // default stream from now on waits.
  virtual base::Result<void> Begin() = 0;
  // Lets it run. Returns when it has ended and another kernel of ours stays,
  // for a second at most.
  virtual base::Result<void> Await() = 0;
  // Others may use the device. Takes no call of the driver.
  virtual void Release() = 0;
  // After Release: from the first kernel's end to the second's, by the device's
  // clock. Microseconds. Longer than usual: another process had a slice.
  virtual base::Result<double> Micros() = 0;
};

}  // namespace kb::device
