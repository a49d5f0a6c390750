#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "base/json.h"
#include "base/result.h"

namespace kb::cli {

// One line of `eval --json-lines -` (share/schemas/task.json). Empty strings:
// not said.
struct TaskLine {
  base::Json id;  // anything; comes back with the answer
  std::string problem;
  std::string name;    // with its ending; empty: told from the source
  std::string source;  // this, or `path`
  std::string path;
  std::string size;
  std::string precision;
  std::string policy;
};

// An Error says which field is wrong; `id` is set as soon as it is known.
base::Result<TaskLine> ParseTaskLine(const std::string& text, base::Json* id);

// The lines of a descriptor as they come.
class LineReader {
 public:
  explicit LineReader(int fd) : fd_(fd) {}
  // None: the end, `stop`, or a line of more than 64 MiB.
  std::optional<std::string> Next(const std::stop_token& stop);

 private:
  // Adds what has come; false: there is no more.
  bool Read(const std::stop_token& stop);

  int fd_;
  std::string waiting_;
};

}  // namespace kb::cli
