#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "cuda/cubin_cache.h"
#include "cuda/kernel_source.h"
#include "cuda/nvrtc.h"
#include "os/files.h"

namespace kb::device::cuda {
namespace {

// A failing NVRTC is a failing test; a machine without one skips.
#define KB_NVRTC_OR_SKIP(nvrtc)                                          \
  const auto nvrtc##_result = Nvrtc::Get();                              \
  if (!nvrtc##_result) GTEST_SKIP() << nvrtc##_result.error().message(); \
  const Nvrtc* nvrtc = *nvrtc##_result

class CudaSource : public testing::TestWithParam<const char*> {};

TEST_P(CudaSource, CompilesWithoutAGpu) {
  KB_NVRTC_OR_SKIP(nvrtc);
  for (const KernelSource& source : KernelSources()) {
    const auto cubin = nvrtc->Compile(source, GetParam());
    ASSERT_TRUE(cubin.has_value()) << cubin.error().message();
    EXPECT_EQ(cubin->substr(1, 3), "ELF") << source.name;
  }
}

// The least: nothing in the sources asks which it is.
INSTANTIATE_TEST_SUITE_P(Arch, CudaSource, testing::Values("sm_80"));

TEST(CudaSourceError, NamesFileAndCompilerMessage) {
  KB_NVRTC_OR_SKIP(nvrtc);
  const auto cubin = nvrtc->Compile(
      {"broken.cu", "__global__ void f() { nonsense; }"}, "sm_90");
  ASSERT_FALSE(cubin.has_value());
  EXPECT_NE(cubin.error().message().find("broken.cu"), std::string::npos);
  EXPECT_NE(cubin.error().message().find("nonsense"), std::string::npos);
}

class CubinCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::make_unique<os::TempDir>(std::move(*os::TempDir::Create()));
    setenv("KB_CACHE", folder_->path().c_str(), 1);
  }
  void TearDown() override { unsetenv("KB_CACHE"); }
  std::unique_ptr<os::TempDir> folder_;
  const KernelSource source_{"tiny.cu", "extern \"C\" __global__ void f() {}"};
};

TEST_F(CubinCacheTest, FindsWhatWasCompiledForTheSameSourceAndArch) {
  KB_NVRTC_OR_SKIP(nvrtc);
  const CubinCache cache(nvrtc);
  EXPECT_FALSE(cache.Find(source_, "sm_90").has_value());
  const auto cubin = cache.Compile(source_, "sm_90");
  ASSERT_TRUE(cubin.has_value()) << cubin.error().message();
  EXPECT_EQ(cache.Find(source_, "sm_90"), *cubin);
  EXPECT_FALSE(cache.Find(source_, "sm_80").has_value());
  const KernelSource changed{"tiny.cu", "extern \"C\" __global__ void g() {}"};
  EXPECT_FALSE(cache.Find(changed, "sm_90").has_value());
}

TEST_F(CubinCacheTest, DamagedFilesAreNotUsed) {
  KB_NVRTC_OR_SKIP(nvrtc);
  const CubinCache cache(nvrtc);
  ASSERT_TRUE(cache.Compile(source_, "sm_90").has_value());
  int damaged = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder_->path())) {
    if (!entry.is_regular_file()) continue;
    auto bytes = *os::ReadFile(entry.path());
    bytes.back() ^= 1;
    ASSERT_TRUE(os::WriteFileAtomically(entry.path(), bytes));
    ++damaged;
  }
  EXPECT_EQ(damaged, 1);
  EXPECT_FALSE(cache.Find(source_, "sm_90").has_value());
}

TEST_F(CubinCacheTest, UnusableFolderOnlyCostsTime) {
  KB_NVRTC_OR_SKIP(nvrtc);
  setenv("KB_CACHE", "/dev/null", 1);
  const CubinCache cache(nvrtc);
  EXPECT_TRUE(cache.Compile(source_, "sm_90").has_value());
  EXPECT_FALSE(cache.Find(source_, "sm_90").has_value());
}

}  // namespace
}  // namespace kb::device::cuda
