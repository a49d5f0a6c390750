#include "run/baselines.h"

#include <algorithm>
#include <utility>

namespace kb::run {
namespace {

using base::Result;
using record::Baseline;

class KeepingObserver : public eval::BaselineObserver {
 public:
  KeepingObserver(store::Store* store, eval::BaselineObserver* next)
      : store_(store), next_(next) {}

  void OnStep(size_t index, size_t of, const std::string& problem_id,
              record::BaselineMode mode, const std::string& step) override {
    next_->OnStep(index, of, problem_id, mode, step);
  }
  Result<void> OnMeasured(size_t index, size_t of,
                          const Baseline& baseline) override {
    KB_TRY(store_->Append(baseline));
    return next_->OnMeasured(index, of, baseline);
  }

 private:
  store::Store* store_;
  eval::BaselineObserver* next_;
};

}  // namespace

Result<std::vector<Baseline>> MeasureMissing(
    const std::vector<record::Problem>& problems,
    const eval::BaselinePlan& plan, const compile::Compiler& compiler,
    const eval::SessionOptions& session, store::Store* store,
    eval::BaselineObserver* observer, const std::stop_token& stop) {
  KeepingObserver keeping(store, observer);
  return eval::MeasureBaselines(problems, plan, compiler, session, &keeping,
                                stop);
}

Result<void> AddMissing(const std::vector<Baseline>& baselines,
                        store::Store* store) {
  KB_ASSIGN(const auto there, store->Baselines());
  for (const Baseline& baseline : baselines) {
    const base::Json json = record::ToJson(baseline);
    const auto same = [&](const Baseline& b) {
      return record::ToJson(b) == json;
    };
    if (std::ranges::none_of(there, same)) KB_TRY(store->Append(baseline));
  }
  return base::Ok();
}

}  // namespace kb::run
