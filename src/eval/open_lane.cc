#include "open_lane.h"

#include <fmt/format.h>

#include <utility>

namespace kb::eval {

using base::Result;

std::string OpenKey(const record::Problem& problem, record::Precision precision,
                    const record::Policy& policy) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", problem.Hash(),
                     record::PrecisionName(precision),
                     record::PrecisionRuleName(policy.precision),
                     policy.redraw_flat_parameters, policy.running_statistics,
                     policy.inputs == record::InputStyle::kMixed,
                     policy.procedure == record::Procedure::kOriginal
                         ? policy.public_trials
                         : -1);
}

OpenLane::OpenLane(lane::LaneOptions options, std::stop_token stop)
    : options_(std::move(options)), stop_(std::move(stop)) {}

Result<void> OpenLane::StartAhead() {
  if (lane_ && !lane_->alive()) lane_.reset();
  if (lane_) return base::Ok();
  open_.clear();
  greeted_ = false;
  KB_ASSIGN(lane_, lane::Lane::Start(options_, stop_));
  return base::Ok();
}

Result<void> OpenLane::Start(
    const std::function<void(const std::string&)>& on_step) {
  KB_TRY(StartAhead());
  if (greeted_) return base::Ok();
  on_step("starting the oracle");
  auto greeted = lane_->AwaitOracle();
  greeted_ = greeted.has_value();
  if (!greeted_) lane_.reset();
  return greeted;
}

Result<void> OpenLane::Open(
    const record::Problem& problem, record::Precision precision,
    const record::Policy& policy, std::chrono::seconds limit,
    const std::function<void(const std::string&)>& on_step) {
  lane_->SetAnswerLimit(limit);
  const std::string key = OpenKey(problem, precision, policy);
  if (open_ == key) return base::Ok();
  on_step(fmt::format("opening {}", problem.id));
  open_.clear();
  KB_TRY(lane_->Open(problem, precision, policy));
  open_ = key;
  return base::Ok();
}

void OpenLane::Forget() { open_.clear(); }

void OpenLane::End() { lane_.reset(); }

}  // namespace kb::eval
