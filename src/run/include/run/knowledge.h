#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "problems/pack.h"
#include "prompt/knowledge.h"
#include "record/generation.h"
#include "record/problem.h"

namespace kb::run {

// What prompts may show of earlier runs.
struct KnowledgePlan {
  std::vector<std::string> runs;   // as RunPath takes them
  std::set<std::string> held_out;  // problems of which nothing is read
  std::string backend;             // that programs are written for
  int64_t tokens = 4000;           // of a prompt, three bytes each
  bool own_problem = false;        // also of the problem that is asked about
};

// What is added to a problem's prompt; "" where nothing serves it.
struct KnowledgeBlock {
  std::string text;
  std::vector<record::ShownProgram> shown;
};

// A program that may be shown.
struct KnownProgram {
  record::ShownProgram program;
  std::string name;               // of its problem
  std::vector<std::string> tags;  // of its problem
  double speedup = 0;             // over eager, by device time
  prompt::Lesson lesson;          // without `tags`
};

// Those that share a tag with the problem, the most useful first: by how many
// they share, then by how much of both problems' tags that is, then the faster.
// The problem's own, by id or by name, are left out unless `own`.
std::vector<const KnownProgram*> RankedFor(
    const record::Problem& problem, const std::vector<KnownProgram>& programs,
    bool own);

// Of each problem in the runs, its fastest program that is correct, faster than
// eager PyTorch as today's ruler measured it (if it was judged once more, both
// times), and written for the backend.
class Knowledge {
 public:
  // Rows of what is held out are not read. A usage Error when a run is not
  // there, or when there is no such program at all.
  static base::Result<Knowledge> Read(const KnowledgePlan& plan,
                                      const prompt::KnowledgeWriter& writer,
                                      const problems::Pack& pack);

  // As many as fit, best first; what does not fit is left out, first its
  // reference.
  KnowledgeBlock For(const record::Problem& problem) const;
  // Of all that decides what is shown.
  std::string Hash() const;
  const std::vector<KnownProgram>& programs() const { return programs_; }

 private:
  Knowledge(KnowledgePlan plan, const prompt::KnowledgeWriter& writer)
      : plan_(std::move(plan)), writer_(writer) {}

  KnowledgePlan plan_;
  prompt::KnowledgeWriter writer_;
  std::vector<KnownProgram> programs_;  // by problem
};

}  // namespace kb::run
