#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/evaluation.h"
#include "record/policy.h"
#include "record/problem.h"

namespace kb::problems {

// What the header of a sample or of a hostile test says must come out. The
// header is the first lines of the file, comments in // or #:
//
//   // expect: incorrect|timeout cpu=not_run
//   // problem: level1/23
//
// `expect` is the first line, `problem` must be there. Then, in any order and
// each at most once: size, precision, policy, limits (fields of the policy, as
// "call_seconds=2, memory_bytes=1073741824"), tricks (ids, as "T01, T03"), twin
// (the honest program that this one is measured against) and about (one
// sentence). A line that is not `word: ...` is prose.
struct Expectation {
  // An absent verdict is `not_run`: the device cannot run it.
  using Verdicts = std::vector<std::optional<record::Verdict>>;

  Verdicts verdicts;                          // any of these
  std::map<std::string, Verdicts> by_device;  // "cpu", "cuda": instead
  std::string problem;                        // "level1/23"
  std::optional<record::Size> size;
  std::optional<record::Precision> precision;
  std::string policy;                        // a named policy; empty: any
  base::Json limits = base::Json::object();  // policy fields to replace
  std::vector<std::string> tricks;           // what it does, or shows
  std::string twin;                          // path from its own folder
  std::string about;

  // `device_kind`: "cpu" or "cuda".
  bool Allows(const std::string& device_kind,
              const std::optional<record::Verdict>& verdict) const;
  // "incorrect or timeout"
  std::string Describe(const std::string& device_kind) const;
  // The policy called `name` unless the header names one, with its limits.
  base::Result<record::Policy> PolicyFrom(const std::string& name) const;

 private:
  const Verdicts& For(const std::string& device_kind) const;
};

// `path` is for messages only.
base::Result<Expectation> ParseExpectation(const std::string& path,
                                           const std::string& source);

}  // namespace kb::problems
