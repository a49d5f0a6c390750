#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "jail/jail.h"
#include "os/files.h"
#include "warm_python.h"

namespace kb::compile {

// A folder for one build: the source, which the jail sees read-only, and a
// folder that it may write to.
class Workshop {
 public:
  // `output`: where the build writes; empty: a folder that goes with the
  // Workshop. It must exist already otherwise.
  static base::Result<Workshop> Create(jail::Isolation isolation,
                                       const std::string& file_name,
                                       const std::string& source,
                                       const std::string& output = "");

  // Names inside the jail. In Isolation::kFull these are fixed, else those of
  // the host.
  const std::string& source_inside() const { return source_inside_; }
  const std::string& output_inside() const { return output_inside_; }

  // Where the output stands on the host.
  const std::string& output() const { return output_; }

  // Also shows the jail the output under `target`, when it can.
  std::vector<jail::Bind> Binds() const;

  void RenameOutputInside(const std::string& target);

 private:
  explicit Workshop(os::TempDir folder) : folder_(std::move(folder)) {}

  os::TempDir folder_;
  bool renames_ = false;
  std::string source_;
  std::string source_inside_;
  std::string output_;
  std::string output_inside_;
};

// One run of a compiler in a jail without network.
struct ToolRun {
  std::vector<std::string> argv;
  std::map<std::string, std::string> env;
  std::vector<jail::Bind> binds;
  jail::Isolation isolation = jail::Isolation::kFull;
  uint64_t memory_bytes = 0;
  double wall_seconds = 0;
  double spent_seconds = 0;  // of them, by a run before this one
  std::string output;  // watched: over `output_limit` bytes the build is killed
  uint64_t output_limit = 0;
  bool runs_candidate = false;  // its code, not only a compiler of ours
  // Not null: Python programs are forked from it instead of started.
  WarmPython* python = nullptr;
};

// What came of it as far as anybody can say without looking at the output.
struct ToolResult {
  // Set when the run did not come to an end of its own.
  std::optional<BuildStatus> cut_short;
  bool doubtful = false;  // Artifact::doubtful
  int exit_code = 0;
  std::string log;  // trimmed
  double seconds = 0;
};

// An Error: the jail could not be built, somebody killed it or the compiler,
// the disk was full, or `stop` was requested.
base::Result<ToolResult> RunTool(const ToolRun& run,
                                 const std::stop_token& stop);

// An Error when `said` tells of a full or broken disk (LineOfDisk) and `folder`
// has next to no room: no failure of who said it. Either alone may be the
// candidate's doing, or nobody's.
base::Result<void> CheckRoom(const std::string& folder,
                             const std::string& said);

// A file name that no compiler takes for an option and no shell for anything:
// letters, digits, '.', '_', '-' of `name`, ending in `extension`.
std::string SafeFileName(const std::string& name, const std::string& extension);

}  // namespace kb::compile
