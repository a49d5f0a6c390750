#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "llm/provider.h"

namespace kb::llm {

// No Reply, and why.
inline tl::unexpected<Failure> Failed(Failure::Kind kind, std::string message) {
  return tl::unexpected<Failure>(Failure{kind, std::move(message)});
}

// Runs Model::command once for each question, or as "episode.h" says: system
// and user text, with a blank line between, and what was said since under
// headings, or one JSON line (Model::conversation), on its standard input; the
// answer is its standard output. KB_PROBLEM, KB_SAMPLE and KB_TURN are in its
// environment. Its process group is killed when it ends, takes longer than
// total_seconds, or is cancelled. A usage error when there is no such program.
base::Result<std::unique_ptr<Provider>> MakeCommand(const Model& model);

// Answers again what stands in the folder Model::replay, or what `recorded`
// knows when it is given. Sample i of a problem is its i-th file there, in the
// order of the paths with numbers by value; files that only a part "turn_2" of
// their paths tells apart are turns of one sample. A file belongs to the
// problem that a line "problem: level1/23" among its first comments names, else
// its path: level1_23..., level1/23..., level_1_problem_23... Code is taken as
// it is (Reply::file_name), .md and .txt are answers.
base::Result<std::unique_ptr<Provider>> MakeReplay(const Model& model,
                                                   Recorded recorded);

}  // namespace kb::llm
