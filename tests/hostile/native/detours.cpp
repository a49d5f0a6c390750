// expect: incorrect|runtime_error|timeout cuda=not_run
// problem: level1/19
// tricks: N01
// twin: ../twins/relu.cpp
// about: Overwrites the first instructions of functions that compare and take time.
#include <kernelbench/candidate.h>

#include <dlfcn.h>
#include <sys/mman.h>

#include <initializer_list>

int kb_forward(const kb_call* call) {
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  static const int ready = [] {
    for (const char* name : {"clock_gettime", "memcmp", "gettimeofday"}) {
      auto* code = static_cast<unsigned char*>(dlsym(RTLD_NEXT, name));
      if (code == nullptr) continue;
      const auto page = reinterpret_cast<uintptr_t>(code) & ~uintptr_t{4095};
      constexpr unsigned char kReturnZero[] = {0x31, 0xc0, 0xc3};
      if (mprotect(reinterpret_cast<void*>(page), 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
        memcpy(code, kReturnZero, sizeof kReturnZero);
    }
    return 0;
  }();
  memset(y, ready, 4 * n);
  return 0;
}
