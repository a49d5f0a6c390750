#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/profile.h"

namespace kb::provenance {

// What the device did in chains of calls, summed up by kernel and by kind of
// copy.
class DeviceWork {
 public:
  struct Item {
    record::Origin origin = record::Origin::kUnknown;
    std::string name;
    std::string object;                              // a path
    uint64_t begin = 0;                              // nanoseconds
    uint64_t end = 0;                                // later than `begin`
    int64_t chain = 0;                               // which one it belongs to
    uint64_t bytes = 0;                              // copied or filled
    std::optional<record::Activity::Launch> launch;  // of kernels
  };
  void Add(Item item);

  // Of all chains, which were of so many calls. An Error when nothing was
  // added.
  base::Result<record::Activity> Sum(int64_t calls) const;

 private:
  std::vector<Item> items_;
};

}  // namespace kb::provenance
