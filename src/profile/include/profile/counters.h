#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "record/profile.h"

namespace kb::profile {

// What Nsight Compute counted of a kernel. Absent: it was not asked.
struct Counters {
  std::string kernel;
  std::optional<double> micros;
  std::optional<double> memory_bytes;  // read from and written to its memory
  // Of the bytes that were fetched for loads, or written for stores, the share
  // that threads asked for; neighbours that use neighbouring bytes have 1.
  std::optional<double> used_of_loads;
  std::optional<double> used_of_stores;
  // Of the turns that shared memory took, those that two threads' use of the
  // same bank cost.
  std::optional<double> bank_conflicts;
  // What warps waited for, in cycles for each instruction, most first.
  std::vector<std::pair<std::string, double>> stalls;
};

// The metrics that CountersFromCsv understands, as `ncu --metrics` takes them.
std::string CounterMetrics();

// What `ncu --csv` printed; lines before its table are passed over. One of
// each kernel, with the medians of its launches. An Error where there is no
// such table.
base::Result<std::vector<Counters>> CountersFromCsv(std::string_view text);

// Adds what was counted of the kernel that takes most of the time, and names
// the limiter that only counters can tell. False: nothing was counted of it.
bool AddCounters(const std::vector<Counters>& counters,
                 record::Profile* profile);

}  // namespace kb::profile
