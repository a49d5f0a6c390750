#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "command.h"
#include "problems/pack.h"
#include "record/problem.h"
#include "run/knowledge.h"

namespace kb::cli {

// What prompts show of earlier runs.
struct KnowledgeChoice {
  std::vector<std::string> runs;  // empty: nothing
  std::vector<std::string> holdout;
  int64_t tokens = run::KnowledgePlan().tokens;
  bool own_problem = false;
  std::string text = "default";  // name of a file, or its path
};
void AddKnowledge(Command* command, KnowledgeChoice* choice);

using Problems = std::vector<std::shared_ptr<const record::Problem>>;

// The blocks of these problems. A usage Error when a run holds nothing that
// could be shown.
struct ChosenKnowledge {
  std::set<std::string> held_out;
  std::map<std::string, run::KnowledgeBlock> blocks;  // by problem
  std::string hash;  // of all that decides them; empty: there are none
};
base::Result<ChosenKnowledge> ChooseKnowledge(const KnowledgeChoice& choice,
                                              const std::string& backend,
                                              const problems::Pack& pack,
                                              const Problems& problems);

// What a run keeps to, and back.
void PutKnowledge(const KnowledgeChoice& choice, const std::string& hash,
                  std::map<std::string, std::string>* manifest);
base::Result<KnowledgeChoice> KnowledgeOf(
    const std::map<std::string, std::string>& manifest);

}  // namespace kb::cli
