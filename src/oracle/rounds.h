#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "hiding.h"
#include "reader.h"
#include "record/evaluation.h"
#include "timing/wall.h"

namespace kb::oracle {

// The slower side's chain, whose calls are as many, takes no longer: the oracle
// computes what each call of either should have made.
inline constexpr double kMostChainMicros = 24000;

// Chains without any call that a process serves before it loads anything. On
// cuda both sides do, and so many that Side::once_us is known to 0.2 us: what a
// chain costs once differs from process to process, and a candidate could make
// it look longer later. On cpu a candidate serves none.
uint32_t OnceChains(bool trusted, bool cuda);

// Reads them: Side::once_us. Gated on cuda.
base::Result<void> ReadOnceCost(Reader* reader, Side* side, bool cuda,
                                bool cold);

// The procedure of the ruler (docs/timing.md): candidate and reference in turn,
// one call and a chain of calls each, on the same clock.
class Rounds {
 public:
  Rounds(const TrialParts& parts, Reader* reader, Side* reference,
         Side* candidate, const record::Policy* policy,
         const record::Turn* turn);

  // Finds out how long a chain has to be and whether everything can be gated,
  // if no other process did, then reads rounds until the rule of the policy
  // ends them. False when the candidate failed, as `judgement` says, or cannot
  // be read as in the first process. `between` is told after every round how
  // many there were, and may say false as well.
  base::Result<bool> Run(
      record::Judgement* judgement,
      const std::function<base::Result<bool>(int64_t)>& between);

  // The reference once more, after the candidate's process has gone.
  base::Result<void> Control(record::Judgement* judgement);

 private:
  // One call of a side, roughly, and how it can be measured.
  struct Pilot {
    double micros = 0;
    bool blocked = false;
    bool disturbed = false;  // three readings of one call, one after another
  };

  // Whether the streams of a candidate are what disturbs its readings.
  enum class Streams { kUnsuspected, kSuspected, kInnocent };

  base::Result<bool> Plan(record::Judgement* judgement);
  // What to do about a candidate that was disturbed. False: nothing more.
  bool LookWithoutGate(bool reference_disturbed);
  record::Policy RulesOfOneProcess() const;
  base::Result<std::optional<Pilot>> Fly(Side* side,
                                         record::Judgement* judgement);
  base::Result<std::optional<double>> PilotChain(Side* side, double one,
                                                 record::Judgement* judgement);
  bool CanFollow(const Pilot& reference, const Pilot& candidate);
  bool CandidateShuns(const Pilot& reference, size_t most_of_reference) const;
  base::Result<bool> ChooseCalls(const Pilot& reference, const Pilot& candidate,
                                 size_t* most_of_reference,
                                 record::Judgement* judgement);
  size_t CallsFor(const Pilot& reference, const Pilot& candidate,
                  size_t most) const;
  size_t ReadingsFor(const Pilot& reference, const Pilot& candidate) const;
  double ChainMicros()
      const;  // what a chain should take; longer calls need none

  // More calls for a chain when what was read says that so few are not needed;
  // 0: they are enough.
  size_t LongerChain(const record::Judgement& judgement) const;
  void BeginAnew(size_t calls, record::Judgement* judgement);
  base::Result<bool> RunRound(bool with_wall, record::Judgement* judgement);
  // Of a chain; 0: none is read.
  struct CallsOfBoth {
    size_t reference;
    size_t candidate;
  };
  // One chain of each side, so hidden; `move`: as Order has it. Nothing when
  // the candidate failed.
  base::Result<std::optional<timing::OfBoth>> ReadBoth(
      bool reference_first, const CallsOfBoth& calls, const Hiding& hiding,
      record::Judgement* judgement, bool move = false);
  CallsOfBoth WallCallsFor(const timing::OfBoth& first) const;
  base::Result<bool> ReadWalls(bool reference_first, record::Trial* trial,
                               record::Judgement* judgement);
  void SetUpRuler(record::Ruler* ruler) const;
  // Readings of one call in a round, by side.
  struct ReadingsOfBoth {
    std::vector<double> reference;
    std::vector<double> candidate;
    std::vector<double>& of(bool is_reference) {
      return is_reference ? reference : candidate;
    }
  };
  // `readings` chains of `calls` of each side in turn; the first as Order::move
  // has it.
  base::Result<bool> ReadInTurn(bool reference_first, size_t calls,
                                size_t readings, bool move, ReadingsOfBoth* all,
                                record::Judgement* judgement);
  // With what there is in `ones` and `chains` of this side; else both are read.
  base::Result<bool> ReadSide(bool reference, ReadingsOfBoth* ones,
                              ReadingsOfBoth* chains, record::Trial* trial,
                              record::Judgement* judgement);
  // One chain of a side. Nothing when the candidate failed. `blocked`: its
  // launches did not fit, and the time means nothing.
  base::Result<std::optional<double>> ReadChain(Side* side, size_t calls,
                                                record::Launches launches,
                                                record::Judgement* judgement,
                                                bool* blocked = nullptr);
  // What all chains of a side have in common.
  uint64_t NextSeed();
  Order OrderOf(const Side& side, size_t calls, record::Launches launches,
                uint64_t seed) const;
  // Read again, a few times at most, while Reading::preempted. Nothing when the
  // candidate failed.
  base::Result<std::optional<Reading>> Read(Side* side, Order order,
                                            record::Judgement* judgement);
  // Checked unless it is the reference's, blocked or unread. Nothing when the
  // candidate failed.
  base::Result<std::optional<Reading>> ReadOnce(Side* side, const Order& order,
                                                record::Judgement* judgement);
  // Whether the present round cannot count for it.
  void NoteDisturbance(const Reading& reading);
  // Adds Readings() readings of one call; false when the candidate failed.
  base::Result<bool> ReadOnes(Side* side, std::vector<double>* readings,
                              record::Judgement* judgement);
  // What counts of a round's readings of one call.
  double OneOf(const std::vector<double>& readings) const;
  base::Result<double> ReadNothing(record::Judgement* judgement);
  void NoteCopies(const Side& side, const Reading& reading);
  // Whether the outputs of both sides are to be copied in every reading, and
  // are not yet. Who is judged has no say in it: its process could spare itself
  // the copies that the reference makes, by writing its answers where they
  // belong at once. Its own are in its time.
  bool HasToCopy() const;
  void NoteWait(const Side& side, const Order& order, const Reading& reading);
  base::Result<void> MeasureCopy(record::Judgement* judgement);
  base::Result<void> TellCopies(record::Judgement* judgement);
  void NoteHealth(record::Trial* trial, record::Judgement* judgement);
  // Of one call or of none, where a microsecond counts: calls are so short that
  // they are chained.
  size_t Readings() const { return cuda() && calls_ > 1 ? readings_ : 1; }
  int Tries() const;  // of a reading
  bool cuda() const { return parts_.device->is_cuda(); }
  bool launches_show() const { return cuda() && !hiding().All(); }
  bool gated() const {
    return reference_->launches != record::Launches::kShown;
  }
  Hiding hiding() const;
  void Hide(const Hiding& hiding);

  TrialParts parts_;
  Reader* reader_;
  Side* reference_;
  Side* candidate_;
  const record::Policy* policy_;
  const record::Turn* turn_;
  ReadingsOfBoth waits_;  // on cpu, shares of readings
  bool copy_ = false;     // outputs, on both sides
  // Some were, in a reading.
  bool reference_copied_ = false;
  bool candidate_copied_ = false;
  size_t calls_ = 1;
  size_t readings_ = 1;
  int64_t processes_ = 1;
  size_t most_calls_ = 1;
  uint64_t seed_ = 0;            // of the present round
  uint64_t drawn_ = 0;           // from it and those before
  uint64_t place_ = 0;           // whose memory lies there
  bool move_ = false;            // the side's next reading begins elsewhere
  bool disturbed_ = false;       // the present round, by somebody else
  bool gate_reference_ = false;  // only the candidate cannot be gated
  Streams streams_ = Streams::kUnsuspected;
  bool shortened_ = false;  // the chain, for the candidate
  double constant_us_;      // about
};

}  // namespace kb::oracle
