#pragma once

#include <vector>

namespace kb::lane {

// Which processors do what while something is timed. All are empty on a machine
// that has too few to share out.
struct Processors {
  std::vector<int> timed;   // reference and candidate, never at once
  std::vector<int> others;  // we, builds, jails before their turn
  std::vector<int> oracle;  // which holds the clock: one of the two
};

// Of those that this process may use. On cpu three quarters are timed, of two
// one, and the rest keeps the oracle's clock going. With a GPU a quarter
// suffices, the oracle's as well, and fewer than eight are not shared out.
Processors ShareOut(bool cuda);
Processors ShareOut(bool cuda, const std::vector<int>& usable);

// Moves the calling thread, and what it starts from now on, while it lives.
class RunOn {
 public:
  explicit RunOn(const std::vector<int>& processors);
  RunOn(const RunOn&) = delete;
  RunOn& operator=(const RunOn&) = delete;
  ~RunOn();

 private:
  std::vector<int> before_;
};

}  // namespace kb::lane
