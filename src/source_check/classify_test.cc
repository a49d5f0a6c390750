#include "source_check/classify.h"

#include <gtest/gtest.h>

namespace kb::source_check {
namespace {

using record::Backend;
using record::Track;

record::Candidate Classified(const std::string& path,
                             const std::string& source) {
  const auto candidate = Classify(path, source);
  EXPECT_TRUE(candidate) << candidate.error().message();
  return candidate.value_or(record::Candidate{});
}

TEST(Classify, EndingDecidesTheTrack) {
  EXPECT_EQ(Classified("a/b/k.cu", "").track, Track::kNative);
  EXPECT_EQ(Classified("a/b/k.cu", "").backend, Backend::kCuda);
  EXPECT_EQ(Classified("k.cpp", "").backend, Backend::kCpp);
  EXPECT_EQ(Classified("k.cc", "").backend, Backend::kCpp);
  EXPECT_EQ(Classified("k.py", "").track, Track::kPython);
  EXPECT_EQ(Classified("a/b/k.py", "x").name, "k.py");
  EXPECT_EQ(Classified("a/b/k.py", "x").path, "a/b/k.py");
  EXPECT_EQ(Classified("a/b/k.py", "x").source, "x");
}

TEST(Classify, UnknownEndingIsAUsageErrorThatNamesTheFile) {
  const auto failed = Classify("answers/k.txt", "");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind(), base::Error::Kind::kUsage);
  EXPECT_NE(failed.error().message().find("answers/k.txt"), std::string::npos);
}

TEST(Classify, ImportOfTritonMakesTriton) {
  for (const char* source :
       {"import triton\n", "import torch, triton\n", "import triton.language\n",
        "try:\n    from triton import jit\n", "import os; import triton\n"})
    EXPECT_EQ(Classified("k.py", source).backend, Backend::kTriton) << source;
}

TEST(Classify, WordsAboutTritonDoNot) {
  for (const char* source : {"# import triton\n", "\"\"\"import triton\"\"\"\n",
                             "\"\"\"\nimport triton\n\"\"\"\n",
                             "from torch import triton_like\n", "x = triton\n"})
    EXPECT_EQ(Classified("k.py", source).backend, Backend::kTorch) << source;
}

TEST(Classify, CudaSourceInAStringMakesCuda) {
  EXPECT_EQ(Classified("k.py", "s = '''__global__ void k() {}'''").backend,
            Backend::kCuda);
  EXPECT_EQ(Classified("k.py", "load_inline(cuda_sources=[s])").backend,
            Backend::kCuda);
  EXPECT_EQ(Classified("k.py", "load(sources=['k.cu'])").backend,
            Backend::kCuda);
}

TEST(Classify, MovingATensorToCudaDoesNot) {
  EXPECT_EQ(Classified("k.py", "x = x.cuda()  # .cu\n").backend,
            Backend::kTorch);
}

TEST(Classify, ExtensionWithCppSourcesOnlyIsCpp) {
  const auto candidate =
      Classified("k.py",
                 "from torch.utils.cpp_extension import load_inline\n"
                 "m = load_inline(name='m', cpp_sources=[s])\n");
  EXPECT_EQ(candidate.backend, Backend::kCpp);
  EXPECT_TRUE(candidate.builds_extension);
}

TEST(Classify, CommentAboutAnExtensionIsNoBuildStep) {
  EXPECT_FALSE(Classified("k.py", "# no load_inline\n").builds_extension);
}

}  // namespace
}  // namespace kb::source_check
