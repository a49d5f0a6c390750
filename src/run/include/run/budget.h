#pragma once

#include <cstdint>
#include <optional>

namespace kb::run {

// What a run may take. Absent: as much as it needs.
struct Budget {
  std::optional<double> usd = {};
  std::optional<int64_t> answers = {};
  std::optional<int64_t> tokens = {};  // read and written
  std::optional<double> minutes = {};  // of one call
  // On the devices, judging: Evaluation::wall_seconds without compiling.
  std::optional<double> device_seconds = {};
};

// What it has taken, in all its calls.
struct Spent {
  double usd = 0;
  int64_t answers = 0;
  int64_t tokens = 0;
  int64_t unpriced = 0;  // answers whose cost is not known
  double device_seconds = 0;
  int64_t priced = 0;  // answers that `usd` is of
};

// The part of a budget that ends a run, as its option is called:
// "--max-answers".
using BudgetPart = const char*;

// The part that one more answer would pass if it cost as much as the mean of
// those in `spent`, with `in_flight` others that are not in it yet; `minutes`:
// since the call began. None: it may be asked for.
std::optional<BudgetPart> PassedBy(const Budget& budget, const Spent& spent,
                                   int64_t in_flight, double minutes);

}  // namespace kb::run
