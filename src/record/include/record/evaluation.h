#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/device_facts.h"
#include "record/policy.h"
#include "record/problem.h"

namespace kb::record {

// What is finally said of a candidate (docs/verdicts.md).
enum class Verdict {
  kCorrect,
  kIncorrect,
  kCompileError,
  kLoadError,
  kRuntimeError,
  kTimeout,
  kOutOfMemory,
  kRejected,
  kNotCertified,
  kInfraError,
};
const char* VerdictName(Verdict verdict);  // "not_certified"
std::optional<Verdict> ParseVerdict(const std::string& name);

enum class Track { kPython, kNative };
const char* TrackName(Track track);

enum class Backend { kCuda, kTriton, kCpp, kTorch };
const char* BackendName(Backend backend);

// A kernel to judge.
struct Candidate {
  std::string name;  // file name without folder
  std::string path;  // as the user wrote it
  std::string source;
  Track track = Track::kNative;
  Backend backend = Backend::kCuda;
  // load_inline/load appear in the source: it has a build step of its own.
  bool builds_extension = false;

  std::string Hash() const;
};

// One output that does not agree, in a person's words and numbers.
struct Mismatch {
  int64_t output = 0;     // which output tensor
  std::string structure;  // wrong count, dtype or shape; else empty
  int64_t elements = 0;
  int64_t wrong = 0;      // elements outside the tolerance
  int64_t nonfinite = 0;  // of these: NaN or inf where it must not be
  int64_t unwritten = 0;  // of these: still the poison we put there
  double max_abs_error = 0;
  double max_rel_error = 0;
  struct Position {
    std::vector<int64_t> index;
    double expected = 0;
    double actual = 0;
    bool operator==(const Position&) const = default;
  };
  std::optional<Position> first;
  std::optional<Position> worst;
  std::string pattern;  // "last tile of dimension 1", ...
  uint64_t seed = 0;    // reproduces the trial
  bool operator==(const Mismatch&) const = default;
};
base::Json ToJson(const Mismatch& mismatch);
base::Result<Mismatch> MismatchFromJson(const base::Json& json);

// One fresh input set through reference and candidate. Times in microseconds.
struct Trial {
  uint64_t seed = 0;
  bool timed = false;
  double reference_us = 0;  // device time of eager PyTorch, same inputs
  double claimed_us = 0;    // device time said by the jail
  double copy_us = 0;       // device time said by the jail of copying what a
                            // Python forward returned
  double certified_us = 0;  // parent's clock, release of the inputs to done
  double stage_us = 0;      // parent's clock, first input byte written to
                            // release: grows when the jail works ahead
  double settle_us = 0;     // parent's clock, done to first sample taken:
                            // grows when the jail works on after done
  double overhead_us = 0;   // certified - claimed - copy - the constant
  bool in_band = false;     // the trial counts
  bool operator==(const Trial&) const = default;
};
base::Json ToJson(const Trial& trial);
base::Result<Trial> TrialFromJson(const base::Json& json);

// What certified - claimed - copy is for trusted work of known length in the
// same process, before the candidate was loaded, with the same buffers.
// Microseconds.
struct Calibration {
  double constant_us = 0;       // median for short calls
  double long_constant_us = 0;  // and for calls of at least long_call_us
  double long_call_us = 0;
  double low_us = 0;          // a trial counts when overhead_us is within
  double high_us = 0;         //   [low, high]
  double copy_high_us = 0;    // and copy_us at most this
  double stage_high_us = 0;   // and stage_us is at most this
  double settle_high_us = 0;  // and settle_us at most this
  int64_t samples = 0;
  bool operator==(const Calibration&) const = default;
};
base::Json ToJson(const Calibration& calibration);
base::Result<Calibration> CalibrationFromJson(const base::Json& json);

// Times of the trials that count, microseconds.
struct TimeSummary {
  int64_t count = 0;
  double median = 0, mean = 0, stddev = 0, min = 0, max = 0;
  double q25 = 0, q75 = 0;
  bool operator==(const TimeSummary&) const = default;
};
base::Json ToJson(const TimeSummary& summary);
base::Result<TimeSummary> TimeSummaryFromJson(const base::Json& json);

struct Interval {
  double estimate = 0, low = 0, high = 0;  // low..high: bootstrap 95 %
  bool operator==(const Interval&) const = default;
};
base::Json ToJson(const Interval& interval);

// What the oracle saw of one candidate. Facts only; eval makes the verdict.
struct Judgement {
  enum class Status {
    kOk,           // all trials done, everything agreed
    kMismatch,     // `mismatch` says where
    kLoadFailed,   // the jail said so: text
    kCallFailed,   // the jail said so: text
    kOutOfMemory,  // the jail said so: text
    kTimeout,      // no answer in time: text says to what
    kGone,         // the jail closed its socket; its exit tells why
    kTampering,    // red zone, inputs or late writes: text
  };
  Status status = Status::kOk;
  std::string text;
  bool loaded = false;  // construction had succeeded
  std::vector<Trial> trials;
  std::optional<Mismatch> mismatch;
  std::optional<Calibration> calibration;
  Tolerance tolerance;
  std::vector<std::string> notes;
};
base::Json ToJson(const Judgement& judgement);
base::Result<Judgement> JudgementFromJson(const base::Json& json);

// Everything that is known of one judged candidate. Raw trials are kept.
struct Evaluation {
  Candidate candidate;
  std::string model;    // that wrote it, as its run calls it; else empty
  int64_t sample = -1;  // which of the model's samples; -1: none
  std::string problem_id;
  std::string problem_hash;
  Size size = Size::kFull;
  Precision precision = Precision::kFp32;
  Policy policy;
  DeviceFacts device;
  std::string isolation;  // "full", "reduced", "none"
  std::string version;    // of kernelbench

  // Absent: the candidate was compiled but cannot run on this device (CUDA
  // source on cpu). `reason` says so.
  std::optional<Verdict> verdict;
  std::string reason;                  // one line
  std::string log;                     // compiler's or Python's words, trimmed
  bool interpreted = false;            // Triton on cpu: correctness only
  std::vector<std::string> notes;      // what else was seen
  std::vector<std::string> checked;    // what the verdict rests on
  std::vector<std::string> unchecked;  // and what nobody looked at

  std::vector<Trial> trials;
  std::optional<Mismatch> mismatch;
  std::optional<Calibration> calibration;
  Tolerance tolerance;
  std::optional<TimeSummary> reference_time;
  std::optional<TimeSummary> candidate_time;
  std::optional<Interval> speedup;  // reference / candidate, certified only

  double compile_seconds = 0;
  bool compile_cached = false;
  double wall_seconds = 0;  // from compile start to verdict
  std::string started_at;   // UTC, ISO 8601
};
base::Json ToJson(const Evaluation& evaluation);

}  // namespace kb::record
