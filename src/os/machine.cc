#include "os/machine.h"

#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/text.h"

namespace kb::os {

std::optional<std::string> ProcField(const char* path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    if (line.starts_with(key) && colon != std::string::npos)
      return std::string(base::Trim(line.substr(colon + 1)));
  }
  return std::nullopt;
}

std::string ProcessorName() {
  return ProcField("/proc/cpuinfo", "model name").value_or("cpu");
}

std::optional<uint64_t> AvailableMemory() {
  const auto kibibytes = ProcField("/proc/meminfo", "MemAvailable");
  if (!kibibytes) return std::nullopt;
  return std::strtoull(kibibytes->c_str(), nullptr, 10) * 1024;
}

std::optional<double> WaitedMicros(int64_t pid) {
  // Nanoseconds that it ran, and that it waited.
  std::ifstream file("/proc/" + std::to_string(pid) + "/schedstat");
  uint64_t ran = 0;
  uint64_t waited = 0;
  if (!(file >> ran >> waited)) return std::nullopt;
  return static_cast<double>(waited) / 1e3;
}

int64_t Preemptions() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

}  // namespace kb::os
