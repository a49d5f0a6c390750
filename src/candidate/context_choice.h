#pragma once

namespace kb::candidate {

// Contexts of one process and of several launch kernels at rates that differ by
// up to 16 %, by chance and for as long as they live (docs/timing.md), and are
// of two kinds: in the slower one a kernel takes up to 0.2 us longer. So would
// a short forward in two processes. This is the rule by which a process opens
// contexts until it has one of the faster kind.
class ContextChoice {
 public:
  // `known_us`: Device::LaunchMicros of a fast one; 0: none is known.
  explicit ContextChoice(double known_us) : known_us_(known_us) {}

  // Whether to keep the context that was opened now.
  bool Keep(double launch_us);

  // The fastest so far, `known_us` included.
  double fastest_us() const { return known_us_; }

 private:
  double known_us_;
  int opened_ = 0;
  bool explored_ = known_us_ > 0;
};

}  // namespace kb::candidate
