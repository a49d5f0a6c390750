#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace kb::store {

// A store and how a person knows it.
struct NamedStore {
  std::string name;
  Store store;
};

// What a merge came to.
struct MergeCount {
  int64_t samples = 0;  // evaluations that were added
  int64_t twice = 0;    // those that were in another store already
  // Settings of runs that are left out, because the stores differ in them.
  std::set<std::string> differing;
};

// Adds to `merged`, which is empty, all that `stores` hold; what several of
// them hold is added once. Of the runs' settings those are kept that all stores
// with settings agree in. A usage Error, which names both, when they have
// different answers for one sample of a model.
base::Result<MergeCount> MergeInto(const std::vector<NamedStore>& stores,
                                   Store* merged);

}  // namespace kb::store
