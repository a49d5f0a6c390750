// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// tricks: R11
// about: Children in sessions of their own burn the processors while the
// reference is read, and wake each other and their parent when they are
// stopped.
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "attempt.h"

namespace {

// For two minutes, unless somebody ends it before. `elder` was made before it,
// so that whoever stops them in their order stops that one first.
[[noreturn]] void Burn(pid_t parent, pid_t elder) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  setsid();
  for (const time_t end = now.tv_sec + 120; now.tv_sec < end;) {
    kill(parent, SIGCONT);
    if (elder > 0) kill(elder, SIGCONT);
    clock_gettime(CLOCK_MONOTONIC, &now);
  }
  _exit(0);
}

}  // namespace

extern "C" int kb_setup(const kb_model*, void**) {
  constexpr int kChildren = 32;
  const pid_t parent = getpid();
  pid_t elder = 0;
  for (int i = 0; i < kChildren; ++i) {
    const pid_t child = fork();
    if (child == 0) Burn(parent, elder);
    elder = child;
  }
  return 0;
}

extern "C" int kb_forward(const kb_call* call) {
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
