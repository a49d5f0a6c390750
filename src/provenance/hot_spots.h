#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "base/result.h"
#include "objects.h"
#include "record/profile.h"

namespace kb::provenance {

// Looks at a processor, summed up by function.
class HotSpots {
 public:
  // One look. `object`: what `address` lies in, null: code that was made in
  // memory; `origin`: for whom it works.
  void Add(record::Origin origin, const Objects::Object* object,
           uintptr_t address);

  // Shares, parts and the number of looks. An Error when there was none.
  base::Result<record::Activity> Sum() const;

 private:
  // Where the code lies in its file, which may have been closed since.
  using Place = std::tuple<std::string, uint64_t, record::Origin>;
  std::map<Place, int64_t> looks_;
};

}  // namespace kb::provenance
