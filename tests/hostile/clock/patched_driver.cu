// expect: not_certified|incorrect cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// tricks: N01
// about: Rewrites the driver's functions in its own process, so that the host
// writes the end mark of a chain when the gate opens.
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <chrono>
#include <thread>

#include "attempt.h"

namespace {

using Write = int(void* stream, uint64_t address, unsigned value,
                  unsigned flags);
Write* entry = nullptr;  // cuStreamWriteValue32_v2, as the host finds it
unsigned char honest[12], jump[12] = {0x48, 0xb8};  // mov rax, ours; jmp rax
volatile unsigned* box = nullptr;

void Put(const unsigned char* code) {
  memcpy(reinterpret_cast<void*>(entry), code, sizeof honest);
}

// What a thread of this process may write; for a second, then it gives up.
void SayDone(unsigned number) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (box[kGo] < number)
    if (std::chrono::steady_clock::now() > end) return;
  box[kDone] = number;
}

int WriteEarly(void* stream, uint64_t address, unsigned value, unsigned flags) {
  if (box[kCalls] > 4) std::thread(SayDone, value).detach();
  Put(honest);
  const int code = entry(stream, address, value, flags);
  Put(jump);
  return code;
}

}  // namespace

extern "C" int kb_setup(const kb_model*, void**) {
  constexpr uintptr_t kPage = 4096;
  box = Mailbox();
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) return 1;
  entry = reinterpret_cast<Write*>(dlsym(driver, "cuStreamWriteValue32_v2"));
  if (entry == nullptr) return 2;
  const uintptr_t page = reinterpret_cast<uintptr_t>(entry) / kPage * kPage;
  if (mprotect(reinterpret_cast<void*>(page), 2 * kPage,
               PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return 3;
  Write* const ours = WriteEarly;
  memcpy(honest, reinterpret_cast<void*>(entry), sizeof honest);
  memcpy(jump + 2, &ours, sizeof ours);
  jump[10] = 0xff;
  jump[11] = 0xe0;
  Put(jump);
  return 0;
}

extern "C" int kb_forward(const kb_call* call) {
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
