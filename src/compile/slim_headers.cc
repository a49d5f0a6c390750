#include "slim_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/text.h"

namespace kb::compile {
namespace {

namespace fs = std::filesystem;

// PyTorch's own headers include single operators instead of all 1,400 where
// this macro is defined, so that it comes before any of them.
constexpr const char* kPerOperator =
    "#pragma once\n"
    "#ifndef AT_PER_OPERATOR_HEADERS\n"
    "#define AT_PER_OPERATOR_HEADERS\n"
    "#endif\n";

constexpr const char* kAten =
    "#include <ATen/Context.h>\n"
    "#include <ATen/Device.h>\n"
    "#include <ATen/DeviceGuard.h>\n"
    "#include <ATen/Dispatch.h>\n"
    "#include <ATen/Functions.h>\n"
    "#include <ATen/Tensor.h>\n"
    "#include <ATen/TensorOperators.h>\n"
    "#include <ATen/core/Generator.h>\n"
    "#include <ATen/core/Reduction.h>\n"
    "#include <ATen/core/Scalar.h>\n"
    "#include <c10/core/Storage.h>\n"
    "#include <c10/core/TensorOptions.h>\n"
    "#include <c10/util/Exception.h>\n";

constexpr const char* kFunctions =
    "#include <ATen/Context.h>\n"
    "#include <ATen/DeviceGuard.h>\n"
    "#include <ATen/core/Tensor.h>\n"
    "#include <c10/core/TensorOptions.h>\n"
    "#include <ATen/ops/from_blob.h>\n"
    "#include <ATen/ops/tensor.h>\n";

constexpr const char* kAll =
    "#include <torch/cuda.h>\n"
    "#include <torch/types.h>\n"
    "#include <torch/version.h>\n";

constexpr const char* kTypes = "#include_next <torch/types.h>\n";

constexpr const char* kBindings =
    "#include <torch/csrc/Exceptions.h>\n"
    "#include <torch/csrc/utils/pybind.h>\n";

bool Contains(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

template <typename Words>
bool ContainsAny(std::string_view text, const Words& words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return Contains(text, word); });
}

// In headers that are left out, or an option of torch's builder that names one.
constexpr std::array<std::string_view, 9> kOnlyInWhole = {
    "nn::",    "optim::",    "jit::",    "data::",     "autograd::",
    "use_pch", "indexing::", "native::", "serialize::"};

// Whether an #if of the source could ask what was included before it.
bool AsksPreprocessor(std::string_view source) {
  constexpr std::array<std::string_view, 6> kTheirs = {
      "TORCH_", "AT_", "ATEN_", "C10_", "PYBIND", "__has_include"};
  return std::ranges::any_of(
      base::Split(source, '\n'), [&](std::string_view line) {
        line = base::Trim(line);
        if (!line.starts_with('#')) return false;
        line = base::Trim(line.substr(1));
        return (line.starts_with("if") || line.starts_with("elif")) &&
               ContainsAny(line, kTheirs);
      });
}

bool IsOfWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The words that follow "::".
std::set<std::string> QualifiedNames(std::string_view source) {
  std::set<std::string> names;
  for (size_t at = source.find("::"); at != std::string_view::npos;
       at = source.find("::", at)) {
    at += 2;
    const size_t start = at;
    while (at < source.size() && IsOfWord(source[at])) ++at;
    if (at > start) names.emplace(source.substr(start, at - start));
  }
  return names;
}

std::string Operators(const std::string& source,
                      const std::string& torch_include) {
  std::string text;
  for (const std::string& name : QualifiedNames(source)) {
    const std::string header = fmt::format("ATen/ops/{}.h", name);
    std::error_code ignored;
    if (fs::exists(fmt::format("{}/{}", torch_include, header), ignored))
      text += fmt::format("#include <{}>\n", header);
  }
  return text;
}

// The device compiler does without bindings unless its source makes some.
std::string Bindings(std::string_view source) {
  constexpr std::array<std::string_view, 3> kPybind = {"PYBIND11", "pybind11",
                                                       "py::"};
  if (ContainsAny(source, kPybind)) return kBindings;
  return fmt::format("#ifndef __CUDACC__\n{}#endif\n", kBindings);
}

}  // namespace

std::vector<Header> SlimHeaders(const std::string& source,
                                const std::string& torch_include) {
  std::error_code ignored;
  if (!fs::exists(torch_include + "/ATen/ops/empty_like.h", ignored)) return {};
  if (ContainsAny(source, kOnlyInWhole) || AsksPreprocessor(source)) return {};
  std::vector<Header> headers = {
      {"ATen/ATen.h", kAten},
      {"ATen/Functions.h", kFunctions + Operators(source, torch_include)},
      {"torch/all.h", kAll},
      {"torch/types.h", kTypes},
      {"torch/python.h", "#include <torch/types.h>\n" + Bindings(source)},
  };
  // types.h includes it, for extensions that register operators.
  if (!Contains(source, "LIBRARY") && !Contains(source, "library"))
    headers.push_back({"torch/library.h", ""});
  for (Header& header : headers) header.text.insert(0, kPerOperator);
  return headers;
}

}  // namespace kb::compile
