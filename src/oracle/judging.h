#pragma once

#include <functional>
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
// ruler, and the reference alone at the end.
class Judging {
 public:
  using Progress = std::function<void(int64_t done, int64_t at_most)>;

  Judging(Bench bench, wire::Setup identity, record::Policy policy,
          record::Tolerance tolerance, HoldProcess hold);

  // Makes a timing process of the reference ready; it is used for all
  // candidates of the problem. An Error is our failure.
  base::Result<std::unique_ptr<Side>> Prepare(os::Fd socket);

  // `reference` may be null when nothing is timed. An Error is our failure.
  base::Result<record::Judgement> Judge(os::Fd socket, record::Track track,
                                        Side* reference,
                                        const record::Turn& turn,
                                        const Progress& progress);

  // Of the fastest context that our own processes have seen; 0: none.
  double launch_us() const { return identity_.launch_us; }

 private:
  base::Result<Side> Connect(os::Fd socket, bool python) const;
  base::Result<void> MakePool(Side* side) const;
  base::Result<bool> SetUp(Side* side);
  base::Result<void> Run(Side* side, Side* reference, const record::Turn& turn,
                         record::Judgement* judgement,
                         const Progress& progress);
  base::Result<bool> RunPublic(Side* side, record::Judgement* judgement,
                               const Progress& progress);
  base::Result<void> RunTimed(Side* side, Side* reference,
                              const record::Turn& turn,
                              record::Judgement* judgement,
                              const Progress& progress);
  base::Result<void> CheckWeights(record::Judgement* judgement) const;
  bool timed() const { return policy_.max_timed_trials > 0; }

  Bench bench_;
  wire::Setup identity_;
  record::Policy policy_;
  HoldProcess hold_;
  Exam exam_;
  Reader reader_;
  double first_micros_ = 0;  // of the candidate's first call
};

}  // namespace kb::oracle
