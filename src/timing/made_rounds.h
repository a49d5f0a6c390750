#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/random.h"
#include "timing/estimate.h"

namespace kb::timing {

// A ruler that allows `alone_us` or `alone_share` to a call alone.
inline record::Ruler ChainsOf(int64_t calls, double alone_us = 3,
                              double alone_share = 0.02) {
  record::Ruler ruler;
  ruler.calls = calls;
  ruler.alone_us = alone_us;
  ruler.alone_share = alone_share;
  return ruler;
}

// What a chain of honest calls reads.
inline double Chain(double constant, double call, int64_t calls) {
  return constant + call * static_cast<double>(calls);
}

// A round in which a call takes this long on either side, behind a constant.
inline record::Trial Round(double reference, double candidate,
                           const record::Ruler& ruler, double constant = 150) {
  record::Trial trial;
  trial.timed = trial.counts = true;
  trial.constant_us = constant;
  trial.reference_one_us = Chain(constant, reference, 1);
  trial.candidate_one_us = Chain(constant, candidate, 1);
  if (ruler.calls > 1) {
    trial.reference_chain_us = Chain(constant, reference, ruler.calls);
    trial.candidate_chain_us = Chain(constant, candidate, ruler.calls);
  }
  trial.reference_us = RoundMicros(trial.reference_one_us,
                                   trial.reference_chain_us, constant, ruler);
  trial.candidate_us = RoundMicros(trial.candidate_one_us,
                                   trial.candidate_chain_us, constant, ruler);
  return trial;
}

// A normal distribution from a sequence that is the same everywhere.
class Noise {
 public:
  explicit Noise(uint64_t seed) : sequence_(seed) {}
  double operator()(double deviation) {
    const double radius = std::sqrt(-2 * std::log(Uniform()));
    return deviation * radius * std::cos(2 * std::numbers::pi * Uniform());
  }

 private:
  // Above 0, so that it has a logarithm.
  double Uniform() {
    return (static_cast<double>(sequence_.Next() >> 11) + 1) * 0x1p-53;
  }
  base::Sequence sequence_;
};

// A round with noise on all its readings.
inline record::Trial NoisyRound(double reference, double candidate,
                                double deviation, const record::Ruler& ruler,
                                Noise* noise) {
  record::Trial trial = Round(reference, candidate, ruler);
  for (double record::Trial::* reading :
       {&record::Trial::reference_one_us, &record::Trial::reference_chain_us,
        &record::Trial::candidate_one_us, &record::Trial::candidate_chain_us,
        &record::Trial::constant_us})
    trial.*reading += (*noise)(deviation);
  return trial;
}

}  // namespace kb::timing
