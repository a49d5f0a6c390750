#include "compile/toolchain.h"

#include <algorithm>
#include <chrono>

#include "compile_fixture.h"

namespace kb::compile {
namespace {

namespace fs = std::filesystem;

// Machines made of shell scripts.
class ToolchainTest : public Scratch {
 protected:
  ToolchainTest() {
    Write("root/hosts/probe.py", "not run by a fake interpreter");
    places_.install_root = path() + "/root";
    places_.cuda_folder = path() + "/usual";
    places_.env["PATH"] = path() + "/bin";
    places_.env["HOME"] = path() + "/home/user";
  }

  // What a probe would say of an interpreter in `venv`.
  std::string Facts(const std::string& venv, const std::string& python,
                    const std::string& torch) const {
    const std::string root = path() + "/" + venv;
    return R"({"executable": ")" + root + R"(/bin/python3", "version": ")" +
           python + R"(", "prefix": ")" + root + R"(", "base_prefix": ")" +
           root + R"(", "path": [")" + path() + R"(/home/user"],)" +
           R"("has_numpy": true, "has_triton": false, "fla": "", "driver": "",)" +
           R"("torch": {"version": ")" + torch +
           R"(", "cuda": "13.0", "package": ")" + root +
           R"(/site-packages/torch"}, "devices": [{"index": 0,)" +
           R"("name": "H200", "capability": "9.0", "total_bytes": 5,
             "uuid": "GPU-1-2"}]})";
  }

  // An interpreter that says so, and counts how often it was asked.
  std::string Interpreter(const std::string& venv, const std::string& facts) {
    Write(venv + "/site-packages/torch/version.py", "");
    Write(venv + ".json", facts);
    return Script(
        venv + "/bin/python3",
        "echo x >> " + path() + "/asked\ncat " + path() + "/" + venv + ".json");
  }
  std::string Good(const std::string& venv) {
    return Interpreter(venv, Facts(venv, "3.12.1", "2.11.0+cu130"));
  }

  size_t TimesAsked() const {
    return os::ReadFile(path() + "/asked").value_or("").size() / 2;
  }

  std::string FakeNvcc(const std::string& name) {
    return Script(name,
                  "echo 'Cuda compilation tools, release 13.0, V13.0.88'");
  }

  Toolchain Find() const { return Must(FindToolchain(places_)); }

  bool Shows(const std::vector<jail::Bind>& binds, const std::string& source,
             const std::string& target) const {
    return std::any_of(binds.begin(), binds.end(), [&](const jail::Bind& bind) {
      return bind.source == path() + "/" + source &&
             bind.target == path() + "/" + target && !bind.writable;
    });
  }

  SearchPlaces places_;
};

TEST_F(ToolchainTest, PythonThatWasChosenIsTakenWithItsFacts) {
  places_.env["KB_PYTHON"] = Good("venv");
  const Toolchain found = Find();
  ASSERT_TRUE(found.python.tool) << found.python.reason;
  const Python& python = *found.python.tool;
  EXPECT_EQ(python.path, path() + "/venv/bin/python3");
  EXPECT_EQ(python.torch_version, "2.11.0+cu130");
  EXPECT_EQ(python.torch_cuda, "13.0");
  EXPECT_TRUE(python.has_numpy);
  EXPECT_FALSE(python.has_triton);
  ASSERT_EQ(python.cuda_devices.size(), 1u);
  EXPECT_EQ(python.cuda_devices[0].capability, "9.0");
  EXPECT_EQ(python.cuda_devices[0].uuid, "GPU-1-2");
}

TEST_F(ToolchainTest, ChosenPythonThatIsTooOldIsNotReplacedByAnother) {
  Good("root/.venv");
  places_.env["KB_PYTHON"] =
      Interpreter("old", Facts("old", "3.9.18", "2.11.0"));
  const Toolchain found = Find();
  EXPECT_FALSE(found.python.tool);
  EXPECT_NE(found.python.reason.find("is Python 3.9.18"), std::string::npos)
      << found.python.reason;
}

TEST_F(ToolchainTest, TorchThatIsTooOldIsPassedOverForTheNextPython) {
  Interpreter("root/.venv", Facts("root/.venv", "3.12.1", "2.3.1"));
  Good("venv");
  fs::create_directories(path() + "/bin");
  fs::create_symlink(path() + "/venv/bin/python3", path() + "/bin/python3");
  const Toolchain found = Find();
  ASSERT_TRUE(found.python.tool) << found.python.reason;
  EXPECT_EQ(found.python.tool->path, path() + "/venv/bin/python3");
}

TEST_F(ToolchainTest, EveryPythonThatWasRefusedIsNamedWithItsReason) {
  Interpreter("root/.venv", Facts("root/.venv", "3.12.1", "2.3.1"));
  Script("bin/python3", "echo no such module >&2; exit 1");
  const std::string reason = Find().python.reason;
  EXPECT_NE(reason.find("has PyTorch 2.3.1"), std::string::npos) << reason;
  EXPECT_NE(reason.find("no such module"), std::string::npos) << reason;
  EXPECT_NE(reason.find("KB_PYTHON"), std::string::npos) << reason;
}

TEST_F(ToolchainTest, VenvAboveTheInstallRootComesBeforePath) {
  places_.install_root = path() + "/root/build/dist";
  Write("root/build/dist/hosts/probe.py", "");
  Good("root/.venv");
  Script("bin/python3", "exit 1");
  const Toolchain found = Find();
  ASSERT_TRUE(found.python.tool) << found.python.reason;
  EXPECT_EQ(found.python.tool->path, path() + "/root/.venv/bin/python3");
}

TEST_F(ToolchainTest, AnswerOfPythonIsKeptUntilItsPackagesChange) {
  places_.env["KB_PYTHON"] = Good("venv");
  Find();
  Find();
  EXPECT_EQ(TimesAsked(), 1u);
  const fs::path packages = path() + "/venv/site-packages";
  fs::last_write_time(packages,
                      fs::last_write_time(packages) + std::chrono::seconds(5));
  Find();
  EXPECT_EQ(TimesAsked(), 2u);
  places_.env["CUDA_VISIBLE_DEVICES"] = "1";
  Find();
  EXPECT_EQ(TimesAsked(), 3u);
}

TEST_F(ToolchainTest, FolderBehindASymlinkIsShownUnderBothNames) {
  Interpreter("real", Facts("alias", "3.12.1", "2.11.0"));
  fs::create_directory_symlink(path() + "/real", path() + "/alias");
  places_.env["KB_PYTHON"] = path() + "/alias/bin/python3";
  const Toolchain found = Find();
  ASSERT_TRUE(found.python.tool) << found.python.reason;
  EXPECT_TRUE(Shows(found.python.tool->prefixes, "real", "real"));
  EXPECT_TRUE(Shows(found.python.tool->prefixes, "real", "alias"));
}

TEST_F(ToolchainTest, HomeOnThePythonPathIsNotShownToJails) {
  fs::create_directories(path() + "/home/user");
  places_.env["KB_PYTHON"] = Good("venv");
  const Toolchain found = Find();
  ASSERT_TRUE(found.python.tool);
  EXPECT_TRUE(Shows(found.python.tool->prefixes, "venv", "venv"));
  EXPECT_FALSE(Shows(found.python.tool->prefixes, "home/user", "home/user"));
}

TEST_F(ToolchainTest, NvccIsTakenFromPathBeforeTheUsualFolder) {
  FakeNvcc("usual/bin/nvcc");
  EXPECT_EQ(Find().nvcc.tool->path, path() + "/usual/bin/nvcc");
  FakeNvcc("bin/nvcc");
  EXPECT_EQ(Find().nvcc.tool->path, path() + "/bin/nvcc");
  places_.env["KB_NVCC"] = FakeNvcc("mine/bin/nvcc");
  const Toolchain found = Find();
  EXPECT_EQ(found.nvcc.tool->path, path() + "/mine/bin/nvcc");
  EXPECT_EQ(found.nvcc.tool->version, "13.0.88");
  EXPECT_EQ(found.nvcc.tool->cuda_home, path() + "/mine");
  EXPECT_FALSE(found.nvcc.tool->is_wheel);
}

TEST_F(ToolchainTest, ProgramThatIsNoNvccIsRefused) {
  places_.env["KB_NVCC"] = Script("bin/nvcc", "echo hello");
  const Toolchain found = Find();
  EXPECT_FALSE(found.nvcc.tool);
  EXPECT_NE(found.nvcc.reason.find("does not speak as nvcc"), std::string::npos)
      << found.nvcc.reason;
}

class WheelTest : public ToolchainTest {
 protected:
  static constexpr const char* kWheels = "venv/site-packages/nvidia/";

  WheelTest() {
    places_.env["KB_PYTHON"] = Good("venv");
    const std::string wheels = kWheels;
    FakeNvcc(wheels + "cu13/bin/nvcc");
    Write(wheels + "cu13/bin/ptxas", "");
    Write(wheels + "cu13/nvvm/bin/cicc", "");
    Write(wheels + "cu13/include/crt/host_config.h", "");
    Write(wheels + "cu13/include/cuda_runtime.h", "");
    Write(wheels + "cu13/include/cccl/nv/target", "");
    Write(wheels + "cu13/lib/libcudart.so.13", "");
    Write(wheels + "cu13/lib/libcudart_static.a", "");
    Write(wheels + "cudnn/include/cudnn.h", "");
    Write(wheels + "cudnn/lib/libcudnn.so.9", "");
  }
};

TEST_F(WheelTest, WheelsLookLikeAnInstalledToolkit) {
  const Toolchain found = Find();
  ASSERT_TRUE(found.nvcc.tool) << found.nvcc.reason;
  EXPECT_TRUE(found.nvcc.tool->is_wheel);
  const fs::path home = found.nvcc.tool->cuda_home;
  for (const char* file :
       {"bin/nvcc", "nvvm/bin/cicc", "include/cuda_runtime.h",
        "include/cudnn.h", "lib64/libcudart.so", "lib64/libcudnn.so",
        "lib64/libcudart_static.a", "lib/libcudart.so.13"})
    EXPECT_TRUE(fs::exists(home / file)) << file;
  EXPECT_FALSE(fs::exists(path() + "/" + kWheels + "cu13/lib64"))
      << "the user's environment is left alone";
}

TEST_F(WheelTest, WheelThatIsMissingIsNamed) {
  fs::remove_all(path() + "/" + kWheels + "cu13/nvvm");
  const std::string reason = Find().nvcc.reason;
  EXPECT_NE(reason.find("install the wheel nvidia-nvvm"), std::string::npos)
      << reason;
}

TEST_F(WheelTest, WheelThatWasInstalledLaterIsSeen) {
  Find();
  Write(std::string(kWheels) + "nccl/include/nccl.h", "");
  const Toolchain found = Find();
  ASSERT_TRUE(found.nvcc.tool) << found.nvcc.reason;
  EXPECT_TRUE(fs::exists(found.nvcc.tool->cuda_home + "/include/nccl.h"));
}

TEST_F(WheelTest, ToolkitBesideTheProgramIsJoinedWithTheWheelsOfTorch) {
  fs::create_directories(path() + "/root/.toolkit/nvidia");
  const std::string own = path() + "/" + kWheels + "cu13";
  fs::rename(own, path() + "/root/.toolkit/nvidia/cu13");
  const Toolchain found = Find();
  ASSERT_TRUE(found.nvcc.tool) << found.nvcc.reason;
  EXPECT_EQ(found.nvcc.tool->path,
            path() + "/root/.toolkit/nvidia/cu13/bin/nvcc");
  EXPECT_TRUE(fs::exists(found.nvcc.tool->cuda_home + "/include/cudnn.h"));
  EXPECT_TRUE(Shows(found.nvcc.tool->prefixes, "root/.toolkit/nvidia",
                    "root/.toolkit/nvidia"));
  EXPECT_TRUE(Shows(found.nvcc.tool->prefixes, "venv/site-packages/nvidia",
                    "venv/site-packages/nvidia"));
}

TEST_F(ToolchainTest, NcuIsWhoSaysSo) {
  places_.driver_parameters = path() + "/params";
  EXPECT_FALSE(Find().ncu.tool);
  EXPECT_EQ(Find().no_counters, "") << "there is no driver";
  Script("usual/bin/ncu",
         "echo 'NVIDIA (R) Nsight Compute Command Line Profiler'\n"
         "echo 'Version 2025.3.1.0 (build 36398880)'");
  const Toolchain found = Find();
  ASSERT_TRUE(found.ncu.tool) << found.ncu.reason;
  EXPECT_EQ(found.ncu.tool->version, "2025.3.1.0");
  places_.env["KB_NCU"] = Script("posing/ncu", "echo 'Version 5'");
  EXPECT_FALSE(Find().ncu.tool);
  EXPECT_NE(Find().ncu.reason.find("does not speak as ncu"), std::string::npos);
  Write("params", "EnableMSI: 1\nRmProfilingAdminOnly: 1\n");
  EXPECT_NE(Find().no_counters.find("administrators"), std::string::npos);
  Write("params", "EnableMSI: 1\nRmProfilingAdminOnly: 0\n");
  EXPECT_EQ(Find().no_counters, "");
}

TEST_F(ToolchainTest, OldGxxIsRefused) {
  places_.env["KB_CXX"] = Script("bin/g++", "echo 9.4.0");
  const std::string reason = Find().gxx.reason;
  EXPECT_NE(reason.find("is g++ 9.4.0"), std::string::npos) << reason;
}

TEST_F(ToolchainTest, CompilerCacheThatPosesAsGxxIsPassedOver) {
  Script("opt/ccache", "echo 12.2.0");
  fs::create_directories(path() + "/first");
  fs::create_symlink(path() + "/opt/ccache", path() + "/first/g++");
  const std::string real = Script("bin/g++", "echo 12.2.0");
  places_.env["PATH"] = path() + "/first:" + path() + "/bin";
  const Toolchain found = Find();
  ASSERT_TRUE(found.gxx.tool) << found.gxx.reason;
  EXPECT_EQ(found.gxx.tool->path, real);
}

}  // namespace
}  // namespace kb::compile
