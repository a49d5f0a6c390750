#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exam.h"
#include "jail_link.h"
#include "record/evaluation.h"

namespace kb::oracle {

// One process that forwards run in: the candidate's, or the reference's.
struct Side {
  std::optional<JailLink> link;
  std::unique_ptr<device::SharedMemory> pool;            // null: none
  record::Launches launches = record::Launches::kShown;  // how it is read
  bool trusted = false;                                  // the reference's
  bool python = true;
  bool open = false;       // it has opened the device, and waits for its turn
  bool loaded = false;     // the reference's
  int open_calls = 0;      // forwards that have run without a gate
  double host_micros = 0;  // of one call without a gate, the last one read
  // A reading without any call, before anything was loaded: what a chain costs
  // once in this process. 0: not read.
  double once_us = 0;
  record::Spent opening;  // open_s and contexts, until a turn has told them
};

// What to read.
struct Order {
  wire::Work work = wire::Work::kForward;
  size_t calls = 1;
  // Hidden or captured ones are hidden, or the reading is blocked.
  record::Launches launches = record::Launches::kShown;
  bool copy = false;
  bool unread = false;  // the outputs are left where they are
  bool cold = true;
  uint64_t seed = 0;  // call i's inputs follow from it
  size_t first = 0;   // the slot of call 0
  bool move = false;  // what forward allocates lies elsewhere from now on
  Exam::As as = {};   // the inputs' distribution
};

// The state of random generators for a call with such inputs: 63 bits, never 0.
// The jail is told it before the inputs are there, so that nothing leads from
// it back to them (SHA-256).
uint64_t GeneratorSeedFor(uint64_t input_seed);

// The oracle's clock over one chain, and what is needed to check its outputs.
struct Reading {
  double micros = 0;       // opening of the gate to the end of the chain
  bool disturbed = false;  // somebody else used the device before it
  // Our thread lost its processor, so that the time may be too long (on a GPU:
  // IsTooLong) or nobody can tell whether somebody else used the device.
  bool preempted = false;
  // How long the process was ready and had no processor; 0 on a GPU, and where
  // it is not known.
  double waited_us = 0;
  // Not everything could be captured, or enqueued behind the gate: it was
  // opened before the inputs were there, and the time means nothing.
  bool blocked = false;
  bool copied = false;  // an output was not in its place and was copied
  uint64_t poison_seed = 0;
  std::vector<const std::byte*> outputs;  // of all calls
  struct Glimpse {                        // taken at once after the end
    const std::byte* place;
    std::vector<std::byte> bytes;
  };
  std::vector<Glimpse> glimpses;
};

// Reads until the oracle's thread has kept its processor, so often at most; the
// last reading. A blocked one is not read again: its time means nothing anyhow.
// `read` is told whether it is the first time.
base::Result<std::optional<Reading>> ReadAgain(
    int tries,
    const std::function<base::Result<std::optional<Reading>>(bool)>& read);

// Whether a reading is longer than the chain by more than is left of the noise.
// `blind_us`: how long our thread did not look, as the gate opened and before
// the end was seen. In between it may lose its processor: calls of a second
// always meet somebody, if only the system's own threads.
bool IsTooLong(double blind_us, double micros);

// Asks the orchestrator to let a process's limit of life begin, to move it to
// the processors on which it is timed, to stop it, to let it go on, or to end
// it, and waits until that is done.
enum class Hold { kBegin, kConfine, kSuspend, kResume, kEnd };
enum class Whom { kCandidate, kReference };
using HoldProcess = std::function<base::Result<void>(Hold, Whom)>;

// Reads one chain of one side: the whole hand-over, the same for everybody.
class Reader {
 public:
  Reader(const TrialParts& parts, Exam* exam, const record::Policy* policy,
         HoldProcess hold);

  // Nothing when the candidate failed or left: `judgement` says how. An Error
  // when the reference's process did.
  base::Result<std::optional<Reading>> Read(Side* side, const Order& order,
                                            record::Judgement* judgement);

  // Whether every output of every call is right, every input unchanged, and
  // nothing was written late. Else `judgement` says what not.
  base::Result<bool> Check(const Order& order, const Reading& reading,
                           record::Judgement* judgement);

  // From now on: Turn::baseline.
  void set_baseline(bool baseline) { baseline_ = baseline; }

  // Why an order for a call on inputs with a distribution of their own would
  // say nothing of a candidate; empty: it does. The question is then set.
  base::Result<std::string> WhyUnfit(const Order& order);

  // Of its time until it is asked again: all but opening and loading, which
  // others do.
  record::Spent TakeSpent() { return std::exchange(spent_, {}); }

  // The side that is not read is stopped.
  base::Result<void> LetRun(bool candidate);

  // Waits until the candidate's process is gone; the reference may run.
  base::Result<void> EndCandidate();

 private:
  using Status = record::Judgement::Status;
  using Wait = JailLink::Wait;

  // Outputs poisoned, inputs written.
  base::Result<void> MakeReady(const Side& side, const Order& order,
                               Reading* reading);
  base::Result<void> Poison(const Order& order, Reading* reading);
  base::Result<std::optional<Reading>> Fail(const Side& side, Wait wait,
                                            const char* during,
                                            record::Judgement* judgement) const;
  static std::string NotCaptured(const Side& side);
  wire::Chain ChainOf(const Order& order) const;
  base::Result<Wait> ArmGated(Side* side, const Order& order, Reading* reading);
  static std::chrono::milliseconds Patience(const Side& side,
                                            const Order& order);
  base::Result<void> Stage(const Side& side, const Order& order);
  base::Result<void> NoteDisturbance(const Order& order, bool preempted,
                                     Reading* reading) const;
  base::Result<void> HoldWhileStaging(const Side& side, Hold hold);
  bool SparesWork(const Side& side) const;
  base::Result<void> FillInputs(const Side& side, const Order& order);
  Wait Release(Side* side, Reading* reading);
  void CollectPlaces(const Side& side, const Order& order, Reading* reading);
  base::Result<void> TakeGlimpses(const Order& order, Reading* reading);
  // Reads the bytes at their places.
  base::Result<void> Look(std::vector<Reading::Glimpse>* glimpses);
  base::Result<bool> CheckCall(const Order& order, size_t call,
                               const Reading& reading,
                               record::Judgement* judgement);
  base::Result<void> CompareCall(size_t call, const Reading& reading,
                                 record::Judgement* judgement);
  std::chrono::milliseconds Timeout(const Side& side) const;
  uint64_t GeneratorSeed(const Order& order, size_t call) const;
  bool cuda() const { return parts_.device->is_cuda(); }

  TrialParts parts_;
  Exam* exam_;
  const record::Policy* policy_;
  HoldProcess hold_;
  bool running_ = true;  // the candidate
  bool baseline_ = false;
  record::Spent spent_;
};

}  // namespace kb::oracle
