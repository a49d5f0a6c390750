#include "bindings.h"

#include <fmt/format.h>

#include <string_view>

extern "C" {
extern const char kb_bindings_kb_bound_h[];
extern const char kb_bindings_bindings_cc[];
extern const char kb_bindings_kb_tensor_h[];
extern const char kb_bindings_tensors_cc[];
}

namespace kb::compile {
namespace {

constexpr const char* kName = "kb_bindings";

// With the header in the place where it is included.
std::string With(std::string text, std::string_view name,
                 std::string_view header) {
  const std::string include = fmt::format("#include \"{}\"\n", name);
  text.replace(text.find(include), include.size(), header);
  return text;
}

// One file: nothing of ours is in the jail.
std::string Source() {
  return With(kb_bindings_bindings_cc, "kb_bound.h", kb_bindings_kb_bound_h) +
         With(kb_bindings_tensors_cc, "kb_tensor.h", kb_bindings_kb_tensor_h);
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
