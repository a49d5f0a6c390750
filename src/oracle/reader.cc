#include "reader.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "base/text.h"
#include "os/machine.h"
#include "wire/poll.h"

namespace kb::oracle {
namespace {

using base::Result;
using record::Judgement;
using record::Launches;
using std::chrono::milliseconds;

uint64_t InputSeed(const Order& order, size_t call) {
  return call == 0 ? order.seed : base::Mix(order.seed + call);
}

void AddNote(const std::string& text, std::vector<std::string>* notes) {
  constexpr size_t kMost = 8;
  if (!text.empty() && notes->size() < kMost &&
      std::ranges::find(*notes, text) == notes->end())
    notes->push_back(text);
}

// One at most, or it could say a page of things.
void AddRemark(const std::string& remark, std::vector<std::string>* notes) {
  if (std::ranges::none_of(*notes, [](const std::string& note) {
        return note.starts_with(record::kSaysOfItself);
      }))
    AddNote(remark, notes);
}

std::string Describe(const Exchange::Overwrite& beside) {
  if (beside.behind)
    return fmt::format(
        "wrote past the end of output {}, up to {} bytes behind it (is a guard "
        "missing for the last elements?)",
        beside.output, beside.bytes);
  return fmt::format("wrote before the start of output {}, up to {} bytes",
                     beside.output, beside.bytes);
}

}  // namespace

Result<std::optional<Reading>> ReadAgain(
    int tries,
    const std::function<Result<std::optional<Reading>>(bool)>& read) {
  for (int tried = 1;; ++tried) {
    KB_ASSIGN(auto reading, read(tried == 1));
    const bool again = reading && reading->preempted && !reading->blocked;
    if (!again || tried == tries) return reading;
  }
}

bool IsTooLong(double blind_us, double micros) {
  constexpr double kMicros = 5;
  constexpr double kShare = 0.001;
  return blind_us > kMicros + kShare * micros;
}

uint64_t GeneratorSeedFor(uint64_t input_seed) {
  return std::max<uint64_t>(1,
                            base::DerivedSeed(input_seed, "generator", 0) >> 1);
}

Reader::Reader(const TrialParts& parts, Exam* exam,
               const record::Policy* policy, HoldProcess hold)
    : parts_(parts), exam_(exam), policy_(policy), hold_(std::move(hold)) {}

Result<std::optional<Reading>> Reader::Read(Side* side, const Order& order,
                                            Judgement* judgement) {
  Reading reading;
  ++spent_.readings;
  KB_TRY(MakeReady(*side, order, &reading));
  if (!side->trusted || order.work == wire::Work::kForward)
    KB_TRY(LetRun(!side->trusted));
  // Nothing is announced: a candidate that left work behind, or who came.
  if (!parts_.neighbour) {
    KB_ASSIGN(reading.disturbed, SomebodyWorks(parts_.device));
  }
  side->link->Announce(ChainOf(order));
  Wait wait = Wait::kDone;
  int64_t preemptions = 0;
  std::optional<double> waited;
  if (order.launches != Launches::kShown) {
    KB_ASSIGN(wait, ArmGated(side, order, &reading));
  } else {
    wait = side->link->AwaitArmed(Timeout(*side));
  }
  if (wait == Wait::kDone) {
    preemptions = os::Preemptions();
    if (!reading.blocked) KB_TRY(Stage(*side, order));
    waited = side->link->WaitedMicros();
    wait = Release(side, &reading);
  } else if (wait == Wait::kFailed) {
    side->link->Go();  // what waits in the stream goes on
    // Without a capture it will show whether it can be called at all.
    reading.blocked = order.launches == Launches::kCaptured;
    if (reading.blocked) {
      AddNote(NotCaptured(*side), &judgement->notes);
      return std::optional(reading);
    }
  }
  if (wait != Wait::kDone) return Fail(*side, wait, "forward", judgement);
  if (!reading.blocked)
    KB_TRY(NoteDisturbance(order, os::Preemptions() > preemptions, &reading));
  if (order.work != wire::Work::kForward) return std::optional(reading);
  if (order.launches == Launches::kShown) {
    side->open_calls += static_cast<int>(order.calls);
    if (order.calls == 1) side->host_micros = reading.micros;
  }
  if (!order.unread) CollectPlaces(*side, order, &reading);
  if (!side->trusted && !order.unread && !reading.blocked) {
    KB_TRY(TakeGlimpses(order, &reading));
    AddRemark(side->link->Remark(), &judgement->notes);
  }
  // Not before the glimpses, or more could be done between the end and them.
  if (waited)
    reading.waited_us =
        std::clamp(side->link->WaitedMicros().value_or(*waited) - *waited, 0.0,
                   reading.micros);
  return std::optional(std::move(reading));
}

Result<void> Reader::MakeReady(const Side& side, const Order& order,
                               Reading* reading) {
  const wire::Stopwatch watch(&spent_.inputs_s);
  if (!SparesWork(side)) KB_TRY(Poison(order, reading));
  if (order.work != wire::Work::kForward) return base::Ok();
  return FillInputs(side, order);
}

std::string Reader::NotCaptured(const Side& side) {
  const std::string text = side.link->ReadReport().text;
  return fmt::format("{} cannot be captured in a CUDA graph: {}",
                     side.trusted ? "the reference" : "forward",
                     base::LastLine(text));
}

// An own process's failure is ours.
Result<std::optional<Reading>> Reader::Fail(const Side& side, Wait wait,
                                            const char* during,
                                            Judgement* judgement) const {
  const auto report = side.link->ReadReport();
  if (side.trusted)
    return base::Fail("the reference's timing process {} during {}{}",
                      wait == Wait::kTimeout ? "gave no answer"
                      : wait == Wait::kGone  ? "ended"
                                             : "failed",
                      during, wait == Wait::kFailed ? ": " + report.text : "");
  judgement->text = during;
  if (wait == Wait::kGone) judgement->status = Status::kGone;
  if (wait == Wait::kTimeout) {
    judgement->status = Status::kTimeout;
    judgement->limit_s = std::chrono::duration<double>(Timeout(side)).count();
  }
  if (wait != Wait::kFailed) return std::optional<Reading>();
  judgement->text = report.text;
  judgement->status = Status::kCallFailed;
  if (report.status == wire::CallStatus::kOutOfMemory)
    judgement->status = Status::kOutOfMemory;
  if (report.status == wire::CallStatus::kStructure) {
    judgement->status = Status::kMismatch;
    judgement->mismatch.emplace().structure = report.text;
  }
  return std::optional<Reading>();
}

Result<void> Reader::LetRun(bool candidate) {
  if (running_ == candidate || !hold_) return base::Ok();
  const wire::Stopwatch watch(&spent_.hold_s);
  running_ = candidate;
  if (candidate) KB_TRY(hold_(Hold::kSuspend, Whom::kReference));
  KB_TRY(hold_(candidate ? Hold::kResume : Hold::kSuspend, Whom::kCandidate));
  if (candidate) return base::Ok();
  return hold_(Hold::kResume, Whom::kReference);
}

Result<void> Reader::EndCandidate() {
  KB_TRY(LetRun(false));  // or it would be stopped after its end
  if (!hold_) return base::Ok();
  const wire::Stopwatch watch(&spent_.hold_s);
  return hold_(Hold::kEnd, Whom::kCandidate);
}

Result<void> Reader::Poison(const Order& order, Reading* reading) {
  reading->poison_seed = base::SecretSeed();
  if (order.work != wire::Work::kForward) return base::Ok();
  KB_TRY(
      parts_.exchange->Poison(order.first, order.calls, reading->poison_seed));
  return parts_.device->Synchronize();
}

wire::Chain Reader::ChainOf(const Order& order) const {
  wire::Chain chain;
  chain.calls = static_cast<uint32_t>(order.calls);
  chain.work = order.work;
  chain.gated = order.launches != Launches::kShown ? 1 : 0;
  chain.captured = order.launches == Launches::kCaptured ? 1 : 0;
  chain.copy = order.copy ? 1 : 0;
  chain.unread = order.unread ? 1 : 0;
  chain.first = static_cast<uint32_t>(order.first);
  chain.move = order.move ? 1 : 0;
  for (size_t call = 0; call < order.calls; ++call)
    chain.generator_seeds.at(call) = GeneratorSeed(order, call);
  return chain;
}

uint64_t Reader::GeneratorSeed(const Order& order, size_t call) const {
  if (!parts_.reference->nature().random) return 0;
  return GeneratorSeedFor(InputSeed(order, call));
}

// A forward that waits for the device never gets to the end of its chain while
// the gate is shut, nor does one whose launches do not fit the queue.
Result<Reader::Wait> Reader::ArmGated(Side* side, const Order& order,
                                      Reading* reading) {
  const Wait armed =
      side->link->AwaitArmed(std::min(Patience(*side, order), Timeout(*side)));
  if (armed != Wait::kTimeout) return armed;
  if (order.launches == Launches::kPartlyHidden) return Wait::kDone;
  reading->blocked = true;
  side->link->Go();
  return side->link->AwaitArmed(Timeout(*side));
}

// Nobody who could enqueue everything may be taken for one who cannot. The
// launch queue is full after a few milliseconds (about 1,000 launches).
milliseconds Reader::Patience(const Side& side, const Order& order) {
  const double host =
      side.host_micros / 1000 * static_cast<double>(order.calls);
  return milliseconds(
      static_cast<int64_t>(order.launches == Launches::kPartlyHidden
                               ? std::clamp(host, 10.0, 50.0)
                               : std::clamp(20 * host, 250.0, 4000.0)));
}

// Nobody else sees the inputs before all of them are delivered in one go. A
// cold cache follows, and nobody else gets the device before the gate is open,
// also who waits in several streams and takes every slice of time that there
// is. On cpu the process is stopped, because a candidate could read what is
// written.
Result<void> Reader::Stage(const Side& side, const Order& order) {
  KB_TRY(HoldWhileStaging(side, Hold::kSuspend));
  KB_TRY(parts_.occupation->Begin());
  if (order.work == wire::Work::kForward)
    KB_TRY(parts_.exchange->Deliver(order.first, order.calls));
  if (order.cold) KB_TRY(parts_.kernels->EvictCache());
  KB_TRY(parts_.occupation->Await());
  return HoldWhileStaging(side, Hold::kResume);
}

// Somebody who got the device after the inputs were there and before the gate
// was open; or it was our thread that kept it waiting.
Result<void> Reader::NoteDisturbance(const Order& order, bool preempted,
                                     Reading* reading) const {
  if (!order.cold) return base::Ok();
  KB_ASSIGN(const double micros, parts_.occupation->Micros());
  const bool forward = order.work == wire::Work::kForward;
  if (parts_.staging.IsDisturbed(micros, forward ? order.calls : 0))
    (preempted ? reading->preempted : reading->disturbed) = true;
  return base::Ok();
}

// The reference's as well, or the candidate's alone would have to be scheduled
// again.
Result<void> Reader::HoldWhileStaging(const Side& side, Hold hold) {
  if (cuda() || !hold_) return base::Ok();
  const wire::Stopwatch watch(&spent_.hold_s);
  return hold_(hold, side.trusted ? Whom::kReference : Whom::kCandidate);
}

// The reference remembers nothing and needs neither poison nor fresh inputs. It
// is spared them where they are what takes the time, on a GPU. On cpu two
// references that only one side draws for differ more: by 3.8 % instead of 2.2
// in the middle of 56 judgements each.
bool Reader::SparesWork(const Side& side) const {
  return side.trusted && cuda();
}

// Fresh ones for the candidate; for the reference those of its calls in the
// same places, as far as they are usual ones.
Result<void> Reader::FillInputs(const Side& side, const Order& order) {
  for (size_t call = 0; call < order.calls; ++call) {
    const size_t slot = order.first + call;
    if (SparesWork(side) && exam_->KeepsUsual(slot)) continue;
    KB_TRY(exam_->Draw(InputSeed(order, call), order.as));
    KB_TRY(parts_.exchange->Fill(slot, exam_->inputs()));
    KB_TRY(exam_->Keep(slot, parts_.exchange->Filled(slot)));
  }
  return base::Ok();
}

Reader::Wait Reader::Release(Side* side, Reading* reading) {
  const milliseconds timeout = Timeout(*side);
  const int64_t preemptions = os::Preemptions();
  const int64_t start = wire::NowNanos();
  side->link->Go();
  parts_.occupation->Release();
  const int64_t opened = wire::NowNanos();
  int64_t missed = opened;
  const Wait wait = side->link->AwaitDone(timeout, &missed);
  const int64_t end = wire::NowNanos();
  reading->micros = static_cast<double>(end - start) / 1000;
  // It needs its processor at these two moments only.
  const double blind =
      static_cast<double>(opened - start + end - missed) / 1000;
  reading->preempted = os::Preemptions() > preemptions &&
                       (!cuda() || IsTooLong(blind, reading->micros));
  return wait;
}

// Said by the jail, but only where to look: what is there is compared.
void Reader::CollectPlaces(const Side& side, const Order& order,
                           Reading* reading) {
  const auto& specs = parts_.exchange->output_specs();
  for (size_t call = 0; call < order.calls; ++call)
    for (size_t i = 0; i < specs.size(); ++i) {
      const size_t index = call * specs.size() + i;
      const uint64_t place = index < wire::kMaxPlaces
                                 ? side.link->ReadPlace(index)
                                 : wire::kInSlot;
      const uint64_t size = side.pool ? side.pool->size() : 0;
      // An address that no element can have is an error of the device, ours.
      const bool in_pool = place <= size && specs[i].Bytes() <= size - place &&
                           size > 0 &&
                           place % record::DTypeSize(specs[i].dtype) == 0;
      reading->outputs.push_back(
          in_pool ? side.pool->data() + place
                  : parts_.exchange->output(order.first + call, i));
      if (!in_pool && side.python) reading->copied = true;
    }
}

// A few hundred bytes at places nobody knows, of every call, in an order that
// nobody knows. Compared with a later look, they tell whether the end was
// reported before it was.
Result<void> Reader::TakeGlimpses(const Order& order, Reading* reading) {
  constexpr size_t kLeast = 4;
  constexpr uint64_t kBytes = 512;
  const auto& specs = parts_.exchange->output_specs();
  if (specs.empty()) return base::Ok();
  base::Sequence random(base::SecretSeed());
  const size_t first = random.Below(order.calls);
  size_t step = random.Below(order.calls) + 1;
  while (std::gcd(step, order.calls) != 1) ++step;
  for (size_t n = 0; n < std::max(order.calls, kLeast); ++n) {
    const size_t call = (first + n * step) % order.calls;
    const size_t i = random.Below(specs.size());
    const uint64_t bytes = specs[i].Bytes();
    if (bytes == 0) continue;
    Reading::Glimpse glimpse;
    glimpse.bytes.resize(std::min(bytes, kBytes));
    glimpse.place = reading->outputs.at(call * specs.size() + i) +
                    random.Below(bytes - glimpse.bytes.size() + 1);
    reading->glimpses.push_back(std::move(glimpse));
  }
  return Look(&reading->glimpses);
}

Result<void> Reader::Look(std::vector<Reading::Glimpse>* glimpses) {
  std::vector<device::Device::Look> looks;
  for (Reading::Glimpse& glimpse : *glimpses)
    looks.push_back(
        {glimpse.bytes.data(), glimpse.place, glimpse.bytes.size()});
  return parts_.device->Glance(looks);
}

Result<bool> Reader::Check(const Order& order, const Reading& reading,
                           Judgement* judgement) {
  const wire::Stopwatch watch(&spent_.compare_s);
  for (size_t call = 0; call < order.calls; ++call) {
    KB_ASSIGN(const bool right, CheckCall(order, call, reading, judgement));
    if (!right) return false;
  }
  std::vector<Reading::Glimpse> later = reading.glimpses;
  KB_TRY(Look(&later));
  for (size_t i = 0; i < later.size(); ++i) {
    if (later[i].bytes == reading.glimpses[i].bytes) continue;
    judgement->status = Status::kTampering;
    judgement->text =
        "the output was still being written after the call was reported done";
    return false;
  }
  return true;
}

Result<std::string> Reader::WhyUnfit(const Order& order) {
  const wire::Stopwatch watch(&spent_.compare_s);
  return exam_->WhyUnfit(InputSeed(order, 0), GeneratorSeed(order, 0),
                         *order.as);
}

Result<bool> Reader::CheckCall(const Order& order, size_t call,
                               const Reading& reading, Judgement* judgement) {
  const uint64_t seed = InputSeed(order, call);
  KB_TRY(exam_->SetQuestion(seed, GeneratorSeed(order, call), order.as));
  KB_ASSIGN(
      const Exchange::Trespass trespass,
      parts_.exchange->FindTrespass(order.first + call, exam_->inputs(),
                                    parts_.reference->nature().changed_inputs));
  if (trespass.input >= 0) {
    judgement->status = Status::kMismatch;
    judgement->mismatch.emplace().structure =
        fmt::format("forward changed its input {}", trespass.input);
    judgement->mismatch->seed = seed;
    return false;
  }
  const bool told = baseline_ && judgement->mismatch;
  if (!told) KB_TRY(CompareCall(call, reading, judgement));
  if (judgement->mismatch &&
      (!baseline_ || !judgement->mismatch->structure.empty())) {
    judgement->status = Status::kMismatch;
    // May well be why.
    if (trespass.beside) AddNote(Describe(*trespass.beside), &judgement->notes);
    return false;
  }
  if (!trespass.beside) return true;
  judgement->status = Status::kMismatch;
  judgement->mismatch.emplace().structure = Describe(*trespass.beside);
  judgement->mismatch->seed = seed;
  return false;
}

Result<void> Reader::CompareCall(size_t call, const Reading& reading,
                                 Judgement* judgement) {
  const size_t outputs = parts_.exchange->output_specs().size();
  Exam::Answer answer;
  answer.poison_seed = reading.poison_seed;
  answer.outputs.assign(reading.outputs.begin() + call * outputs,
                        reading.outputs.begin() + (call + 1) * outputs);
  KB_ASSIGN(judgement->mismatch, exam_->Check(answer, &judgement->notes));
  judgement->tolerance = exam_->tolerance();
  for (const std::string& remark : parts_.reference->nature().remarks)
    AddNote(remark, &judgement->notes);
  if (!exam_->unmeasured().empty())
    AddNote("the tolerance is the fixed one, since " + exam_->unmeasured(),
            &judgement->notes);
  return base::Ok();
}

milliseconds Reader::Timeout(const Side& side) const {
  // The first call of a Python candidate may compile and tune.
  const bool first = side.open_calls == 0 && side.python;
  const double seconds =
      first ? std::max(policy_->load_seconds, policy_->call_seconds)
            : policy_->call_seconds;
  return milliseconds(static_cast<int64_t>(seconds * 1000));
}

}  // namespace kb::oracle
