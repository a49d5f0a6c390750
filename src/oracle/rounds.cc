#include "rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

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
using record::Launches;
using record::Trial;

// Where launches show a host changes its speed within a second: several chains
// of each side in a round, in turn. Of these and of single calls the least
// counts, because what a host adds makes them longer.
constexpr size_t kOpenChains = 4;

// Chains for the wall time, which nobody needs to the last per mille. A round
// of them is twenty in turn, with a switch of sides before each and up to 33
// calls to compare; hosts differ by as much as rounds do, so that of each
// further process one is enough.
constexpr int kWallRounds = 3;
constexpr int kWallRoundsOfFurther = 1;
constexpr int kWallReadings = 3;  // of each, the least of which counts
constexpr size_t kWallCalls = 33;
constexpr double kWallChainMicros = 8000;
constexpr size_t kLeastWallCalls = 4;     // fewer say no more than one alone
constexpr double kLongMicros = 1000;      // alone it is read alone
constexpr double kVeryLongMicros = 2000;  // and once
constexpr double kNoLimit = 1e12;

// Readings without a call in one go. With 15 of them chains of some forwards
// became slower and faster by 5 % in turn, with a period of two or four goes,
// as if the driver had so many places for what it launches; without any they
// did not, nor does a candidate's process, which has none then. Hence 16.
constexpr size_t kNothings = 16;

constexpr uint32_t kOnceRehearsals = 3;

// Readings of the same. Who takes the oracle's processor has it for a tick of
// the scheduler, 4 ms, and who has half of it comes in about two of five chains
// of 1.5 ms.
constexpr int kTries = 8;
constexpr int kTriesOnCpu = 3;

// After the end of a chain nobody has looked at its outputs yet for so long. In
// a long chain that is nothing; it counts when the candidate made it short.
constexpr double kLookMicros = 10;

// Reader::Read says so itself; nothing comes back for a candidate only.
constexpr const char* kReferenceGone = "the reference gave no reading";

timing::OfBoth LeastOf(const timing::OfBoth& a, const timing::OfBoth& b) {
  return {std::min(a.reference, b.reference),
          std::min(a.candidate, b.candidate)};
}

double SecondsSince(int64_t start) {
  return static_cast<double>(wire::NowNanos() - start) / 1e9;
}

}  // namespace

uint32_t OnceChains(bool trusted, bool cuda) {
  if (cuda) return kOnceRehearsals + static_cast<uint32_t>(kNothings);
  return trusted ? kOnceRehearsals + 5 : 0;
}

Result<void> ReadOnceCost(Reader* reader, Side* side, bool cuda, bool cold) {
  Judgement unused;
  std::vector<double> readings;
  const uint32_t chains = OnceChains(side->trusted, cuda);
  for (uint32_t i = 0; i < chains; ++i) {
    Order order;
    order.work = wire::Work::kNothing;
    // The first one loads, which a gate blocks.
    if (cuda && i > 0) order.launches = Launches::kHidden;
    order.cold = cold;
    KB_ASSIGN(const auto reading, reader->Read(side, order, &unused));
    if (!reading) return base::Ok();  // it will be missed
    if (i >= kOnceRehearsals) readings.push_back(reading->micros);
  }
  if (!readings.empty()) side->once_us = stats::Median(readings);
  return base::Ok();
}

Rounds::Rounds(const TrialParts& parts, Reader* reader, Side* reference,
               Side* candidate, const record::Policy* policy,
               const record::Turn* turn)
    : parts_(parts),
      reader_(reader),
      reference_(reference),
      candidate_(candidate),
      policy_(policy),
      turn_(turn),
      most_calls_(parts.exchange->slots()),
      constant_us_(reference->once_us) {
  Hide(cuda() ? Hiding{} : kNoneHidden);
  if (!turn_->plan) return;
  if (cuda())
    Hide({turn_->plan->reference_launches, turn_->plan->candidate_launches});
  gate_reference_ = turn_->plan->control_gated && !turn_->plan->gated;
  copy_ = turn_->plan->copied;
  most_calls_ = static_cast<size_t>(turn_->plan->calls);
}

// --- Rounds ---

Result<bool> Rounds::Run(Judgement* judgement,
                         const std::function<Result<bool>(int64_t)>& between) {
  record::Ruler& ruler = judgement->ruler.emplace();
  KB_ASSIGN(const bool planned, Plan(judgement));
  SetUpRuler(&ruler);
  if (!planned) return false;
  waits_ = {};
  const timing::StoppingRule rule(RulesOfOneProcess(), cuda());
  int64_t start = wire::NowNanos();
  const int walls = turn_->process == 0 ? kWallRounds : kWallRoundsOfFurther;
  for (int round = 0;; ++round) {
    if (rule.Done(judgement->trials, ruler, SecondsSince(start))) break;
    KB_ASSIGN(bool go_on, RunRound(round < walls, judgement));
    if (!go_on) return false;
    if (const size_t longer = LongerChain(*judgement); longer > 0) {
      BeginAnew(longer, judgement);
      if (turn_->plan) return false;
      round = -1;
      start = wire::NowNanos();
      continue;
    }
    if (!cuda()) {
      ruler.reference_waited = stats::Median(waits_.reference);
      ruler.candidate_waited = stats::Median(waits_.candidate);
    }
    const int64_t before = wire::NowNanos();
    KB_ASSIGN(go_on, between(round + 1));
    if (!go_on) return false;
    start += wire::NowNanos() - before;
  }
  ruler.constant_us =
      timing::SidesOf(judgement->trials, ruler).reference.constant;
  KB_TRY(TellCopies(judgement));
  return true;
}

// At the end, because a chain may show what a call alone does not: that calls
// share memory.
Result<void> Rounds::TellCopies(Judgement* judgement) {
  const bool alone = !copy_ && candidate_copied_ && turn_->process == 0;
  if (!copy_ && !alone) return base::Ok();
  KB_TRY(MeasureCopy(judgement));
  if (alone)
    judgement->notes.push_back(fmt::format(
        "the candidate's outputs are copied within its time, about {:.1f} us "
        "of a call: they do not lie in memory that forward allocated in the "
        "same call",
        judgement->ruler->copy_us));
  return base::Ok();
}

// Where there are several, each has a share in what is known at the end. Of
// calls too long for a chain a few rounds say enough, and where one process was
// asked for: what processes differ by is more than what is left of their noise.
record::Policy Rounds::RulesOfOneProcess() const {
  record::Policy policy = *policy_;
  constexpr int64_t kLeastRounds = 4;
  const bool few =
      processes_ > 1 || (cuda() && (calls_ == 1 || policy_->processes == 1));
  if (!few || policy.min_timed_trials == policy.max_timed_trials) return policy;
  const auto processes = static_cast<double>(processes_);
  policy.min_timed_trials = std::min(policy.min_timed_trials, kLeastRounds);
  policy.timed_seconds /= processes;
  policy.relative_error *= std::sqrt(processes);
  return policy;
}

void Rounds::SetUpRuler(record::Ruler* ruler) const {
  ruler->calls = static_cast<int64_t>(calls_);
  ruler->gated = hiding().All() || !cuda();
  if (cuda()) {
    ruler->reference_launches = reference_->launches;
    ruler->candidate_launches = candidate_->launches;
  }
  ruler->control_gated = ruler->gated || gate_reference_;
  ruler->copied = copy_;
  ruler->warm = policy_->warm;
  const Reference::Nature nature = parts_.reference->nature();
  ruler->tf32 = nature.tf32;
  ruler->operators = std::max<int64_t>(1, nature.operators);
  ruler->convolves = nature.convolves;
  ruler->by_place = nature.by_place;
  ruler->processes = processes_;
  const CallBytes bytes = BytesOf(parts_.exchange->facts());
  ruler->input_bytes = bytes.inputs;
  ruler->weight_bytes = bytes.weights;
  ruler->output_bytes = bytes.outputs;
  ruler->ceilings = parts_.ceilings;
  const timing::Allowance alone = timing::AllowanceAlone(cuda(), ruler->gated);
  ruler->alone_us = alone.micros;
  ruler->alone_share = alone.share;
}

Result<bool> Rounds::RunRound(bool with_wall, Judgement* judgement) {
  Trial trial;
  trial.timed = true;
  trial.seed = seed_ = base::SecretSeed();
  place_ = base::SecretSeed();
  disturbed_ = false;
  const bool reference_first = (base::SecretSeed() & 1) != 0;
  ReadingsOfBoth ones, chains;
  if (launches_show()) {
    KB_ASSIGN(const bool read, ReadInTurn(reference_first, 1, Readings(), true,
                                          &ones, judgement));
    if (!read) return false;
    KB_ASSIGN(const bool chained,
              ReadInTurn(reference_first, calls_, calls_ > 1 ? kOpenChains : 0,
                         false, &chains, judgement));
    if (!chained) return false;
  }
  for (const bool reference : {reference_first, !reference_first}) {
    KB_ASSIGN(const bool read,
              ReadSide(reference, &ones, &chains, &trial, judgement));
    if (!read) return false;
  }
  // On cpu nothing is hidden that a wall time could show.
  if (with_wall && cuda()) {
    KB_ASSIGN(const bool read, ReadWalls(reference_first, &trial, judgement));
    if (!read) return false;
  }
  KB_ASSIGN(trial.constant_us, ReadNothing(judgement));
  if (cuda() && gated()) {
    trial.reference_once_us = reference_->once_us;
    trial.candidate_once_us = candidate_->once_us;
  }
  NoteHealth(&trial, judgement);
  const record::Ruler& ruler = *judgement->ruler;
  trial.reference_us =
      timing::RoundMicros(trial.reference_one_us, trial.reference_chain_us,
                          trial.constant_us, ruler);
  trial.candidate_us = timing::RoundMicros(
      trial.candidate_one_us, trial.candidate_chain_us,
      trial.constant_us + timing::OnceApart({&trial}), ruler);
  trial.counts = !disturbed_;
  if (!trial.counts) ++judgement->ruler->disturbed;
  judgement->trials.push_back(trial);
  return true;
}

// A host whose launches show is slower at a call alone the longer it has waited
// for it, and a candidate waits until its answers are compared: 330 and 400 us
// where each side's came one after the other. In turn both wait as long. And
// its speed changes by half from one second to the next.
Result<bool> Rounds::ReadInTurn(bool reference_first, size_t calls,
                                size_t readings, bool move, ReadingsOfBoth* all,
                                Judgement* judgement) {
  for (size_t i = 0; i < readings; ++i) {
    KB_ASSIGN(const auto read, ReadBoth(reference_first, {calls, calls},
                                        hiding(), judgement, move && i == 0));
    if (!read) return false;
    all->reference.push_back(read->reference);
    all->candidate.push_back(read->candidate);
  }
  return true;
}

Result<std::optional<timing::OfBoth>> Rounds::ReadBoth(bool reference_first,
                                                       const CallsOfBoth& calls,
                                                       const Hiding& hiding,
                                                       Judgement* judgement,
                                                       bool move) {
  timing::OfBoth both{kNoLimit, kNoLimit};
  for (const bool reference : {reference_first, !reference_first}) {
    const size_t count = reference ? calls.reference : calls.candidate;
    if (count == 0) continue;
    move_ = move;
    KB_ASSIGN(
        const auto micros,
        ReadChain(reference ? reference_ : candidate_, count,
                  reference ? hiding.reference : hiding.candidate, judgement));
    if (!micros) return std::optional<timing::OfBoth>();
    (reference ? both.reference : both.candidate) = *micros;
  }
  return std::optional(both);
}

Result<bool> Rounds::ReadSide(bool reference, ReadingsOfBoth* ones,
                              ReadingsOfBoth* chains, Trial* trial,
                              Judgement* judgement) {
  Side* const side = reference ? reference_ : candidate_;
  std::vector<double>& alone = ones->of(reference);
  if (alone.empty()) {
    move_ = true;
    KB_ASSIGN(const bool right, ReadOnes(side, &alone, judgement));
    if (!right) return false;
  }
  (reference ? trial->reference_one_us : trial->candidate_one_us) =
      OneOf(alone);
  if (calls_ == 1) return true;
  std::vector<double>& chained = chains->of(reference);
  if (chained.empty()) {
    KB_ASSIGN(const auto chain,
              ReadChain(side, calls_, side->launches, judgement));
    if (!chain) return false;
    chained.push_back(*chain);
  }
  (reference ? trial->reference_chain_us : trial->candidate_chain_us) =
      *std::ranges::min_element(chained) +
      (!reference && shortened_ ? kLookMicros : 0);
  return true;
}

// Chains whose launches are not hidden, and single calls; the least of a few
// readings counts: all that a host adds makes them longer, and a first chain
// may have to ask for the memory of all its calls. Each that counts comes after
// one of one call, because after a long chain, whose outputs are compared, a
// candidate has waited longer.
Result<bool> Rounds::ReadWalls(bool reference_first, Trial* trial,
                               Judgement* judgement) {
  constexpr CallsOfBoth kOne{1, 1};
  KB_ASSIGN(const auto first,
            ReadBoth(reference_first, kOne, kNoneHidden, judgement));
  if (!first) return false;
  const CallsOfBoth calls = WallCallsFor(*first);
  // 0: the first one was enough.
  const auto more = [&](double micros, size_t of_a_chain) -> size_t {
    return of_a_chain == 1 && micros - constant_us_ >= kVeryLongMicros ? 0 : 1;
  };
  const CallsOfBoth single{more(first->reference, calls.reference),
                           more(first->candidate, calls.candidate)};
  const CallsOfBoth chain{single.reference * calls.reference,
                          single.candidate * calls.candidate};
  timing::OfBoth one{calls.reference > 1 ? kNoLimit : first->reference,
                     calls.candidate > 1 ? kNoLimit : first->candidate};
  timing::OfBoth many{kNoLimit, kNoLimit};
  const bool any = single.reference + single.candidate > 0;
  for (int i = 0; any && i < kWallReadings; ++i) {
    if (std::max(chain.reference, chain.candidate) > 1) {
      KB_ASSIGN(const auto read,
                ReadBoth(reference_first, chain, kNoneHidden, judgement));
      if (!read) return false;
      many = LeastOf(many, *read);
      KB_ASSIGN(const auto between,
                ReadBoth(reference_first, single, kNoneHidden, judgement));
      if (!between) return false;
    }
    KB_ASSIGN(const auto read,
              ReadBoth(reference_first, single, kNoneHidden, judgement));
    if (!read) return false;
    one = LeastOf(one, *read);
  }
  const timing::OfBoth micros = timing::WallMicros(
      {static_cast<int64_t>(calls.reference), one.reference, many.reference},
      {static_cast<int64_t>(calls.candidate), one.candidate, many.candidate},
      constant_us_);
  trial->reference_wall_us = micros.reference;
  trial->candidate_wall_us = micros.candidate;
  return true;
}

// Of the reference, by what it takes itself: a call alone takes longer than one
// of a chain, by more than a short call, so that who could have it read alone
// would gain. As many of the candidate unless those would take too long.
Rounds::CallsOfBoth Rounds::WallCallsFor(const timing::OfBoth& first) const {
  const auto fit = [](double micros, double call) {
    const auto calls = static_cast<size_t>(micros / std::max(1.0, call));
    return std::min(kWallCalls, calls);
  };
  const double reference = first.reference - constant_us_;
  const double candidate = first.candidate - constant_us_;
  const size_t slots = parts_.exchange->slots();
  if (reference >= kLongMicros || slots < kLeastWallCalls) return {1, 1};
  const size_t most = std::min(slots, fit(kWallChainMicros, reference));
  const size_t calls = std::min(most, fit(kMostChainMicros, candidate));
  return {most, calls < kLeastWallCalls ? 1 : calls};
}

Result<std::optional<double>> Rounds::ReadChain(Side* side, size_t calls,
                                                Launches launches,
                                                Judgement* judgement,
                                                bool* blocked) {
  Order order = OrderOf(*side, calls, launches, NextSeed());
  order.first = place_ % (parts_.exchange->slots() - calls + 1);
  order.move = std::exchange(move_, false);
  KB_ASSIGN(const auto reading, Read(side, order, judgement));
  if (!reading) return std::optional<double>();
  if (blocked != nullptr) *blocked = reading->blocked;
  NoteDisturbance(*reading);
  NoteWait(*side, order, *reading);
  return std::optional(reading->micros);
}

// Whoever works out the seed of inputs that it was given, those of a reading
// that is taken again or the other side's in the same memory, knows no further
// ones by it: on cpu PyTorch's generator has but 32 bits of a seed, and
// calls that wait for their turn have seconds.
uint64_t Rounds::NextSeed() {
  return base::DerivedSeed(seed_, "reading", drawn_++);
}

Order Rounds::OrderOf(const Side& side, size_t calls, Launches launches,
                      uint64_t seed) const {
  return {.calls = calls,
          .launches = launches,
          .copy = copy_,
          // A compiled baseline's answers nobody reads.
          .unread = turn_->compiled && !side.trusted && !copy_,
          .cold = !policy_->warm,
          .seed = seed};
}

Result<std::optional<Reading>> Rounds::Read(Side* side, Order order,
                                            Judgement* judgement) {
  return ReadAgain(Tries(), [&](bool first) {
    if (!first) {
      order.seed = NextSeed();
      order.move = false;
    }
    return ReadOnce(side, order, judgement);
  });
}

Result<std::optional<Reading>> Rounds::ReadOnce(Side* side, const Order& order,
                                                Judgement* judgement) {
  KB_ASSIGN(auto reading, reader_->Read(side, order, judgement));
  if (!reading) return reading;
  NoteCopies(*side, *reading);
  // One that blocked was not given its inputs.
  if (side->trusted || order.unread || reading->blocked) return reading;
  KB_ASSIGN(const bool right, reader_->Check(order, *reading, judgement));
  if (!right) reading.reset();
  return reading;
}

// On cpu, where the oracle sleeps while it waits, who takes its processor is
// there all the time.
void Rounds::NoteDisturbance(const Reading& reading) {
  disturbed_ = disturbed_ || reading.disturbed || reading.blocked ||
               (cuda() && reading.preempted);
}

Result<bool> Rounds::ReadOnes(Side* side, std::vector<double>* readings,
                              Judgement* judgement) {
  for (size_t i = 0; i < Readings(); ++i) {
    KB_ASSIGN(const auto one, ReadChain(side, 1, side->launches, judgement));
    if (!one) return false;
    readings->push_back(*one);
  }
  return true;
}

double Rounds::OneOf(const std::vector<double>& readings) const {
  return launches_show() ? std::ranges::min(readings) : stats::Median(readings);
}

Result<double> Rounds::ReadNothing(Judgement* judgement) {
  KB_TRY(reader_->LetRun(false));
  Order order;
  order.work = wire::Work::kNothing;
  if (gated()) order.launches = Launches::kHidden;
  order.cold = !policy_->warm;
  const size_t wanted = Readings() > 1 ? kNothings : 1;
  std::vector<double> readings;
  std::optional<Reading> reading;
  for (int tried = 0; readings.empty() && tried < Tries(); ++tried) {
    for (size_t i = 0; i < wanted; ++i) {
      KB_ASSIGN(reading, reader_->Read(reference_, order, judgement));
      if (!reading) return base::Fail("{}", kReferenceGone);
      disturbed_ = disturbed_ || reading->disturbed;
      if (!reading->preempted) readings.push_back(reading->micros);
    }
  }
  if (!readings.empty()) return stats::Median(readings);
  NoteDisturbance(*reading);
  return reading->micros;
}

int Rounds::Tries() const { return cuda() ? kTries : kTriesOnCpu; }

bool Rounds::HasToCopy() const { return !copy_ && reference_copied_; }

void Rounds::NoteCopies(const Side& side, const Reading& reading) {
  bool& copied = side.trusted ? reference_copied_ : candidate_copied_;
  copied = copied || reading.copied;
}

// Of those of which a call's time is made.
void Rounds::NoteWait(const Side& side, const Order& order,
                      const Reading& reading) {
  if (cuda() || order.calls != calls_) return;
  waits_.of(side.trusted).push_back(reading.waited_us / reading.micros);
}

// In the reference's process, where nobody can make it look longer.
Result<void> Rounds::MeasureCopy(Judgement* judgement) {
  KB_TRY(reader_->LetRun(false));
  std::vector<double> copies;
  constexpr int kCopies = 5;
  for (int i = 0; i < kCopies; ++i) {
    Order order;
    order.work = wire::Work::kCopy;
    if (gated() && i > 0) order.launches = Launches::kHidden;
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
  const device::Health health = parts_.device->ReadHealth();
  trial->clock_mhz = health.clock_mhz;
  trial->temperature_c = health.temperature_c;
  auto& notes = judgement->notes;
  if (health.warning.empty() ||
      std::ranges::find(notes, health.warning) != notes.end())
    return;
  notes.push_back(health.warning);
}

// Gated if only the candidate could not be: a reference whose launches are not
// hidden would be slower than it is. What no call took while the candidate's
// process was there counts for no more than it takes now.
Result<void> Rounds::Control(Judgement* judgement) {
  // Of several processes each has a share, and a GPU's long calls differ by
  // little.
  const int rounds = processes_ > 1 || (cuda() && calls_ == 1) ? 2 : 4;
  if (cuda() && gate_reference_) reference_->launches = Launches::kHidden;
  timing::Readings readings;
  std::vector<double> constants;
  seed_ = base::SecretSeed();
  for (int i = 0; i < rounds; ++i) {
    place_ = base::SecretSeed();
    move_ = true;
    std::vector<double> ones;
    KB_TRY(ReadOnes(reference_, &ones, judgement));
    readings.one.push_back(OneOf(ones));
    KB_ASSIGN(const double constant, ReadNothing(judgement));
    constants.push_back(constant);
    if (calls_ == 1) continue;
    bool blocked = false;
    KB_ASSIGN(const auto chain,
              ReadChain(reference_, calls_, reference_->launches, judgement,
                        &blocked));
    if (blocked) return base::Ok();  // it says nothing
    readings.chain.push_back(chain.value_or(0));
  }
  readings.constant = timing::ConstantOf(constants, *judgement->ruler);
  readings.added = timing::AddedAlone(readings, *judgement->ruler);
  judgement->ruler->control_us =
      timing::CallMicros(readings, *judgement->ruler);
  for (Trial& trial : judgement->trials)
    trial.constant_us =
        std::min(trial.constant_us, *std::ranges::max_element(constants));
  return base::Ok();
}

}  // namespace kb::oracle
