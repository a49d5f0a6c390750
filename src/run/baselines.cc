#include "run/baselines.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "os/files.h"
#include "record/document.h"

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
  void OnFailed(size_t index, size_t of, const Baseline& baseline) override {
    next_->OnFailed(index, of, baseline);
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

base::Json BaselineDocument(const std::vector<Baseline>& baselines) {
  base::Json list = base::Json::array();
  for (const Baseline& baseline : baselines)
    list.push_back(record::ToJson(baseline));
  return record::Document(
      "baselines", {{"version", KB_VERSION}, {"baselines", std::move(list)}});
}

Result<std::vector<Baseline>> ReadBaselineFile(const std::string& path) {
  const auto wrong = [&](const base::Error& error) {
    return base::Usage("{}: {}", path, error.message());
  };
  const auto text = os::ReadFile(path);
  if (!text) return wrong(text.error());
  const auto json = base::ParseJson(*text, path);
  if (!json) return base::Usage("{}", json.error().message());
  const auto list = base::Get<base::Json>(*json, "baselines");
  if (!list) return wrong(list.error());
  std::vector<Baseline> baselines;
  for (const base::Json& each : *list) {
    auto baseline = record::BaselineFromJson(each);
    if (!baseline) return wrong(baseline.error());
    baselines.push_back(std::move(*baseline));
  }
  return baselines;
}

Result<void> WriteBaselineFile(const std::string& path,
                               const std::vector<Baseline>& baselines) {
  return os::WriteFileAtomically(
      path, base::DumpJson(BaselineDocument(baselines), 1) + "\n");
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
