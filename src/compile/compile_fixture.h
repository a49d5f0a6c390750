#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "compile/toolchain.h"
#include "os/files.h"

namespace kb::compile {

// The value of a Result, or the test ends with what it says.
template <typename T>
T Must(base::Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message());
  return std::move(*result);
}

// A folder of one test, readable by a jailed user, with our cache in it.
class Scratch : public testing::Test {
 public:
  // The checkout that this test was built from.
  static std::string SourceRoot() {
    return std::filesystem::path(__FILE__)
        .parent_path()
        .parent_path()
        .parent_path()
        .string();
  }

 protected:
  Scratch() : folder_(Must(os::TempDir::Create("kb-compile-test"))) {
    chmod(path().c_str(), 0755);
    setenv("KB_CACHE", (path() + "/cache").c_str(), 1);
  }

  const std::string& path() const { return folder_.path(); }

  std::string Write(const std::string& name, const std::string& text) {
    const std::filesystem::path file = path() + "/" + name;
    std::filesystem::create_directories(file.parent_path());
    EXPECT_TRUE(os::WriteFileAtomically(file.string(), text));
    return file.string();
  }

  // An executable shell script.
  std::string Script(const std::string& name, const std::string& body) {
    const std::string file = Write(name, "#!/bin/sh\n" + body + "\n");
    chmod(file.c_str(), 0755);
    return file;
  }

 private:
  os::TempDir folder_;
};

// What this machine has, found once because it means an import of torch.
struct Machine {
  Machine() : cache(Must(os::TempDir::Create("kb-compile-machine"))) {
    chmod(cache.path().c_str(), 0755);
    setenv("KB_CACHE", cache.path().c_str(), 1);
    SearchPlaces places;
    for (const char* name : {"PATH", "HOME", "KB_PYTHON", "KB_NVCC", "KB_CXX"})
      if (const char* value = std::getenv(name)) places.env[name] = value;
    places.install_root = Scratch::SourceRoot();
    tools = Must(FindToolchain(places));
    level = jail::ProbeIsolation().best;
  }

  os::TempDir cache;
  Toolchain tools;
  jail::Isolation level = jail::Isolation::kNone;
};

inline const Machine& TheMachine() {
  static const Machine kMachine;
  return kMachine;
}

}  // namespace kb::compile
