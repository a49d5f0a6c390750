#include "warm_python.h"

#include "builds.h"

namespace kb::compile {

// Not torch.utils.cpp_extension, which asks the driver for GPUs: what is forked
// shall have nothing of a device.
WarmPython::WarmPython(const Python& python, const std::string& hosts_dir,
                       const std::string& library)
    : failed_(library.empty()) {
  options_.argv = {python.path, "-I",    hosts_dir + "/fork_server.py",
                   library,     "torch", "setuptools"};
  options_.env = CompilerEnvironment(SearchPath({python.path}));
  std::erase_if(options_.env, [](const auto& variable) {
    return variable.second.starts_with("{TMP}");
  });
}

jail::ForkServer* WarmPython::Server() {
  const std::lock_guard lock(mutex_);
  if (failed_) return nullptr;
  if (!server_) {
    auto started = jail::ForkServer::Start(options_);
    failed_ = !started;
    if (failed_) return nullptr;
    server_ = std::move(*started);
  }
  return server_->alive() ? server_.get() : nullptr;
}

}  // namespace kb::compile
