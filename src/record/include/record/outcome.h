#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "record/evaluation.h"
#include "record/generation.h"

namespace kb::record {

// What scores need of an evaluation: everything but its raw data. Or of an
// answer that holds nothing to evaluate, which is a sample that failed.
struct Outcome {
  int64_t id = 0;  // of its row in the store; 0: unusable
  std::string problem_id;
  std::string problem_hash;
  std::string candidate_name;
  std::string candidate_hash;
  std::string model;      // Evaluation::model
  int64_t sample = -1;    // Evaluation::sample
  int64_t turn = 1;       // Evaluation::turn
  bool confirms = false;  // Evaluation::confirms
  Backend backend = Backend::kTorch;
  Size size = Size::kFull;
  Precision precision = Precision::kFp32;
  // Its name; where runs are read, what Problem::NameOf says of it.
  std::string policy;
  std::string policy_hash = {};    // of all of it, in the store; "": none
  std::string device_name;         // DeviceFacts::name
  std::string driver;              // DeviceFacts::driver
  std::string torch;               // DeviceFacts::torch
  std::optional<Verdict> verdict;  // absent: unusable, or not run
  std::string reason;
  std::optional<GenerationStatus> unusable;  // an answer without a candidate
  int64_t ruler = 0;  // Ruler::version; 0: nothing was timed
  // Of a certified one, over eager; `wall`: as Evaluation::wall_speedup.
  std::optional<double> speedup;
  std::optional<double> wall_speedup;
  std::optional<double> candidate_us;  // medians
  std::optional<double> candidate_wall_us;
  double wall_seconds = 0;          // Evaluation::wall_seconds
  double compile_seconds = 0;       // Evaluation::compile_seconds
  std::optional<double> own_share;  // Provenance::own_share
  double floor_us = 0;              // Ruler::floor_us
  bool warm = false;                // Ruler::warm
  std::string tf32 = {};            // Ruler::tf32
  double first_us = 0;              // Ruler::first_us
  Ceilings ceilings = {};           // Ruler::ceilings
  std::optional<double> usd;        // of the answer; absent: not known
  bool operator==(const Outcome&) const = default;
};

}  // namespace kb::record
