#include "code_kind.h"

#include <gtest/gtest.h>

namespace kb::provenance {
namespace {

using record::Origin;

constexpr const char* kPackages = "/venv/lib/python3.11/site-packages/";

Origin OnCpu(const std::string& path) {
  return OriginOnCpu(KindOfObject(path)).value_or(Origin::kUnknown);
}

Origin OfLaunch(const std::string& path) {
  return OriginOfLaunch(KindOfObject(path)).value_or(Origin::kUnknown);
}

std::string Installed(const std::string& name) { return kPackages + name; }

TEST(CodeKind, WhatLiesWhereItsFilesAreIsTheCandidates) {
  for (const char* path :
       {"/candidate/candidate.so", "/tmp/torch_extensions/relu/relu.so",
        "/tmp/kb-candidate-1/candidate.so", "/memfd:x"}) {
    EXPECT_EQ(OnCpu(path), Origin::kOwn) << path;
    EXPECT_EQ(OfLaunch(path), Origin::kOwn) << path;
  }
}

TEST(CodeKind, ACandidatesFileIsNotWhatItIsCalled) {
  for (const char* path :
       {"/tmp/libtorch_cpu.so", "/tmp/libkb_candidate.so", "/tmp/libc.so.6",
        "/tmp/libcuda.so.1", "/tmp/libpython3.11.so"})
    EXPECT_EQ(KindOfObject(path), CodeKind::kOwn) << path;
}

TEST(CodeKind, OperatorsAreTheFrameworks) {
  EXPECT_EQ(OnCpu(Installed("torch/lib/libtorch_cpu.so")), Origin::kFramework);
  EXPECT_EQ(OfLaunch(Installed("torch/lib/libtorch_cuda.so")),
            Origin::kFramework);
}

TEST(CodeKind, InstalledLibrariesAreLibraries) {
  for (const std::string& path :
       {Installed("nvidia/cu13/lib/libcublasLt.so.13"),
        Installed("numpy.libs/libscipy_openblas64_-1.so"),
        std::string("/usr/lib/x86_64-linux-gnu/libblas.so.3"),
        std::string("/usr/local/cuda/lib64/libcudnn.so.9"),
        std::string("/home/me/miniconda3/lib/libmkl_rt.so.2"),
        std::string("/tmp/venv/lib/python3.11/site-packages/x/lib.so")}) {
    EXPECT_EQ(OnCpu(path), Origin::kLibrary) << path;
    EXPECT_EQ(OfLaunch(path), Origin::kLibrary) << path;
  }
}

TEST(CodeKind, WhatServesItsCallerCountsForIt) {
  for (const char* path :
       {"/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6",
        "/usr/lib/x86_64-linux-gnu/libgomp.so.1", "linux-vdso.so.1"})
    EXPECT_FALSE(OriginOnCpu(KindOfObject(path))) << path;
  for (const std::string& path :
       {std::string("/usr/lib/x86_64-linux-gnu/libcuda.so.1"),
        Installed("nvidia/cu13/lib/libcudart.so.13"),
        Installed("nvidia/cu13/lib/libcupti.so.13")})
    EXPECT_FALSE(OriginOfLaunch(KindOfObject(path))) << path;
}

TEST(CodeKind, PythonIsTheHostAndLaunchesForTheCandidate) {
  for (const std::string& path :
       {std::string(""), std::string("/usr/bin/python3.11"),
        std::string("/root/.pyenv/versions/3.11.7/lib/libpython3.11.so.1.0"),
        std::string("/usr/lib/python3.11/lib-dynload/_ctypes.so"),
        std::string("/usr/lib/x86_64-linux-gnu/libffi.so.8")}) {
    EXPECT_EQ(OnCpu(path), Origin::kHost) << path;
    EXPECT_EQ(OfLaunch(path), Origin::kOwn) << path;
  }
  EXPECT_EQ(OfLaunch(Installed("cuda/bindings/driver.so")), Origin::kOwn);
}

TEST(CodeKind, BindingsAreTheHostAndLaunchWhatTorchCompileMade) {
  const std::string bindings = Installed("torch/lib/libtorch_python.so");
  EXPECT_EQ(OnCpu(bindings), Origin::kHost);
  EXPECT_EQ(OfLaunch(bindings), Origin::kGenerated);
}

TEST(CodeKind, TritonAndTorchCompileAreKnownByTheirCaches) {
  EXPECT_EQ(OfLaunch("/tmp/triton/ab12/__triton_launcher.cpython-311.so"),
            Origin::kTriton);
  EXPECT_EQ(OfLaunch("/tmp/triton/ab12/cuda_utils.so"), Origin::kTriton);
  EXPECT_EQ(OfLaunch(Installed("triton/_C/libtriton.so")), Origin::kTriton);
  EXPECT_EQ(OnCpu("/tmp/torchinductor_candidate/xy/cxy.so"),
            Origin::kGenerated);
}

TEST(CodeKind, NamesThatTorchCompileGives) {
  EXPECT_TRUE(IsGeneratedName("triton_poi_fused_relu_0"));
  EXPECT_TRUE(IsGeneratedName("triton_red_fused_softmax_1"));
  EXPECT_FALSE(IsGeneratedName("triton_relu"));
  EXPECT_FALSE(IsGeneratedName("softmax"));
}

}  // namespace
}  // namespace kb::provenance
