#include "ceilings.h"

#include <cmath>
#include <string>

#include "base/hash.h"
#include "os/files.h"
#include "record/timing_fields.h"

namespace kb::oracle {
namespace {

using base::Json;
using base::Result;

Result<std::string> PathOf(const record::DeviceFacts& device) {
  base::KeyBuilder key;
  key.Add(device.name).Add(device.driver).Add(device.torch);
  KB_ASSIGN(const std::string folder, os::CacheDirectory("ceilings"));
  return folder + "/" + key.Finish() + ".json";
}

// A ceiling of zero would switch the floor off for good.
bool AreSound(const record::Ceilings& ceilings) {
  bool sound = true;
  record::VisitFields(ceilings, [&](const char*, double value) {
    sound = sound && std::isfinite(value) && value > 0;
  });
  return sound;
}

}  // namespace

std::optional<record::Ceilings> KeptCeilings(
    const record::DeviceFacts& device) {
  const auto path = PathOf(device);
  if (!path) return std::nullopt;
  const auto text = os::ReadFile(*path);
  if (!text) return std::nullopt;
  const auto json = base::ParseJson(*text, *path);
  if (!json || !json->is_object() || !json->contains("ceilings"))
    return std::nullopt;
  const auto ceilings = record::CeilingsFromJson(json->at("ceilings"));
  if (!ceilings || !AreSound(*ceilings)) return std::nullopt;
  return *ceilings;
}

void KeepCeilings(const record::DeviceFacts& device,
                  const record::Ceilings& ceilings) {
  const auto path = PathOf(device);
  if (!path || !AreSound(ceilings)) return;
  (void)os::WriteFileAtomically(
      *path, base::DumpJson({{"name", device.name},
                             {"driver", device.driver},
                             {"torch", device.torch},
                             {"ceilings", record::ToJson(ceilings)}}) +
                 "\n");
}

}  // namespace kb::oracle
