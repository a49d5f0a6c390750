#pragma once

#include <string>
#include <vector>

#include "record/evaluation.h"
#include "record/policy.h"

namespace kb::source_check {

enum class Severity {
  kReject,  // breaks the policy: verdict `rejected`, nothing runs
  kNote,    // worth a reader's look; says nothing about right or wrong
};

struct Finding {
  int line = 0;         // 0: the file as a whole
  std::string rule;     // "torch_op"; stable, for counting
  std::string message;  // what was seen and, for a rejection, what to do
  Severity severity = Severity::kNote;
  bool operator==(const Finding&) const = default;
};

// The first place of every rule that the source meets, rejections first.
//
// Text can prove little, so rejections are few and certain, and cheating is
// caught by running, not here: graphs, streams, threads, caches, try/except and
// reduced precision all have honest uses and are notes at most. Whether there
// is a ModelNew or a kb_forward is found when the candidate is loaded.
std::vector<Finding> Check(const record::Candidate& candidate,
                           const record::Policy& policy);

}  // namespace kb::source_check
