#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/policy.h"
#include "record/problem.h"

namespace kb::record {

// What a run asks of its model for one problem: samples 0, 1, ... below
// `samples`. What became of each is a Generation and an Evaluation, or nothing.
struct Request {
  std::string problem_id;
  std::string problem_hash;
  std::string model;
  Size size = Size::kFull;
  Precision precision = Precision::kFp32;
  int64_t samples = 0;
  std::string device_name = {};  // DeviceFacts::name; empty: not known
  bool operator==(const Request&) const = default;
};

// How far a call that asks for requests came. The newest of a store counts.
enum class Progress {
  kRunning,  // it runs, or was killed
  kDone,     // asked for all; what has no answer got none
  kBudget,   // stopped at its budget
  kStopped,  // interrupted, or ended by a failure
};
const char* ProgressName(Progress progress);  // "running"
std::optional<Progress> ParseProgress(const std::string& name);

}  // namespace kb::record
