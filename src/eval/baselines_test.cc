#include "eval/baselines.h"

#include <gtest/gtest.h>

namespace kb::eval {
namespace {

// Two GPUs of one model and one of another.
compile::Python ThreeGpus() {
  compile::Python python;
  python.torch_version = "2.11.0";
  python.driver = "580.159.04";
  for (const char* name : {"NVIDIA H100", "NVIDIA H100", "NVIDIA H200"}) {
    compile::CudaDevice device;
    device.index = static_cast<int>(python.cuda_devices.size());
    device.name = name;
    python.cuda_devices.push_back(device);
  }
  return python;
}

record::DeviceFacts Measured(const std::string& device,
                             const std::string& name) {
  record::DeviceFacts facts;
  facts.device = device;
  facts.name = name;
  facts.driver = "580.159.04 (CUDA 13.0)";
  facts.torch = "2.11.0";
  return facts;
}

TEST(IsLike, AnotherGpuOfTheModelIs) {
  const compile::Python python = ThreeGpus();
  for (const char* measured : {"cuda:0", "cuda:1", "cuda:7"})
    for (const char* device : {"cuda:0", "cuda:1"})
      EXPECT_TRUE(IsLike(Measured(measured, "NVIDIA H100"), device, python))
          << measured << " " << device;
}

TEST(IsLike, AnotherModelDriverOrTorchIsNot) {
  const compile::Python python = ThreeGpus();
  const record::DeviceFacts known = Measured("cuda:2", "NVIDIA H200");
  EXPECT_TRUE(IsLike(known, "cuda:2", python));
  EXPECT_FALSE(IsLike(known, "cuda:0", python));
  EXPECT_FALSE(IsLike(known, "cuda:3", python)) << "there is none";
  EXPECT_FALSE(IsLike(known, "cpu", python));
  record::DeviceFacts other = known;
  other.driver = "570.1 (CUDA 12.8)";
  EXPECT_FALSE(IsLike(other, "cuda:2", python));
  other = known;
  other.torch = "2.10.0";
  EXPECT_FALSE(IsLike(other, "cuda:2", python));
}

TEST(RemarksOn, CopiesAreSaid) {
  record::Evaluation evaluation;
  EXPECT_EQ(RemarksOn(evaluation), "") << "not timed";
  evaluation.device.device = "cuda:0";
  evaluation.ruler.emplace().copy_us = 12.34;
  EXPECT_EQ(RemarksOn(evaluation), "");
  evaluation.ruler->copied = true;
  EXPECT_EQ(
      RemarksOn(evaluation),
      "outputs were copied within the time, 12.3 us of it, on both sides");
}

TEST(RemarksOn, LaunchesThatShowAreSaid) {
  record::Evaluation evaluation;
  evaluation.device.device = "cuda:0";
  record::Ruler& ruler = evaluation.ruler.emplace();
  ruler.reference_launches = record::Launches::kCaptured;
  EXPECT_EQ(RemarksOn(evaluation), "");
  ruler.candidate_launches = record::Launches::kPartlyHidden;
  EXPECT_EQ(RemarksOn(evaluation),
            "launches show in the time, those of eager mode do not");
  ruler.reference_launches = record::Launches::kShown;
  EXPECT_EQ(RemarksOn(evaluation), "launches show in the time, on both sides");
  ruler.candidate_launches = record::Launches::kHidden;
  EXPECT_EQ(RemarksOn(evaluation),
            "launches show in the time, of eager mode alone");
  evaluation.device.device = "cpu";
  EXPECT_EQ(RemarksOn(evaluation), "") << "none has any";
}

TEST(HasTf32Of, IsWhatThePolicyAllows) {
  const auto known_as = [](const std::string& tf32, record::PrecisionRule rule,
                           const std::string& source) {
    record::Baseline baseline;
    baseline.tf32 = tf32;
    record::Problem problem;
    problem.source = source;
    record::Policy policy;
    policy.precision = rule;
    return HasTf32Of(baseline, problem, policy);
  };
  using enum record::PrecisionRule;
  const std::string silent = "class Model:\n  pass\n";
  const std::string says = "torch.backends.cuda.matmul.allow_tf32 = True\n";
  for (const std::string& source : {silent, says}) {
    EXPECT_TRUE(known_as("none", kIeee, source));
    EXPECT_FALSE(known_as("cudnn", kIeee, source));
    EXPECT_TRUE(known_as("cudnn+matmul", kTf32, source));
    EXPECT_FALSE(known_as("cudnn", kTf32, source));
  }
  EXPECT_TRUE(known_as("cudnn", kAsReference, silent));
  EXPECT_FALSE(known_as("none", kAsReference, silent));
  EXPECT_FALSE(known_as("cudnn+matmul", kAsReference, silent));
  EXPECT_TRUE(known_as("cudnn+matmul", kAsReference, says));
  EXPECT_TRUE(known_as("none", kAsReference, says));
  for (const auto rule : {kAsReference, kIeee, kTf32})
    EXPECT_TRUE(known_as("", rule, silent)) << "it failed";
}

TEST(IsLike, CpuIsLikeCpuAlone) {
  const compile::Python python = ThreeGpus();
  record::DeviceFacts cpu = Measured("cpu", "");
  cpu.driver = "";
  EXPECT_TRUE(IsLike(cpu, "cpu", python));
  EXPECT_FALSE(IsLike(cpu, "cuda:0", python));
}

}  // namespace
}  // namespace kb::eval
