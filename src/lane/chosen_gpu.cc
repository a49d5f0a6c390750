#include "lane/chosen_gpu.h"

#include <filesystem>
#include <set>

#include "base/text.h"
#include "os/files.h"

namespace kb::lane {
namespace {

namespace fs = std::filesystem;

// What the file says behind "<key>:"; "" where it does not.
std::string ValueOf(const std::string& text, const std::string& key) {
  for (const std::string& line : base::Split(text, '\n')) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || base::Trim(line.substr(0, colon)) != key)
      continue;
    return std::string(base::Trim(std::string_view(line).substr(colon + 1)));
  }
  return "";
}

}  // namespace

ChosenGpu ChooseGpu(const std::string& uuid, const std::string& folder) {
  ChosenGpu gpu{uuid, ""};
  std::error_code error;
  std::set<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, error))
    entries.insert(entry.path());
  size_t index = 0;
  for (const fs::path& entry : entries) {
    const auto text = os::ReadFile(entry / "information");
    const size_t here = index++;
    if (!text || ValueOf(*text, "GPU UUID") != uuid) continue;
    gpu.index = here;
    gpu.of = entries.size();
    const std::string minor = ValueOf(*text, "Device Minor");
    const std::string node = "/dev/nvidia" + minor;
    if (!minor.empty() && fs::exists(node, error)) gpu.node = node;
  }
  return gpu;
}

}  // namespace kb::lane
