#pragma once

#include <vector>

#include "record/evaluation.h"

namespace kb::timing {

// How far a trial's clocks may be from the calibrated constant. What a
// candidate could gain by lying is bounded by this, so it is as small as honest
// kernels allow (docs/timing.md has the measurements).
struct Slack {
  double micros = 0;      // least half-width of the band
  double of_claimed = 0;  // plus this share of the claimed time
};
Slack SlackFor(bool cuda, record::Track track);

// The constant and the bands from trials of our own trusted work in the same
// kind of jail. Needs at least 8 trials.
record::Calibration Calibrate(const std::vector<record::Trial>& trials,
                              Slack slack);

// Fills overhead_us and in_band of a timed trial.
void Certify(const record::Calibration& calibration, Slack slack,
             record::Trial* trial);

}  // namespace kb::timing
