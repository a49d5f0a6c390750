#include "source_errors.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "os/files.h"

namespace kb::builder {
namespace {

// Headers as of PyTorch and CUDA, and a source.
class SourceErrorsTest : public testing::Test {
 protected:
  SourceErrorsTest() : folder_(os::TempDir::Create("kb-errors").value()) {
    Write("/torch/extension.h",
          "#include <ATen/core/TensorBody.h>\n#include <torch/nn.h>\n"
          "#define TORCH_CHECK(condition) check(condition)\n"
          "extern const int global_kb; static const int limit = 1;");
    Write("/ATen/core/TensorBody.h",
          "namespace at { int stack; class Tensor { relu in_channels }; }");
    Write("/ATen/core/TensorBase.h", "sizes");
    Write("/torch/nn.h", "void conv(int in_channels);");
    Write("/c10/cuda/CUDAStream.h", "int getCurrentCUDAStream();");
    Write("/cuda_runtime.h", "struct uint3 { int x; }; const int limit = 1;");
    sources_.header_folders = {folder_.path()};
    sources_.torch_include = folder_.path();
    Source("\n\n\n");
  }

  void Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_.path() + name;
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(os::WriteFileAtomically(file.string(), text));
  }

  // In lines from 1, the first of which includes PyTorch's.
  void Source(const std::string& text) {
    sources_.text = "#include <torch/extension.h>\n" + text;
    sources_.files = {folder_.path() + "/cuda.cu"};
    Write("/cuda.cu", sources_.text);
  }

  // `output` of a compiler, in which /b is our folder.
  std::string Here(std::string output) const {
    for (size_t at = output.find("/b/"); at != std::string::npos;
         at = output.find("/b/"))
      output.replace(at, 3, folder_.path() + "/");
    return output;
  }
  bool First(const std::string& output) {
    return IsOfSource(Here(output), sources_);
  }
  bool All(const std::string& output) {
    return AreAllOfSource(Here(output), sources_);
  }

  os::TempDir folder_;
  Sources sources_;
};

constexpr const char* kUndefined =
    "/b/cuda.cu(2): error: identifier \"no_such_identifier_kb\" is "
    "undefined\n";
constexpr const char* kDefined =
    "/b/cuda.cu(2): error: identifier \"global_kb\" is undefined\n";

TEST_F(SourceErrorsTest, ANameThatNoHeaderHasIsMissingInAllOfThem) {
  EXPECT_TRUE(First(kUndefined));
  EXPECT_TRUE(All(kUndefined));
  EXPECT_TRUE(First(
      "/b/cuda.cu:4:60: error: \u2018no_such_name_kb\u2019 was not declared "
      "in this scope; did you mean \u2018no\u2019?\n"));
  EXPECT_TRUE(All(
      "/b/cuda.cu:4:1: error: \u2018no_such_name_kb\u2019 is not a member of "
      "\u2018torch\u2019\n"));
  EXPECT_TRUE(
      All("/b/cuda.cu(9): error: namespace \"torch\" has no member "
          "\"no_such_name_kb\"\n"));
}

TEST_F(SourceErrorsTest, ANameThatAReachedHeaderDeclaresMayBeThere) {
  EXPECT_FALSE(First(kDefined));
  EXPECT_FALSE(All(kDefined));
  EXPECT_FALSE(
      First("/b/cuda.cu(2): error: identifier \"kMadeUpKb\" is undefined"))
      << "macros make such names";
  EXPECT_FALSE(
      First("/b/cuda.cu(2): error: identifier \"TORCH_CHECK\" is undefined"))
      << "a macro";
  EXPECT_TRUE(First("/b/cuda.cu(2): error: identifier \"ack\" is undefined"))
      << "a part of a word";
}

TEST_F(SourceErrorsTest, OnlyWhatIsCalledMayBeOfANamespace) {
  const char* error = "/b/cuda.cu(2): error: identifier \"stack\" is undefined";
  Source("int a = stack + 1;\n");
  EXPECT_TRUE(All(error));
  Source("auto a = stack(tensor);\n");
  EXPECT_FALSE(All(error)) << "the tensor's";
  Source("int a = stack + 1; using namespace at;\n");
  EXPECT_FALSE(All(error));
}

TEST_F(SourceErrorsTest, NamesOfParametersAndMembersAreNotDeclaredForAll) {
  const char* undefined =
      "/b/cuda.cu(2): error: identifier \"in_channels\" is undefined";
  EXPECT_TRUE(All(undefined));
  Source("struct Mine : public torch::Theirs { };\n");
  EXPECT_FALSE(All(undefined)) << "whose members a class has";
}

TEST_F(SourceErrorsTest, HeadersThatNobodyIncludesDeclareNothing) {
  const char* missing =
      "/b/cuda.cu(9): error: namespace \"at::cuda\" has no member "
      "\"getCurrentCUDAStream\"\n";
  EXPECT_TRUE(All(missing));
  Source("#include <c10/cuda/CUDAStream.h>\n");
  EXPECT_FALSE(All(missing));
}

TEST_F(SourceErrorsTest, AClassMayHaveWhatNoNamespaceHas) {
  EXPECT_TRUE(
      All("/b/cuda.cu:4:1: error: 'in_channels' is not a member of 'torch'\n"));
  EXPECT_FALSE(All(
      "/b/cuda.cu:4:1: error: 'in_channels' is not a member of 'Tensor'\n"));
}

// Whatever is wrong, where nobody else's names are concerned.
TEST_F(SourceErrorsTest, AStatementOfTheSourceAlone) {
  Source(
      "int a =\n"                                // 2
      "    blockIdx.w +  // stack, global_kb\n"  // 3
      "    limit;\n"                             // 4
      "int b = global_kb +\n"                    // 5
      "    blockIdx.w;\n"                        // 6
      "TORCH_CHECK(blockIdx.w);\n"               // 7
      "int stack = blockIdx.w;\n"                // 8
      "#define MINE(x) at::stack(x)\n"           // 9
      "int c = MINE(blockIdx.w);\n");            // 10
  const auto at = [](int line) {
    return "/b/cuda.cu(" + std::to_string(line) +
           "): error: class \"uint3\" has no member \"w\"\n";
  };
  EXPECT_TRUE(All(at(3))) << "limit is CUDA's as well";
  EXPECT_TRUE(First(at(3)));
  EXPECT_FALSE(All(at(6))) << "global_kb, a line above";
  EXPECT_FALSE(All(at(7))) << "a macro of PyTorch's";
  EXPECT_TRUE(All(at(8))) << "stack is in a namespace";
  EXPECT_FALSE(All(at(10))) << "a macro that uses more than is seen";
  EXPECT_TRUE(All(at(3) + at(8)));
  EXPECT_FALSE(All(at(3) + at(7)));
  EXPECT_FALSE(All(at(3) + "  with at::Tensor\n"))
      << "a type of which few headers know little";
  EXPECT_FALSE(All(at(300))) << "no such line";
}

TEST_F(SourceErrorsTest, NamesOfANamespaceThatIsUsedAreTheSources) {
  const char* error =
      "/b/cuda.cu(3): error: class \"uint3\" has no member \"w\"\n";
  Source("using namespace torch;\nint a = stack + blockIdx.w;\n");
  EXPECT_FALSE(All(error));
  Source("using torch::stack;\nint a = blockIdx.w;\n");
  EXPECT_TRUE(All(error));
}

TEST_F(SourceErrorsTest, OneUnknownErrorIsEnoughToDoubt) {
  EXPECT_TRUE(First(std::string(kUndefined) + kDefined));
  EXPECT_FALSE(All(std::string(kUndefined) + kDefined));
  EXPECT_FALSE(First(std::string(kDefined) + kUndefined));
  EXPECT_FALSE(First("1 error detected in the compilation\n"));
  EXPECT_FALSE(All(""));
}

// Where one of them might be declared, or where they are many, all headers are
// asked.
TEST_F(SourceErrorsTest, NamesAreLookedForTogether) {
  const auto undefined = [](int count) {
    std::string errors;
    for (int i = 0; i < count; ++i)
      errors += "/b/cuda.cu(1): error: identifier \"no_name_kb_" +
                std::to_string(i) + "\" is undefined\n";
    return errors;
  };
  EXPECT_TRUE(All(undefined(3) + undefined(3)));
  EXPECT_FALSE(All(undefined(3) + kDefined));
  EXPECT_FALSE(All(undefined(200)));
  Source("TORCH_CHECK(1)\n");
  EXPECT_FALSE(
      All(undefined(1) + "/b/cuda.cu(2): error #20: expected a \";\"\n"))
      << "an error with its number";
}

TEST_F(SourceErrorsTest, AnErrorInAHeaderIsNotOfTheSource) {
  EXPECT_FALSE(
      First("/torch/ATen/core/TensorBody.h(17): error: identifier "
            "\"no_such_identifier_kb\" is undefined\n"));
}

TEST_F(SourceErrorsTest, AFileThatIsNowhereStaysSo) {
  const std::string missing =
      ": fatal error: ATen/native/Convolution.h: No such file or directory";
  EXPECT_TRUE(First("/b/cuda.cu:9:10" + missing));
  EXPECT_FALSE(First("/torch/ATen/ATen.h:9:10" + missing));
}

TEST_F(SourceErrorsTest, AMemberThatATensorHasNot) {
  const std::string form =
      "m.cpp:5:48: error: 'class at::Tensor' has no member "
      "named '{}'";
  const auto missing = [&](const std::string& name) {
    std::string line = form;
    return line.replace(line.find("{}"), 2, name);
  };
  EXPECT_TRUE(First(missing("rectify")));
  EXPECT_FALSE(First(missing("relu"))) << "its header was left out";
  EXPECT_FALSE(All(missing("rectify"))) << "few headers have few members";
}

TEST_F(SourceErrorsTest, AConversionThatIsNone) {
  const std::string at = "/b/cuda.cu(2): error: no suitable ";
  const std::string type =
      at +
      "conversion function from \"const at::DeprecatedTypeProperties\" to "
      "\"c10::ScalarType\" exists\n";
  EXPECT_TRUE(First(type));
  EXPECT_FALSE(All(type)) << "few headers have types of their own";
  EXPECT_TRUE(First(at +
                    "constructor exists to convert from \"const char [5]\" to "
                    "\"c10::Device\"\n"));
  EXPECT_TRUE(First(at + "user-defined conversion from \"c10::Device\" to "
                         "\"std::optional<c10::MemoryFormat>\" exists\n"));
  EXPECT_FALSE(First(at + "user-defined conversion from \"c10::Device\" to "
                          "\"at::Generator\" exists\n"))
      << "a type that may be a part";
}

}  // namespace
}  // namespace kb::builder
