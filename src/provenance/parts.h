#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/text.h"
#include "record/provenance.h"

namespace kb::provenance {

// The name of a function or a kernel as it is told: those of templates may be
// very long.
inline std::string ShortName(const std::string& name) {
  constexpr size_t kBytes = 120;
  return base::Shorten(name, kBytes);
}

// A file's name without its folders.
inline std::string FileName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// The parts that took most, the largest first: no more than are told.
template <typename Part>
void KeepLargest(std::vector<Part>* parts) {
  std::ranges::stable_sort(*parts, std::ranges::greater{}, &Part::share);
  if (parts->size() > record::kMostParts) parts->resize(record::kMostParts);
}

}  // namespace kb::provenance
