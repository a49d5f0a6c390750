#include "slim_headers.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "os/files.h"

namespace kb::builder {
namespace {

// A folder with some of PyTorch's headers.
class Slim : public testing::Test {
 protected:
  Slim() : folder_(os::TempDir::Create("kb-slim-test").value()) {
    for (const char* name : {"empty_like", "relu", "add"})
      Write(fmt::format("include/ATen/ops/{}.h", name), "");
  }

  const std::string& path() const { return folder_.path(); }

  void Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path() + "/" + name;
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(os::WriteFileAtomically(file.string(), text));
  }

  // The text of one header for `source`; "none" where there is none.
  std::string Text(const std::string& source, const std::string& name) const {
    for (const Header& header : SlimHeaders(source, path() + "/include"))
      if (header.name == name) return header.text;
    return "none";
  }

  bool HasOperator(const std::string& source, const std::string& name) const {
    const std::string text = Text(source, "ATen/Functions.h");
    return text.find(fmt::format("#include <ATen/ops/{}.h>\n", name)) !=
           std::string::npos;
  }

  bool IsWhole(const std::string& source) const {
    return SlimHeaders(source, path() + "/include").empty();
  }

 private:
  os::TempDir folder_;
};

TEST_F(Slim, IncludeTheOperatorsThatTheSourceNames) {
  const std::string source = "y = torch::empty_like(x); at::relu(y); add(x);";
  EXPECT_TRUE(HasOperator(source, "empty_like"));
  EXPECT_TRUE(HasOperator(source, "relu"));
  EXPECT_FALSE(HasOperator(source, "add"));
  EXPECT_FALSE(HasOperator("std::max(a, b)", "max")) << "PyTorch has none here";
}

TEST_F(Slim, AreNotUsedForTheLibraryOfModules) {
  EXPECT_TRUE(IsWhole("torch::nn::Linear"));
  EXPECT_TRUE(IsWhole("load_inline(use_pch=True)"));
  EXPECT_FALSE(IsWhole("import torch.nn as nn"));
}

TEST_F(Slim, AreNotUsedWithoutPyTorchsOwn) {
  EXPECT_TRUE(SlimHeaders("", path()).empty());
}

TEST_F(Slim, StartAllWithSingleOperators) {
  for (const Header& header : SlimHeaders("", path() + "/include")) {
    EXPECT_TRUE(header.text.starts_with("#pragma once\n")) << header.name;
    EXPECT_NE(header.text.find("#define AT_PER_OPERATOR_HEADERS"),
              std::string::npos)
        << header.name;
  }
}

TEST_F(Slim, GiveTheDeviceCompilerBindingsOnlyWhereItMakesSome) {
  const std::string guard = "#ifndef __CUDACC__";
  EXPECT_NE(Text("kernel", "torch/python.h").find(guard), std::string::npos);
  for (const char* source :
       {"PYBIND11_MODULE(x, m)", "py::object", "pybind11::dict"})
    EXPECT_EQ(Text(source, "torch/python.h").find(guard), std::string::npos)
        << source;
}

TEST_F(Slim, LeaveTheRegistryOutUnlessItIsUsed) {
  EXPECT_NE(Text("kernel", "torch/library.h"), "none");
  EXPECT_EQ(Text("TORCH_LIBRARY(x, m)", "torch/library.h"), "none");
  EXPECT_EQ(Text("torch::library", "torch/library.h"), "none");
}

TEST_F(Slim, StandInForHeadersThatTheSourceDoesNotName) {
  const char* blas = "cublas_v2.h";
  EXPECT_NE(Text("at::cuda::getCurrentCUDAStream()", blas), "none");
  EXPECT_EQ(Text("cublasSgemm(...)", blas), "none");
  EXPECT_EQ(Text("at::cuda::getCurrentCUDABlasHandle()", blas), "none");
  const char* complex = "thrust/complex.h";
  EXPECT_NE(Text("AT_DISPATCH_FLOATING_TYPES(t)", complex), "none");
  EXPECT_EQ(Text("AT_DISPATCH_ALL_TYPES_AND_COMPLEX(t)", complex), "none");
  EXPECT_EQ(Text("#include <cub/cub.cuh>", complex), "none");
}

TEST_F(Slim, IncludePartsOfAtenThatTheSourceNames) {
  const std::string dispatch = "#include <ATen/Dispatch.h>";
  EXPECT_NE(Text("AT_DISPATCH_FLOATING_TYPES(t)", "ATen/ATen.h").find(dispatch),
            std::string::npos);
  EXPECT_EQ(Text("kernel", "ATen/ATen.h").find(dispatch), std::string::npos);
}

TEST_F(Slim, HaveTheMethodsThatTheSourceMayCall) {
  Write("include/ATen/TensorOperators.h", "");
  Write("include/ATen/ops/add_ops.h", "");
  Write("include/ATen/core/TensorBody.h",
        "#include <ATen/MethodOperators.h>\n"
        "class Tensor {\n"
        "  Tensor add(const Tensor & other) const;\n"
        "};\n"
        "// aten::add.Tensor(Tensor self, Tensor other) -> Tensor\n"
        "inline Tensor Tensor::add(const Tensor & other) const {\n"
        "    return at::_ops::add_Tensor::call(*this, other);\n"
        "}\n");
  const std::string include = "#include <ATen/ops/add_ops.h>\n";
  const char* operators = "ATen/MethodOperators.h";
  EXPECT_TRUE(Text("y = x.add(x);", operators).ends_with(include));
  EXPECT_TRUE(Text("y = x.mul(x);", operators).ends_with("#endif\n"));
}

TEST_F(Slim, AreNotUsedWhereAConditionCouldSeeThem) {
  EXPECT_TRUE(IsWhole("#if TORCH_VERSION_MAJOR >= 2"));
  EXPECT_TRUE(IsWhole("  #  ifdef C10_CUDA_CHECK"));
  EXPECT_TRUE(IsWhole("#elif defined(AT_DISPATCH_CASE)"));
  EXPECT_TRUE(IsWhole("#if __has_include(<ATen/ATen.h>)"));
  EXPECT_FALSE(IsWhole("#define CHECK_IF(x) TORCH_CHECK(x)"));
  EXPECT_FALSE(IsWhole("#if __CUDA_ARCH__ >= 900"));
  EXPECT_FALSE(IsWhole("if (x) TORCH_CHECK(y);"));
}

}  // namespace
}  // namespace kb::builder
