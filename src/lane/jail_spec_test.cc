#include "jail_spec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace kb::lane {
namespace {

constexpr int kSocket = 17;
constexpr const char* kFiles = "/tmp/kb-files";

class JailSpecTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.device = "cuda:0";
    options_.root = "/opt/kb";
    options_.python = "/usr/bin/python3";
    options_.python_binds = {{"/venv", "", false}};
    options_.processors = {{2, 3, 4}, {0, 1}, {5}};
    request_.name = "relu.py";
  }

  jail::JailSpec Native() {
    request_.track = record::Track::kNative;
    return MakeJailSpec(options_, request_, kFiles, kSocket);
  }
  jail::JailSpec Python() {
    request_.track = record::Track::kPython;
    return MakeJailSpec(options_, request_, kFiles, kSocket);
  }

  static std::vector<std::string> SourcesOf(const jail::JailSpec& spec) {
    std::vector<std::string> sources;
    for (const jail::Bind& bind : spec.binds) sources.push_back(bind.source);
    std::ranges::sort(sources);
    return sources;
  }

  LaneOptions options_;
  JailRequest request_;
};

TEST_F(JailSpecTest, ANativeCandidateSeesItsProgramAndItsLibrary) {
  const jail::JailSpec spec = Native();
  EXPECT_EQ(spec.argv,
            (std::vector<std::string>{"/opt/kb/bin/kernelbench-candidate",
                                      "cuda:0", "/candidate/candidate.so"}));
  EXPECT_EQ(SourcesOf(spec), (std::vector<std::string>{
                                 "/opt/kb/bin/kernelbench-candidate", kFiles}));
}

TEST_F(JailSpecTest, APythonCandidateSeesItsHostAndTheInterpreter) {
  request_.entry = "Model";
  request_.mode = "max-autotune";
  const jail::JailSpec spec = Python();
  EXPECT_EQ(spec.argv,
            (std::vector<std::string>{
                "/usr/bin/python3", "-I", "/opt/kb/hosts/candidate_host.py",
                "/opt/kb/lib/libkb_candidate.so", "cuda:0",
                "/candidate/relu.py", "Model", "max-autotune"}));
  EXPECT_EQ(SourcesOf(spec),
            (std::vector<std::string>{"/opt/kb/hosts/candidate_host.py",
                                      "/opt/kb/lib/libkb_candidate.so", kFiles,
                                      "/venv"}));
}

TEST_F(JailSpecTest, NothingOfOursCanBeWritten) {
  for (const jail::JailSpec& spec : {Native(), Python()})
    for (const jail::Bind& bind : spec.binds)
      EXPECT_FALSE(bind.writable) << bind.source;
}

TEST_F(JailSpecTest, WithoutATreeOfItsOwnFilesAreWhereTheyAre) {
  for (const auto level : {jail::Isolation::kReduced, jail::Isolation::kNone}) {
    options_.isolation = level;
    const jail::JailSpec spec = Native();
    EXPECT_EQ(spec.argv.back(), std::string(kFiles) + "/candidate.so");
    EXPECT_EQ(spec.isolation, level);
    for (const jail::Bind& bind : spec.binds)
      EXPECT_TRUE(bind.target.empty() || bind.target == bind.source)
          << bind.target;
  }
}

TEST_F(JailSpecTest, ItGetsItsSocketAndNoOtherDescriptor) {
  EXPECT_EQ(Native().inherited_fds, std::vector<int>{kSocket});
}

TEST_F(JailSpecTest, LimitsAreThoseOfThePolicy) {
  request_.policy.memory_bytes = int64_t{3} << 30;
  const jail::JailSpec spec = Native();
  EXPECT_EQ(spec.limits.memory_bytes, uint64_t{3} << 30);
}

TEST_F(JailSpecTest, OnlyADeviceThatIsAGpuShowsGpus) {
  EXPECT_TRUE(Native().gpu);
  options_.device = "cpu";
  EXPECT_FALSE(Native().gpu);
}

TEST_F(JailSpecTest, OfSeveralGpusItSeesOne) {
  options_.device = "cuda:1";
  options_.gpu = ChosenGpu{"GPU-2", "/dev/nvidia5"};
  const jail::JailSpec spec = Native();
  EXPECT_EQ(spec.gpu_node, "/dev/nvidia5");
  EXPECT_EQ(spec.env.at("CUDA_VISIBLE_DEVICES"), "GPU-2");
  EXPECT_EQ(spec.argv.at(1), "cuda:0");
  EXPECT_EQ(ForkServerOptions(options_).env.at("CUDA_VISIBLE_DEVICES"),
            "GPU-2");
}

TEST_F(JailSpecTest, BeforeItsTurnItKeepsOffTheTimedProcessors) {
  const jail::JailSpec spec = Native();
  EXPECT_EQ(spec.processors, (std::vector<int>{0, 1}));
  EXPECT_EQ(spec.env.at("OMP_NUM_THREADS"), "3") << "as many as are timed";
  EXPECT_EQ(spec.env.at("TORCHINDUCTOR_COMPILE_THREADS"), "1")
      << "or workers of torch.compile share the processor with it";
  EXPECT_EQ(ForkServerOptions(options_).env.at("TORCHINDUCTOR_COMPILE_THREADS"),
            "1");
  options_.processors = {};
  EXPECT_FALSE(Native().env.contains("OMP_NUM_THREADS"));
}

TEST_F(JailSpecTest, TheEnvironmentIsOursAndTheRequests) {
  ASSERT_EQ(setenv("KB_TEST_SECRET", "key", 1), 0);
  request_.env = {{"CC", "/usr/bin/gcc"}, {"LANG", "C"}};
  const jail::JailSpec spec = Native();
  ASSERT_EQ(unsetenv("KB_TEST_SECRET"), 0);
  EXPECT_FALSE(spec.env.contains("KB_TEST_SECRET"));
  EXPECT_EQ(spec.env.at("CC"), "/usr/bin/gcc");
  EXPECT_EQ(spec.env.at("LANG"), "C") << "the request's wins";
  EXPECT_EQ(spec.env.at("HOME"), "{TMP}");
  EXPECT_FALSE(spec.env.at("USER").empty()) << "what getpass.getuser() finds";
  EXPECT_EQ(spec.env.at("CUDA_DEVICE_MAX_CONNECTIONS"), "8")
      << "CUDA's default";
  EXPECT_EQ(spec.env.at("CUDA_DEVICE_MAX_COPY_CONNECTIONS"), "1");
  EXPECT_EQ(spec.working_directory, "{TMP}");
}

TEST_F(JailSpecTest, ExtensionsAreCopiedWhereThereAreAny) {
  EXPECT_TRUE(Python().tmp_seed_source.empty());
  request_.extensions = "/cache/ext";
  const jail::JailSpec spec = Python();
  EXPECT_EQ(spec.tmp_seed_source, "/cache/ext");
  EXPECT_EQ(spec.tmp_seed_name, "torch_extensions");
}

TEST_F(JailSpecTest, TheForkServerHasNoFolderOfAnyProgram) {
  const auto server = ForkServerOptions(options_);
  for (const auto& [name, value] : server.env)
    EXPECT_EQ(value.find("{TMP}"), std::string::npos) << name;
  EXPECT_EQ(server.env.at("OMP_NUM_THREADS"), "3");
  EXPECT_EQ(server.start_limit, options_.start_limit);
}

TEST_F(JailSpecTest, TheMemoryOfTensorsIsOursOnCpuOnly) {
  EXPECT_FALSE(ForkServerOptions(options_).env.contains("LD_PRELOAD"))
      << "a machine's only GPU";
  options_.device = "cpu";
  EXPECT_EQ(ForkServerOptions(options_).env.at("LD_PRELOAD"),
            "/opt/kb/lib/libkb_candidate.so");
}

}  // namespace
}  // namespace kb::lane
