#include "hot_spots.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "parts.h"
#include "symbols.h"

namespace kb::provenance {
namespace {

using base::Result;
using record::Activity;
using record::Origin;

constexpr const char* kMemory = "memory";

// The program itself has no name.
std::string FileOf(const std::string& path) {
  return path.empty() ? "/proc/self/exe" : path;
}

std::string ObjectName(const std::string& path) {
  return path.empty() ? "program" : FileName(path);
}

}  // namespace

void HotSpots::Add(Origin origin, const Objects::Object* object,
                   uintptr_t address) {
  if (object == nullptr)
    ++looks_[{kMemory, 0, origin}];
  else
    ++looks_[{object->path, address - object->base, origin}];
}

Result<Activity> HotSpots::Sum() const {
  using Function = std::tuple<Origin, std::string, std::string>;
  std::map<Function, int64_t> functions;
  std::map<std::string, Symbols> symbols;  // by path
  Activity activity;
  activity.method = "samples";
  for (const auto& [place, looks] : looks_) {
    const auto& [path, offset, origin] = place;
    auto known = symbols.find(path);
    if (known == symbols.end())
      known =
          symbols
              .emplace(path, path == kMemory ? Symbols()
                                             : Symbols::OfFile(FileOf(path)))
              .first;
    functions[{origin, ObjectName(path),
               ShortName(known->second.NameAt(offset))}] += looks;
    activity.samples += looks;
  }
  if (activity.samples == 0) return base::Fail("nothing was seen to run");
  for (const auto& [function, looks] : functions) {
    Activity::Part part;
    std::tie(part.origin, part.object, part.name) = function;
    part.share =
        static_cast<double>(looks) / static_cast<double>(activity.samples);
    activity.shares.at(static_cast<size_t>(part.origin)) += part.share;
    activity.parts.push_back(std::move(part));
  }
  KeepLargest(&activity.parts);
  return activity;
}

}  // namespace kb::provenance
