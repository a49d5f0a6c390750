// expect: runtime_error|incorrect|timeout cuda=not_run
// problem: level1/19
// tricks: N11
// twin: ../twins/relu.cpp
// about: Changes the addresses that the host returns to.
#include <kernelbench/candidate.h>

__attribute__((noinline)) static int Skip() {
  auto** frame = static_cast<void**>(__builtin_frame_address(0));
  auto** above = static_cast<void**>(frame[0]);
  if (above > frame && above < frame + 4096) frame[1] = above[1];
  return 0;
}

int kb_forward(const kb_call*) { return Skip(); }
