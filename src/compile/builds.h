#pragma once

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "compile/compiler.h"
#include "header_libraries.h"
#include "workshop.h"

namespace kb::compile {

// What Compiler::Compile was asked. References live as long as the call.
struct BuildRequest {
  const Toolchain& toolchain;
  const Compiler::Options& options;
  const record::Candidate& candidate;
  const record::Policy& policy;
  const std::string& device_arch;
  std::stop_token stop;
  WarmPython* python = nullptr;  // as ToolRun has it
  // BindingsObject, made when the second asks for it; "": do without. Null: the
  // same. Called where an extension has to be built.
  std::function<std::string()> bindings = nullptr;
};

// A .cu or .cpp file to one shared object.
class NativeBuild {
 public:
  // An Error when the compiler is missing.
  static base::Result<NativeBuild> Plan(const BuildRequest& request);

  // Everything that the artefact depends on.
  const std::string& key() const { return key_; }

  // Builds into the empty folder `entry`.
  base::Result<Artifact> Run(const std::string& entry) const;

  // Adds what is not kept in the cache.
  void Describe(Artifact* artifact) const;

 private:
  explicit NativeBuild(const BuildRequest& request) : request_(request) {}
  void PlanCuda(const Nvcc& nvcc);
  void PlanCpp();
  void PlanHeaders();
  ToolRun Compilation(const Workshop& shop) const;
  base::Result<void> CheckCuda(const std::string& log) const;

  const BuildRequest& request_;
  std::string key_;
  std::string file_name_;
  std::vector<std::string> command_;    // the compiler and its flags
  std::vector<std::string> libraries_;  // after the source
  HeaderUse headers_;                   // of libraries beside the toolkit
  std::vector<jail::Bind> tools_;       // what the jail must show
  std::vector<jail::Bind> run_binds_;
};

// The torch extensions that a Python candidate builds when it is imported.
class ExtensionBuild {
 public:
  static base::Result<ExtensionBuild> Plan(const BuildRequest& request);
  const std::string& key() const { return key_; }
  base::Result<Artifact> Run(const std::string& entry) const;

  // Adds what is not kept in the cache.
  void Describe(Artifact* artifact) const;

 private:
  explicit ExtensionBuild(const BuildRequest& request) : request_(request) {}
  base::Result<void> PlanEnvironment();
  void PlanHeaders();
  base::Result<void> PlanKey();
  base::Result<Workshop> MakeWorkshop() const;
  ToolRun Import(const Workshop& shop) const;
  void ShowBindings(ToolRun* run) const;
  enum class Headers { kSlimFirst, kWhole };
  // With slim headers of PyTorch where they do (src/builder), and with the
  // whole ones where only the import shows that they do not.
  base::Result<Artifact> RunOnceOrTwice(const std::string& entry) const;
  // `spent`: seconds of the time limit that have gone.
  base::Result<Artifact> RunWith(Headers headers, const std::string& entry,
                                 double spent) const;

  const BuildRequest& request_;
  std::string key_;
  std::string file_name_;
  std::string extensions_dir_;
  std::map<std::string, std::string> env_;
  std::vector<jail::Bind> tools_;
  HeaderUse headers_;
};

// The part of a run that does not depend on the compiler: the workshop's
// folders and the limits.
ToolRun StartRun(const BuildRequest& request, const Workshop& shop);

// PATH for a jail in which these programs are used: their folders, then the
// system's.
std::string SearchPath(const std::vector<std::string>& programs);

// The environment that every compiler gets.
std::map<std::string, std::string> CompilerEnvironment(const std::string& path);

// "90a" for "sm_90": the variant with the instructions of just this GPU (wgmma,
// TMA), which exists from 9.0 on; "80" for "sm_80". Without a GPU ("x86-64"):
// "90a".
std::string CudaArchitecture(const std::string& device_arch);

// The CPU's model and features, because of -march=native.
const std::string& CpuIdentity();

}  // namespace kb::compile
