#pragma once

#include <string>
#include <string_view>

#include "base/mutex.h"

namespace kb::os {

// From now on no StatusLine shows anything, and Note says nothing. For the
// program's start, before any thread.
void BeQuiet();

// A line on stderr that is neither a result nor an error.
void Note(std::string_view line);

// Lines on stderr, and below them on a terminal a block that says what is going
// on. Control characters, which names of files may have, are left out.
// Thread-safe.
class StatusLine {
 public:
  StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  bool terminal() const { return terminal_; }
  // Replaces the block, whose lines are cut to the terminal's width. Nothing
  // when stderr is no terminal.
  void Show(std::string_view block);
  // A line that stays.
  void Print(std::string_view line);

 private:
  void Clear() KB_REQUIRES(mutex_);
  void Draw() KB_REQUIRES(mutex_);

  base::Mutex mutex_;
  bool terminal_;
  std::string block_ KB_GUARDED_BY(mutex_);
  // Lines of the block on the screen.
  size_t drawn_ KB_GUARDED_BY(mutex_) = 0;
};

}  // namespace kb::os
