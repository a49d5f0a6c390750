#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "build_ahead.h"
#include "candidate_runner.h"
#include "eval/session.h"

namespace kb::eval {

// What a session works with: the real ones, or a test's.
struct SessionParts {
  BuildCandidate build;
  // Which compiler the candidate needs and is not there; empty: none.
  std::function<std::string(const record::Candidate&)> why_not_built;
  // Why the device cannot run the candidate; empty when it can.
  std::function<std::string(const record::Candidate&)> why_not_runnable;
  std::vector<CandidateRunner*> runners;  // one for every lane
};

// JudgeQueue with these parts.
base::Result<void> RunSession(TaskQueue* queue, const SessionParts& parts,
                              const SessionOptions& options, Observer* observer,
                              std::stop_token stop);

}  // namespace kb::eval
