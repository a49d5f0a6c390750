#include "declared_headers.h"

#include <gtest/gtest.h>

namespace kb::builder {
namespace {

// As load_inline of PyTorch 2.11 writes it.
constexpr const char* kSource =
    "#include <torch/extension.h>\n"
    "torch::Tensor relu(torch::Tensor x);\n"
    "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\n"
    "m.def(\"relu\", torch::wrap_pybind_function(relu), \"relu\");\n"
    "}\n";
constexpr const char* kCommand =
    "c++ -DTORCH_EXTENSION_NAME=relu "
    "-DTORCH_API_INCLUDE_EXTENSION_H -isystem /torch/include -fPIC -std=c++20 "
    "-O3 -c /tmp/relu/main.cpp -o main.o";

TEST(DeclaredHeaders, AreForDeclarationsAlone) {
  const std::string command = kCommand;
  const std::vector<Header> headers = DeclaredHeaders(kSource, command);
  ASSERT_EQ(headers.size(), 2u);
  EXPECT_EQ(headers[0].name, "torch/extension.h");
  EXPECT_NE(headers[0].text.find("class Tensor;"), std::string::npos);
  const std::string source = kSource;
  for (const char* more : {"#include <ATen/ATen.h>\n", "  #define f g\n",
                           "#include \"mine.h\"\n", "#if 1\n"})
    EXPECT_TRUE(DeclaredHeaders(source + more, command).empty()) << more;
  EXPECT_FALSE(
      DeclaredHeaders("#include <torch/extension.h>\n", command).empty())
      << "of load_inline beside a CUDA source that makes its module";
  for (const char* more : {"#include <vector>\n", " #include <optional>\n"})
    EXPECT_EQ(DeclaredHeaders(source + more, command).size(), 2u) << more;
}

TEST(DeclaredHeaders, AreNotForOptionsThatChangeCalls) {
  const std::string command = "c++ -O3 -c main.cpp -o main.o ";
  EXPECT_FALSE(DeclaredHeaders(kSource, command).empty());
  EXPECT_FALSE(DeclaredHeaders(kSource, command + "-fopenmp -w").empty());
  for (const char* option :
       {"-fno-exceptions", "-m32", "-D_GLIBCXX_DEBUG", "-Dat=mine",
        "-include mine.h", "-Wp,-D_GLIBCXX_DEBUG", "-fabi-version=2"})
    EXPECT_TRUE(DeclaredHeaders(kSource, command + option).empty()) << option;
}

}  // namespace
}  // namespace kb::builder
