#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/provenance.h"
#include "record/timing.h"

namespace kb::record {

// What a candidate's process says that it did while a few calls of it were
// looked at: evidence, which a hostile one can forge (docs/profile.md).
struct Activity {
  std::string method;   // "cupti": work of the device; "samples": looks at the
                        // calling thread
  int64_t samples = 0;  // kernels, copies and fills, or looks
  int64_t calls = 0;    // of forward
  // Of one call, on average. On cpu by the clock, on a GPU from the begin of
  // its first work to the end of its last.
  double call_us = 0;
  // On cpu the processor time of all threads of the process (so it can be more
  // than call_us), on a GPU the part of call_us in which the device worked.
  double busy_us = 0;
  // On cpu only: of busy_us, what the system took; a call's page faults; how
  // many processors the process may use.
  double system_us = 0;
  double page_faults = 0;
  int64_t processors = 0;
  std::array<double, kOrigins> shares{};  // of the time, by whom it worked for

  // How a kernel was launched, the last time.
  struct Launch {
    std::array<int64_t, 3> grid{};
    std::array<int64_t, 3> block{};
    int64_t registers = 0;             // of a thread
    int64_t static_shared_bytes = 0;   // of a block
    int64_t dynamic_shared_bytes = 0;  // of a block
    int64_t local_bytes = 0;  // of a thread: spilled registers, and arrays
    bool operator==(const Launch&) const = default;
  };

  // A function, a kernel, or copies of a kind.
  struct Part {
    Origin origin = Origin::kUnknown;   // for whom it worked
    std::string name;                   // empty: the file does not name it
    std::string object;                 // the file's name, "" where not known
    double share = 0;                   // of the time of all parts
    double count = 0;                   // how often in a call; 0 on cpu
    double bytes = 0;                   // copied in a call; 0: no copy
    std::optional<Launch> launch = {};  // of kernels
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts;  // that took most, at most kMostParts

  bool operator==(const Activity&) const = default;
};
base::Json ToJson(const Activity& activity);
// Of what a jail sent: texts are cut and made printable, numbers bounded.
base::Result<Activity> ActivityFromJson(const base::Json& json);

// What a GPU's processors (SMs) hold. All 0 on cpu.
struct DeviceLimits {
  int64_t multiprocessors = 0;
  // Of one.
  int64_t threads = 0;
  int64_t blocks = 0;
  int64_t registers = 0;
  int64_t shared_bytes = 0;
  int64_t reserved_shared_bytes = 0;  // of each block, for the system
  bool operator==(const DeviceLimits&) const = default;
};

// What the oracle knows itself of the calls that were looked at.
struct Yardstick {
  // Of one call's tensors.
  uint64_t input_bytes = 0;
  uint64_t weight_bytes = 0;
  uint64_t output_bytes = 0;
  Ceilings ceilings = {};
  DeviceLimits limits = {};
  bool operator==(const Yardstick&) const = default;
};
base::Json ToJson(const Yardstick& yardstick);
base::Result<Yardstick> YardstickFromJson(const base::Json& json);

// Where a candidate's time goes, and what that means. Decides no time and no
// verdict.
struct Profile {
  Activity activity;

  // How many threads a processor of the GPU can hold of a kernel, of those that
  // it can hold at all, by the launch and the device's limits.
  struct Occupancy {
    double share = 0;
    std::string limited_by;  // "registers", "shared memory", "threads", ...
    bool operator==(const Occupancy&) const = default;
  };
  std::vector<std::optional<Occupancy>> occupancies;  // of activity.parts

  std::string limiter;  // profile::LimiterName

  // A number that decides.
  struct Figure {
    std::string name;  // "memory bandwidth"
    double value = 0;
    std::string unit;               // "GB/s"
    std::optional<double> ceiling;  // the most that was measured, or can be
    std::string meaning;            // one sentence
    bool operator==(const Figure&) const = default;
  };
  std::vector<Figure> figures;  // the first one is the limiter's

  bool operator==(const Profile&) const = default;
};
base::Json ToJson(const Profile& profile);
base::Result<Profile> ProfileFromJson(const base::Json& json);

}  // namespace kb::record
