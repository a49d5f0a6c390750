#include "rounds.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/random.h"
#include "stats/summary.h"
#include "timing/estimate.h"
#include "timing/stopping.h"
#include "wire/poll.h"

namespace kb::oracle {
namespace {

using base::Result;
using record::Judgement;
using record::Trial;

// A chain shall take so long that what is left of the noise of one reading (a
// few microseconds on a GPU, much more on cpu) is small beside it. Longer calls
// need no chain.
constexpr double kChainMicros = 1500;
constexpr double kChainMicrosCpu = 5000;
constexpr double kMostChainMicros = 60000;

// Chains for the wall time, which nobody needs to the last per mille.
constexpr int kWallRounds = 3;
constexpr size_t kWallCalls = 9;
constexpr double kLongMicros = 500;  // one call alone is enough
constexpr double kNoLimit = 1e12;

// Our own work takes as long as ever unless somebody else is on the device.
constexpr double kStageFactor = 2;
constexpr double kStageMicros = 1000;

// Reader::Read says so itself; nothing comes back for a candidate only.
constexpr const char* kReferenceGone = "the reference gave no reading";

double SecondsSince(int64_t start) {
  return static_cast<double>(wire::NowNanos() - start) / 1e9;
}

}  // namespace

Result<double> ReadConstant(Reader* reader, Side* reference, bool cuda,
                            bool cold) {
  Judgement unused;
  std::vector<double> readings;
  constexpr int kReadings = 8;
  for (int i = 0; i < kReadings; ++i) {
    Order order;
    order.work = wire::Work::kNothing;
    order.gated = cuda;
    order.cold = cold;
    KB_ASSIGN(const auto reading, reader->Read(reference, order, &unused));
    if (!reading) return base::Fail("{}", kReferenceGone);
    if (i > 2) readings.push_back(reading->micros);  // the first load lazily
  }
  return stats::Median(readings);
}

Rounds::Rounds(Bench bench, Reader* reader, Side* reference, Side* candidate,
               const record::Policy* policy, double constant_us)
    : bench_(bench),
      reader_(reader),
      reference_(reference),
      candidate_(candidate),
      policy_(policy),
      gated_(bench.device->is_cuda()),
      copy_(!bench.device->is_cuda()),
      most_calls_(bench.exchange->slots()),
      constant_us_(constant_us) {}

// --- How long a chain, and how ---

Result<bool> Rounds::Plan(Judgement* judgement) {
  while (true) {
    KB_ASSIGN(const auto reference, Fly(reference_, judgement));
    KB_ASSIGN(const auto candidate, Fly(candidate_, judgement));
    if (!candidate) return false;
    KB_CHECK(reference.has_value());
    if (gated_ && (reference->blocked || candidate->blocked)) {
      gated_ = false;
      continue;
    }
    if (!copy_ && (reference->copied || candidate->copied)) {
      copy_ = true;
      continue;
    }
    calls_ = CallsFor(std::min(reference->micros, candidate->micros),
                      std::max(reference->micros, candidate->micros));
    return true;
  }
}

// Also what warms a side up in every way in which it will be read.
Result<std::optional<Rounds::Pilot>> Rounds::Fly(Side* side,
                                                 Judgement* judgement) {
  seed_ = base::SecretSeed();
  const int open_calls = side->called ? 1 : 3;
  for (int i = 0; i < open_calls; ++i) {
    KB_ASSIGN(const auto open, ReadChain(side, 1, false, judgement));
    if (!open) return std::optional<Pilot>();
  }
  Pilot pilot;
  // The first one of short calls is a rehearsal.
  for (int i = 0; i == 0 || (i == 1 && pilot.micros < 4 * ChainMicros()); ++i) {
    Order order{.gated = gated_,
                .copy = copy_,
                .cold = !policy_->warm,
                .seed = base::SecretSeed()};
    KB_ASSIGN(const auto reading, reader_->Read(side, order, judgement));
    if (!reading) return std::optional<Pilot>();
    pilot.blocked = reading->blocked;
    pilot.copied = reading->copied;
    pilot.micros = reading->micros;
    if (pilot.blocked) return std::optional(pilot);
    if (side->trusted) continue;
    KB_ASSIGN(const bool right, reader_->Check(order, *reading, judgement));
    if (!right) return std::optional<Pilot>();
  }
  const double one = pilot.micros;
  pilot.micros = std::max(1.0, one - constant_us_);
  if (most_calls_ < 2 || pilot.micros > 2 * ChainMicros())
    return std::optional(pilot);
  KB_ASSIGN(const auto chained, PilotChain(side, one, judgement));
  if (!chained) return std::optional<Pilot>();
  pilot.micros = *chained;
  return std::optional(pilot);
}

// A call's time as a short chain says. Shortens the chains when their launches
// do not fit the queue.
Result<std::optional<double>> Rounds::PilotChain(Side* side, double one,
                                                 Judgement* judgement) {
  constexpr size_t kPilotCalls = 4;
  double micros = 0;
  for (int i = 0; i < 2 && most_calls_ > 1; ++i) {
    Order order{.calls = std::min(kPilotCalls, most_calls_),
                .gated = gated_,
                .copy = copy_,
                .cold = !policy_->warm,
                .seed = base::SecretSeed()};
    KB_ASSIGN(const auto reading, reader_->Read(side, order, judgement));
    if (!reading) return std::optional<double>();
    if (reading->blocked) {
      most_calls_ = order.calls / 2;
      i = -1;
      continue;
    }
    micros = (reading->micros - one) / static_cast<double>(order.calls - 1);
    if (side->trusted) continue;
    KB_ASSIGN(const bool right, reader_->Check(order, *reading, judgement));
    if (!right) return std::optional<double>();
  }
  return std::optional(std::max(1.0, most_calls_ > 1 ? micros : one));
}

size_t Rounds::CallsFor(double shorter, double longer) const {
  if (most_calls_ < 2 || shorter >= ChainMicros()) return 1;
  const double wanted = std::min(std::ceil(ChainMicros() / shorter) + 1,
                                 kMostChainMicros / longer);
  return std::clamp(static_cast<size_t>(std::max(2.0, wanted)), size_t{2},
                    most_calls_);
}

// --- Rounds ---

Result<bool> Rounds::Run(Judgement* judgement,
                         const std::function<void(int64_t)>& progress) {
  record::Ruler& ruler = judgement->ruler.emplace();
  KB_ASSIGN(const bool planned, Plan(judgement));
  SetUpRuler(&ruler);
  if (!planned) return false;
  if (copy_) KB_TRY(MeasureCopy(judgement));
  const timing::StoppingRule rule(*policy_);
  const int64_t start = wire::NowNanos();
  for (int round = 0;; ++round) {
    if (rule.Done(judgement->trials, ruler, SecondsSince(start))) break;
    KB_ASSIGN(const bool go_on, RunRound(round < kWallRounds, judgement));
    if (!go_on) return false;
    progress(round + 1);
  }
  ruler.constant_us = timing::SidesOf(judgement->trials).reference.constant;
  return true;
}

void Rounds::SetUpRuler(record::Ruler* ruler) const {
  ruler->calls = static_cast<int64_t>(calls_);
  ruler->gated = gated_ || !cuda();
  ruler->copied = copy_;
  ruler->warm = policy_->warm;
  ruler->tf32 = bench_.reference->nature().tf32;
  ruler->floor_us = FloorMicros();
  const timing::Allowance alone = timing::AllowanceAlone(cuda(), gated_);
  ruler->alone_us = alone.micros;
  ruler->alone_share = alone.share;
}

double Rounds::ChainMicros() const {
  return cuda() ? kChainMicros : kChainMicrosCpu;
}

// Writing the outputs, but for what a cache may still hold.
double Rounds::FloorMicros() const {
  constexpr uint64_t kCacheBytes = uint64_t{128} << 20;
  uint64_t bytes = 0;
  for (const record::TensorSpec& spec : bench_.exchange->output_specs())
    bytes += spec.Bytes();
  if (bench_.bandwidth == 0 || bytes <= kCacheBytes) return 0;
  return static_cast<double>(bytes - kCacheBytes) /
         static_cast<double>(bench_.bandwidth) * 1e6;
}

Result<bool> Rounds::RunRound(bool with_wall, Judgement* judgement) {
  Trial trial;
  trial.timed = true;
  trial.seed = seed_ = base::SecretSeed();
  stage_micros_ = 0;
  const bool reference_first = (base::SecretSeed() & 1) != 0;
  for (const bool reference : {reference_first, !reference_first}) {
    KB_ASSIGN(const bool read,
              ReadSide(reference, with_wall, &trial, judgement));
    if (!read) return false;
  }
  KB_ASSIGN(trial.constant_us, ReadNothing(gated_, judgement));
  NoteHealth(&trial, judgement);
  const record::Ruler& ruler = *judgement->ruler;
  trial.reference_us =
      timing::RoundMicros(trial.reference_one_us, trial.reference_chain_us,
                          trial.constant_us, ruler);
  trial.candidate_us =
      timing::RoundMicros(trial.candidate_one_us, trial.candidate_chain_us,
                          trial.constant_us, ruler);
  Assess(&trial);
  if (!trial.counts) ++judgement->ruler->disturbed;
  judgement->trials.push_back(trial);
  return true;
}

Result<bool> Rounds::ReadSide(bool reference, bool with_wall, Trial* trial,
                              Judgement* judgement) {
  Side* const side = reference ? reference_ : candidate_;
  KB_ASSIGN(const auto one, ReadChain(side, 1, gated_, judgement));
  if (!one) return false;
  (reference ? trial->reference_one_us : trial->candidate_one_us) = *one;
  std::optional<double> chain = 0;
  if (calls_ > 1) {
    KB_ASSIGN(chain, ReadChain(side, calls_, gated_, judgement));
    if (!chain) return false;
  }
  (reference ? trial->reference_chain_us : trial->candidate_chain_us) = *chain;
  if (!with_wall) return true;
  // On cpu nothing is hidden that a wall time could show.
  std::optional<double> wall =
      timing::RoundMicros(*one, *chain, constant_us_, *judgement->ruler);
  if (cuda()) {
    KB_ASSIGN(wall, ReadWall(side, judgement));
    if (!wall) return false;
  }
  (reference ? trial->reference_wall_us : trial->candidate_wall_us) = *wall;
  return true;
}

// One call of a short chain whose launches are not hidden.
Result<std::optional<double>> Rounds::ReadWall(Side* side,
                                               Judgement* judgement) {
  record::Ruler plain;
  plain.alone_us = kNoLimit;
  KB_ASSIGN(const auto one, ReadChain(side, 1, false, judgement));
  if (!one) return one;
  if (*one - constant_us_ < kLongMicros)
    plain.calls = static_cast<int64_t>(std::min(calls_, kWallCalls));
  std::optional<double> chain = 0;
  if (plain.calls > 1) {
    KB_ASSIGN(chain, ReadChain(side, static_cast<size_t>(plain.calls), false,
                               judgement));
    if (!chain) return chain;
  }
  return std::optional(timing::RoundMicros(*one, *chain, constant_us_, plain));
}

Result<std::optional<double>> Rounds::ReadChain(Side* side, size_t calls,
                                                bool gated,
                                                Judgement* judgement) {
  const Order order{.calls = calls,
                    .gated = gated,
                    .copy = copy_,
                    .cold = !policy_->warm,
                    .seed = base::Mix(seed_ += 0x9e3779b9)};
  KB_ASSIGN(auto reading, reader_->Read(side, order, judgement));
  if (!reading) return std::optional<double>();
  stage_micros_ = std::max(stage_micros_, reading->stage_micros);
  if (side->trusted) return std::optional(reading->micros);
  KB_ASSIGN(const bool right, reader_->Check(order, *reading, judgement));
  if (!right) return std::optional<double>();
  return std::optional(reading->micros);
}

Result<double> Rounds::ReadNothing(bool gated, Judgement* judgement) {
  KB_TRY(reader_->LetRun(false));
  Order order;
  order.work = wire::Work::kNothing;
  order.gated = gated;
  order.cold = !policy_->warm;
  KB_ASSIGN(const auto reading, reader_->Read(reference_, order, judgement));
  if (!reading) return base::Fail("{}", kReferenceGone);
  return reading->micros;
}

// In the reference's process, where nobody can make it look longer.
Result<void> Rounds::MeasureCopy(Judgement* judgement) {
  KB_TRY(reader_->LetRun(false));
  std::vector<double> copies;
  constexpr int kCopies = 5;
  for (int i = 0; i < kCopies; ++i) {
    Order order;
    order.work = wire::Work::kCopy;
    order.gated = gated_;
    order.cold = !policy_->warm;
    KB_ASSIGN(const auto reading, reader_->Read(reference_, order, judgement));
    if (!reading) return base::Fail("{}", kReferenceGone);
    if (i > 0) copies.push_back(reading->micros);
  }
  judgement->ruler->copy_us =
      std::max(0.0, stats::Median(copies) - constant_us_);
  return base::Ok();
}

void Rounds::NoteHealth(Trial* trial, Judgement* judgement) {
  const device::Health health = bench_.device->ReadHealth();
  trial->clock_mhz = health.clock_mhz;
  trial->temperature_c = health.temperature_c;
  auto& notes = judgement->notes;
  if (health.warning.empty() ||
      std::ranges::find(notes, health.warning) != notes.end())
    return;
  notes.push_back(health.warning);
}

// Somebody else's work on the device shows in ours.
void Rounds::Assess(Trial* trial) {
  constexpr size_t kEnough = 3;
  trial->counts = true;
  if (cuda() && stages_.size() >= kEnough)
    trial->counts =
        stage_micros_ <= kStageFactor * stats::Median(stages_) + kStageMicros;
  stages_.push_back(stage_micros_);
}

Result<void> Rounds::Control(Judgement* judgement) {
  constexpr int kReadings = 4;
  timing::Readings readings;
  seed_ = base::SecretSeed();
  for (int i = 0; i < kReadings; ++i) {
    KB_ASSIGN(const auto one, ReadChain(reference_, 1, gated_, judgement));
    readings.one.push_back(one.value_or(0));
    if (calls_ == 1) continue;
    KB_ASSIGN(const auto chain,
              ReadChain(reference_, calls_, gated_, judgement));
    readings.chain.push_back(chain.value_or(0));
  }
  KB_ASSIGN(readings.constant, ReadNothing(gated_, judgement));
  judgement->ruler->control_us =
      timing::CallMicros(readings, *judgement->ruler);
  return base::Ok();
}

}  // namespace kb::oracle
