#include "launches.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <utility>

namespace kb::provenance {
namespace {

using record::Origin;

std::string Demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return text ? text.get() : name;
}

template <typename K, typename V>
std::optional<V> Find(const std::map<K, V>& map, const K& key) {
  const auto found = map.find(key);
  return found == map.end() ? std::nullopt : std::optional<V>(found->second);
}

bool Is(const std::optional<Launches::Owner>& owner, Origin origin) {
  return owner && OriginOfLaunch(owner->kind) == origin;
}

}  // namespace

void Launches::AddCall(uint32_t correlation, Call call) {
  calls_.insert_or_assign(correlation, std::move(call));
}

void Launches::AddLaunch(const std::string& kernel, const Owner& owner) {
  launched_.insert_or_assign(kernel, owner);
}

void Launches::AddModule(const std::string& kernel, const Owner& owner) {
  loaded_.insert_or_assign(kernel, owner);
}

// Who launches a kernel that a library has loaded has not written it.
std::optional<Launches::Owner> Launches::OwnerOf(const std::string& kernel,
                                                 const Call& call) const {
  const auto loaded = Find(loaded_, kernel);
  const auto launched = call.graph ? Find(launched_, kernel) : call.owner;
  if (!launched) return loaded;
  const bool borrowed =
      Is(loaded, Origin::kLibrary) || Is(loaded, Origin::kFramework);
  if (Is(launched, Origin::kOwn) && !call.knows_module && borrowed)
    return loaded;
  return launched;
}

void Launches::Count(const Work& work, Tally* tally) const {
  const auto call = Find(calls_, work.correlation);
  if (!call) return;
  const auto owner =
      work.kernel.empty() ? call->owner : OwnerOf(work.kernel, *call);
  if (Is(owner, Origin::kHost)) return;
  const std::string path = owner ? owner->path : "";
  if (work.kernel.empty())
    return tally->Add(Origin::kCopies, path, "copy or fill", work.nanos);
  Origin origin = owner ? OriginOfLaunch(owner->kind).value_or(Origin::kUnknown)
                        : Origin::kUnknown;
  if (origin == Origin::kTriton && IsGeneratedName(work.kernel))
    origin = Origin::kGenerated;
  tally->Add(origin, path, Demangled(work.kernel), work.nanos);
}

}  // namespace kb::provenance
