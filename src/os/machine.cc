#include "os/machine.h"

#include <cstdlib>
#include <fstream>

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

std::optional<uint64_t> AvailableMemory() {
  const auto kibibytes = ProcField("/proc/meminfo", "MemAvailable");
  if (!kibibytes) return std::nullopt;
  return std::strtoull(kibibytes->c_str(), nullptr, 10) * 1024;
}

}  // namespace kb::os
