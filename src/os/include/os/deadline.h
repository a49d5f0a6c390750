#pragma once

#include <algorithm>
#include <chrono>

namespace kb::os {

// A point in time to wait until.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds from_now)
      : end_(std::chrono::steady_clock::now() + std::min(from_now, kLongest)) {}

  bool Passed() const { return std::chrono::steady_clock::now() >= end_; }

  // Rounded up, so that after a wait of this length it has passed.
  std::chrono::milliseconds Left() const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        end_ - std::chrono::steady_clock::now());
    return std::max(left, std::chrono::milliseconds(0));
  }

  // For poll(), which takes an int.
  int PollTimeout() const { return static_cast<int>(Left().count()); }

 private:
  // 23 days: "for ever", and fits an int.
  static constexpr std::chrono::milliseconds kLongest{2'000'000'000};

  std::chrono::steady_clock::time_point end_;
};

}  // namespace kb::os
