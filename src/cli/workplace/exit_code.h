#pragma once

namespace kb::workplace {

// What the program's exit code says, the same for every command.
enum class ExitCode : int {
  kDone = 0,
  kNo = 1,          // the answer is no: a candidate is not correct
  kUsage = 2,       // of the command line, or of a file that it names
  kOurFailure = 3,  // also: something is still open
  kInterrupted = 130,
};

}  // namespace kb::workplace
