// expect: incorrect|compile_error|timeout|runtime_error cuda=not_run
// problem: level1/19
// tricks: N03
// twin: ../twins/relu.cpp
// about: Exports functions by the names of those that compare and take time.
#include <kernelbench/candidate.h>

#include <time.h>

extern "C" {
KB_EXPORT int memcmp(const void*, const void*, size_t) { return 0; }
KB_EXPORT int clock_gettime(clockid_t, struct timespec* now) {
  now->tv_sec = now->tv_nsec = 0;
  return 0;
}
KB_EXPORT int cudaEventElapsedTime(float* milliseconds, void*, void*) {
  *milliseconds = 1e-3f;
  return 0;
}
}

int kb_forward(const kb_call* call) {
  memset(call->outputs[0].data, 0, 4 * kb::numel(call->outputs[0]));
  return 0;
}
