#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "compile/toolchain.h"
#include "jail/fork_server.h"

namespace kb::compile {

// A Python that has imported PyTorch, of which the jails' programs are forked:
// an import of PyTorch takes longer than most compilations. Started when it is
// first asked for. Thread-safety: any thread.
class WarmPython {
 public:
  // `library`: libkb_jail.so; empty: there is no such Python.
  WarmPython(const Python& python, const std::string& hosts_dir,
             const std::string& library);

  // Null where it could not be started or has died: programs then start by
  // themselves. As long as this object.
  jail::ForkServer* Server();

 private:
  jail::ForkServer::Options options_;
  std::mutex mutex_;
  std::unique_ptr<jail::ForkServer> server_;
  bool failed_ = false;
};

}  // namespace kb::compile
