#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "eval/session.h"
#include "record/baseline.h"
#include "record/problem.h"

namespace kb::eval {

struct BaselinePlan {
  std::vector<record::BaselineMode> modes;
  // Of each problem that supports it; of others as given.
  record::Precision precision = record::Precision::kAsGiven;
  record::Policy policy;
  // What need not be measured again, if it IsLike one of the session's devices,
  // HasTf32Of the policy and is of today's ruler.
  std::vector<record::Baseline> known;
  int64_t limit = 1200;  // seconds for one mode, its compilation included
  // How many problems PyTorch compiles beside each other on a device, before
  // the times of these are read. 1: each when its turn comes.
  size_t compile_ahead = 1;
  // Folder in which what PyTorch compiles stays for later commands, absolute.
  // The jails of references write there. Empty: it goes with this one.
  std::string compiled;
};

// Told of baselines that are measured, as number `index` + 1 of `of`. Called
// from several threads, one call at a time.
class BaselineObserver {
 public:
  virtual ~BaselineObserver() = default;
  virtual void OnStep(size_t index, size_t of, const std::string& problem_id,
                      record::BaselineMode mode, const std::string& step) = 0;
  // Keeps it; an Error ends the measuring.
  virtual base::Result<void> OnMeasured(size_t index, size_t of,
                                        const record::Baseline& baseline) = 0;
  // One that has no time by a failure of ours. It is kept nowhere, so that the
  // next call measures it.
  virtual void OnFailed(size_t index, size_t of,
                        const record::Baseline& baseline) = 0;
};

// Whether a time of one device stands for another, "cpu" or "cuda:1" of this
// machine: of the same model of GPU, driver and torch.
bool IsLike(const record::DeviceFacts& measured, const std::string& device,
            const compile::Python& python);

// Whether a time was read with the TF32 that the policy allows the problem.
// Where the problem's file decides, that is not known beforehand: then any is.
bool HasTf32Of(const record::Baseline& measured, const record::Problem& problem,
               const record::Policy& policy);

// Of flash-linear-attention beside PyTorch; empty: it is not installed.
std::string FlaVersion(const compile::Compiler& compiler);

// What is not usual in a baseline's time: outputs were copied in it and in
// eager's, as those of CUDA graphs are; launches show. Empty: nothing.
std::string RemarksOn(const record::Evaluation& evaluation);

// "eager", "compile", ..., or "all".
base::Result<std::vector<record::BaselineMode>> ParseBaselineModes(
    const std::vector<std::string>& names);

// The baselines of the problems on the session's devices, in their order and in
// that of the modes. A mode that does not work is a baseline without a time;
// what fails by us is left out. Of kFla there is none for a problem without it
// and where the library is missing.
base::Result<std::vector<record::Baseline>> MeasureBaselines(
    const std::vector<record::Problem>& problems, const BaselinePlan& plan,
    const compile::Compiler& compiler, const SessionOptions& session,
    BaselineObserver* observer, const std::stop_token& stop);

}  // namespace kb::eval
