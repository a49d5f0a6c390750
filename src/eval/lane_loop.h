#pragma once

#include <cstddef>
#include <stop_token>
#include <string>

#include "base/mutex.h"
#include "built_queue.h"
#include "session_parts.h"

namespace kb::eval {

// An observer that is told by several threads, one call at a time.
class Told {
 public:
  explicit Told(Observer* observer) : observer_(observer) {}
  void Step(size_t index, const std::string& step);
  void Done(size_t index, const record::Evaluation& evaluation);
  void Notice(const std::string& text);

 private:
  base::Mutex mutex_;
  Observer* observer_;
};

// Judges what it can get of the built tasks on lane `number`, until there are
// none: what belongs to the open problem first; starts the next jail while the
// current one runs; replaces an oracle that dies, tries again once, and then
// leaves the task to another lane before it says infra_error.
base::Result<void> RunLane(size_t number, const SessionParts& parts,
                           const SessionOptions& options, BuiltQueue* built,
                           Told* told, std::stop_token stop);

}  // namespace kb::eval
