#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/random.h"
#include "rounds.h"
#include "stats/summary.h"
#include "timing/estimate.h"

namespace kb::oracle {
namespace {

using base::Result;
using record::Judgement;
using record::Launches;
using record::Trial;

// A chain shall take so long that what is left of the noise of one reading (a
// few microseconds on a GPU, much more on cpu) is small beside it. Longer calls
// need no chain.
constexpr double kChainMicros = 1500;
constexpr double kChainMicrosCpu = 5000;

// Of one call of each side in a round, as many as take no longer than the
// longest chain.
constexpr size_t kMostReadings = 15;
constexpr size_t kLeastReadings = 3;
// Where launches show every call adds to the noise, so that also long ones are
// read in chains.
constexpr double kOpenChainMicros = 5000;

// What a call takes alone has to be known to the ruler's allowance, which is
// 2 us and more for calls that long.
constexpr double kFewReadingsMicros = 100;
constexpr size_t kFewReadings = 5;

}  // namespace

Result<bool> Rounds::Plan(Judgement* judgement) {
  while (true) {
    KB_ASSIGN(const auto reference, Fly(reference_, judgement));
    size_t most_of_reference = most_calls_;
    KB_ASSIGN(const auto candidate, Fly(candidate_, judgement));
    if (!candidate) return false;
    KB_CHECK(reference.has_value());
    readings_ = ReadingsFor(*reference, *candidate);
    if (turn_->plan) return CanFollow(*reference, *candidate);
    if (reference->blocked || candidate->blocked) {
      Hide(AfterBlocking(hiding(),
                         {.reference = reference->blocked,
                          .candidate = candidate->blocked,
                          .reference_waits = parts_.reference->nature().waits,
                          .baseline = turn_->baseline}));
      continue;
    }
    if (candidate->disturbed && LookWithoutGate(reference->disturbed)) continue;
    KB_ASSIGN(const bool right, ChooseCalls(*reference, *candidate,
                                            &most_of_reference, judgement));
    if (!right) return false;
    if (HasToCopy()) {
      copy_ = true;
      continue;
    }
    if (hiding().All() && CandidateShuns(*reference, most_of_reference)) {
      gate_reference_ = true;
      Hide(kNoneHidden);
      most_calls_ = most_of_reference;
      continue;
    }
    shortened_ = calls_ < CallsFor(*reference, *reference, most_of_reference) &&
                 most_calls_ < most_of_reference;
    record::Ruler plan;
    SetUpRuler(&plan);
    processes_ = timing::ProcessesFor(*policy_, reference->micros,
                                      candidate->micros, plan, cuda());
    return true;
  }
}

// Work in several streams that waits for the gate keeps its slices of time.
// Inputs that take longer to deliver than a slice of ours are interrupted every
// time then. Somebody else on the device disturbs without a gate too.
bool Rounds::LookWithoutGate(bool reference_disturbed) {
  switch (streams_) {
    case Streams::kUnsuspected:
      if (!gated()) return false;
      streams_ = Streams::kSuspected;
      gate_reference_ = !reference_disturbed;
      Hide(kNoneHidden);
      return true;
    case Streams::kSuspected:
      streams_ = Streams::kInnocent;
      gate_reference_ = false;
      Hide({});
      return true;
    case Streams::kInnocent:
      break;
  }
  return false;
}

Hiding Rounds::hiding() const {
  return {reference_->launches, candidate_->launches};
}

void Rounds::Hide(const Hiding& hiding) {
  reference_->launches = hiding.reference;
  candidate_->launches = hiding.candidate;
}

bool Rounds::CanFollow(const Pilot& reference, const Pilot& candidate) {
  calls_ = static_cast<size_t>(turn_->plan->calls);
  processes_ = turn_->plan->processes;
  return !HasToCopy() && most_calls_ == calls_ && !reference.blocked &&
         !candidate.blocked;
}

// Almost no chain is left although the reference's fits. One call alone says
// too little of a short one.
bool Rounds::CandidateShuns(const Pilot& reference,
                            size_t most_of_reference) const {
  constexpr size_t kFew = 4;
  return calls_ < kFew && most_calls_ < most_of_reference &&
         CallsFor(reference, reference, most_of_reference) >= kFew;
}

// So long that a call's time is known well, if the launches fit the queue.
// Those of the reference may be what does not.
Result<bool> Rounds::ChooseCalls(const Pilot& reference, const Pilot& candidate,
                                 size_t* most_of_reference,
                                 Judgement* judgement) {
  while (true) {
    calls_ = CallsFor(reference, candidate, most_calls_);
    if (calls_ == 1 || !hiding().All()) return true;
    bool blocked = false;
    for (Side* side : {reference_, candidate_}) {
      disturbed_ = false;
      KB_ASSIGN(const auto reading,
                ReadChain(side, calls_, side->launches, judgement, &blocked));
      if (!reading) return false;
      if (!blocked) continue;
      // As in PilotChain.
      KB_ASSIGN(const auto open,
                ReadChain(side, calls_, Launches::kShown, judgement));
      if (!open) return false;
      KB_ASSIGN(const auto again,
                ReadChain(side, calls_, side->launches, judgement, &blocked));
      if (!again) return false;
      if (!blocked) continue;
      if (side->trusted) *most_of_reference = calls_ / 2;
      break;
    }
    if (!blocked) return true;
    most_calls_ = calls_ / 2;
  }
}

// Also what warms a side up in every way in which it will be read. A model of
// torch.compile captures its graph in the second call or the third, which
// behind a gate would wait for what is before the gate.
Result<std::optional<Rounds::Pilot>> Rounds::Fly(Side* side,
                                                 Judgement* judgement) {
  seed_ = base::SecretSeed();
  constexpr int kOpenCalls = 3;
  while (side->open_calls < kOpenCalls) {
    KB_ASSIGN(const auto open, ReadChain(side, 1, Launches::kShown, judgement));
    if (!open) return std::optional<Pilot>();
  }
  constexpr int kLooks = 3;  // at who is disturbed: it may have been chance
  Pilot pilot;
  // The first one of short calls is a rehearsal.
  for (int i = 0; i == 0 || (i == 1 && pilot.micros < 2 * ChainMicros()) ||
                  (i < kLooks && pilot.disturbed);
       ++i) {
    const Order order = OrderOf(*side, 1, side->launches, base::SecretSeed());
    KB_ASSIGN(const auto reading, Read(side, order, judgement));
    if (!reading) return std::optional<Pilot>();
    pilot.blocked = reading->blocked;
    pilot.micros = reading->micros;
    pilot.disturbed = reading->disturbed;
    if (pilot.blocked) return std::optional(pilot);
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
  // What a first call loads can block behind the gate, so that a chain which
  // blocked runs once without it.
  std::optional<double> open_chain;
  for (int i = 0; i < 2 && most_calls_ > 1; ++i) {
    const Order order = OrderOf(*side, std::min(kPilotCalls, most_calls_),
                                side->launches, base::SecretSeed());
    KB_ASSIGN(const auto reading, Read(side, order, judgement));
    if (!reading) return std::optional<double>();
    if (reading->blocked) {
      if (!open_chain) {
        KB_ASSIGN(open_chain,
                  ReadChain(side, order.calls, Launches::kShown, judgement));
        if (!open_chain) return open_chain;
      } else {
        most_calls_ = order.calls / 2;
      }
      i = -1;
      continue;
    }
    micros = (reading->micros - one) / static_cast<double>(order.calls - 1);
  }
  return std::optional(std::max(1.0, most_calls_ > 1 ? micros : one));
}

size_t Rounds::CallsFor(const Pilot& reference, const Pilot& candidate,
                        size_t most) const {
  const double shorter = std::min(reference.micros, candidate.micros);
  const double longer = std::max(reference.micros, candidate.micros);
  if (most < 2 || shorter >= ChainMicros()) return 1;
  const double length = launches_show() ? kOpenChainMicros : ChainMicros();
  const double wanted =
      std::min(std::ceil(length / shorter) + 1, kMostChainMicros / longer);
  return std::clamp(static_cast<size_t>(std::max(2.0, wanted)), size_t{2},
                    most);
}

// An odd number.
size_t Rounds::ReadingsFor(const Pilot& reference,
                           const Pilot& candidate) const {
  const auto [shorter, longer] =
      std::minmax(reference.micros, candidate.micros);
  const auto wanted = static_cast<size_t>(kMostChainMicros / longer);
  const size_t most = shorter < kFewReadingsMicros || launches_show()
                          ? kMostReadings
                          : kFewReadings;
  return std::clamp(wanted, kLeastReadings, most) | 1;
}

double Rounds::ChainMicros() const {
  if (!cuda()) return kChainMicrosCpu;
  return launches_show() ? kMostChainMicros : kChainMicros;
}

// On cpu what a call takes alone is hardly looked at, so that a slope is as
// good as its chain is long. Who is slow when the pilot flies, to have short
// chains, or in the first process alone, would choose its own.
size_t Rounds::LongerChain(const Judgement& judgement) const {
  if (cuda() || calls_ < 2) return 0;
  std::vector<double> reference, candidate;
  for (const Trial& trial : judgement.trials) {
    if (!trial.timed) continue;
    reference.push_back(trial.reference_chain_us - trial.constant_us);
    candidate.push_back(trial.candidate_chain_us - trial.constant_us);
  }
  const auto calls = static_cast<double>(calls_);
  Pilot of_reference, of_candidate;
  of_reference.micros = std::max(1.0, stats::Median(reference) / calls);
  of_candidate.micros = std::max(1.0, stats::Median(candidate) / calls);
  const size_t wanted =
      CallsFor(of_reference, of_candidate, parts_.exchange->slots());
  // A machine is busier at one time than at another, but not so much.
  const size_t much = turn_->plan ? 4 : 2;
  return wanted >= much * calls_ ? wanted : 0;
}

void Rounds::BeginAnew(size_t calls, Judgement* judgement) {
  calls_ = calls;
  std::erase_if(judgement->trials,
                [](const Trial& each) { return each.timed; });
  waits_ = {};
  judgement->ruler->disturbed = 0;
  SetUpRuler(&*judgement->ruler);
}

}  // namespace kb::oracle
