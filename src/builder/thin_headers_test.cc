#include "thin_headers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kb::builder {
namespace {

// As load_inline of PyTorch 2.11 writes it.
constexpr const char* kThinSource =
    "#include <torch/types.h>\n#include <cuda.h>\n#include <cuda_runtime.h>\n"
    "#include <torch/extension.h>\n#include <cub/cub.cuh>\n"
    "__global__ void copy(const float* x, float* y) { *y = *x; }\n"
    "torch::Tensor same(torch::Tensor x) {\n"
    "  TORCH_CHECK(x.device().type() == torch::DeviceType::CUDA, x.at(0));\n"
    "  auto y = at::empty({x.size(0)}, x.options().dtype(c10::kFloat));\n"
    "  copy<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());\n"
    "  return y;\n"
    "}\n";
constexpr const char* kNvccCommand =
    "nvcc -DTORCH_EXTENSION_NAME=same -DTORCH_API_INCLUDE_EXTENSION_H "
    "-isystem /torch/include -D__CUDA_NO_HALF_OPERATORS__ "
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__ --expt-relaxed-constexpr "
    "-gencode=arch=compute_90a,code=sm_90a --compiler-options '-fPIC' -O3 "
    "--use_fast_math -std=c++17 -c /tmp/same/cuda.cu -o cuda.cuda.o";

TEST(ThinHeaders, StandForThoseOfTorch) {
  const std::vector<Header> headers = ThinHeaders(kThinSource, kNvccCommand);
  const auto text = [&](const std::string& name) {
    const auto found = std::ranges::find(headers, name, &Header::name);
    return found == headers.end() ? "" : found->text;
  };
  EXPECT_NE(text("torch/extension.h").find("kb_thin.h"), std::string::npos);
  EXPECT_NE(text("kb_thin.h").find("\"kb_accessors.h\""), std::string::npos);
  EXPECT_NE(text("ATen/cuda/CUDAContext.h").find("kb_cuda.h"),
            std::string::npos);
  EXPECT_NE(text("kb_thin.h").find("class Tensor {"), std::string::npos);
  EXPECT_NE(text("kb_tensor.h").find("kb_tensor_drop"), std::string::npos);
}

// They take as long to parse as all the rest.
TEST(ThinHeaders, HaveHalfTypesWhereTheseAreNamed) {
  const auto has_halves = [](const std::string& more) {
    const auto headers = ThinHeaders(kThinSource + more, kNvccCommand);
    const auto found =
        std::ranges::find(headers, "torch/extension.h", &Header::name);
    EXPECT_NE(found, headers.end()) << more;
    return found != headers.end() &&
           found->text.find("kb_half.h") != std::string::npos;
  };
  EXPECT_FALSE(has_halves(""));
  EXPECT_FALSE(has_halves("auto t = torch::kHalf == torch::kFloat16;"));
  for (const char* more : {"at::Half h;", "c10::BFloat16 b;",
                           "AT_DISPATCH_FLOATING_TYPES_AND_HALF(t, \"n\", f);",
                           "AT_DISPATCH_FLOATING_TYPES_AND2(torch::kHalf, "
                           "torch::kBFloat16, t, f);",
                           "AT_DISPATCH_REDUCED_FLOATING_TYPES(t, \"n\", f);"})
    EXPECT_TRUE(has_halves(more)) << more;
}

TEST(ThinHeaders, HaveStandardHeadersThatSourcesCountOn) {
  const std::string more = "throw std::runtime_error(\"no\");";
  const auto headers = ThinHeaders(kThinSource + more, kNvccCommand);
  const auto found =
      std::ranges::find(headers, "torch/extension.h", &Header::name);
  ASSERT_NE(found, headers.end());
  EXPECT_NE(found->text.find("#include <stdexcept>"), std::string::npos);
  EXPECT_EQ(found->text.find("#include <string>"), std::string::npos);
}

TEST(ThinHeaders, BindWhereTheSourceMakesItsModule) {
  const std::string module = "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n";
  const auto binds = [](const std::string& source) {
    const auto headers = ThinHeaders(source, kNvccCommand);
    const auto found =
        std::ranges::find(headers, "torch/extension.h", &Header::name);
    return found != headers.end() &&
           found->text.find("kb_declared.h") != std::string::npos &&
           std::ranges::find(headers, "kb_declared.h", &Header::name) !=
               headers.end();
  };
  EXPECT_FALSE(binds(kThinSource));
  EXPECT_TRUE(binds(kThinSource + module));
}

TEST(ThinHeaders, AreNotForWhatTheyDoNotHave) {
  const std::string source = kThinSource;
  for (const char* more :
       {"auto z = torch::matmul(x, y);\n", "c10::complex<float> z;\n",
        "auto b = torch::nn::functional::relu(x);\n",
        "C10_CUDA_IGNORE_ERROR(e);\n",
        "AT_DISPATCH_COMPLEX_TYPES(t, \"n\", f);\n",
        "PYBIND11_OVERRIDE(int, a, b);\n",
        "m.def(\"a\", &a, py::arg(\"x\"));\n",
        "#include <ATen/cuda/CUDABlas.h>\n", "#  include <c10/core/Scalar.h>\n",
        "#include <pybind11/stl.h>\n", "auto h = at::cuda::getCurrentHandle();",
        "#ifdef TORCH_CHECK\n#endif\n", "py::object o;\n"})
    EXPECT_TRUE(ThinHeaders(source + more, kNvccCommand).empty()) << more;
  for (const char* more :
       {"auto s = at::cuda::getCurrentCUDAStream();\n", "#include <vector>\n",
        "#include <ATen/cuda/CUDAContext.h>\n", "v.at(1); format::c10 = 2;\n",
        "auto t = at::ScalarType::Double;\n", "#include \"mine.h\"\n",
        "#include <c10/util/Half.h>\n", "c10::cuda::CUDAGuard guard(0);\n",
        "torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> a;",
        "AT_DISPATCH_ALL_TYPES(t, \"n\", f);\n"})
    EXPECT_FALSE(ThinHeaders(source + more, kNvccCommand).empty()) << more;
}

TEST(ThinHeaders, AreNotForOptionsThatChangeCalls) {
  const std::string command = kNvccCommand;
  for (const char* option :
       {"-Xcompiler=-fno-exceptions", "--compiler-options -O2,-fno-rtti",
        "-m32", "-D_GLIBCXX_DEBUG", "-Dat=mine", "-include mine.h"})
    EXPECT_TRUE(ThinHeaders(kThinSource, command + " " + option).empty())
        << option;
  for (const char* option : {"-lineinfo", "-Xptxas=-v,-O3", "-O2"})
    EXPECT_FALSE(ThinHeaders(kThinSource, command + " " + option).empty())
        << option;
}

}  // namespace
}  // namespace kb::builder
