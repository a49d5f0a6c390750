#include "thin_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/text.h"
#include "torch_text.h"

extern "C" {
extern const char kb_bindings_declared_h[];
extern const char kb_bindings_kb_bound_h[];
extern const char kb_bindings_kb_tensor_h[];
extern const char kb_bindings_thin_h[];
extern const char kb_bindings_thin_accessors_h[];
extern const char kb_bindings_thin_cuda_h[];
extern const char kb_bindings_thin_half_h[];
}

namespace kb::builder {
namespace {

// Of at::, c10:: and torch::. Of the constants all that begin with a k are let
// through, the few that are not there included.
const std::set<std::string_view>& KnownNames() {
  static const std::set<std::string_view> kNames = {
      "Tensor",
      "TensorOptions",
      "IntArrayRef",
      "ArrayRef",
      "ScalarType",
      "Dtype",
      "Device",
      "DeviceType",
      "dtype",
      "device",
      "empty",
      "zeros",
      "full",
      "ones",
      "empty_like",
      "zeros_like",
      "ones_like",
      "TensorAccessor",
      "PackedTensorAccessor",
      "PackedTensorAccessor32",
      "PackedTensorAccessor64",
      "DefaultPtrTraits",
      "RestrictPtrTraits",
      "Half",
      "BFloat16",
      "optional",
      "nullopt",
      "device_of",
      "cuda::CUDAGuard",
      "cuda::OptionalCUDAGuard",
      "cuda::CUDAStream",
      "cuda::getCurrentCUDAStream"};
  return kNames;
}

constexpr std::array<std::string_view, 15> kKnownMacros = {
    "PYBIND11_MODULE",
    "TORCH_CHECK",
    "TORCH_EXTENSION_NAME",
    "C10_CUDA_CHECK",
    "C10_CUDA_KERNEL_LAUNCH_CHECK",
    "AT_CUDA_CHECK",
    "AT_DISPATCH_FLOATING_TYPES",
    "AT_DISPATCH_FLOATING_TYPES_AND_HALF",
    "AT_DISPATCH_FLOATING_TYPES_AND",
    "AT_DISPATCH_FLOATING_TYPES_AND2",
    "AT_DISPATCH_REDUCED_FLOATING_TYPES",
    "AT_DISPATCH_INTEGRAL_TYPES",
    "AT_DISPATCH_ALL_TYPES",
    "AT_DISPATCH_ALL_TYPES_AND",
    "AT_DISPATCH_ALL_TYPES_AND2"};

// Of a source that needs PyTorch's half types.
constexpr std::array<std::string_view, 4> kHalfWords = {
    "::Half", "::BFloat16", "TYPES_AND", "REDUCED_FLOATING_TYPES"};

// Of a source that makes its own module.
constexpr std::string_view kModule = "PYBIND11_MODULE";

// Standard headers that those of PyTorch include, for sources that count on it.
// Each costs as much as a tenth of the rest or more.
struct Standard {
  std::string_view word;
  std::string_view header;
};
constexpr std::array<Standard, 10> kStandard = {
    {{"FLT_", "cfloat"},
     {"DBL_", "cfloat"},
     {"std::string", "string"},
     {"std::to_string", "string"},
     {"_error(", "stdexcept"},
     {"_argument(", "stdexcept"},
     {"std::array", "array"},
     {"std::cout", "iostream"},
     {"std::cerr", "iostream"},
     {"std::function", "functional"}}};

constexpr std::array<std::string_view, 7> kThin = {
    "torch/extension.h", "torch/types.h",   "torch/torch.h",      "torch/all.h",
    "ATen/ATen.h",       "ATen/Dispatch.h", "c10/util/Optional.h"};
constexpr std::array<std::string_view, 5> kCuda = {
    "ATen/cuda/CUDAContext.h", "c10/cuda/CUDAStream.h",
    "ATen/cuda/Exceptions.h", "c10/cuda/CUDAException.h",
    "c10/cuda/CUDAGuard.h"};
// They are PyTorch's own, and include nothing of the others.
constexpr std::array<std::string_view, 2> kOwn = {"c10/util/Half.h",
                                                  "c10/util/BFloat16.h"};

// Those that PyTorch's builder gives nvcc, and of candidates' what is about
// speed, messages and the language of kernels.
constexpr std::array<std::string_view, 31> kNvccOptions = {
    "-O",
    "-std=",
    "-g",
    "-w",
    "-W",
    "-I",
    "-isystem",
    "-c",
    "-o",
    "-ccbin",
    "-gencode",
    "-arch",
    "-lineinfo",
    "-use_fast_math",
    "-fPIC",
    "-DNDEBUG",
    "-DTORCH_",
    "-DPYBIND11_",
    "-DWITH_CUDA",
    "-D_GLIBCXX_USE_CXX11_ABI=",
    "-D__CUDA_NO_",
    "-U__CUDA_NO_",
    "-Xptxas",
    "--ptxas-options",
    "--expt-relaxed-constexpr",
    "--expt-extended-lambda",
    "--extended-lambda",
    "--use_fast_math",
    "--compiler-options",
    "--generate-line-info",
    "--maxrregcount"};

std::string_view WordAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && base::IsOfName(text[end])) ++end;
  return text.substr(at, end - at);
}

// The word at a place with all that follows it by "::".
std::string_view ChainAt(std::string_view text, size_t at) {
  size_t end = at + WordAt(text, at).size();
  while (text.substr(end).starts_with("::"))
    end += 2 + WordAt(text, end + 2).size();
  return text.substr(at, end - at);
}

bool IsKnownName(std::string_view name) {
  if (IsOfConstant(name)) return true;
  const std::string_view type = name.substr(0, name.find("::"));
  return KnownNames().contains(name) || type == "ScalarType" ||
         type == "DeviceType";
}

bool IsMacroOfTorch(std::string_view word) {
  return word.starts_with("TORCH_") || word.starts_with("AT_") ||
         word.starts_with("C10_") || word.starts_with("PYBIND11_");
}

// Whether all names and macros of PyTorch in it are there.
bool UsesKnown(std::string_view source) {
  for (size_t at = 0; at < source.size();) {
    if (!base::IsOfName(source[at])) {
      ++at;
      continue;
    }
    const std::string_view word = WordAt(source, at);
    const std::string_view after = source.substr(at + word.size());
    if (word == "pybind11" || word == "py") return false;
    if (IsMacroOfTorch(word) &&
        std::ranges::find(kKnownMacros, word) == kKnownMacros.end())
      return false;
    const bool theirs = word == "torch" || word == "at" || word == "c10";
    if (theirs && after.starts_with("::") &&
        !IsKnownName(ChainAt(source, at + word.size() + 2)))
      return false;
    at += word.size();
  }
  return true;
}

// Of headers, those of PyTorch that are there, and all others.
bool IncludesKnown(std::string_view line) {
  line = base::Trim(line);
  if (!line.starts_with('#')) return true;
  if (!base::Trim(line.substr(1)).starts_with("include")) return true;
  const auto includes = [&](std::string_view name) {
    return line.find(name) != std::string_view::npos;
  };
  if (!includes("torch/") && !includes("ATen/") && !includes("c10/") &&
      !includes("pybind11/") && !includes("Python.h"))
    return true;
  return std::ranges::any_of(kThin, includes) ||
         std::ranges::any_of(kCuda, includes) ||
         std::ranges::any_of(kOwn, includes);
}

// Arguments of options that stand alone ("-gencode", "--compiler-options") are
// words without a dash.
bool KeepsCallsOfNvcc(std::string_view word) {
  std::string plain(word);
  std::erase(plain, '\'');
  if (!plain.starts_with('-')) return true;
  constexpr std::array<std::string_view, 3> kLists = {"-gencode", "-Xptxas",
                                                      "--ptxas-options"};
  const auto starts = [&](std::string_view option) {
    return plain.starts_with(option);
  };
  if (plain.find(',') != std::string::npos)
    return std::ranges::any_of(kLists, starts);
  return std::ranges::any_of(kNvccOptions, starts);
}

}  // namespace

std::vector<Header> ThinHeaders(const std::string& source,
                                const std::string& command) {
  if (AsksForWhole(source) || !UsesKnown(source) ||
      !std::ranges::all_of(base::Split(source, '\n'), IncludesKnown) ||
      !std::ranges::all_of(base::Split(command, ' '), KeepsCallsOfNvcc))
    return {};
  std::vector<Header> headers = {
      {"kb_tensor.h", kb_bindings_kb_tensor_h},
      {"kb_accessors.h", kb_bindings_thin_accessors_h},
      {"kb_thin.h", kb_bindings_thin_h},
      {"kb_half.h", kb_bindings_thin_half_h},
      {"kb_cuda.h", kb_bindings_thin_cuda_h}};
  const auto names = [&](std::string_view word) {
    return source.find(word) != std::string::npos;
  };
  std::string extension = "#pragma once\n#include <kb_thin.h>\n";
  for (const auto& [word, header] : kStandard)
    if (names(word)) extension += fmt::format("#include <{}>\n", header);
  if (std::ranges::any_of(kHalfWords, names))
    extension += "#include <kb_half.h>\n";
  if (names(kModule)) {
    extension += "#include <kb_declared.h>\n";
    headers.push_back({"kb_declared.h", kb_bindings_declared_h});
    headers.push_back({"kb_bound.h", kb_bindings_kb_bound_h});
  }
  for (const std::string_view name : kThin)
    headers.push_back({std::string(name), extension});
  for (const std::string_view name : kCuda)
    headers.push_back(
        {std::string(name), "#pragma once\n#include <kb_cuda.h>\n"});
  return headers;
}

}  // namespace kb::builder
