#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/mutex.h"
#include "record/evaluation.h"

namespace kb::eval {

// What the time of a session goes to: of slots for builds the first two, of
// lanes the others.
enum class Phase {
  kBuild,    // a compiler works
  kWait,     // nothing is there to be built
  kPrepare,  // an oracle starts, and opens a problem
  kStart,    // processes start, open the device, and load the candidate
  kInputs,   // inputs are drawn and written, outputs poisoned
  kTrials,   // reference or candidate runs, each at its turn
  kCompare,  // what should have come is computed, and compared with what came
  kIdle,     // nothing is built that could be judged
};
constexpr size_t kPhases = 8;
// "build", "prepare", ...
std::string_view PhaseName(Phase phase);
constexpr bool IsOfBuilds(Phase phase) { return phase <= Phase::kWait; }

// Where the wall time of a session went: what each lane and each slot for
// builds did, and when. Any thread may add to it.
class Profile {
 public:
  // Seconds since some moment.
  using Clock = std::function<double()>;
  explicit Profile(Clock clock = SteadySeconds);

  // From now until its end `row` is in `phase`, of `what`. Rows are known by
  // their names, and do one thing at a time. Nothing without a profile.
  class Span {
   public:
    Span(Profile* profile, std::string row, Phase phase, std::string what);
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;
    ~Span();
    // Parts of it were something else, as the oracle says.
    void Split(const record::Spent& spent) { spent_ = spent; }

   private:
    Profile* profile_;
    std::string row_;
    Phase phase_;
    std::string what_;
    record::Spent spent_;
    double begin_ = 0;
  };

  // Seconds by Phase.
  using Seconds = std::array<double, kPhases>;
  struct Row {
    std::string name;
    bool builds = false;  // a slot for builds
    Seconds seconds{};
    bool operator==(const Row&) const = default;
  };
  struct Summary {
    double wall_seconds = 0;  // since the profile was made
    std::vector<Row> rows;    // in the order of their first spans
  };
  Summary Summarize() const;

  // In Chrome's trace event format, which chrome://tracing and Perfetto read:
  // a thread for each row, a complete event ("ph": "X") for each span.
  base::Json Trace() const;

 private:
  struct Done {
    size_t row;
    Phase phase;
    std::string what;
    double begin;  // s since the profile was made
    double end;
    record::Spent spent;
  };

  static double SteadySeconds();
  void Add(const std::string& row, Done done);

  const Clock clock_;
  const double start_;
  mutable base::Mutex mutex_;
  std::vector<std::string> rows_ KB_GUARDED_BY(mutex_);
  std::vector<Done> spans_ KB_GUARDED_BY(mutex_);
};

}  // namespace kb::eval
