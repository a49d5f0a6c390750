#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "record/provenance.h"

namespace kb::provenance {

// Adds up whose code took how much.
class Tally {
 public:
  // `object`: a path. `amount` > 0, in any unit that all share.
  void Add(record::Origin origin, const std::string& object,
           const std::string& name, double amount);

  int64_t samples() const { return samples_; }

  // An Error when nothing was added.
  base::Result<record::Provenance> Sum(const std::string& method) const;

 private:
  using Key = std::tuple<record::Origin, std::string, std::string>;
  std::map<Key, double> amounts_;
  int64_t samples_ = 0;
  double total_ = 0;
};

}  // namespace kb::provenance
