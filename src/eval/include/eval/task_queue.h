#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "record/evaluation.h"
#include "record/problem.h"

namespace kb::eval {

// One candidate to judge on one problem.
struct Task {
  record::Problem problem;
  record::Candidate candidate;
  record::Policy policy;
  record::Precision precision = record::Precision::kFp32;
  std::string model;      // Evaluation::model
  int64_t sample = -1;    // Evaluation::sample
  int64_t turn = 1;       // Evaluation::turn
  bool confirms = false;  // Evaluation::confirms
  // What of a Python candidate's file is called, and how PyTorch runs it
  // (lane::JailRequest).
  std::string entry = "ModelNew";
  std::string mode = "eager";
  bool trusted = false;            // not searched for tricks
  bool baseline = false;           // record::Turn::baseline
  std::vector<std::string> notes;  // that its evaluation begins with
  // It is judged at these sizes as well, in this order, and the evaluation is
  // over all of them and called by `several`. EverySize sees to that; a session
  // alone judges at `problem` only.
  std::vector<record::Problem> further = {};
  std::optional<record::Size> several = {};
};

// The problem's own reference as a candidate, in one of PyTorch's modes: its
// speedup over the reference is known to be 1 when the mode is "eager".
Task ReferenceTask(record::Problem problem, record::Precision precision,
                   record::Policy policy, const std::string& mode);

// Whether it is one in one of torch.compile's modes. Its processes find what
// others of the kind have compiled, as PyTorch itself keeps it for the next.
bool IsCompiledReference(const Task& task);

// Triton on cpu: its interpreter takes too long to be timed, and whose work it
// does is not seen.
bool IsInterpreted(const Task& task, const std::string& device);

// Tasks on their way to a session, while more are being made. Thread-safe.
class TaskQueue {
 public:
  // `index` is what a session's Observer will be told.
  void Add(size_t index, Task task);
  // No more will come.
  void Close();
  // The oldest; waits for one. None: closed and empty, or `stop`.
  std::optional<std::pair<size_t, Task>> Take(const std::stop_token& stop);
  // How many were added so far.
  size_t Added() const;

 private:
  mutable base::Mutex mutex_;
  base::Condition changed_;
  size_t added_ KB_GUARDED_BY(mutex_) = 0;
  std::deque<std::pair<size_t, Task>> tasks_ KB_GUARDED_BY(mutex_);
  bool closed_ KB_GUARDED_BY(mutex_) = false;
};

}  // namespace kb::eval
