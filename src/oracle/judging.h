#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "exam.h"
#include "exchange.h"
#include "reader.h"
#include "record/evaluation.h"
#include "rounds.h"

namespace kb::oracle {

// One candidate's judgement: set-up, loading, public trials, rounds of the
// ruler, and the reference alone at the end. With a policy that asks for
// provenance or a profile nothing is timed: it is looked at what runs.
class Judging {
 public:
  using Progress = std::function<void(int64_t done, int64_t at_most)>;

  Judging(const TrialParts& parts, wire::Setup identity, record::Policy policy,
          record::Tolerance tolerance, HoldProcess hold);
  Judging(const Judging&) = delete;  // its parts point to each other
  Judging& operator=(const Judging&) = delete;
  ~Judging() = default;

  // Exam::Rehearse, before the first process of a problem is prepared.
  base::Result<void> Rehearse() { return exam_.Rehearse(); }
  // Exam::LookAtGiven, before that.
  base::Result<Given> LookAtGiven() { return exam_.LookAtGiven(); }

  // Has a process open the device and wait for its turn, with nothing foreign
  // loaded. `trusted`: it is the reference's, and used for all candidates of
  // the problem. That a process of our own has not opened the device is an
  // Error; that a candidate's is gone is noticed at its turn.
  base::Result<std::unique_ptr<Side>> Prepare(os::Fd socket, bool python,
                                              bool trusted);

  // A prepared process at its turn. `reference` may be null when nothing is
  // timed. An Error is our failure.
  base::Result<record::Judgement> Judge(Side* side, Side* reference,
                                        const record::Turn& turn,
                                        const Progress& progress);

  // Of the fastest context that our own processes have seen; 0: none.
  double launch_us() const { return identity_.launch_us; }

 private:
  void Open(const wire::Setup& setup, Side* side) const;
  base::Result<void> MakePool(Side* side) const;
  base::Result<bool> Begin(Side* side);
  base::Result<void> LoadReference(Side* side, double* seconds);
  base::Result<void> Run(Side* side, Side* reference, const record::Turn& turn,
                         record::Judgement* judgement, double* load_s,
                         const Progress& progress);
  base::Result<bool> Load(Side* side, record::Judgement* judgement,
                          double* seconds);
  base::Result<bool> RunPublic(Side* side, record::Judgement* judgement,
                               const Progress& progress);
  base::Result<bool> RunOutside(Side* side, const record::Turn& turn,
                                record::Judgement* judgement);
  base::Result<bool> TryOutside(Side* side, record::Distribution as,
                                record::Judgement* judgement);
  void PlanAgain(const record::Turn& turn);
  base::Result<bool> TryAgain(Side* side, int64_t rounds,
                              record::Judgement* judgement);
  base::Result<bool> RunTimed(Side* side, Side* reference,
                              const record::Turn& turn,
                              record::Judgement* judgement,
                              const Progress& progress);
  base::Result<void> Observe(Side* side, record::Judgement* judgement);
  base::Result<double> ReadToObserve(Side* side, Order* order, bool check,
                                     record::Judgement* judgement);
  size_t CallsToObserve(double micros_of_call) const;
  base::Result<record::Yardstick> YardstickNow() const;
  base::Result<bool> WeightsIntact(record::Judgement* judgement) const;
  bool observes() const {
    return policy_.profile ||
           policy_.provenance != record::ProvenanceRule::kOff;
  }
  bool timed() const { return policy_.max_timed_trials > 0; }

  TrialParts parts_;
  wire::Setup identity_;
  record::Policy policy_;
  HoldProcess hold_;
  Exam exam_;
  Reader reader_;
  double first_micros_ = 0;                    // of the candidate's first call
  std::vector<record::Distribution> outside_;  // that the inputs can have
  // After how many rounds of the ruler which is asked again.
  std::multimap<int64_t, record::Distribution> again_;
};

}  // namespace kb::oracle
