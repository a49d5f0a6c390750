#pragma once

#include <chrono>
#include <cstdint>

#include "record/profile.h"

namespace kb::provenance {

// What this process spends between Begin and End, by the system's books.
class Effort {
 public:
  void Begin();
  void End(int64_t calls);

  // Sets what a call took, on average.
  void Tell(record::Activity* activity) const;

 private:
  struct Books {
    double wall_us = 0;
    double busy_us = 0;
    double system_us = 0;
    double page_faults = 0;
  };
  static Books Now();

  Books begin_;
  Books sum_;
  int64_t calls_ = 0;
};

}  // namespace kb::provenance
