#include "judging.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/random.h"
#include "base/text.h"
#include "distributions.h"
#include "memory_plan.h"

namespace kb::oracle {
namespace {

using base::Result;
using record::Judgement;

// The 0.12 to 0.2 us between both kinds of context (docs/timing.md) are a
// thousandth of that, and processes of one kind differ by three.
constexpr double kLongOperatorMicros = 150;

std::chrono::milliseconds Millis(double seconds) {
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

}  // namespace

Judging::Judging(const TrialParts& parts, wire::Setup identity,
                 record::Policy policy, record::Tolerance tolerance,
                 HoldProcess hold)
    : parts_(parts),
      identity_(std::move(identity)),
      policy_(std::move(policy)),
      hold_(std::move(hold)),
      exam_(parts, policy_, tolerance),
      reader_(parts, &exam_, &policy_, hold_) {
  identity_.choose_context =
      timed() && !parts_.exchange->IsLarge() &&
      parts_.reference->nature().operator_us < kLongOperatorMicros;
  identity_.running_statistics = policy_.running_statistics;
}

Result<std::unique_ptr<Side>> Judging::Prepare(os::Fd socket, bool python,
                                               bool trusted) {
  auto side = std::make_unique<Side>();
  KB_ASSIGN(side->link,
            JailLink::Connect(std::move(socket), parts_.device->is_cuda()));
  side->python = python;
  side->trusted = trusted;
  if (python && timed()) KB_TRY(MakePool(side.get()));
  wire::Setup setup = identity_;
  if (timed())
    setup.empty_chains = OnceChains(trusted, parts_.device->is_cuda());
  setup.observe = observes() && !trusted;
  setup.profile = policy_.profile && !trusted;
  Open(setup, side.get());
  if (!trusted) return side;
  if (!side->open)
    return base::Fail(
        "the reference's timing process has not opened the device");
  KB_ASSIGN(const double launch_us, side->link->LaunchMicros());
  auto& known = identity_.launch_us;
  known = known > 0 ? std::min(known, launch_us) : launch_us;
  return side;
}

void Judging::Open(const wire::Setup& setup, Side* side) const {
  const wire::Stopwatch watch(&side->opening.open_s);
  side->open = side->link->SetUp(*parts_.exchange, side->pool.get(), setup) &&
               side->link->AwaitOpened(Millis(policy_.load_seconds));
  if (side->open) side->opening.contexts = side->link->Contexts().value_or(0);
}

// What does not fit is made in the process's own memory, and copied. The
// reference's pool comes first, and leaves room for the candidate's.
Result<void> Judging::MakePool(Side* side) const {
  const Needs needs = parts_.exchange->NeedsOf(*parts_.reference);
  KB_ASSIGN(const uint64_t free, parts_.device->FreeMemory());
  auto pool = parts_.device->Allocate(
      parts_.device->is_cuda() ? PoolBytes(needs, free, side->trusted ? 2 : 1)
                               : PoolBytesOnCpu(needs, free));
  if (pool) side->pool = std::move(*pool);
  return base::Ok();
}

// A process's turn: it loads. What a chain costs once is read before, while
// nothing foreign is in it. False when it has gone.
Result<bool> Judging::Begin(Side* side) {
  if (!side->open || !side->link->Begin()) return false;
  if (timed())
    KB_TRY(
        ReadOnceCost(&reader_, side, parts_.device->is_cuda(), !policy_.warm));
  return true;
}

Result<void> Judging::LoadReference(Side* side, double* seconds) {
  if (side->loaded) return base::Ok();
  const wire::Stopwatch watch(seconds);
  KB_ASSIGN(const bool begun, Begin(side));
  if (!begun) return base::Fail("the reference's timing process has gone");
  Judgement own;
  side->link->AwaitLoaded(Millis(policy_.load_seconds), &own);
  side->loaded = own.loaded;
  if (own.loaded) return base::Ok();
  return base::Fail("the reference's timing process cannot load it: {}",
                    own.text);
}

Result<Judgement> Judging::Judge(Side* side, Side* reference,
                                 const record::Turn& turn,
                                 const Progress& progress) {
  double load_s = 0;
  if (reference != nullptr) KB_TRY(LoadReference(reference, &load_s));
  (void)reader_.TakeSpent();  // on reading the reference's once_us
  reader_.set_baseline(turn.baseline);
  Judgement judgement;
  KB_TRY(Run(side, reference, turn, &judgement, &load_s, progress));
  for (record::Trial& trial : judgement.trials) trial.process = turn.process;
  judgement.spent = reader_.TakeSpent();
  judgement.spent.load_s = load_s;
  judgement.spent.candidate_launch_us = side->link->KeptMicros().value_or(0);
  if (reference != nullptr)
    judgement.spent.reference_launch_us =
        reference->link->KeptMicros().value_or(0);
  for (Side* of : {side, reference}) {
    if (of == nullptr) continue;
    const record::Spent opening = std::exchange(of->opening, {});
    judgement.spent.open_s += opening.open_s;
    judgement.spent.contexts += opening.contexts;
  }
  return judgement;
}

// False: it did not come to that, as `judgement` says.
Result<bool> Judging::Load(Side* side, Judgement* judgement, double* seconds) {
  const wire::Stopwatch watch(seconds);
  if (hold_) KB_TRY(hold_(Hold::kBegin, Whom::kCandidate));
  KB_ASSIGN(const bool begun, Begin(side));
  if (!begun) {
    judgement->status = Judgement::Status::kNotStarted;
    return false;
  }
  side->link->AwaitLoaded(Millis(policy_.load_seconds), judgement);
  return judgement->loaded;
}

Result<void> Judging::Run(Side* side, Side* reference, const record::Turn& turn,
                          Judgement* judgement, double* load_s,
                          const Progress& progress) {
  KB_ASSIGN(const bool loaded, Load(side, judgement, load_s));
  if (!loaded) return base::Ok();
  if (!parts_.given.mixes)
    judgement->notes.emplace_back(
        "inputs are as the problem draws them: to mixed ones PyTorch has no "
        "finite answer");
  KB_ASSIGN(bool right, RunPublic(side, judgement, progress));
  if (right) {
    KB_ASSIGN(right, RunOutside(side, turn, judgement));
  }
  if (right && observes()) KB_TRY(Observe(side, judgement));
  if (right && timed()) {
    const Judgement before = *judgement;
    KB_ASSIGN(right, RunTimed(side, reference, turn, judgement, progress));
    if (judgement->status == Judgement::Status::kMismatch &&
        policy_.procedure == record::Procedure::kOriginal) {
      *judgement = before;
      judgement->notes.emplace_back(
          "a timed call was answered wrongly, which the original does not "
          "look at; there is no speedup for that");
      right = true;
    }
  }
  if (judgement->status == Judgement::Status::kMismatch &&
      !side->link->load_remark().empty())
    judgement->notes.push_back(side->link->load_remark());
  if (!right) return base::Ok();  // who saw it has set the status
  KB_ASSIGN(const bool intact, WeightsIntact(judgement));
  if (intact) judgement->status = Judgement::Status::kOk;
  return base::Ok();
}

Result<bool> Judging::RunPublic(Side* side, Judgement* judgement,
                                const Progress& progress) {
  const std::vector<uint64_t> seeds = record::PublicSeeds(policy_);
  for (int64_t i = 0; i < policy_.public_trials; ++i) {
    Order order;
    order.cold = false;
    order.seed = seeds.at(static_cast<size_t>(i));
    KB_ASSIGN(const auto reading, reader_.Read(side, order, judgement));
    if (!reading) return false;
    if (i == 0) first_micros_ = reading->micros;
    judgement->trials.push_back({.seed = order.seed});
    KB_ASSIGN(const bool right, reader_.Check(order, *reading, judgement));
    if (!right) return false;
    progress(i + 1, policy_.public_trials + policy_.max_timed_trials);
  }
  return true;
}

// One trial for each distribution that the problem's inputs can have, in the
// first process.
Result<bool> Judging::RunOutside(Side* side, const record::Turn& turn,
                                 Judgement* judgement) {
  record::Policy policy = policy_;
  if (!parts_.given.mixes) policy.inputs = record::InputStyle::kAsGiven;
  outside_ = TrialsOutside(policy, turn.untimed, parts_.reference->nature(),
                           parts_.exchange->input_specs(),
                           parts_.exchange->output_specs());
  if (turn.process > 0) return true;
  for (const record::Distribution as : outside_) {
    KB_ASSIGN(const bool right, TryOutside(side, as, judgement));
    if (!right) return false;
  }
  return true;
}

// Whether it says anything is known before the candidate is asked, which may
// die of it.
Result<bool> Judging::TryOutside(Side* side, record::Distribution as,
                                 Judgement* judgement) {
  const record::Tolerance plain = judgement->tolerance;
  auto& all = judgement->distributions;
  const char* name = record::DistributionName(as);
  auto tried = std::ranges::find(all, name, &record::Outside::Case::name);
  if (tried == all.end()) {
    all.emplace_back().name = name;
    tried = std::prev(all.end());
  }
  Order order;
  order.cold = false;
  order.seed = base::SecretSeed();
  order.as = as;
  KB_ASSIGN(const std::string unfit, reader_.WhyUnfit(order));
  if (!unfit.empty()) {
    if (tried->outcome != record::Outside::Outcome::kRight)
      tried->reason = unfit;
    return true;
  }
  *tried = {name, record::Outside::Outcome::kWrong, ""};
  KB_ASSIGN(const auto reading, reader_.Read(side, order, judgement));
  if (!reading) return false;
  judgement->trials.push_back({.seed = order.seed, .inputs = name});
  KB_ASSIGN(const bool right, reader_.Check(order, *reading, judgement));
  if (!right) return false;
  tried->outcome = record::Outside::Outcome::kRight;
  judgement->tolerance = plain;
  return true;
}

// A candidate that counts its calls knows when the trials before the rounds are
// over. So the first process is asked all of them again, and each further one a
// few, at times that nobody knows.
void Judging::PlanAgain(const record::Turn& turn) {
  constexpr size_t kOfFurther = 2;
  again_.clear();
  base::Sequence secret(base::SecretSeed());
  std::vector<record::Distribution> left = outside_;
  while (!left.empty() && (turn.process == 0 || again_.size() < kOfFurther)) {
    const auto at = static_cast<std::ptrdiff_t>(secret.Below(left.size()));
    const auto last = static_cast<uint64_t>(
        std::max<int64_t>(1, 2 * policy_.min_timed_trials));
    again_.emplace(static_cast<int64_t>(1 + secret.Below(last)), left[at]);
    left.erase(left.begin() + at);
  }
}

// Whose time has come after so many rounds.
Result<bool> Judging::TryAgain(Side* side, int64_t rounds,
                               Judgement* judgement) {
  while (!again_.empty() && again_.begin()->first <= rounds) {
    const record::Distribution as = again_.begin()->second;
    again_.erase(again_.begin());
    KB_ASSIGN(const bool right, TryOutside(side, as, judgement));
    if (!right) return false;
  }
  return true;
}

Result<bool> Judging::RunTimed(Side* side, Side* reference,
                               const record::Turn& turn, Judgement* judgement,
                               const Progress& progress) {
  if (reference == nullptr)
    return base::Fail("there is no process to time the reference in");
  if (hold_) KB_TRY(hold_(Hold::kConfine, Whom::kCandidate));
  exam_.MeasureWhenNeeded();
  Rounds rounds(parts_, &reader_, reference, side, &policy_, &turn);
  PlanAgain(turn);
  KB_ASSIGN(bool read, rounds.Run(judgement, [&](int64_t done) {
    progress(policy_.public_trials + done,
             policy_.public_trials + policy_.max_timed_trials);
    return TryAgain(side, done, judgement);
  }));
  if (read) {
    constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
    KB_ASSIGN(read, TryAgain(side, kAll, judgement));
  }
  judgement->ruler->first_us = first_micros_;
  if (parts_.neighbour)
    judgement->notes.emplace_back(
        "another program worked on this GPU while the times were read");
  // Without a status a further process cannot be read as the first one was. It
  // has no rounds, and is no worse for that.
  if (!read)
    return turn.plan && judgement->status == Judgement::Status::kNotSet;
  KB_TRY(reader_.EndCandidate());
  KB_TRY(rounds.Control(judgement));
  return judgement->status == Judgement::Status::kNotSet;
}

// Chains of calls on inputs that nobody has seen, until there is enough to look
// at.
Result<void> Judging::Observe(Side* side, Judgement* judgement) {
  judgement->no_provenance = side->link->WhyNotObserved();
  judgement->no_activity = judgement->no_provenance;
  judgement->observer_failed = !judgement->no_provenance.empty();
  if (judgement->observer_failed) return base::Ok();
  const bool cuda = parts_.device->is_cuda();
  const int64_t most_chains = cuda ? 3 : 40;
  const double enough_micros = cuda ? 1e6 : 2e5;
  double micros = 0;
  Order order;
  order.cold = false;
  for (int64_t i = 0; i < most_chains && micros < enough_micros; ++i) {
    order.seed = base::SecretSeed();
    KB_ASSIGN(const double read,
              ReadToObserve(side, &order, i == 0, judgement));
    if (read == 0) return base::Ok();
    micros += read;
    order.calls = CallsToObserve(read / static_cast<double>(order.calls));
    if (i == 0 && policy_.profile) {
      // As it is timed, from a cold cache and with no host between the
      // kernels.
      order.cold = cuda && !policy_.warm;
      if (cuda) order.launches = record::Launches::kHidden;
    }
  }
  order.work = wire::Work::kTell;
  order.launches = record::Launches::kShown;
  order.calls = 0;
  KB_ASSIGN(const double told, ReadToObserve(side, &order, false, judgement));
  if (told == 0) return base::Ok();
  side->link->AwaitObserved(Millis(policy_.call_seconds), judgement);
  if (!policy_.profile) return base::Ok();
  side->link->AwaitProfiled(Millis(policy_.call_seconds), judgement);
  KB_ASSIGN(judgement->yardstick, YardstickNow());
  return base::Ok();
}

Result<record::Yardstick> Judging::YardstickNow() const {
  const CallBytes bytes = BytesOf(parts_.exchange->facts());
  record::Yardstick yardstick;
  yardstick.input_bytes = bytes.inputs;
  yardstick.weight_bytes = bytes.weights;
  yardstick.output_bytes = bytes.outputs;
  yardstick.ceilings = parts_.ceilings;
  KB_ASSIGN(yardstick.limits, parts_.device->Limits());
  return yardstick;
}

// Its microseconds. 0: it failed, and `judgement` says how. Whose launches
// cannot be hidden shows them from then on.
Result<double> Judging::ReadToObserve(Side* side, Order* order, bool check,
                                      Judgement* judgement) {
  Judgement seen;
  KB_ASSIGN(const auto reading, reader_.Read(side, *order, &seen));
  bool right = reading.has_value();
  if (right && reading->blocked) order->launches = record::Launches::kShown;
  if (right && check) {
    KB_ASSIGN(right, reader_.Check(*order, *reading, &seen));
  }
  if (right) return reading->micros;
  judgement->no_provenance = judgement->no_activity =
      "it failed while it was observed" +
      (seen.text.empty() ? "" : ": " + base::Shorten(seen.text, 300));
  return 0.0;
}

// Many where they are short, or there is nothing to see of them.
size_t Judging::CallsToObserve(double micros_of_call) const {
  constexpr double kChainMicros = 2e4;
  const size_t most = parts_.device->is_cuda() ? 4 : wire::kMaxCalls;
  return static_cast<size_t>(std::clamp(
      kChainMicros / micros_of_call, 1.0,
      static_cast<double>(std::min(most, size_t{parts_.exchange->slots()}))));
}

Result<bool> Judging::WeightsIntact(Judgement* judgement) const {
  KB_ASSIGN(const bool intact, parts_.exchange->WeightsIntact());
  if (intact) return true;
  judgement->status = Judgement::Status::kTampering;
  judgement->text = "the weights that it was given were overwritten";
  return false;
}

}  // namespace kb::oracle
