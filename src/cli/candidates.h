#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "record/evaluation.h"

namespace kb::cli {

// The files that words of a command line mean, each once, in their order: a
// file, all kernels below a folder (.py, .cu, .cpp, .cc, and the .md and .txt
// that hold one; nothing hidden, no README, no *_prompt.txt), those that a
// pattern matches ("kernels/*.cu"), or "-". A word that means no file is a
// usage error.
base::Result<std::vector<std::string>> ExpandCandidates(
    const std::vector<std::string>& words);

// The candidate in `text`. A path that ends in .md or .txt, "-" and "" hold
// code as it is, or a model's answer with the code in a fence; what it is told
// from the text then.
base::Result<record::Candidate> CandidateIn(const std::string& path,
                                            const std::string& text);

// Reads it, of "-" all of standard input.
base::Result<record::Candidate> ReadCandidate(const std::string& path);

// Reads all that `words` mean, as ExpandCandidates says.
base::Result<std::vector<record::Candidate>> ReadCandidates(
    const std::vector<std::string>& words);

// The class or function of a Python candidate that is judged: "ModelNew", or
// "Model" where there is only that.
std::string EntryOf(const record::Candidate& candidate);

// The problem that a candidate says it is for: in a comment "problem: ID" at
// the top, or in a file name of KernelBench's own
// (level_1_problem_23_sample_0_kernel.py). Empty: in neither.
std::string ProblemOf(const record::Candidate& candidate);

}  // namespace kb::cli
