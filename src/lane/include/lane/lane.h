#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "jail/jail.h"
#include "lane/chosen_gpu.h"
#include "lane/processors.h"
#include "os/fd.h"
#include "os/files.h"
#include "record/audit.h"
#include "record/evaluation.h"
#include "record/problem.h"

namespace kb::lane {

// Where the programs of a lane are and what its jails may see.
struct LaneOptions {
  std::string device;  // "cuda:0", "cpu"
  // What results say of it before it is open (DeviceFacts); empty: not known.
  std::string device_name;
  std::string torch;
  // Of several: the programs of the lane see this one alone, as their cuda:0.
  std::optional<ChosenGpu> gpu;
  std::string root;                      // the install root (build/dist)
  std::string python;                    // interpreter with torch
  std::vector<jail::Bind> python_binds;  // what an interpreter in a jail needs
  std::map<std::string, std::string> oracle_env;  // on top of ours
  jail::Isolation isolation = jail::Isolation::kFull;
  Processors processors;
  std::string cupti;  // the file of CUPTI; empty: what a jail itself finds
  // Folder in which PyTorch keeps what it compiles of references, for the
  // processes of all lanes that name it; empty: each lane has its own.
  std::string compiled;
  // For the oracle to import PyTorch and open the device.
  std::chrono::seconds start_limit{180};
};

// One candidate's process to start.
struct JailRequest {
  record::Track track = record::Track::kNative;
  std::string name;                        // the candidate's file name
  std::string source;                      // python track: the file's text
  std::string library;                     // native track: the compiled .so
  std::vector<jail::Bind> binds;           // tools the candidate may need
  std::map<std::string, std::string> env;  // on top of the minimum
  std::string extensions;  // python track: folder of built extensions that
                           // becomes {TMP}/torch_extensions; "" if none
  record::Policy policy;   // limits
  // python track: the class or function of the file, and how PyTorch runs it:
  // "eager", one of torch.compile's modes, or "cudagraphs".
  std::string entry = "ModelNew";
  std::string mode = "eager";
  bool observed = false;  // it looks at what runs, for which it may need CUPTI
};

// A jail that has started and waits for its turn.
class WaitingJail;

// What one turn of a candidate in its jail showed.
struct TurnResult {
  record::Judgement judgement;
  jail::JailExit exit;
};

// One device with its oracle. Jails run on it one after the other; the next can
// be started ahead. Destruction ends oracle and jails.
//
// Thread-safety: one thread, except that `stop` may be requested from any.
class Lane {
 public:
  // Starts the oracle, and does not wait for it.
  static base::Result<std::unique_ptr<Lane>> Start(const LaneOptions& options,
                                                   std::stop_token stop);
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  // Waits until the oracle has opened the device; once. Before it only jails
  // can be launched, and after an Error the lane is of no use.
  base::Result<void> AwaitOracle();

  // After AwaitOracle.
  const record::DeviceFacts& device() const;

  // Builds the problem's reference. Processes that LaunchReferences started for
  // it wait for their turns. An Error while alive() means that the problem
  // itself failed; it carries Python's words.
  base::Result<record::ProblemFacts> Open(const record::Problem& problem,
                                          record::Precision precision,
                                          const record::Policy& policy);

  // Examines the open problem (record/audit.h); `mutants`: with the standard
  // wrong answers.
  base::Result<record::Audit> Audit(const record::Policy& policy, bool mutants);

  // From now on an answer that takes longer ends the oracle and is an Error.
  // At first there is no limit but LaneOptions::start_limit for the start.
  void SetAnswerLimit(std::chrono::seconds limit);

  // Starts a jail ahead of its turn.
  base::Result<std::unique_ptr<WaitingJail>> Launch(const JailRequest& request);

  // Starts processes to time the reference of a problem in, so that so many
  // wait for their turns. The problem is the open one or the next to be opened.
  base::Result<void> LaunchReferences(const record::Problem& problem,
                                      const record::Policy& policy,
                                      int64_t processes);

  // Has the process of the open problem's candidate for turn `process`, and its
  // reference's unless it has been prepared before, open the device and wait
  // for the turn.
  base::Result<void> Prepare(WaitingJail* jail, int64_t process,
                             record::Track track, const record::Policy& policy);

  // Judges one process that was prepared. An Error means that the oracle
  // failed, never the candidate.
  base::Result<TurnResult> Judge(
      std::unique_ptr<WaitingJail> jail, const record::Policy& policy,
      const record::Turn& turn,
      const std::function<void(int64_t done, int64_t of)>& progress);

  // False once the oracle has died; then the lane must be replaced.
  bool alive() const;

 private:
  struct State;
  explicit Lane(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class WaitingJail {
 public:
  WaitingJail(jail::Jail jail, os::Fd oracle_end, os::TempDir files);
  ~WaitingJail();
  WaitingJail(const WaitingJail&) = delete;
  WaitingJail& operator=(const WaitingJail&) = delete;

  jail::Jail& jail() { return jail_; }
  os::Fd& oracle_end() { return oracle_end_; }

 private:
  os::TempDir files_;  // what the jail sees of the candidate
  jail::Jail jail_;
  os::Fd oracle_end_;
};

}  // namespace kb::lane
