#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/evaluation.h"
#include "ruler_check.h"

namespace kb::cli {

// A sample whose verdict is known, and what it got here.
struct Fixture {
  std::string sample;    // its path in the folder of samples
  std::string problem;   // "level1/19"
  std::string expected;  // "incorrect or timeout"
  std::string verdict;   // "not judged" when the run was interrupted before
  std::string reason;
  bool as_expected = false;
};

// Whether a machine or an image may be trusted: known kernels got their known
// verdicts, and references are as fast as themselves (A/A).
struct Certification {
  std::string device;
  std::string isolation;
  std::vector<Fixture> fixtures;
  std::optional<aa::Summary> ruler;  // absent: not timed, a verdict was wrong
  aa::Bounds bounds;
  bool interrupted = false;

  int64_t AsExpected() const;
  bool Passed() const;
};

// Judges the fixtures of `samples` (empty: ours) and the references of the
// samples' problems. Minutes on a cpu.
base::Result<Certification> Certify(const std::string& device,
                                    const std::string& samples);

std::string Describe(const Certification& certification);
base::Json ToJson(const Certification& certification);

}  // namespace kb::cli
