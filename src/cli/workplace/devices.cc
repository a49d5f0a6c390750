#include "workplace/devices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace kb::workplace {
namespace {

using base::Result;
using compile::CudaDevice;

using Found = std::vector<CudaDevice>;

Found LikeTheFirst(const Found& found) {
  Found like;
  for (const CudaDevice& device : found)
    if (device.name == found.front().name) like.push_back(device);
  return like;
}

std::vector<std::string> NamesOf(const Found& devices) {
  std::vector<std::string> names;
  for (const CudaDevice& device : devices) names.push_back(device.TorchName());
  return names;
}

tl::unexpected<base::Error> NotThere(const std::string& wanted,
                                     const Found& found) {
  return base::Usage(
      "--device {}: PyTorch sees {} CUDA device{} here; use cpu{}", wanted,
      found.size(), found.size() == 1 ? "" : "s",
      found.empty() ? ""
                    : fmt::format(" or {}", fmt::join(NamesOf(found), ", ")));
}

// "0,2" or "0,cuda:2", after "cuda:".
Result<Found> Listed(const std::string& wanted, const std::string& list,
                     const Found& found) {
  Found chosen;
  for (std::string name : base::Split(list, ',')) {
    if (!name.starts_with("cuda:")) name = "cuda:" + name;
    const auto device = std::ranges::find(found, name, &CudaDevice::TorchName);
    if (device == found.end()) return NotThere(wanted, found);
    if (std::ranges::find(chosen, name, &CudaDevice::TorchName) != chosen.end())
      return base::Usage("--device {}: {} is named twice", wanted, name);
    if (!chosen.empty() && chosen.front().name != device->name)
      return base::Usage(
          "--device {}: {} is a {} and {} a {}, whose times are not "
          "comparable; use devices of one model",
          wanted, chosen.front().TorchName(), chosen.front().name, name,
          device->name);
    chosen.push_back(*device);
  }
  return chosen;
}

}  // namespace

Result<std::vector<std::string>> ChooseDevices(const std::string& wanted,
                                               const Found& found,
                                               bool several) {
  constexpr std::string_view kCuda = "cuda:";
  if (wanted == "cpu" || (wanted.empty() && found.empty()))
    return std::vector<std::string>{"cpu"};
  if (found.empty()) return NotThere(wanted, found);
  Found chosen;
  if (wanted.empty()) {
    chosen = LikeTheFirst(found);
    if (!several) chosen.resize(1);
  } else if (wanted == "cuda") {
    chosen = {found.front()};
  } else if (wanted == "cuda:all") {
    chosen = LikeTheFirst(found);
  } else if (wanted.starts_with(kCuda)) {
    KB_ASSIGN(chosen, Listed(wanted, wanted.substr(kCuda.size()), found));
  } else {
    return NotThere(wanted, found);
  }
  if (chosen.size() > 1 && !several)
    return base::Usage(
        "--device {}: this command uses one device; name one of "
        "{}",
        wanted, fmt::join(NamesOf(chosen), ", "));
  return NamesOf(chosen);
}

}  // namespace kb::workplace
