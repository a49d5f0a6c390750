#pragma once

#include <sched.h>

#include <cstddef>
#include <vector>

namespace kb::os {

// Numbers of processors as the system's calls take and give them.
inline cpu_set_t ProcessorSet(const std::vector<int>& processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors)
    CPU_SET(static_cast<size_t>(processor), &set);
  return set;
}

inline std::vector<int> ProcessorsOf(const cpu_set_t& set) {
  std::vector<int> processors;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(static_cast<size_t>(i), &set)) processors.push_back(i);
  return processors;
}

}  // namespace kb::os
