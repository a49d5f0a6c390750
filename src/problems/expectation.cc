#include "problems/expectation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <set>
#include <string_view>

#include "base/text.h"

namespace kb::problems {
namespace {

using base::Ok;
using base::Result;
using base::Usage;
using Verdicts = Expectation::Verdicts;

constexpr std::string_view kNotRun = "not_run";
constexpr std::array<std::string_view, 2> kDevices{"cpu", "cuda"};

const char* VerdictOrNotRun(const std::optional<record::Verdict>& outcome) {
  return outcome ? record::VerdictName(*outcome) : kNotRun.data();
}

Result<Verdicts> ParseVerdicts(const std::string& text) {
  Verdicts verdicts;
  for (const std::string& name : base::Split(text, '|')) {
    const auto verdict = record::ParseVerdict(name);
    if (!verdict && name != kNotRun)
      return Usage(
          "\"{}\" is not a verdict; write e.g. correct, incorrect, "
          "compile_error or not_run, alternatives as a|b",
          name);
    verdicts.push_back(verdict);
  }
  return verdicts;
}

// correct|incorrect cpu=not_run
Result<void> ParseExpect(const std::string& text, Expectation* out) {
  for (const std::string& part : base::Split(text, ' ')) {
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    if (equals == std::string::npos) {
      if (!out->verdicts.empty())
        return Usage("\"{}\" is a second verdict; write alternatives as a|b",
                     part);
      KB_ASSIGN(out->verdicts, ParseVerdicts(part));
      continue;
    }
    const std::string device = part.substr(0, equals);
    if (device != kDevices[0] && device != kDevices[1])
      return Usage("\"{}\" is not a kind of device; write cpu=... or cuda=...",
                   device);
    KB_ASSIGN(auto verdicts, ParseVerdicts(part.substr(equals + 1)));
    if (!out->by_device.emplace(device, std::move(verdicts)).second)
      return Usage("{} is given twice", device);
  }
  if (out->verdicts.empty())
    return Usage("no verdict; write e.g. \"expect: correct cpu=not_run\"");
  return Ok();
}

Result<void> ParseProblem(const std::string& text, Expectation* out) {
  if (text.empty() || text.find(' ') != std::string::npos)
    return Usage("\"{}\" is not the id of a problem, e.g. level1/23", text);
  out->problem = text;
  return Ok();
}

Result<void> ParseSize(const std::string& text, Expectation* out) {
  out->size = record::ParseSize(text);
  if (!out->size || out->size->IsSeveral())
    return Usage(
        "\"{}\" is not a size: full, small, or one that the problem names",
        text);
  return Ok();
}

Result<void> ParsePrecision(const std::string& text, Expectation* out) {
  out->precision = record::ParsePrecision(text);
  if (!out->precision)
    return Usage("\"{}\" is not a precision: fp32, fp16 or bf16", text);
  return Ok();
}

Result<void> ParsePolicy(const std::string& text, Expectation* out) {
  if (!record::NamedPolicy(text))
    return Usage("\"{}\" is not a policy: kernelbench, strict or own-kernels",
                 text);
  out->policy = text;
  return Ok();
}

// call_seconds=2, memory_bytes=1073741824
Result<void> ParseLimits(const std::string& text, Expectation* out) {
  for (const std::string& part : base::Split(text, ',')) {
    const std::string item(base::Trim(part));
    const size_t equals = item.find('=');
    if (equals == std::string::npos)
      return Usage("\"{}\" is not of the form field=number", item);
    const std::string field(base::Trim(item.substr(0, equals)));
    const auto value = base::ParseJson(item.substr(equals + 1), field);
    if (!value || !(value->is_number() || value->is_boolean()))
      return Usage("\"{}\" is not a number", item.substr(equals + 1));
    if (out->limits.contains(field)) return Usage("{} is given twice", field);
    out->limits[field] = *value;
  }
  if (const auto policy = out->PolicyFrom("kernelbench"); !policy)
    return base::Propagate(policy.error());
  return Ok();
}

// T01, T03
Result<void> ParseTricks(const std::string& text, Expectation* out) {
  for (const std::string& part : base::Split(text, ',')) {
    const std::string id(base::Trim(part));
    if (id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") !=
            std::string::npos ||
        id.size() < 2)
      return Usage("\"{}\" is not the id of a trick, e.g. T01", id);
    out->tricks.push_back(id);
  }
  return Ok();
}

Result<void> ParseTwin(const std::string& text, Expectation* out) {
  if (text.empty() || text.front() == '/')
    return Usage("\"{}\" is not a path from this file's folder", text);
  out->twin = text;
  return Ok();
}

Result<void> ParseAbout(const std::string& text, Expectation* out) {
  out->about = text;
  return Ok();
}

struct Key {
  std::string_view name;
  Result<void> (*parse)(const std::string& text, Expectation* out);
};
constexpr std::array<Key, 9> kKeys{{
    {"expect", ParseExpect},
    {"problem", ParseProblem},
    {"size", ParseSize},
    {"precision", ParsePrecision},
    {"policy", ParsePolicy},
    {"limits", ParseLimits},
    {"tricks", ParseTricks},
    {"twin", ParseTwin},
    {"about", ParseAbout},
}};

// How comments of the file begin; empty: it does not begin with one. In C++ a
// line that begins with # is no comment.
std::string_view CommentMark(std::string_view source) {
  for (const std::string_view mark : {"//", "#"})
    if (source.starts_with(mark)) return mark;
  return {};
}

// "size" of "size: small", empty for prose.
std::string KeyOf(const std::string& text) {
  const size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
  if (end == 0 || end == std::string::npos || text[end] != ':') return "";
  return text.substr(0, end);
}

Result<void> ParseLine(const std::string& text, std::set<std::string>* seen,
                       Expectation* out) {
  const std::string name = KeyOf(text);
  if (name.empty()) return Ok();
  for (const Key& key : kKeys) {
    if (key.name != name) continue;
    if (!seen->insert(name).second) return Usage("{} is given twice", name);
    return key.parse(std::string(base::Trim(text.substr(name.size() + 1))),
                     out);
  }
  std::vector<std::string_view> known;
  known.reserve(kKeys.size());
  for (const Key& key : kKeys) known.push_back(key.name);
  return Usage("unknown key \"{}\"; the keys are {}", name,
               fmt::join(known, ", "));
}

}  // namespace

const Verdicts& Expectation::For(const std::string& device_kind) const {
  const auto found = by_device.find(device_kind);
  return found == by_device.end() ? verdicts : found->second;
}

bool Expectation::Allows(const std::string& device_kind,
                         const std::optional<record::Verdict>& verdict) const {
  for (const auto& outcome : For(device_kind))
    if (outcome == verdict) return true;
  return false;
}

std::string Expectation::Describe(const std::string& device_kind) const {
  std::vector<std::string> names;
  for (const auto& outcome : For(device_kind))
    names.emplace_back(VerdictOrNotRun(outcome));
  return fmt::format("{}", fmt::join(names, " or "));
}

Result<record::Policy> Expectation::PolicyFrom(const std::string& name) const {
  base::Json json = limits;
  json["name"] = policy.empty() ? name : policy;
  return record::PolicyFromJson(json);
}

Result<Expectation> ParseExpectation(const std::string& path,
                                     const std::string& source) {
  Expectation expectation;
  std::set<std::string> seen;
  int number = 0;
  const std::string_view mark = CommentMark(source);
  for (const std::string& line : base::Split(source, '\n')) {
    if (mark.empty() || !line.starts_with(mark)) break;
    const std::string text(base::Trim(line.substr(mark.size())));
    ++number;
    if (number == 1 && KeyOf(text) != "expect") break;
    if (const auto parsed = ParseLine(text, &seen, &expectation); !parsed)
      return Usage("{}:{}: {}", path, number, parsed.error().message());
  }
  if (!seen.contains("expect"))
    return Usage("{}:1: the first line must be \"// expect: VERDICT\" (or #)",
                 path);
  if (!seen.contains("problem"))
    return Usage("{}:2: no \"problem: LEVEL/NUMBER\" in the header", path);
  return expectation;
}

}  // namespace kb::problems
