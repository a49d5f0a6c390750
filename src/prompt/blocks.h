#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/policy.h"
#include "template.h"

namespace kb::prompt {

// backends/<name>.toml
struct Backend {
  std::string name;          // as people write it: "CUDA C++"
  std::string file_name;     // of the answer
  std::string fence;         // of the block in which the answer comes
  std::string instructions;  // a template
  std::string path;
  int instructions_line = 0;           // where they begin
  std::vector<std::string> examples;   // by name; simple ones
  std::vector<std::string> optimised;  // may be empty
};
base::Result<Backend> ReadBackend(const std::string& folder,
                                  const std::string& name);
// Its instructions with `values` in them; these are all that they may use.
base::Result<std::string> Instructions(const Backend& backend,
                                       const Values& values);

// At most `count` worked examples: `example.problem`, `example.answer` and
// `example.number`, from 1; of the optimised ones where these are asked for and
// the backend has any. A Usage error when it has none at all.
base::Result<std::vector<Texts>> ReadExamples(const std::string& folder,
                                              const std::string& backend_name,
                                              const Backend& backend,
                                              int64_t count, bool optimised);

// The paragraph about a precision, with the policy's tolerance.
base::Result<std::string> ReadPrecision(const std::string& folder,
                                        record::Precision precision,
                                        const record::Policy& policy);

// What is worth doing on an architecture, as hardware.toml names it; empty:
// nothing is written of it.
base::Result<std::string> ReadPractices(const std::string& folder,
                                        const std::string& architecture);

// rules.toml with `values` in it; these are all that it may use.
base::Result<std::string> ReadRules(const std::string& folder,
                                    const Values& values);

// prompts/<name>.toml, or the file itself when `name` ends in .toml.
struct PromptFile {
  std::string path;
  int64_t examples = 0;
  bool optimised = false;  // which of them
  std::string system;
  int system_line = 0;  // where the text begins
  std::string user;
  int user_line = 0;
};
base::Result<PromptFile> ReadPromptFile(const std::string& folder,
                                        const std::string& name);

// feedback/<name>.toml, or the file itself when `name` ends in .toml.
struct FeedbackFile {
  std::string path;
  std::string feedback;
  int feedback_line = 0;  // where the text begins
  std::string left_out;
  int left_out_line = 0;
};
base::Result<FeedbackFile> ReadFeedbackFile(const std::string& folder,
                                            const std::string& name);

// search/<name>.toml, or the file itself when `name` ends in .toml.
struct SearchFile {
  struct Text {
    std::string text;
    int line = 0;  // where it begins
  };
  std::string path;
  Text idea;
  Text program;
  Text mutation;
  Text crossover;
};
base::Result<SearchFile> ReadSearchFile(const std::string& folder,
                                        const std::string& name);

// knowledge/<name>.toml, or the file itself when `name` ends in .toml.
struct KnowledgeFile {
  std::string path;
  std::string text;
  int line = 0;  // where the text begins
};
base::Result<KnowledgeFile> ReadKnowledgeFile(const std::string& folder,
                                              const std::string& name);

// The names of `values`, as a template may use them.
Names NamesOf(const Values& values);

}  // namespace kb::prompt
