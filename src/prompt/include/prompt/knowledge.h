#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"

namespace kb::prompt {

// A program of an earlier run, and what is known of it. What there is not is
// empty.
struct Lesson {
  std::string name;        // of its problem
  std::string tags;        // that this one shares with the problem asked about
  std::string speedup;     // "1.83x"
  std::string device;      // on which it was timed
  std::string approaches;  // "shared memory, vector loads"
  std::string added;       // those that its parent had not
  std::string before;      // what its parent was: "1.10x", "incorrect"
  std::string reference;   // source of its problem
  std::string source;
};

struct KnowledgeOptions {
  std::string folder;            // share/prompts
  std::string name = "default";  // in its `knowledge`, or a file's path
  std::string backend = "cuda";
};

// How a prompt shows programs of earlier runs. The words are in a file,
// share/prompts/knowledge.
class KnowledgeWriter {
 public:
  static base::Result<KnowledgeWriter> Create(const KnowledgeOptions& options);

  // "" for none.
  std::string Write(const std::vector<Lesson>& lessons) const;
  // Of all that decides what it writes.
  std::string Hash() const;
  // Of the files that the backend's programs are: ".cu".
  const std::string& extension() const { return extension_; }

 private:
  std::string text_;
  std::string fence_;
  std::string extension_;
};

}  // namespace kb::prompt
