#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/policy.h"
#include "record/problem.h"

namespace kb::wire {

// A tensor's place in one of the shared arenas, bytes from its start.
struct Place {
  uint64_t offset = 0;
  bool operator==(const Place&) const = default;
};

// Everything a jail is told: the problem as plain data and where the tensors
// lie. Sent once, before the first call. The descriptors that go with it are,
// in order: mailbox, weights, all input slots, all output slots, pool (when it
// has any bytes).
struct Setup {
  std::string device;  // "cuda:0", "cpu"
  record::Precision precision = record::Precision::kFp32;
  uint64_t construction_seed = 0;
  bool own_weights = false;  // a Python candidate keeps those it constructs
  bool running_statistics = true;  // record::Policy's
  record::ProblemFacts facts;
  std::vector<Place> state;    // of facts.state in the weights arena
  std::vector<Place> inputs;   // of the input tensors in an input slot
  std::vector<Place> outputs;  // of the outputs in an output slot
  uint64_t weights_bytes = 0;
  uint64_t input_bytes = 0;  // of one slot
  uint64_t output_bytes = 0;
  uint32_t slots = 1;  // for inputs, and as many for outputs
  // Memory in which a Python candidate's tensors are made during forward, so
  // that what it returns need not be copied.
  uint64_t pool_bytes = 0;
  // Whether short calls will be timed. Then the process looks for a context
  // that launches as fast as the fastest that the oracle knows (0: it knows
  // none).
  bool choose_context = false;
  double launch_us = 0;
  // So many chains without a call come first, while nothing foreign is loaded:
  // what a chain costs once in this process, as nobody can make it look.
  uint32_t empty_chains = 0;
  // It looks at whose code runs in the chains of forwards after the first, and
  // tells what it saw when it is asked to (Work::kTell).
  bool observe = false;
  // Then also where the time goes, in a message of its own.
  bool profile = false;
  bool operator==(const Setup&) const = default;
};
base::Json ToJson(const Setup& setup);
base::Result<Setup> SetupFromJson(const base::Json& json);

}  // namespace kb::wire
