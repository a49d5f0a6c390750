#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/evaluation.h"
#include "record/generation.h"

namespace kb::prompt {

// What of an evaluation a model is told, besides the verdict.
enum class Layer {
  kCompiler,   // errors, cut to their cause, with lines of the source
  kException,  // what was thrown
  kMismatch,   // where, how much, which pattern, two elements
  kTiming,     // against the reference and the floor
  kProfile,    // where the time goes, if it was looked at
};
// "all", "none", or names with commas: compiler, exception, mismatch, timing,
// profile.
base::Result<std::set<Layer>> ParseLayers(const std::string& names);

struct FeedbackOptions {
  std::string folder;            // share/prompts
  std::string name = "default";  // in its `feedback`, or a file's path
  std::string backend = "cuda";
  std::set<Layer> layers;
};

// A turn in one line, for a model: "turn 3: correct, 1.25 times as fast as the
// reference".
std::string TurnLine(const record::Generation& answer,
                     const record::Evaluation* evaluation);

// What is said of an answer before the model answers again. The words are in a
// file, share/prompts/feedback; of seeds, inputs and expected values it says no
// more than a mismatch report shows.
class FeedbackWriter {
 public:
  static base::Result<FeedbackWriter> Create(const FeedbackOptions& options);

  // `evaluation` is null for an answer without a program.
  std::string Write(const record::Generation& answer,
                    const record::Evaluation* evaluation) const;
  // What comes before it when earlier answers are not shown; `lines` says what
  // became of them.
  std::string LeftOut(const std::vector<std::string>& lines,
                      int64_t shown_turn) const;
  // Of all that decides what it writes.
  std::string Hash() const;

 private:
  std::string feedback_;
  std::string left_out_;
  std::string path_;
  std::string file_name_;
  std::string fence_;
  std::set<Layer> layers_;
};

}  // namespace kb::prompt
