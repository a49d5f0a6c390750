#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/interval.h"
#include "base/json.h"
#include "base/result.h"

namespace kb::record {

// Results of different versions are never compared with each other. 1: two
// clocks, of which the candidate owned one. 2: docs/timing.md.
inline constexpr int64_t kRulerVersion = 2;

// One trial. An untimed one has a seed and its inputs, and nothing else. A
// timed one is a round of the ruler: reference and candidate, each with one
// call and with a chain of Ruler::calls calls on inputs nobody has seen; where
// there are chains, what one call and none take are medians of three readings.
// Times in microseconds of the oracle's clock, 0 where nothing was read.
struct Trial {
  uint64_t seed = 0;  // all inputs of the trial follow from it
  bool timed = false;
  bool counts = false;      // a timed one that nothing disturbed
  int64_t process = 0;      // which of Ruler::processes
  double reference_us = 0;  // one call, as this round alone says
  double candidate_us = 0;
  double reference_one_us = 0;    // gate opened to output complete, one call
  double reference_chain_us = 0;  // and the whole chain
  double candidate_one_us = 0;
  double candidate_chain_us = 0;
  double reference_wall_us = 0;  // one call of many back to back, host included
  double candidate_wall_us = 0;
  double constant_us = 0;  // the same reading without any call
  // That reading in each side's process before it loaded anything. 0: not read.
  double reference_once_us = 0;
  double candidate_once_us = 0;
  double clock_mhz = 0;  // of the device's processors, after the round
  double temperature_c = 0;
  std::string inputs = {};  // record::Distribution; empty: the policy's
  bool operator==(const Trial&) const = default;
};
base::Json ToJson(const Trial& trial);
base::Result<Trial> TrialFromJson(const base::Json& json);

// What of its launches a side's times show: nothing, because everything is
// enqueued behind the gate; nothing, and little of the gaps between kernels,
// because the calls are captured in a CUDA graph; those for which the launch
// queue has no room, or which come after forward's own wait for the device;
// all.
enum class Launches { kHidden, kCaptured, kPartlyHidden, kShown };
const char* LaunchesName(Launches launches);
// Whether the time has nothing of them.
bool AreHidden(Launches launches);

// What a device reached when we measured it ourselves, once (docs/timing.md).
// The best of several readings; 0: not measured, as on cpu.
struct Ceilings {
  double bandwidth_gbps = 0;  // of a large copy, 10^9 bytes read and written
  // Of large dense matrix products, 10^12 operations a second.
  double fp32_tflops = 0;  // without TF32
  double tf32_tflops = 0;
  double fp16_tflops = 0;
  double bf16_tflops = 0;
  bool operator==(const Ceilings&) const = default;
};
base::Json ToJson(const Ceilings& ceilings);
base::Result<Ceilings> CeilingsFromJson(const base::Json& json);

// How the timed trials of one evaluation were measured, the same for reference
// and candidate.
struct Ruler {
  int64_t version = kRulerVersion;
  int64_t calls = 1;  // of a chain; 1: calls are so long that none is needed
  // Launches are hidden or captured on both sides, where there are any (not on
  // cpu).
  bool gated = true;
  Launches reference_launches = Launches::kHidden;
  Launches candidate_launches = Launches::kHidden;
  // All launches of the control are hidden, which the reference alone decides.
  bool control_gated = true;
  bool copied = false;  // outputs are copied within the measured time
  bool warm = false;    // caches are left as the call before left them
  // A reading without any call, in the reference's process: the median of
  // Trial::constant_us.
  double constant_us = 0;
  // A call alone may take this much longer than in a chain (us, and a share of
  // it); what is beyond counts, because calls that were done together would
  // show so.
  double alone_us = 0;
  double alone_share = 0;
  // One call of the reference after the candidate's process has gone; 0: not
  // read. The reference counts for little more (timing::ShareAboveControl).
  double control_us = 0;
  // On cpu, for which share of a reading the process was ready and had no
  // processor, in the middle of the readings.
  double reference_waited = 0;
  double candidate_waited = 0;
  double copy_us = 0;   // of copying one call's outputs, where they are copied
  double floor_us = 0;  // no honest call is shorter; 0: not known
  double first_us = 0;  // the candidate's first call, one-off work included
  // What PyTorch allowed: "cudnn", "cudnn+matmul", "none".
  std::string tf32 = {};
  // Of one call of the reference, about as many as its kernels. 1: also where
  // it is not known.
  int64_t operators = 1;
  bool convolves = false;  // it has convolutions
  // On a GPU its calls take longer or shorter by where their tensors lie.
  bool by_place = false;
  int64_t processes = 1;  // of each side
  // Rounds thrown away: somebody else had the device, or the clock's processor.
  int64_t disturbed = 0;
  // Of one call's tensors, and of the device: what floor_us is made of.
  uint64_t input_bytes = 0;
  uint64_t weight_bytes = 0;
  uint64_t output_bytes = 0;
  Ceilings ceilings = {};
  bool operator==(const Ruler&) const = default;
};
base::Json ToJson(const Ruler& ruler);
base::Result<Ruler> RulerFromJson(const base::Json& json);

// Which of its processes a candidate is judged in. All are read as the first
// one was.
struct Turn {
  int64_t process = 0;
  // The reference's own program in one of torch.compile's modes, whose answers
  // are compared in the public trials alone: a CUDA graph's lie in the same
  // memory in every call, and to copy them would be in its time.
  bool compiled = false;
  // The problem's reference in another mode, which is trusted. What it computes
  // may differ in value: the first mismatch is told, no more is compared, and
  // it is timed all the same.
  bool baseline = false;
  // Nothing is timed, so that trials of their own show it inputs that nobody
  // knows.
  bool untimed = false;
  std::optional<Ruler> plan = {};  // of the first; nothing for itself
};
base::Json ToJson(const Turn& turn);
base::Result<Turn> TurnFromJson(const base::Json& json);

// Where a turn's time went by the oracle's clock, besides the calls themselves.
struct Spent {
  double load_s = 0;     // waiting for candidate and reference to be loaded
  double inputs_s = 0;   // drawing and writing inputs, poisoning outputs
  double compare_s = 0;  // computing what is expected, and comparing
  // Of what is left: both sides' processes are stopped, woken and ended.
  double hold_s = 0;
  int64_t readings = 0;  // chains that were read
  // Before the turn: its processes open the device, with as many contexts until
  // each has a fast one.
  double open_s = 0;
  int64_t contexts = 0;
  // How long either side's context takes to launch, where it was chosen.
  double reference_launch_us = 0;
  double candidate_launch_us = 0;
  double Sum() const { return load_s + inputs_s + compare_s; }
  bool operator==(const Spent&) const = default;
};
base::Json ToJson(const Spent& spent);
base::Result<Spent> SpentFromJson(const base::Json& json);

// Times of one call over the trials that count, microseconds. The median is the
// ruler's estimate over all of them.
struct TimeSummary {
  int64_t count = 0;
  double median = 0, mean = 0, stddev = 0, min = 0, max = 0;
  double q25 = 0, q75 = 0;
  bool operator==(const TimeSummary&) const = default;
};
base::Json ToJson(const TimeSummary& summary);
base::Result<TimeSummary> TimeSummaryFromJson(const base::Json& json);

using base::Interval;
base::Json ToJson(const Interval& interval);
base::Result<Interval> IntervalFromJson(const base::Json& json);

}  // namespace kb::record
