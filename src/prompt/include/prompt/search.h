#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace kb::prompt {

struct SearchOptions {
  std::string folder;            // share/prompts
  std::string name = "default";  // in its `search`, or a file's path
  std::string backend = "cuda";
};

// What a search knows of one of its turns. What there is not is empty.
struct Known {
  std::string idea;    // in words
  std::string source;  // the program
  std::string line;    // TurnLine
  std::string result;  // FeedbackWriter::Write
};

// What a search asks after the prompt of the problem. The words are in a file,
// share/prompts/search.
class SearchWriter {
 public:
  static base::Result<SearchWriter> Create(const SearchOptions& options);

  // `parent`: an idea and its best program; `others`: a line for each idea that
  // is there.
  std::string Idea(const Known& parent,
                   const std::vector<std::string>& others) const;
  std::string Program(const Known& idea) const;
  std::string Mutation(const Known& parent) const;
  std::string Crossover(const Known& parent, const Known& other) const;
  // Of all that decides what it writes.
  std::string Hash() const;

 private:
  std::string Rendered(const std::string& text, const Known& parent,
                       const Known& other, const std::string& others) const;

  std::string idea_;
  std::string program_;
  std::string mutation_;
  std::string crossover_;
  std::string file_name_;
  std::string fence_;
};

}  // namespace kb::prompt
