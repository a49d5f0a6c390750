#include "slim_headers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "os/files.h"
#include "torch_text.h"

namespace kb::builder {
namespace {

// What nearly every source uses.
constexpr const char* kAten =
    "#include <ATen/core/Tensor.h>\n"
    "#include <ATen/Functions.h>\n"
    "#include <ATen/TensorOperators.h>\n"
    "#include <c10/core/Device.h>\n"
    "#include <c10/core/Scalar.h>\n"
    "#include <c10/core/ScalarType.h>\n"
    "#include <c10/core/Storage.h>\n"
    "#include <c10/core/TensorOptions.h>\n"
    "#include <c10/util/Exception.h>\n";

constexpr const char* kAll =
    "#include <torch/cuda.h>\n"
    "#include <torch/types.h>\n"
    "#include <torch/version.h>\n";

constexpr const char* kBindings =
    "#include <torch/csrc/Exceptions.h>\n"
    "#include <torch/csrc/utils/pybind.h>\n";

// For UsedFactories. What they give it is new and has nothing of autograd, so
// that it is as torch::autograd::make_variable would make it.
constexpr const char* kMakeVariable =
    "#include <ATen/core/LegacyTypeDispatch.h>\n"
    "#include <ATen/core/Tensor.h>\n"
    "namespace torch::autograd {\n"
    "inline at::Tensor make_variable(at::Tensor data, bool requires_grad) {\n"
    "  if (requires_grad) data.set_requires_grad(true);\n"
    "  return data;\n"
    "}\n"
    "}\n";

// Without what takes lists, for which it includes much.
constexpr const char* kDeviceGuard =
    "#include <ATen/core/Tensor.h>\n"
    "#include <c10/core/DeviceGuard.h>\n"
    "namespace at {\n"
    "inline std::optional<Device> device_of(const Tensor& t) {\n"
    "  return t.defined() ? std::make_optional(t.device()) : std::nullopt;\n"
    "}\n"
    "inline std::optional<Device> device_of(const std::optional<Tensor>& t) {\n"
    "  return t.has_value() ? device_of(t.value()) : std::nullopt;\n"
    "}\n"
    "}\n";

// Sources count on the constants of which it includes the header.
constexpr const char* kThrustComplex =
    "#include <cfloat>\n"
    "namespace thrust {\n"
    "template <typename T> struct complex;\n"
    "template <typename T> T abs(const complex<T>&);\n"
    "template <typename T> complex<T> polar(const T&, const T&);\n"
    "}\n";

constexpr const char* kCublas =
    "#include <cuda_runtime_api.h>\n"
    "typedef struct cublasContext* cublasHandle_t;\n"
    "typedef enum {} cublasStatus_t;\n";

using Words = std::vector<std::string_view>;

// A text in place of a header, where the source has none of the words.
struct StandIn {
  const char* name;
  const char* text;
  Words unless;
};

const std::vector<StandIn>& StandIns() {
  static const Words kComplex = {"complex", "COMPLEX", "Complex",
                                 "thrust",  "cub/",    "cub::"};
  static const Words kContext = {"ATen/Context.h", "globalContext", "hasCUDA",
                                 "manual_seed", "getNumGPUs"};
  static const Words kSolver = {"solver", "Solver"};
  static const std::vector<StandIn> kStandIns = {
      // Those of the toolkit that CUDAContext.h needs for its handles.
      {"cublas_v2.h", kCublas, {"blas", "Blas", "BLAS"}},
      {"cublasLt.h",
       "typedef struct cublasLtContext* cublasLtHandle_t;\n",
       {"blas", "Blas", "BLAS"}},
      {"cusparse.h",
       "typedef struct cusparseContext* cusparseHandle_t;\n"
       "typedef enum {} cusparseStatus_t;\n",
       {"sparse", "Sparse", "SPARSE"}},
      {"cusolverDn.h",
       "typedef struct cusolverDnContext* cusolverDnHandle_t;\n", kSolver},
      {"cusolver_common.h", "typedef enum {} cusolverStatus_t;\n", kSolver},
      // A third of what a device compiler reads, for conversions.
      {"thrust/complex.h", kThrustComplex, kComplex},
      {"c10/util/complex_math.h", "", kComplex},
      // c10::ArrayRef says that it is a view.
      {"ranges", "#include <bits/ranges_base.h>\n", {"ranges", "views"}},
      {"ATen/Context.h", "", kContext},
      {"ATen/DeviceGuard.h", kDeviceGuard, {"ListRef", "TensorList"}},
      {"ATen/TensorUtils.h", "", {"TensorArg", "TensorUtils"}},
      {"c10/util/Logging.h", "", {"LOG", "Logging"}},
      // For extensions that register operators; types.h includes it.
      {"torch/library.h", "", {"LIBRARY", "library"}},
  };
  return kStandIns;
}

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

// The words that follow "::".
Names QualifiedNames(std::string_view source) {
  Names names;
  for (size_t at = source.find("::"); at != std::string_view::npos;
       at = source.find("::", at)) {
    at += 2;
    const size_t start = at;
    while (at < source.size() && base::IsOfName(source[at])) ++at;
    if (at > start) names.emplace(source.substr(start, at - start));
  }
  return names;
}

// One source and PyTorch's headers.
class Slimmer {
 public:
  Slimmer(const std::string& source, const std::string& torch_include)
      : source_(source), folder_(torch_include) {}

  std::vector<Header> Headers() {
    Add("ATen/ATen.h", kAten + WideParts() + Parts());
    Add("ATen/Functions.h", "#include <ATen/core/Tensor.h>\n" + Operators());
    Add("torch/all.h", kAll);
    Add("torch/python.h", "#include <torch/types.h>\n" + Bindings());
    for (const StandIn& header : StandIns())
      if (!ContainsAny(source_, header.unless)) Add(header.name, header.text);
    AddTensor();
    AddFactories();
    return std::move(headers_);
  }

 private:
  // PyTorch's own headers include single operators instead of all 1,400 where
  // the macro is defined, so that it comes before any of them.
  void Add(const std::string& name, const std::string& text) {
    constexpr const char* kPerOperator =
        "#pragma once\n"
        "#ifndef AT_PER_OPERATOR_HEADERS\n"
        "#define AT_PER_OPERATOR_HEADERS\n"
        "#endif\n";
    headers_.push_back({name, kPerOperator + text});
  }

  bool Has(const std::string& header) const {
    std::error_code ignored;
    return std::filesystem::exists(folder_ + "/" + header, ignored);
  }

  bool HasOperator(const std::string& name) const {
    return Has(fmt::format("ATen/ops/{}_ops.h", name));
  }

  std::string Operators() const {
    std::string text;
    for (const std::string& name : QualifiedNames(source_)) {
      const std::string header = fmt::format("ATen/ops/{}.h", name);
      if (Has(header)) text += fmt::format("#include <{}>\n", header);
    }
    return text;
  }

  // An include for each header of which the source has a word.
  std::string Including(
      const std::vector<std::pair<const char*, Words>>& headers) const {
    std::string text;
    for (const auto& [header, words] : headers)
      if (ContainsAny(source_, words))
        text += fmt::format("#include <{}>\n", header);
    return text;
  }

  // Parts of ATen.h that few sources use.
  std::string Parts() const {
    return Including({{"ATen/DeviceGuard.h", {"device_of", "DeviceGuard"}},
                      {"ATen/Dispatch.h", {"DISPATCH"}},
                      {"ATen/core/Reduction.h", {"Reduction"}}});
  }

  // Those of them that include much themselves.
  std::string WideParts() const {
    return Including(
        {{"ATen/Context.h", {"globalContext", "hasCUDA", "manual_seed"}},
         {"ATen/core/Generator.h", {"Generator"}}});
  }

  // The device compiler does without bindings unless its source makes some.
  std::string Bindings() const {
    if (ContainsAny(source_, Words{"PYBIND11", "pybind11", "py::"}))
      return kBindings;
    return fmt::format("#ifndef __CUDACC__\n{}#endif\n", kBindings);
  }

  // Whether the source includes headers of which the methods that they call are
  // not known.
  bool IncludesMore() const {
    static const Words kKnown = {"<ATen/ATen.h>",
                                 "<ATen/core/Tensor.h>",
                                 "<ATen/Dispatch.h>",
                                 "<ATen/DeviceGuard.h>",
                                 "<ATen/cuda/Exceptions.h>",
                                 "<ATen/cuda/CUDAContext.h>",
                                 "<ATen/cuda/CUDAContextLight.h>"};
    const std::vector<std::string> lines = base::Split(source_, '\n');
    return std::ranges::any_of(lines, [](const std::string& line) {
      return line.find("#include") != std::string::npos &&
             line.find("<ATen/") != std::string::npos &&
             !ContainsAny(line, kKnown);
    });
  }

  // at::Tensor, with the methods that the source may call.
  void AddTensor() {
    if (IncludesMore() || !WideParts().empty()) return;
    const auto body = os::ReadFile(folder_ + "/ATen/core/TensorBody.h");
    const auto operators = os::ReadFile(folder_ + "/ATen/TensorOperators.h");
    if (!body || !operators) return;
    Names used = Identifiers(source_);
    used.merge(Identifiers(*operators));
    const auto tensor = WithUsedMethods(
        *body, used,
        [&](const std::string& name) { return HasOperator(name); });
    if (!tensor) return;
    std::string includes;
    for (const std::string& name : tensor->operators)
      includes += fmt::format("#include <ATen/ops/{}_ops.h>\n", name);
    Add("ATen/core/TensorBody.h", tensor->text);
    Add("ATen/MethodOperators.h", includes);
  }

  // torch::empty and the like.
  void AddFactories() {
    constexpr const char* kName =
        "torch/csrc/autograd/generated/variable_factories.h";
    const auto header = os::ReadFile(folder_ + "/" + kName);
    if (!header || ContainsAny(source_, Words{"requires_grad", "variable"}))
      return;
    const auto used = UsedFactories(*header, QualifiedNames(source_));
    if (!used) return;
    Add(kName,
        fmt::format("{}#include <ATen/Functions.h>\nnamespace torch {{\n{}}}\n",
                    kMakeVariable, *used));
    Add("torch/csrc/autograd/variable.h", "#include <ATen/core/Tensor.h>\n");
  }

  const std::string& source_;
  const std::string& folder_;
  std::vector<Header> headers_;
};

}  // namespace

bool AsksForWhole(const std::string& source) {
  return ContainsAny(source, kOnlyInWhole) || AsksPreprocessor(source);
}

std::vector<Header> SlimHeaders(const std::string& source,
                                const std::string& torch_include) {
  std::error_code ignored;
  if (!std::filesystem::exists(torch_include + "/ATen/ops/empty_like.h",
                               ignored))
    return {};
  if (AsksForWhole(source)) return {};
  return Slimmer(source, torch_include).Headers();
}

}  // namespace kb::builder
