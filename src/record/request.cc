#include "record/request.h"

#include "base/words.h"

namespace kb::record {
namespace {

constexpr base::Words<Progress, 4> kProgress{{{Progress::kRunning, "running"},
                                              {Progress::kDone, "done"},
                                              {Progress::kBudget, "budget"},
                                              {Progress::kStopped, "stopped"}}};

}  // namespace

const char* ProgressName(Progress progress) { return kProgress.Of(progress); }

std::optional<Progress> ParseProgress(const std::string& name) {
  return kProgress.Parse(name);
}

}  // namespace kb::record
