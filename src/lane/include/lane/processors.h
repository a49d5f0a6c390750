#pragma once

#include <cstddef>
#include <vector>

namespace kb::lane {

// Which processors do what while something is timed. All are empty on a machine
// that has too few to share out.
struct Processors {
  std::vector<int> timed;   // reference and candidate, never at once
  std::vector<int> others;  // we, builds, jails before their turn
  std::vector<int> oracle;  // which holds the clock; on cpu the others
};

// Which of a machine's GPUs a lane judges on.
struct Place {
  size_t index = 0;
  size_t of = 1;
};

// Of those that this process may use, for lanes at the same time. On cpu, where
// all lanes have the same, three quarters are timed, of two one, and the rest
// keeps the oracle's clock going. With GPUs each has one to time on, a core for
// its oracle, and the others are for all. One, because each processor of a
// shared machine is now and then half as fast for as long as its core has
// something else to do, and both sides of a ratio shall meet with the same. A
// core, because the oracle looks for the end without a pause, and who launches
// on the other half of its core takes longer. Also those GPUs of the machine
// that no lane is on have theirs, so that commands for one GPU each do not meet
// on the same; but for those of the lanes alone where there are fewer than
// eight processors for each, and none are shared out where there are fewer than
// eight for each lane.
std::vector<Processors> ShareOut(bool cuda, const std::vector<Place>& lanes);

// The processors of one core of the machine.
using Core = std::vector<int>;
std::vector<Processors> ShareOut(bool cuda, const std::vector<Core>& cores,
                                 const std::vector<Place>& lanes);

// A virtual machine that shows one processor for each core mostly hides which
// are halves of one: neighbours (2k and 2k + 1). On such a machine (an H100's)
// whatever launched beside the oracle's processor took 1.2 to 1.6 times as
// long. As it is where siblings are shown.
std::vector<Core> WithHiddenSiblings(const std::vector<Core>& cores);

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
