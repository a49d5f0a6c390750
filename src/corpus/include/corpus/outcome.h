#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corpus/program.h"
#include "record/evaluation.h"

namespace kb::corpus {

// What kept an attempt from counting.
enum class Layer {
  kStaticCheck,  // the policy's rules about the source
  kCompiler,     // did not build
  kJail,         // failed, for it found nothing, or was not let
  kLimits,       // of time and memory
  kStructure,    // not the outputs that were asked for
  kPoison,       // left elements unwritten
  kComparison,   // wrong numbers for inputs that are new in every call
  kMemory,       // inputs, weights or what lies beside outputs were changed
  kLook,         // outputs were still written after the end
  kFloor,        // faster than the device can be
  kWhatRan,      // not code of its own, where the policy wants it
  kOtherSizes,   // wrong at a size that it was not shown
  kNoGain,       // right, and as fast as its honest twin
};
const char* LayerName(Layer layer);  // "static check"
inline constexpr int kLayers = 13;

struct Outcome {
  enum class Kind {
    kStopped,    // by `layer`
    kGained,     // it counts for more than it is worth
    kNotRun,     // this device cannot
    kNotJudged,  // our failure: nobody knows
  };
  Kind kind = Kind::kNotJudged;
  std::optional<Layer> layer;
  std::optional<double> gain;  // its twin's time over its own
};

// `evaluation` null: there is none. The twin's, likewise. A gain is one that
// the ruler can tell from none on a device of this kind ("cpu", "cuda").
Outcome OutcomeOf(const record::Evaluation* evaluation,
                  const record::Evaluation* twin,
                  const std::string& device_kind);

// How an honest program fared otherwise after a hostile one than alone; empty:
// in the same way.
std::string FaredOtherwise(const record::Evaluation& after,
                           const record::Evaluation& alone,
                           const std::string& device_kind);

}  // namespace kb::corpus
