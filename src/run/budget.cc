#include "run/budget.h"

namespace kb::run {
namespace {

// Whether one more of what costs `mean` would pass the limit.
bool Passes(double spent, double limit, double mean, int64_t in_flight) {
  return spent >= limit ||
         spent + static_cast<double>(in_flight + 1) * mean > limit;
}

double Mean(double sum, int64_t count) {
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

}  // namespace

std::optional<BudgetPart> PassedBy(const Budget& budget, const Spent& spent,
                                   int64_t in_flight, double minutes) {
  if (budget.usd &&
      Passes(spent.usd, *budget.usd, Mean(spent.usd, spent.priced), in_flight))
    return "--max-cost";
  if (budget.answers && spent.answers + in_flight >= *budget.answers)
    return "--max-answers";
  if (budget.tokens &&
      Passes(static_cast<double>(spent.tokens),
             static_cast<double>(*budget.tokens),
             Mean(static_cast<double>(spent.tokens), spent.answers), in_flight))
    return "--max-run-tokens";
  if (budget.minutes && minutes >= *budget.minutes) return "--max-minutes";
  if (budget.device_seconds && spent.device_seconds >= *budget.device_seconds)
    return "--max-device-seconds";
  return std::nullopt;
}

}  // namespace kb::run
