#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/at_size.h"
#include "record/device_facts.h"
#include "record/outside.h"
#include "record/policy.h"
#include "record/problem.h"
#include "record/profile.h"
#include "record/provenance.h"
#include "record/timing.h"
#include "record/verdict.h"

namespace kb::record {

enum class Track { kPython, kNative };
const char* TrackName(Track track);
std::optional<Track> ParseTrack(const std::string& name);

enum class Backend { kCuda, kTriton, kCpp, kTorch };
const char* BackendName(Backend backend);
std::optional<Backend> ParseBackend(const std::string& name);

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
  std::string inputs;  // record::Distribution of the trial; empty: the policy's
  bool operator==(const Mismatch&) const = default;
};
base::Json ToJson(const Mismatch& mismatch);
base::Result<Mismatch> MismatchFromJson(const base::Json& json);

// Begins, among our own notes, what a candidate's process says of itself.
inline constexpr std::string_view kSaysOfItself = "its process says: ";

// What the oracle saw of one candidate. Facts only; eval makes the verdict.
struct Judgement {
  enum class Status {
    kNotSet,       // nobody has said yet; at the end a failure of ours
    kOk,           // all trials done, everything agreed
    kMismatch,     // `mismatch` says where
    kLoadFailed,   // the jail said so: text
    kCallFailed,   // the jail said so: text
    kOutOfMemory,  // the jail said so: text
    kTimeout,      // no answer in time: text says to what
    kGone,         // the jail closed its socket; its exit tells why
    kTampering,    // red zone, inputs or late writes: text
    kNotStarted,   // the jail ended before anything foreign was in it
  };
  Status status = Status::kNotSet;
  std::string text;
  double limit_s = 0;   // kTimeout: how long was waited
  bool loaded = false;  // construction had succeeded
  std::vector<Trial> trials;
  std::vector<Outside::Case> distributions;
  std::optional<Mismatch> mismatch;
  std::optional<Ruler> ruler;  // absent: nothing was timed
  Tolerance tolerance;
  std::vector<std::string> notes;
  // Of a process that was asked for it. Absent: it gave none, and
  // `no_provenance` says why.
  std::optional<Provenance> provenance;
  std::string no_provenance;
  bool observer_failed = false;  // before anything foreign was loaded
  // The same, of where its time goes.
  std::optional<Activity> activity;
  std::string no_activity;
  std::optional<Yardstick> yardstick;
  Spent spent;
};
base::Json ToJson(const Judgement& judgement);
base::Result<Judgement> JudgementFromJson(const base::Json& json);

// Everything that is known of one judged candidate. Raw trials are kept.
struct Evaluation {
  Candidate candidate;
  std::string model;    // that wrote it, as its run calls it; else empty
  int64_t sample = -1;  // which of the model's samples; -1: none
  int64_t turn = 1;     // which turn of the sample wrote it
  // The sample's best turn judged once more, because it was chosen by what it
  // was judged to be before.
  bool confirms = false;
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
  std::optional<Ruler> ruler;  // absent: nothing was timed
  Tolerance tolerance;
  // Reference over candidate, certified only. Device time with launches hidden;
  // `wall`: one call after the other as a program makes them, host included.
  std::optional<TimeSummary> reference_time;
  std::optional<TimeSummary> candidate_time;
  std::optional<Interval> speedup;
  std::optional<TimeSummary> reference_wall;
  std::optional<TimeSummary> candidate_wall;
  std::optional<Interval> wall_speedup;
  // Absent: the policy did not ask for it, or there was none to be had.
  std::optional<Provenance> provenance;
  std::optional<Profile> profile;  // absent: the same
  std::optional<Outside> outside;  // absent: the policy does not ask for it

  // Where `size` is several: what each showed, in the order in which they were
  // judged, up to the first that is not correct. The verdict and all that goes
  // with it are then that one's, or else the first one's; trials and times are
  // here alone, and the speedups are over all (eval/every_size.h). Absent: at
  // one size.
  std::optional<std::vector<AtSize>> sizes;

  double compile_seconds = 0;
  bool compile_cached = false;
  double wall_seconds = 0;  // from compile start to verdict
  std::string started_at;   // UTC, ISO 8601
};
base::Json ToJson(const Evaluation& evaluation);

}  // namespace kb::record
