#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "eval/session.h"
#include "problems/pack.h"
#include "record/evaluation.h"
#include "workplace/exit_code.h"

namespace kb::workplace {

// What the command line said. Empty strings: not said.
struct JudgeOptions {
  std::string device;
  std::string size;
  std::optional<uint64_t> fit;  // bytes of device memory
  std::string as;               // "kernelbench": in all as the original
  std::string precision;
  std::string policy;
  std::string usual_policy = "kernelbench";  // where none is named
  std::string isolation;
  std::string pack;
  std::vector<std::string> includes;  // folders of headers
  std::string store;
  std::optional<int64_t> trials;
  std::optional<int64_t> processes;
  std::optional<double> stop_below;
  std::string cache;
  std::string provenance;
  bool profile = false;
  std::optional<double> tolerance;
  bool unsafe_no_sandbox = false;
  bool several_devices = false;  // the command judges on as many as there are
  bool several_sizes = false;    // the command takes "all" and lists of sizes
  bool has_store = true;         // the command can keep results
  bool no_store = false;
  bool json = false;
};

// The machine as the command line chose to use it.
struct Workplace {
  eval::SessionOptions session;
  compile::Compiler compiler;
  std::string device_kind;  // "cuda", "cpu"
  record::Size size = record::Size::kFull;
  uint64_t fit_bytes = 0;  // of device memory, with kFitted
  record::Precision precision = record::Precision::kAsGiven;
  record::Policy policy;
  problems::Pack pack;
};

// Our pack, the one at `path`, or the data set that "hf:OWNER/NAME" names.
base::Result<problems::Pack> OpenPack(const std::string& path);

// Finds tools, device, isolation and policy. Errors say what is missing.
base::Result<Workplace> SetUp(const JudgeOptions& options);

// Whether the baseline "fla" can be measured, and a note where it cannot.
bool HasFla(const Workplace& workplace);
inline constexpr const char* kNoFla =
    "baseline fla is left out: flash-linear-attention is not installed beside "
    "PyTorch (pip install fla-core)";

// The one size that the command line means; with `fit` kFitted.
base::Result<record::Size> ChooseSize(const std::string& name,
                                      const std::optional<uint64_t>& fit,
                                      const record::Size& otherwise);
// The same, or several.
base::Result<record::Size> ChooseSizes(const std::string& name,
                                       const std::optional<uint64_t>& fit,
                                       const record::Size& otherwise);
// That of the command: several where it takes them.
base::Result<record::Size> ChooseSize(const JudgeOptions& options,
                                      const record::Size& otherwise);

// What problems are judged in: as_given unless something else is said.
base::Result<record::Precision> ChoosePrecision(const JudgeOptions& options);

// The policy named or read from a file, with the command line's changes.
base::Result<record::Policy> ChoosePolicy(const std::string& name,
                                          const JudgeOptions& options);

// Refuses to run foreign code with less isolation than the policy wants.
base::Result<void> CheckIsolation(const record::Policy& policy,
                                  const Workplace& workplace);

// Results in the order of the tasks; absent where the run was interrupted
// before.
struct Judged {
  std::vector<std::optional<record::Evaluation>> evaluations;
  bool interrupted = false;
  std::optional<base::Error> error;
};

enum class Order {
  kAny,     // what is built first, and belongs to the open problem
  kAsGiven  // one after the other
};

// Judges with progress on stderr; appends each result to `store_path` as it
// comes ("" for none). Ctrl-C and SIGTERM end it cleanly.
Judged Judge(const std::vector<eval::Task>& tasks, const Workplace& workplace,
             const std::string& store_path, Order order = Order::kAny);

// 0 when all are correct; 3 when one is an infra_error; else 1. 130 when
// interrupted, and the code of an error.
ExitCode ExitCodeOf(const Judged& judged);

// Prints an Error to stderr; its exit code.
ExitCode Complain(const base::Error& error);

}  // namespace kb::workplace
