// The files that KernelBench's own scripts write and read (its
// scripts/eval_from_generations.py and benchmark_eval_analysis.py): a run is a
// folder with eval_results.json and the kernels of one level, times are
// milliseconds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/baseline.h"
#include "record/evaluation.h"

namespace kb::interop {

// One entry of eval_results.json.
struct OriginalResult {
  int64_t problem = 0;
  int64_t sample = 0;
  bool compiled = false;
  bool correct = false;
  std::optional<double> runtime_ms;  // mean; none: not measured
  std::string error;                 // what the metadata says went wrong
  bool raised = false;               // which is an exception as it ran
  std::string hardware;
  std::string verdict;  // that our own export wrote; empty: not ours
};

// {"23": [{"sample_id": 0, "compiled": true, ..}]}, also with one object in
// place of the list, as older versions wrote. By problem, then by sample.
base::Result<std::vector<OriginalResult>> ParseEvalResults(
    const std::string& text);

// Mean times in milliseconds by problem number, of one level ("level1") of a
// baseline file: {"level1": {"23_Softmax.py": {"mean": 1.5, ..}}}. A null has
// none.
base::Result<std::map<int64_t, double>> ParseBaseline(const std::string& text,
                                                      const std::string& level);

// "level_1_problem_23_sample_0_kernel.py"; `extension` with its dot.
std::string KernelFile(const std::string& level, int64_t problem,
                       int64_t sample, const std::string& extension);

// The problem in such a name; empty: it is none.
std::string ProblemOfKernel(const std::string& file_name);

// As an evaluation of ours, without trials. Its speedup is the baseline's time
// over the candidate's, as the original computes it, and nobody certified it: a
// note says so.
record::Evaluation FromOriginal(const OriginalResult& result,
                                const std::string& level,
                                std::optional<double> baseline_ms);

// A problem that the run has no result for, which the original counts as not
// compiled.
record::Evaluation MissingResult(const std::string& level, int64_t problem);

// False of what has no verdict, or our own failure for one: the original's
// files have no place for it.
bool HasOriginalResult(const record::Evaluation& evaluation);

// The evaluations of one level that have a result, by problem number, those of
// a model by sample, else in their order.
std::map<int64_t, std::vector<const record::Evaluation*>> SamplesOf(
    const std::vector<record::Evaluation>& evaluations);

// The numbers of one problem's samples: their own where all have one and no two
// the same, else their places in the list.
std::vector<int64_t> SampleNumbers(
    const std::vector<const record::Evaluation*>& samples);

// eval_results.json of evaluations of one level, as SampleNumbers says.
base::Json EvalResults(const std::vector<record::Evaluation>& evaluations);

// The level's part of a baseline file: PyTorch eager's times as they were
// measured beside the first timed sample of each problem. `names`: the
// problems' file names by number.
base::Json Baseline(const std::vector<record::Evaluation>& evaluations,
                    const std::map<int64_t, std::string>& names);

// The original's name for the file of a mode's times, e.g.
// "baseline_time_torch_compile_inductor_default.json".
std::string BaselineFile(record::BaselineMode mode);

// One entry of it: the problem's file name and its times; none without a time
// or a number.
std::optional<std::pair<std::string, base::Json>> BaselineEntry(
    const record::Baseline& baseline,
    const std::map<int64_t, std::string>& names);

// "level1/23" -> 23; none: the id does not end in a number.
std::optional<int64_t> NumberIn(const std::string& problem_id);

}  // namespace kb::interop
