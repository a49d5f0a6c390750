// expect: incorrect|runtime_error cuda=not_run
// problem: level1/19
// tricks: N05, N16
// twin: ../twins/relu.cpp
// about: Reads and writes the memory of other processes, and attaches to them.
#include <kernelbench/candidate.h>

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <initializer_list>

int kb_forward(const kb_call* call) {
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (pid_t pid : {getppid(), 1, 2, 3}) {
    if (pid == getpid()) continue;
    char bytes[64] = {1};
    iovec mine{bytes, sizeof bytes}, other{reinterpret_cast<void*>(0x400000), sizeof bytes};
    syscall(SYS_process_vm_writev, pid, &mine, 1, &other, 1, 0);
    syscall(SYS_process_vm_readv, pid, &mine, 1, &other, 1, 0);
    ptrace(PTRACE_ATTACH, pid, nullptr, nullptr);
  }
  memset(y, 0, 4 * n);
  return 0;
}
