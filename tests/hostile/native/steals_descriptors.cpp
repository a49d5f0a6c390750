// expect: incorrect|runtime_error cuda=not_run
// problem: level1/19
// tricks: N13
// twin: ../twins/relu.cpp
// about: Takes descriptors of other processes and asks for those in flight.
#include <kernelbench/candidate.h>

#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

int kb_forward(const kb_call* call) {
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (pid_t pid : {getppid(), 1, 2}) {
    const int other = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    for (int number = 0; number < 32; ++number)
      syscall(SYS_pidfd_getfd, other, number, 0);
  }
  memset(y, 0, 4 * n);
  return 0;
}
