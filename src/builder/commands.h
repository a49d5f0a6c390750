#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

namespace kb::builder {

struct Ran {
  int code = 0;        // the shell's; 128 and more: killed by a signal
  std::string output;  // stdout and stderr
};

// Runs commands, so many at once. Thread-safe.
class Commands {
 public:
  // `folder`: for their output, ours alone.
  Commands(int at_once, std::string folder)
      : free_(at_once), folder_(std::move(folder)) {}

  // Waits for its turn and then for the end of `command`, which a shell reads.
  // `environment` comes on top of ours.
  Ran Run(const std::string& command,
          const std::map<std::string, std::string>& environment = {});

  const std::string& folder() const { return folder_; }

  // A name that nobody had before.
  std::string NewName() { return std::to_string(names_++); }

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  int free_;
  std::string folder_;
  std::atomic<int> names_{0};
};

}  // namespace kb::builder
