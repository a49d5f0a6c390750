#include "compile/compiler.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/mount.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

#include "compile_fixture.h"
#include "kernelbench/candidate.h"

namespace kb::compile {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRelu = R"(
#include "kernelbench/candidate.h"
extern "C" KB_EXPORT int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  for (int64_t i = 0; i < kb::numel(call->outputs[0]); ++i)
    y[i] = x[i] > 0 ? x[i] : 0;
  return 0;
}
)";

constexpr const char* kReluCuda = R"(
#include "kernelbench/candidate.h"
#include <cuda_fp16.h>
__global__ void relu(const float* x, float* y, int64_t n) {
  const int64_t i = blockIdx.x * int64_t{256} + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? x[i] : 0;
}
extern "C" KB_EXPORT int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  relu<<<(n + 255) / 256, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), n);
  return cudaGetLastError();
}
)";

class CompilerTest : public Scratch {
 protected:
  CompilerTest() {
    tools_ = TheMachine().tools;
    level_ = TheMachine().level;
    options_.isolation = level_;
    options_.cache_dir = path() + "/artifacts";
    options_.include_dir = SourceRoot() + "/share/include";
    options_.hosts_dir = SourceRoot() + "/hosts";
    options_.ninja_folder = KB_NINJA_FOLDER;
    policy_.compile_seconds = 120;
    candidate_.name = "relu.cpp";
    candidate_.backend = record::Backend::kCpp;
    candidate_.source = kRelu;
  }

  // A g++ that is this shell script; $out is where it is told to write.
  void FakeGxx(const std::string& body) {
    const std::string find_out =
        "while [ $# -gt 1 ]; do [ \"$1\" = -o ] && out=$2; shift; done\n";
    Gxx gxx;
    gxx.path = Script("tool/g++", find_out + body);
    gxx.version = "12.0.0";
    gxx.prefixes = {{path() + "/tool", path() + "/tool", false}};
    tools_.gxx = {gxx, ""};
  }

  Artifact Compile(const std::string& source = kRelu) {
    candidate_.source = source;
    const Compiler compiler = Must(Compiler::Create(tools_, options_));
    return Must(compiler.Compile(candidate_, policy_, "x86-64", {}));
  }

  jail::Isolation level_ = jail::Isolation::kNone;
  Toolchain tools_;
  Compiler::Options options_;
  record::Policy policy_;
  record::Candidate candidate_;
};

TEST_F(CompilerTest, CppCandidateCanBeLoadedAndCalled) {
  const Artifact artifact = Compile();
  ASSERT_EQ(artifact.status, BuildStatus::kOk) << artifact.log;
  EXPECT_FALSE(artifact.cached);
  EXPECT_EQ(artifact.log, "");

  void* library = dlopen(artifact.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  auto* forward =
      reinterpret_cast<int (*)(const kb_call*)>(dlsym(library, "kb_forward"));
  ASSERT_NE(forward, nullptr);
  float in[3] = {-1, 0.5f, 2};
  float out[3] = {9, 9, 9};
  int64_t shape[1] = {3};
  const DLTensor x = {in, {1, 0}, 1, {2, 32, 1}, shape, nullptr, 0};
  const DLTensor y = {out, {1, 0}, 1, {2, 32, 1}, shape, nullptr, 0};
  kb_value input{};
  input.kind = KB_TENSOR;
  input.u.t = &x;
  kb_call call{};
  call.inputs = &input;
  call.input_count = 1;
  call.outputs = &y;
  call.output_count = 1;
  EXPECT_EQ(forward(&call), 0);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[1], 0.5f);
  EXPECT_EQ(out[2], 2);
  dlclose(library);
}

TEST_F(CompilerTest, CudaCandidateIsCompiledWithoutAGpu) {
  if (!tools_.nvcc.tool) GTEST_SKIP() << tools_.nvcc.reason;
  candidate_.name = "relu.cu";
  candidate_.backend = record::Backend::kCuda;
  const Artifact artifact = Compile(kReluCuda);
  ASSERT_EQ(artifact.status, BuildStatus::kOk) << artifact.log;
  EXPECT_NE(Must(os::ReadFile(artifact.path)).find("sm_90a"),
            std::string::npos);
}

TEST_F(CompilerTest, CudaErrorIsReportedByFileNameAndLine) {
  if (!tools_.nvcc.tool) GTEST_SKIP() << tools_.nvcc.reason;
  candidate_.name = "bad.cu";
  candidate_.backend = record::Backend::kCuda;
  const Artifact artifact = Compile("__global__ void f() { undefined(); }");
  EXPECT_EQ(artifact.status, BuildStatus::kFailed);
  EXPECT_TRUE(artifact.log.starts_with("bad.cu(1): error")) << artifact.log;
}

TEST_F(CompilerTest, VendorLibraryIsLinkedWhenItsHeaderIsIncluded) {
  if (!tools_.nvcc.tool) GTEST_SKIP() << tools_.nvcc.reason;
  if (!fs::exists(tools_.nvcc.tool->cuda_home + "/include/cublas_v2.h"))
    GTEST_SKIP() << "no cuBLAS beside " << tools_.nvcc.tool->path;
  candidate_.name = "blas.cu";
  candidate_.backend = record::Backend::kCuda;
  const Artifact artifact = Compile(
      "#include <cublas_v2.h>\n"
      "extern \"C\" int kb_forward(void*) {\n"
      "  cublasHandle_t handle; return cublasCreate(&handle); }\n");
  ASSERT_EQ(artifact.status, BuildStatus::kOk) << artifact.log;
  EXPECT_NE(Must(os::ReadFile(artifact.path)).find("libcublas.so"),
            std::string::npos);
  EXPECT_FALSE(artifact.run_binds.empty());
}

TEST_F(CompilerTest, MissingCompilerIsOurErrorAndSaysWhatToDo) {
  tools_.nvcc = {std::nullopt, "there is no nvcc; install it"};
  candidate_.backend = record::Backend::kCuda;
  const Compiler compiler = Must(Compiler::Create(tools_, options_));
  const auto artifact = compiler.Compile(candidate_, policy_, "sm_90", {});
  ASSERT_FALSE(artifact);
  EXPECT_NE(artifact.error().message().find("install it"), std::string::npos);
}

TEST_F(CompilerTest, GpuThatNvccDoesNotKnowIsOurError) {
  if (!tools_.nvcc.tool) GTEST_SKIP() << tools_.nvcc.reason;
  candidate_.name = "relu.cu";
  candidate_.backend = record::Backend::kCuda;
  candidate_.source = kReluCuda;
  const Compiler compiler = Must(Compiler::Create(tools_, options_));
  const auto artifact = compiler.Compile(candidate_, policy_, "sm_990", {});
  ASSERT_FALSE(artifact);
  EXPECT_NE(artifact.error().message().find("install a newer nvcc"),
            std::string::npos)
      << artifact.error().message();
}

TEST_F(CompilerTest, SyntaxErrorIsAFailureThatNamesFileAndLine) {
  const Artifact artifact = Compile("int f() {\n  return x;\n}\n");
  EXPECT_EQ(artifact.status, BuildStatus::kFailed);
  EXPECT_EQ(artifact.path, "");
  EXPECT_NE(artifact.log.find("relu.cpp:2:10: error:"), std::string::npos)
      << artifact.log;
  EXPECT_EQ(artifact.log.find("/candidate"), std::string::npos);
}

// --- The cache ---

TEST_F(CompilerTest, SameSourceIsBuiltOnceAndOtherSourceAgain) {
  const Artifact first = Compile();
  const Artifact second = Compile();
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.path, first.path);
  EXPECT_EQ(second.build_seconds, first.build_seconds);
  EXPECT_FALSE(Compile(std::string(kRelu) + "\n").cached);
}

TEST_F(CompilerTest, FailureIsKeptWithItsLog) {
  const Artifact first = Compile("nonsense");
  const Artifact second = Compile("nonsense");
  EXPECT_EQ(first.status, BuildStatus::kFailed);
  EXPECT_TRUE(second.cached);
  EXPECT_EQ(second.status, BuildStatus::kFailed);
  EXPECT_EQ(second.log, first.log);
}

TEST_F(CompilerTest, OtherCompilerVersionBuildsAgain) {
  EXPECT_FALSE(Compile().cached);
  tools_.gxx.tool->version = "99.0.0";
  EXPECT_FALSE(Compile().cached);
}

TEST_F(CompilerTest, TwoThreadsWithTheSameSourceBuildItOnce) {
  const Compiler compiler = Must(Compiler::Create(tools_, options_));
  Artifact artifacts[2];
  {
    std::vector<std::jthread> threads;
    for (Artifact& artifact : artifacts)
      threads.emplace_back([&] {
        artifact = Must(compiler.Compile(candidate_, policy_, "x86-64", {}));
      });
  }
  EXPECT_EQ(artifacts[0].status, BuildStatus::kOk);
  EXPECT_EQ(artifacts[1].status, BuildStatus::kOk);
  EXPECT_NE(artifacts[0].cached, artifacts[1].cached);
}

// --- Compilers that misbehave ---

TEST_F(CompilerTest, ExitCodeZeroWithoutAnArtefactIsAFailure) {
  FakeGxx("exit 0");
  const Artifact artifact = Compile();
  EXPECT_EQ(artifact.status, BuildStatus::kFailed);
  EXPECT_NE(artifact.log.find("wrote no output file"), std::string::npos);
}

TEST_F(CompilerTest, ArtefactThatIsASymlinkOrNoElfFileIsAFailure) {
  FakeGxx("ln -s /bin/sh $out");
  EXPECT_EQ(Compile("1").status, BuildStatus::kFailed);
  FakeGxx("echo hello > $out");
  EXPECT_EQ(Compile("2").status, BuildStatus::kFailed);
  FakeGxx("cp /bin/sh $out; exit 1");
  EXPECT_EQ(Compile("3").status, BuildStatus::kFailed);
  FakeGxx("cp /bin/sh $out");
  EXPECT_EQ(Compile("4").status, BuildStatus::kOk);
}

TEST_F(CompilerTest, TimeOutIsToldAndNotKept) {
  FakeGxx("sleep 60");
  policy_.compile_seconds = 0.3;
  for (int i = 0; i < 2; ++i) {
    const Artifact artifact = Compile();
    EXPECT_EQ(artifact.status, BuildStatus::kTimedOut);
    EXPECT_FALSE(artifact.cached);
  }
}

// By the machine when memory is short, or by a person: not the candidate's
// doing, and another time it goes well.
TEST_F(CompilerTest, CompilerThatIsKilledIsOurErrorAndNotKept) {
  for (const char* signal : {"KILL", "TERM"}) {
    FakeGxx(std::string("kill -") + signal + " $$");
    const Compiler compiler = Must(Compiler::Create(tools_, options_));
    const auto artifact = compiler.Compile(candidate_, policy_, "x86-64", {});
    ASSERT_FALSE(artifact) << signal;
    EXPECT_NE(artifact.error().message().find("was killed by signal"),
              std::string::npos)
        << artifact.error().message();
  }
  FakeGxx("exit 1");
  EXPECT_FALSE(Compile().cached);
}

TEST_F(CompilerTest, CompilerThatIsKilledOnceIsStartedAgain) {
  // What of the first run is left is only what the second sees.
  for (const char* death :
       {"kill -KILL $$",
        "echo 'g++: fatal error: Killed signal terminated program cc1plus'; "
        "exit 1"}) {
    const std::string mark = Write("mark", "");
    options_.isolation = jail::Isolation::kNone;  // it may write there
    FakeGxx(std::string("if [ -e ") + mark + " ]; then rm " + mark + "; " +
            death + "; fi\necho \"error: $(date +%N)\"; exit 1");
    const Artifact artifact = Compile(std::string("// ") + death);
    EXPECT_EQ(artifact.status, BuildStatus::kFailed) << artifact.log;
    EXPECT_FALSE(artifact.doubtful);
  }
}

TEST_F(CompilerTest, CompilerWhoseChildIsKilledTwiceIsNotKept) {
  FakeGxx("echo 'Killed signal terminated program cc1plus'; exit 1");
  const Artifact artifact = Compile();
  EXPECT_EQ(artifact.status, BuildStatus::kOutOfMemory);
  EXPECT_TRUE(artifact.doubtful);
  EXPECT_FALSE(Compile().cached);
}

// std::bad_alloc in a line that has an ordinary error.
TEST_F(CompilerTest, SourceThatNamesALackOfMemoryIsNoLackOfMemory) {
  const std::string source =
      "#include <new>\n"
      "int f() { try { return 0; } catch (const std::bad_alloc& e) { return "
      "fail(e.what()); } }\n";
  const Artifact artifact = Compile(source);
  EXPECT_EQ(artifact.status, BuildStatus::kFailed);
  EXPECT_NE(artifact.log.find("std::bad_alloc"), std::string::npos);
  EXPECT_TRUE(Compile(source).cached);
}

TEST_F(CompilerTest, LackOfMemoryIsWhatTheCompilerSaysOfItself) {
  for (const char* said :
       {"terminate called after throwing an instance of 'std::bad_alloc'",
        "virtual memory exhausted: Cannot allocate memory",
        "cc1plus: out of memory allocating 65536 bytes",
        "g++: fatal error: Killed signal terminated program cc1plus"}) {
    FakeGxx(std::string("echo \"") + said + "\"; exit 1");
    EXPECT_EQ(Compile().status, BuildStatus::kOutOfMemory) << said;
  }
}

constexpr const char* kFullDisk =
    "echo '/usr/bin/ld: final link failed: No space left on device'\n"
    "echo 'collect2: error: ld returned 1 exit status'; exit 1";

// Where there is room, the source may have had it printed.
TEST_F(CompilerTest, TextOfAFullDiskAloneIsToldAndNotKept) {
  FakeGxx(kFullDisk);
  for (int i = 0; i < 2; ++i) {
    const Artifact artifact = Compile();
    EXPECT_EQ(artifact.status, BuildStatus::kFailed);
    EXPECT_FALSE(artifact.cached);
    EXPECT_NE(artifact.log.find("No space left on device"), std::string::npos)
        << artifact.log;
  }
}

// A thread with a small disk of its own at `folder`, which goes with it; false:
// the system gives it none.
bool WithSmallDisk(const std::string& folder,
                   const std::function<void()>& act) {
  bool mounted = false;
  std::thread([&] {
    mounted =
        ::unshare(CLONE_NEWNS) == 0 &&
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
        ::mount("none", folder.c_str(), "tmpfs", 0, "size=1m,mode=0755") == 0;
    if (mounted) act();
  }).join();
  return mounted;
}

TEST_F(CompilerTest, FullDiskIsOurErrorAndNotKept) {
  const std::string small = path() + "/small";
  fs::create_directories(small);
  FakeGxx(kFullDisk);
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "/tmp" : before;
  const bool mounted = WithSmallDisk(small, [&] {
    setenv("TMPDIR", small.c_str(), 1);
    const Compiler compiler = Must(Compiler::Create(tools_, options_));
    const auto artifact = compiler.Compile(candidate_, policy_, "x86-64", {});
    setenv("TMPDIR", kept.c_str(), 1);
    ASSERT_FALSE(artifact);
    EXPECT_NE(artifact.error().message().find("final link failed"),
              std::string::npos)
        << artifact.error().message();
  });
  if (!mounted) GTEST_SKIP() << "nothing can be mounted here";
  EXPECT_FALSE(Compile().cached);
}

TEST_F(CompilerTest, OutputWithoutEndIsCutOff) {
  FakeGxx("truncate -s 600M $out; sleep 60");
  const Artifact artifact = Compile();
  EXPECT_EQ(artifact.status, BuildStatus::kFailed);
  EXPECT_NE(artifact.log.find("wrote more than 512 MiB"), std::string::npos)
      << artifact.log;
}

TEST_F(CompilerTest, StopEndsARunningBuild) {
  FakeGxx("sleep 60");
  std::stop_source source;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    source.request_stop();
  });
  const Compiler compiler = Must(Compiler::Create(tools_, options_));
  const auto artifact =
      compiler.Compile(candidate_, policy_, "x86-64", source.get_token());
  ASSERT_FALSE(artifact);
  EXPECT_EQ(artifact.error().message(), "the build was stopped");
}

TEST_F(CompilerTest, EnvironmentOfTheCompilerHoldsNoSecrets) {
  setenv("KB_TEST_API_KEY", "very-secret", 1);
  FakeGxx("env; exit 1");
  const Artifact artifact = Compile();
  unsetenv("KB_TEST_API_KEY");
  EXPECT_NE(artifact.log.find("LC_ALL"), std::string::npos) << artifact.log;
  EXPECT_EQ(artifact.log.find("very-secret"), std::string::npos);
}

// --- Sources that misbehave ---

TEST_F(CompilerTest, TemplateBombEndsByMemory) {
  options_.memory_bytes = uint64_t{400} << 20;
  const Artifact artifact = Compile(R"(
template <int N, int M> struct Bomb {
  static constexpr int v = Bomb<N - 1, 2 * M>::v + Bomb<N - 1, 2 * M + 1>::v;
};
template <int M> struct Bomb<0, M> { static constexpr int v = M; };
int f() { return Bomb<30, 0>::v; }
)");
  EXPECT_EQ(artifact.status, BuildStatus::kOutOfMemory) << artifact.log;
}

TEST_F(CompilerTest, AssemblerCannotTakeInAFileOfOurs) {
  if (level_ == jail::Isolation::kNone) GTEST_SKIP() << "no isolation here";
  const std::string secret = Write("secret", "do not look");
  const auto incbin = [](const std::string& file) {
    return "asm(\".incbin \\\"" + file + "\\\"\");";
  };
  // The directive works where the jail shows the file ...
  EXPECT_EQ(Compile(incbin("/etc/ld.so.cache")).status, BuildStatus::kOk);
  // ... and not where it does not.
  EXPECT_EQ(Compile(incbin(secret)).status, BuildStatus::kFailed);
}

TEST_F(CompilerTest, IncludeOfAFileOfOursDoesNotShowIt) {
  if (level_ == jail::Isolation::kNone) GTEST_SKIP() << "no isolation here";
  const std::string secret = Write("secret", "do not look\n");
  const Artifact artifact = Compile("#include \"" + secret + "\"\n");
  EXPECT_EQ(artifact.status, BuildStatus::kFailed);
  EXPECT_EQ(artifact.log.find("do not look"), std::string::npos);
}

TEST_F(CompilerTest, NameOfTheCandidateIsNoOptionAndNoPath) {
  for (const char* name :
       {"-fplugin=x.cpp", "../../etc/x.cpp", "a b;c.cpp", "", "x", "\n.cpp"}) {
    candidate_.name = name;
    const Artifact artifact = Compile();
    EXPECT_EQ(artifact.status, BuildStatus::kOk) << name << artifact.log;
  }
}

TEST_F(CompilerTest, PythonWithoutAnExtensionNeedsNoBuild) {
  candidate_.track = record::Track::kPython;
  EXPECT_EQ(Compile("import torch").status, BuildStatus::kNothingToBuild);
}

}  // namespace
}  // namespace kb::compile
