#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "command.h"
#include "eval/profile.h"

namespace kb::cli {

// --profile-run FILE of a command that judges.
void AddProfileRun(Command* command, std::string* path);

class RunProfile {
 public:
  // Begins one unless `path` is empty. A file that cannot be written is a usage
  // error.
  base::Result<eval::Profile*> Begin(const std::string& path);
  // Writes the trace, and the table to stderr.
  base::Result<void> End() const;

 private:
  std::string path_;
  std::optional<eval::Profile> profile_;
};

// Where the time of lanes and of slots for builds went, a line for each phase.
std::string RunProfileTable(const eval::Profile::Summary& summary);

}  // namespace kb::cli
