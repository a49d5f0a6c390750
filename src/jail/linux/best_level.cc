#include "linux/best_level.h"

namespace kb::jail {

BestLevel FindBestLevel(
    const std::function<base::Result<void>(Isolation)>& attempt) {
  constexpr int kAttempts = 3;
  BestLevel best;
  for (const Isolation level : {Isolation::kFull, Isolation::kReduced}) {
    std::string reason;
    for (int i = 0; i < kAttempts; ++i) {
      const auto tried = attempt(level);
      if (tried) {
        best.level = level;
        return best;
      }
      reason = tried.error().message();
    }
    if (!best.why_not_better.empty()) best.why_not_better += "; ";
    best.why_not_better += reason;
  }
  return best;
}

}  // namespace kb::jail
