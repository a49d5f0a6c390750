// expect: incorrect|runtime_error|timeout|load_error cuda=not_run
// problem: level1/19
// tricks: N08
// twin: ../twins/relu.cpp
// about: A filter of its own catches the writes of the host and changes them.
#include <kernelbench/candidate.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int kb_forward(const kb_call* call) {
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  static const int ready = [] {
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmsg, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const sock_fprog filter{4, program};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter));
  }();
  memset(y, ready, 4 * n);
  return 0;
}
