#pragma once

#include <fcntl.h>
#include <unistd.h>

#include "os/fd.h"

namespace kb::os {

struct Pipe {
  Fd read;
  Fd write;
};

inline base::Result<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return FailErrno("making a pipe");
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

}  // namespace kb::os
