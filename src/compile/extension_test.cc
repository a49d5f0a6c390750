#include <chrono>
#include <future>

#include "base/text.h"
#include "compile/compiler.h"
#include "compile_fixture.h"

namespace kb::compile {
namespace {

namespace fs = std::filesystem;

// A Python that is this machine's sh, and folders as the real one has them.
class ExtensionTest : public Scratch {
 protected:
  ExtensionTest() {
    Write("site/torch/version.py", "");
    Write("hosts/build_host.py", "");
    Write("hosts/compiler_options.py", "");
    Write("tool/ninja", "");
    options_.ninja_folder = path() + "/tool";
    options_.isolation = level_;
    options_.cache_dir = path() + "/artifacts";
    options_.include_dir = SourceRoot() + "/share/include";
    options_.hosts_dir = path() + "/hosts";
    tools_.gxx = {Gxx{path() + "/tool/g++", "12.0.0", Binds()}, ""};
    candidate_.name = "relu.py";
    candidate_.track = record::Track::kPython;
    candidate_.backend = record::Backend::kCpp;
    candidate_.builds_extension = true;
    candidate_.source = "load_inline(...)";
  }

  std::vector<jail::Bind> Binds() const {
    return {{path() + "/tool", path() + "/tool", false}};
  }

  Artifact Compile(const std::string& script) {
    Python python;
    python.path =
        Script("tool/python3", "out=$TORCH_EXTENSIONS_DIR\n" + script);
    python.version = "3.12.1";
    python.torch_version = "2.11.0";
    python.site_packages = path() + "/site";
    python.prefixes = Binds();
    tools_.python = {python, ""};
    return Again();
  }

  Artifact Again() {
    const Compiler compiler = Must(Compiler::Create(tools_, options_));
    return Must(compiler.Compile(candidate_, policy_, "sm_80", {}));
  }

  const jail::Isolation level_ = TheMachine().level;
  Toolchain tools_;
  Compiler::Options options_;
  record::Policy policy_;
  record::Candidate candidate_;
};

constexpr const char* kBuild =
    "mkdir $out/relu && cp /bin/sh $out/relu/relu.so && touch $out/relu/lock\n";

TEST_F(ExtensionTest, WhatTheImportBuildsIsKept) {
  const Artifact artifact = Compile(kBuild);
  ASSERT_EQ(artifact.status, BuildStatus::kOk) << artifact.log;
  EXPECT_TRUE(fs::exists(artifact.path + "/relu/relu.so"));
  EXPECT_FALSE(fs::exists(artifact.path + "/relu/lock"))
      << "torch would wait for its owner";
  EXPECT_TRUE(Again().cached);
}

// Which builds nothing, as a candidate without an extension would.
TEST_F(ExtensionTest, ImportThatMeetsAFullDiskIsNotKept) {
  const Artifact artifact =
      Compile("echo 'OSError: [Errno 28] No space left on device'; exit 1");
  EXPECT_TRUE(artifact.doubtful);
  EXPECT_FALSE(Again().cached);
}

TEST_F(ExtensionTest, FullIsolationBuildsWhereTheRunWillLook) {
  if (level_ != jail::Isolation::kFull) GTEST_SKIP() << "no full isolation";
  const Artifact artifact = Compile(kBuild);
  EXPECT_EQ(artifact.run_env.at("TORCH_EXTENSIONS_DIR"),
            "/tmp/torch_extensions");
}

// Where every user could meet what a candidate left in it.
TEST_F(ExtensionTest, LesserIsolationLeavesNothingOfTheBuildOutsideTheCache) {
  if (level_ == jail::Isolation::kFull)
    options_.isolation = jail::Isolation::kNone;
  const Artifact artifact = Compile(kBuild);
  ASSERT_EQ(artifact.status, BuildStatus::kOk) << artifact.log;
  EXPECT_TRUE(fs::exists(artifact.path + "/relu/relu.so"));
  const fs::path built = artifact.run_env.at("TORCH_EXTENSIONS_DIR");
  EXPECT_TRUE(built.string().starts_with("/tmp/kernelbench-extensions-"));
  EXPECT_FALSE(fs::exists(built));
  fs::remove_all(built.parent_path());
}

TEST_F(ExtensionTest, ArchitectureOfTheDeviceReachesTorch) {
  EXPECT_EQ(Compile("echo error: $PATH; exit 3").status, BuildStatus::kFailed);
  Nvcc nvcc;
  nvcc.path = path() + "/tool/nvcc";
  nvcc.cuda_home = path() + "/tool";
  tools_.nvcc = {nvcc, ""};
  const Artifact artifact =
      Compile("echo error: $TORCH_CUDA_ARCH_LIST, $CUDA_HOME; exit 3");
  EXPECT_EQ(artifact.log, "error: 8.0, tool");
}

TEST_F(ExtensionTest, LibraryThatTheSourceIncludesReachesBuildAndRun) {
  const std::string folder = path() + "/cutlass";
  Write("cutlass/include/cutlass/cutlass.h", "");
  tools_.headers = {
      {"CUTLASS", folder, {folder + "/include"}, {{folder, folder, false}}}};
  const std::string script =
      "test -f \"$CPLUS_INCLUDE_PATH/cutlass/cutlass.h\" && "
      "test -d \"$CUTLASS_PATH/include\" && echo x > $out/a.so";
  EXPECT_EQ(Compile(script).status, BuildStatus::kNothingToBuild);
  candidate_.source = "#include <cutlass/cutlass.h>";
  const Artifact artifact = Compile(script);
  EXPECT_EQ(artifact.status, BuildStatus::kOk) << artifact.log;
  EXPECT_EQ(artifact.run_env.at("CUTLASS_PATH"), folder);
  EXPECT_EQ(artifact.run_binds.back().source, folder);
}

TEST_F(ExtensionTest, BuildThatFailedIsAFailureWithItsLog) {
  const Artifact artifact = Compile(
      "echo \"RuntimeError: Error building extension 'relu'\"\n"
      "echo 'main.cpp:3:1: error: no'; exit 3");
  EXPECT_EQ(artifact.status, BuildStatus::kFailed);
  EXPECT_NE(artifact.log.find("main.cpp:3:1: error: no"), std::string::npos);
}

TEST_F(ExtensionTest, FailureOfTheModuleItselfIsLeftToTheRun) {
  const std::string fail = "echo 'NameError: x'; exit 4";
  const Artifact before = Compile(fail);
  EXPECT_EQ(before.status, BuildStatus::kNothingToBuild);
  EXPECT_EQ(before.log, "NameError: x");
  candidate_.source = "load_inline(...); x";
  const Artifact after = Compile(kBuild + fail);
  EXPECT_EQ(after.status, BuildStatus::kOk);
  EXPECT_EQ(after.log, "NameError: x");
}

TEST_F(ExtensionTest, ModuleThatBuildsOnlyWhenConstructedHasNothingToBuild) {
  EXPECT_EQ(Compile("exit 0").status, BuildStatus::kNothingToBuild);
}

TEST_F(ExtensionTest, ImportThatHangsIsATimeOut) {
  policy_.compile_seconds = 0.3;
  EXPECT_EQ(Compile("sleep 60").status, BuildStatus::kTimedOut);
}

// --- The whole headers of PyTorch ---

class WholeHeadersTest : public ExtensionTest {
 protected:
  // What the build does at first, and what with the whole headers.
  Artifact Compile(const std::string& slim, const std::string& whole) {
    return ExtensionTest::Compile("if [ -z \"$KB_WHOLE_HEADERS\" ]; then\n" +
                                  slim + "\nelse\n" + whole + "\nfi");
  }

  static constexpr const char* kUndefined =
      "echo 'ImportError: undefined symbol: x'; exit 4";
};

TEST_F(WholeHeadersTest, AreUsedWhereTheImportMissesADefinition) {
  const Artifact artifact =
      Compile("mkdir $out/half\n" + std::string(kBuild) + kUndefined, kBuild);
  ASSERT_EQ(artifact.status, BuildStatus::kOk) << artifact.log;
  EXPECT_FALSE(fs::exists(artifact.path + "/half"));
  EXPECT_EQ(artifact.log, "");
}

TEST_F(WholeHeadersTest, AreNotTriedAfterAnErrorOfTheCompiler) {
  const Artifact artifact = Compile("echo 'error: x'; exit 3", kBuild);
  EXPECT_EQ(artifact.status, BuildStatus::kFailed);
  EXPECT_EQ(artifact.log, "error: x");
}

TEST_F(WholeHeadersTest, BothBuildsShareTheTimeLimit) {
  policy_.compile_seconds = 2;
  const Artifact artifact =
      Compile("sleep 1.5\n" + std::string(kUndefined), "sleep 1.5; exit 0");
  EXPECT_EQ(artifact.status, BuildStatus::kTimedOut);
  EXPECT_NE(artifact.log.find("longer than 2 s"), std::string::npos)
      << artifact.log;
}

// --- With the real Python ---

// Small, because an extension with torch's headers takes a minute.
constexpr const char* kTinyExtension = R"(
import os
from torch.utils.cpp_extension import load
folder = os.environ["TORCH_EXTENSIONS_DIR"]
source = os.path.join(folder, "tiny.c")
if not os.path.exists(source):
    with open(source, "w") as file:
        file.write('''
#define PY_SSIZE_T_CLEAN
#include <Python.h>
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "tiny"};
PyMODINIT_FUNC PyInit_tiny(void) { return PyModule_Create(&def); }
''')
tiny = load(name="tiny", sources=[source])
print("BUILT", os.stat(tiny.__file__).st_mtime_ns)
)";

class RealExtensionTest : public ExtensionTest {
 protected:
  RealExtensionTest() {
    options_.hosts_dir = SourceRoot() + "/hosts";
    options_.ninja_folder = KB_NINJA_FOLDER;
    options_.jail_library = KB_JAIL_LIBRARY;
    tools_ = TheMachine().tools;
    candidate_.source = kTinyExtension;
  }

  // Imports the candidate as its host does, and returns what it prints.
  std::string Import(const Artifact& artifact) const {
    const std::string file = path() + "/candidate/relu.py";
    jail::JailSpec spec;
    spec.argv = {tools_.python.tool->path, "-I", "-B", file};
    spec.env = artifact.run_env;
    spec.env["HOME"] = spec.env["TMPDIR"] = "{TMP}";
    spec.binds = tools_.python.tool->prefixes;
    spec.binds.insert(spec.binds.end(), artifact.run_binds.begin(),
                      artifact.run_binds.end());
    spec.binds.push_back({file, file, false});
    spec.isolation = options_.isolation;
    spec.tmp_seed_source = artifact.path;
    spec.tmp_seed_name = "torch_extensions";
    jail::Jail jail = Must(jail::Jail::Start(spec));
    return jail.Wait().output;
  }

  // The line of `output` that starts with BUILT.
  static std::string BuildTime(const std::string& output) {
    for (const std::string& line : base::Split(output, '\n'))
      if (line.starts_with("BUILT")) return line;
    return output;
  }
};

TEST_F(RealExtensionTest, RunFindsTheExtensionBuiltAndBuildsNothing) {
  if (level_ != jail::Isolation::kFull)
    GTEST_SKIP() << "below, hosts/candidate_host.py sees to it";
  if (!tools_.python.tool) GTEST_SKIP() << tools_.python.reason;
  const Artifact artifact = Again();
  ASSERT_EQ(artifact.status, BuildStatus::kOk) << artifact.log;
  Write("candidate/relu.py", kTinyExtension);
  const auto built = fs::last_write_time(artifact.path + "/tiny/tiny.so");
  const auto unix_time = std::chrono::file_clock::to_sys(built);
  EXPECT_EQ(BuildTime(Import(artifact)),
            fmt::format("BUILT {}", unix_time.time_since_epoch().count()));
}

TEST_F(RealExtensionTest, CompilerErrorIsTheCandidatesFailure) {
  if (!tools_.python.tool) GTEST_SKIP() << tools_.python.reason;
  candidate_.source =
      "import os\n"
      "from torch.utils.cpp_extension import load\n"
      "source = os.environ['TORCH_EXTENSIONS_DIR'] + '/bad.cpp'\n"
      "open(source, 'w').write('int f() { return x; }')\n"
      "load(name='bad', sources=[source])\n";
  const Artifact artifact = Again();
  EXPECT_EQ(artifact.status, BuildStatus::kFailed);
  EXPECT_NE(artifact.log.find("bad.cpp:1:18: error:"), std::string::npos)
      << artifact.log;
}

TEST_F(RealExtensionTest, OptionThatIsNotAllowedIsNamedAndNothingIsBuilt) {
  if (!tools_.python.tool) GTEST_SKIP() << tools_.python.reason;
  candidate_.source =
      "from torch.utils.cpp_extension import load_inline\n"
      "load_inline(name='other', cpp_sources='int f() { return 1; }',\n"
      "            extra_cflags=['-O3', '-wrapper', '/bin/true'])\n";
  const Artifact artifact = Again();
  EXPECT_EQ(artifact.status, BuildStatus::kFailed);
  EXPECT_EQ(artifact.log,
            "OptionRefused: extra_cflags: the option '-wrapper' is not "
            "allowed");
}

// What it was compiled with: "slim main.o".
std::string HeadersUsed(const Artifact& artifact, const std::string& name) {
  const std::string file = artifact.path + "/" + name + "/kernelbench_build";
  return std::string(base::LastLine(Must(os::ReadFile(file))));
}

TEST_F(RealExtensionTest, BindingsAreThoseThatPyTorchMakes) {
  if (!tools_.python.tool) GTEST_SKIP() << tools_.python.reason;
  candidate_.source =
      "from torch.utils.cpp_extension import load_inline\n"
      "m = load_inline(name='twice', functions={'twice': 'x + x'},\n"
      "    cpp_sources='torch::Tensor twice(torch::Tensor x, int64_t n) '\n"
      "    '{ return x.add(x); }')\n"
      "print('BUILT', repr(m.twice.__doc__))\n";
  const Artifact artifact = Again();
  ASSERT_EQ(artifact.status, BuildStatus::kOk) << artifact.log;
  EXPECT_EQ(HeadersUsed(artifact, "twice"), "slim main.o");
  if (level_ != jail::Isolation::kFull) return;
  Write("candidate/relu.py", candidate_.source);
  const std::string built = BuildTime(Import(artifact));
  EXPECT_TRUE(built.starts_with("BUILT 'twice(arg0: torch.Tensor, arg1: "))
      << built;
  EXPECT_TRUE(built.ends_with(") -> torch.Tensor\\n\\nx + x\\n'")) << built;
}

TEST_F(RealExtensionTest, BindingsAreMadeForTheSecondOne) {
  const auto kept_once = [&] {
    for (const auto& entry :
         fs::recursive_directory_iterator(options_.cache_dir))
      if (entry.path().string().ends_with("/kb_bindings/kernelbench_build"))
        return entry.path().string();
    return std::string("none");
  };
  if (level_ != jail::Isolation::kFull)
    GTEST_SKIP() << "below, they are in a cache that a builder may not reach";
  for (const std::string& why : {tools_.python.reason, tools_.nvcc.reason})
    if (!why.empty()) GTEST_SKIP() << why;
  candidate_.backend = record::Backend::kCuda;
  const Compiler compiler = Must(Compiler::Create(tools_, options_));
  const auto built = [&](const std::string& source) {
    record::Candidate candidate = candidate_;
    candidate.source = source;
    return Must(compiler.Compile(candidate, policy_, "sm_80", {}));
  };
  const Artifact first = built(kTinyExtension);
  ASSERT_EQ(first.status, BuildStatus::kOk) << first.log;
  // Declared here and defined by the system.
  candidate_.source =
      "from torch.utils.cpp_extension import load_inline\n"
      "m = load_inline(name='letters', functions=['toupper'], cpp_sources=\n"
      "    'extern \"C\" int toupper(int letter) noexcept;')\n"
      "print('BUILT', m.toupper(97))\n";
  auto third = std::async(std::launch::async, built,
                          candidate_.source + "# at the same time\n");
  const Artifact second = built(candidate_.source);
  ASSERT_EQ(second.status, BuildStatus::kOk) << second.log;
  EXPECT_EQ(HeadersUsed(second, "letters"), "declared main.o");
  EXPECT_EQ(HeadersUsed(third.get(), "letters"), "declared main.o");
  Write("candidate/relu.py", candidate_.source);
  EXPECT_EQ(BuildTime(Import(second)), "BUILT 65");
  const std::string once = Must(os::ReadFile(kept_once()));
  EXPECT_EQ(base::LastLine(once), "slim main.o") << "made in seconds";
  const std::string asks =
      "import os, sys\nsys.exit(str('KB_BINDINGS' in os.environ))\n";
  EXPECT_EQ(built(asks).log, "SystemExit: True");
  candidate_.backend = record::Backend::kCpp;
  EXPECT_EQ(built(asks + "# of C++ alone\n").log, "SystemExit: False");
}

TEST_F(RealExtensionTest, MistakeIsAtTheCandidatesLine) {
  if (!tools_.python.tool) GTEST_SKIP() << tools_.python.reason;
  candidate_.source =
      "from torch.utils.cpp_extension import load_inline\n"
      "load_inline(name='bad', functions=['bad'], cpp_sources='''\n"
      "torch::Tensor bad(torch::Tensor x) {\n"
      "  return x.rectify();\n}\n''')\n";
  const Artifact artifact = Again();
  EXPECT_EQ(artifact.status, BuildStatus::kFailed);
  EXPECT_NE(artifact.log.find("main.cpp:4:12: error:"), std::string::npos)
      << artifact.log;
  EXPECT_EQ(artifact.log.find("kb-build"), std::string::npos) << artifact.log;
}

// "abs_" is not in the text, so that only the whole headers have the method;
// and it is in the source that it is missed.
TEST_F(RealExtensionTest, WhatSlimHeadersLackIsBuiltWithTheWholeOnes) {
  if (!tools_.python.tool) GTEST_SKIP() << tools_.python.reason;
  candidate_.source =
      "from torch.utils.cpp_extension import load_inline\n"
      "load_inline(name='scan', functions=['scan'], cpp_sources='''\n"
      "#define IN_PLACE(x, name) x.name##_()\n"
      "at::Tensor scan(at::Tensor x) { return IN_PLACE(x, abs); }\n''')\n";
  const Artifact artifact = Again();
  EXPECT_EQ(artifact.status, BuildStatus::kOk) << artifact.log;
  EXPECT_TRUE(fs::exists(artifact.path + "/scan/scan.so"));
  EXPECT_EQ(HeadersUsed(artifact, "scan"), "whole main.o");
}

TEST_F(RealExtensionTest, PythonIsForkedWithPyTorchLoaded) {
  if (!tools_.python.tool) GTEST_SKIP() << tools_.python.reason;
  candidate_.source =
      "import os, sys\n"
      "sys.exit('of ' + os.path.basename(sys.orig_argv[2]))\n";
  EXPECT_EQ(Again().log, "SystemExit: of fork_server.py");
  options_.jail_library = path() + "/none.so";
  options_.cache_dir = path() + "/other";
  EXPECT_EQ(Again().log, "SystemExit: of build_host.py")
      << "without one it starts by itself";
}

TEST_F(RealExtensionTest, ErrorOfTheModuleIsNoCompileError) {
  if (!tools_.python.tool) GTEST_SKIP() << tools_.python.reason;
  candidate_.source = "import sys\nsys.exit('no reason')\n";
  const Artifact artifact = Again();
  EXPECT_EQ(artifact.status, BuildStatus::kNothingToBuild);
  EXPECT_EQ(artifact.log, "SystemExit: no reason");
}

}  // namespace
}  // namespace kb::compile
