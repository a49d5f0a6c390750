#include "launches.h"

#include <utility>

#include "symbols.h"

namespace kb::provenance {
namespace {

using record::Origin;

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

std::optional<Launches::Whose> Launches::WhoseIs(const Work& work) const {
  const auto call = Find(calls_, work.correlation);
  if (!call) return std::nullopt;
  const auto owner =
      work.kernel.empty() ? call->owner : OwnerOf(work.kernel, *call);
  if (Is(owner, Origin::kHost)) return std::nullopt;
  Whose whose{Origin::kCopies, owner ? owner->path : "", call->chain};
  if (work.kernel.empty()) return whose;
  whose.origin = owner ? OriginOfLaunch(owner->kind).value_or(Origin::kUnknown)
                       : Origin::kUnknown;
  if (whose.origin == Origin::kTriton && IsGeneratedName(work.kernel))
    whose.origin = Origin::kGenerated;
  return whose;
}

void Launches::Count(const Work& work, Tally* tally) const {
  const auto whose = WhoseIs(work);
  if (!whose) return;
  tally->Add(whose->origin, whose->path,
             work.kernel.empty() ? "copy or fill" : Demangled(work.kernel),
             work.nanos);
}

void Launches::Count(const Work& work, DeviceWork* sum) const {
  const auto whose = WhoseIs(work);
  if (!whose) return;
  DeviceWork::Item item = work.item;
  item.origin = whose->origin;
  item.object = whose->path;
  item.chain = whose->chain;
  if (!work.kernel.empty()) item.name = Demangled(work.kernel);
  sum->Add(std::move(item));
}

}  // namespace kb::provenance
