#include "declared_headers.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"

extern "C" {
extern const char kb_bindings_kb_bound_h[];
extern const char kb_bindings_declared_h[];
}

namespace kb::builder {
namespace {

// Those of PyTorch's builder, and of candidates' what is about speed and
// messages.
constexpr std::array<std::string_view, 20> kOptions = {
    "-O",       "-std=",       "-g",          "-w",
    "-W",       "-march=",     "-mtune=",     "-fopenmp",
    "-fPIC",    "-ffast-math", "-pthread",    "-I",
    "-isystem", "-c",          "-o",          "-DNDEBUG",
    "-DTORCH_", "-DPYBIND11_", "-DWITH_CUDA", "-D_GLIBCXX_USE_CXX11_ABI="};

bool IsKnown(std::string_view line) {
  line = base::Trim(line);
  constexpr std::array<std::string_view, 6> kIncludes = {
      "#include <torch/extension.h>",
      "#include <vector>",
      "#include <optional>",
      "#include <tuple>",
      "#include <c10/util/Optional.h>",
      "#include <cstdint>"};
  return !line.starts_with('#') ||
         std::ranges::find(kIncludes, line) != kIncludes.end();
}

bool KeepsCalls(std::string_view word) {
  if (!word.starts_with('-')) return true;
  return word.find(',') == std::string_view::npos &&
         std::ranges::any_of(kOptions, [&](std::string_view option) {
           return word.starts_with(option);
         });
}

}  // namespace

std::vector<Header> DeclaredHeaders(const std::string& source,
                                    const std::string& command) {
  if (!std::ranges::all_of(base::Split(source, '\n'), IsKnown) ||
      !std::ranges::all_of(base::Split(command, ' '), KeepsCalls))
    return {};
  return {{"torch/extension.h", kb_bindings_declared_h},
          {"kb_bound.h", kb_bindings_kb_bound_h}};
}

}  // namespace kb::builder
