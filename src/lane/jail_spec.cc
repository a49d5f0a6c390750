#include "jail_spec.h"

#include <cstdlib>
#include <utility>

namespace kb::lane {
namespace {

// Where the candidate's files are inside. Only a full jail has a tree of its
// own; the others see them where they are.
std::string FolderInside(const LaneOptions& options, const std::string& files) {
  return options.isolation == jail::Isolation::kFull ? "/candidate" : files;
}

void PassThrough(const char* name, std::map<std::string, std::string>* env) {
  const char* value = std::getenv(name);
  if (value != nullptr) (*env)[name] = value;
}

std::map<std::string, std::string> MinimalEnvironment(
    const LaneOptions& options) {
  std::map<std::string, std::string> env{
      {"PATH", "/usr/local/bin:/usr/bin:/bin"},
      {"HOME", "{TMP}"},
      // Nobody is in /etc/passwd there, and torch.compile asks for a name.
      {"USER", "candidate"},
      {"TMPDIR", "{TMP}"},
      {"LANG", "C.UTF-8"},
      {"TRITON_CACHE_DIR", "{TMP}/triton"},
      {"CUDA_CACHE_PATH", "{TMP}/nv"},
      // Else torch.compile starts a worker for each processor. They import
      // PyTorch on the one on which their parent compiles and is timed.
      {"TORCHINDUCTOR_COMPILE_THREADS", "1"},
      // Of eight, each of which makes a context 5 ms slower to open and 3 to
      // end. Queues for kernels stay eight.
      {"CUDA_DEVICE_MAX_CONNECTIONS", "8"},
      {"CUDA_DEVICE_MAX_COPY_CONNECTIONS", "1"},
      {"PYTHONDONTWRITEBYTECODE", "1"},
      // On cpu a freed tensor's memory is kept for the next one. The system
      // would take it back and give new pages at every call, which takes longer
      // than many a kernel and on a virtual machine now 2 and now 20 us a page.
      {"MALLOC_MMAP_THRESHOLD_", "4294967296"},
      {"MALLOC_TRIM_THRESHOLD_", "8589934592"},
      // A candidate's prints must not hold its own words back when it dies.
      {"PYTHONUNBUFFERED", "1"}};
  PassThrough("LD_LIBRARY_PATH", &env);
  PassThrough("CUDA_VISIBLE_DEVICES", &env);
  for (const auto& [name, value] : GpuEnvironment(options)) env[name] = value;
  if (!options.processors.timed.empty())
    env["OMP_NUM_THREADS"] = std::to_string(options.processors.timed.size());
  return env;
}

// Of all that is ours a program sees what it runs in, and nothing else: beside
// it lie the problems and samples that are right.
struct Program {
  std::vector<std::string> argv;
  std::vector<std::string> ours;
};

Program MakeProgram(const LaneOptions& options, const JailRequest& request,
                    const std::string& folder) {
  if (request.track == record::Track::kPython) {
    const std::string script = options.root + "/hosts/candidate_host.py";
    const std::string library = options.root + "/lib/libkb_candidate.so";
    return {{options.python, "-I", script, library, DeviceInside(options),
             folder + "/" + request.name, request.entry, request.mode},
            {script, library}};
  }
  const std::string program = options.root + "/bin/kernelbench-candidate";
  return {{program, DeviceInside(options), folder + "/candidate.so"},
          {program}};
}

}  // namespace

std::string DeviceInside(const LaneOptions& options) {
  return options.gpu ? "cuda:0" : options.device;
}

std::map<std::string, std::string> GpuEnvironment(const LaneOptions& options) {
  if (!options.gpu) return {};
  return {{"CUDA_VISIBLE_DEVICES", options.gpu->uuid}};
}

jail::JailSpec MakeJailSpec(const LaneOptions& options,
                            const JailRequest& request,
                            const std::string& files, int socket) {
  const std::string folder = FolderInside(options, files);
  jail::JailSpec spec;
  Program program = MakeProgram(options, request, folder);
  spec.argv = std::move(program.argv);
  spec.env = MinimalEnvironment(options);
  spec.env["KB_PRECISION"] =  // hosts/candidate_host.py
      record::PrecisionRuleName(request.policy.precision);
  for (const auto& [name, value] : request.env) spec.env[name] = value;
  spec.binds = request.binds;
  for (std::string& file : program.ours)
    spec.binds.push_back({std::move(file), "", false});
  spec.binds.push_back({files, folder, false});
  if (request.track == record::Track::kPython)
    spec.binds.insert(spec.binds.end(), options.python_binds.begin(),
                      options.python_binds.end());
  if (!request.extensions.empty()) {
    spec.tmp_seed_source = request.extensions;
    spec.tmp_seed_name = "torch_extensions";
  }
  spec.gpu = options.device != "cpu";
  if (options.gpu) spec.gpu_node = options.gpu->node;
  if (spec.gpu && request.observed && !options.cupti.empty()) {
    spec.env["KB_CUPTI"] = options.cupti;
    spec.binds.push_back({options.cupti, "", false});
  }
  spec.working_directory = "{TMP}";
  spec.inherited_fds = {socket};
  spec.isolation = options.isolation;
  // Its turn comes later, on other processors.
  spec.processors = options.processors.others;
  spec.limits.memory_bytes = static_cast<uint64_t>(request.policy.memory_bytes);
  // Its life is limited from its turn on, a reference's by its problem's.
  spec.limits.wall = std::chrono::hours(24);
  return spec;
}

jail::ForkServer::Options ForkServerOptions(const LaneOptions& options) {
  jail::ForkServer::Options server;
  server.argv = {options.python, "-I", options.root + "/hosts/fork_server.py",
                 options.root + "/lib/libkb_jail.so", "torch"};
  // What libraries read when they are loaded. {TMP} is each program's own.
  server.env = MinimalEnvironment(options);
  std::erase_if(server.env, [](const auto& variable) {
    return variable.second.starts_with("{TMP}");
  });
  // On cpu it gives out the memory of tensors (src/candidate/tensor_memory.h).
  if (options.device == "cpu")
    server.env["LD_PRELOAD"] = options.root + "/lib/libkb_candidate.so";
  server.start_limit = options.start_limit;
  return server;
}

}  // namespace kb::lane
