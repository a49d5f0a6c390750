#include "linux/plan_codec.h"

#include <utility>

#include "base/json.h"
#include "linux/seccomp_filter.h"
#include "os/processor_set.h"

namespace kb::jail {
namespace {

using base::Json;
using base::Result;

std::vector<std::string> Strings(const os::CStrings& strings) {
  std::vector<std::string> all;
  for (char* const* text = strings.get(); *text != nullptr; ++text)
    all.emplace_back(*text);
  return all;
}

Json EncodeEntries(const std::vector<TreeEntry>& entries) {
  Json all = Json::array();
  for (const TreeEntry& entry : entries)
    all.push_back({static_cast<int>(entry.kind), entry.source, entry.target,
                   entry.writable});
  return all;
}

std::vector<TreeEntry> DecodeEntries(const Json& json) {
  std::vector<TreeEntry> entries;
  for (const Json& entry : json)
    entries.push_back({static_cast<TreeEntry::Kind>(entry.at(0).get<int>()),
                       entry.at(1), entry.at(2), entry.at(3)});
  return entries;
}

Json EncodeIdentity(const Identity& identity) {
  return {identity.change,       identity.user,     identity.group,
          identity.clear_groups, identity.user_map, identity.group_map};
}

Identity DecodeIdentity(const Json& json) {
  return {json.at(0), json.at(1), json.at(2),
          json.at(3), json.at(4), json.at(5)};
}

// The next of the descriptors, in the order of EncodePlan.
class Taker {
 public:
  explicit Taker(std::vector<os::Fd>& fds) : fds_(fds) {}
  // Stays in the list.
  int Number() { return fds_.at(next_++).get(); }
  os::Fd Own() { return std::move(fds_.at(next_++)); }

 private:
  std::vector<os::Fd>& fds_;
  size_t next_ = 0;
};

}  // namespace

EncodedPlan EncodePlan(const JailPlan& plan, const JailChildEnds& ends) {
  EncodedPlan encoded;
  encoded.fds = {ends.input, ends.output, ends.go, ends.status};
  encoded.fds.insert(encoded.fds.end(), plan.inherited.begin(),
                     plan.inherited.end());
  if (plan.ruleset.valid()) encoded.fds.push_back(plan.ruleset.get());
  if (plan.seed.fd() >= 0) encoded.fds.push_back(plan.seed.fd());
  encoded.text = base::DumpJson(
      {{"level", static_cast<int>(plan.level)},
       {"gpu", plan.gpu},
       {"memory_bytes", plan.limits.memory_bytes},
       {"file_bytes", plan.limits.file_bytes},
       {"process_limit", plan.process_limit},
       {"argv", Strings(plan.argv)},
       {"environment", Strings(plan.environment)},
       {"program", plan.program},
       {"working_directory", plan.working_directory},
       {"tmp", plan.tmp},
       {"inherited", plan.inherited.size()},
       {"processors", plan.processors ? os::ProcessorsOf(*plan.processors)
                                      : std::vector<int>()},
       {"identity", EncodeIdentity(plan.identity)},
       {"system", EncodeEntries(plan.system)},
       {"devices", EncodeEntries(plan.devices)},
       {"binds", EncodeEntries(plan.binds)},
       {"tmp_options", plan.tmp_options},
       {"ruleset", plan.ruleset.valid()},
       {"seed", plan.seed.fd() >= 0},
       {"seed_entries", plan.seed.EncodeEntries()}});
  return encoded;
}

Result<DecodedPlan> DecodePlan(std::string_view text, std::vector<os::Fd> fds) {
  KB_ASSIGN(const Json json, base::ParseJson(text, "a jail's plan"));
  DecodedPlan decoded;
  JailPlan& plan = decoded.plan;
  try {
    Taker taker(fds);
    decoded.ends.input = taker.Number();
    decoded.ends.output = taker.Number();
    decoded.ends.go = taker.Number();
    decoded.ends.status = taker.Number();
    for (size_t i = json.at("inherited"); i > 0; --i)
      plan.inherited.push_back(taker.Number());
    if (json.at("ruleset")) plan.ruleset = taker.Own();
    if (json.at("seed"))
      plan.seed = TmpSeed::Decode(json.at("seed_entries"), taker.Own());
    plan.level = static_cast<Isolation>(json.at("level").get<int>());
    plan.gpu = json.at("gpu");
    plan.limits.memory_bytes = json.at("memory_bytes");
    plan.limits.file_bytes = json.at("file_bytes");
    plan.process_limit = json.at("process_limit");
    plan.argv = os::CStrings(json.at("argv").get<std::vector<std::string>>());
    plan.environment =
        os::CStrings(json.at("environment").get<std::vector<std::string>>());
    plan.program = json.at("program");
    plan.working_directory = json.at("working_directory");
    plan.tmp = json.at("tmp");
    if (!json.at("processors").empty())
      plan.processors =
          os::ProcessorSet(json.at("processors").get<std::vector<int>>());
    plan.identity = DecodeIdentity(json.at("identity"));
    plan.system = DecodeEntries(json.at("system"));
    plan.devices = DecodeEntries(json.at("devices"));
    plan.binds = DecodeEntries(json.at("binds"));
    plan.tmp_options = json.at("tmp_options");
  } catch (const std::exception& error) {
    return base::Fail("a jail's plan: {}", error.what());
  }
  if (plan.level != Isolation::kNone) {
    KB_ASSIGN(plan.filter, SeccompFilter(plan.level));
  }
  decoded.fds = std::move(fds);
  return decoded;
}

}  // namespace kb::jail
