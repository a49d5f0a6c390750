#include "bindings.h"

#include <fmt/format.h>

#include <string_view>

extern "C" {
extern const char kb_bindings_kb_bound_h[];
extern const char kb_bindings_bindings_cc[];
}

namespace kb::compile {
namespace {

constexpr const char* kName = "kb_bindings";

// One file: nothing of ours is in the jail.
std::string Source() {
  constexpr std::string_view kInclude = "#include \"kb_bound.h\"\n";
  std::string text = kb_bindings_bindings_cc;
  text.replace(text.find(kInclude), kInclude.size(), kb_bindings_kb_bound_h);
  return text;
}

}  // namespace

record::Candidate BindingsCandidate() {
  record::Candidate candidate;
  candidate.name = "bindings.py";
  candidate.track = record::Track::kPython;
  candidate.backend = record::Backend::kCpp;
  candidate.builds_extension = true;
  candidate.source = fmt::format(
      "from torch.utils.cpp_extension import load_inline\n"
      "load_inline(name=\"{}\", cpp_sources=r'''\n{}''')\n",
      kName, Source());
  return candidate;
}

std::string BindingsObject(const Artifact& artifact) {
  if (artifact.status != BuildStatus::kOk) return "";
  return fmt::format("{}/{}/main.o", artifact.path, kName);
}

}  // namespace kb::compile
