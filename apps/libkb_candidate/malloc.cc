// What PyTorch's tensors come from on cpu, and what goes with it, for a process
// that has this library loaded before all others (src/lane/jail_spec.cc):
// src/candidate/tensor_memory.h. All else is for who comes next, the C library
// or another one that replaces its functions.
#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tensor_memory.h"

using kb::candidate::TensorMemory;

// By these names glibc has its own.
extern "C" void* __libc_memalign(size_t alignment, size_t bytes) noexcept;
extern "C" void* __libc_realloc(void* memory, size_t bytes) noexcept;
extern "C" void __libc_free(void* memory) noexcept;

namespace {

int AllocateOfLibc(void** memory, size_t alignment, size_t bytes) {
  void* const made = __libc_memalign(alignment, bytes);
  if (made == nullptr) return ENOMEM;
  *memory = made;
  return 0;
}

// Those of glibc until the others are known: memory is asked for before.
struct Next {
  int (*posix_memalign)(void**, size_t, size_t) = AllocateOfLibc;
  void* (*realloc)(void*, size_t) = __libc_realloc;
  void (*free)(void*) = __libc_free;
};
constinit Next g_next;

template <typename Function>
void Find(const char* name, Function** function) {
  if (void* const found = dlsym(RTLD_NEXT, name))
    *function = reinterpret_cast<Function*>(found);
}

[[gnu::constructor]] void FindNext() {
  Find("posix_memalign", &g_next.posix_memalign);
  Find("realloc", &g_next.realloc);
  Find("free", &g_next.free);
}

// The one that holds it, or null.
TensorMemory* HolderOf(const void* memory) {
  TensorMemory* const tensors = TensorMemory::Installed();
  return tensors != nullptr && tensors->Holds(memory) ? tensors : nullptr;
}

}  // namespace

#pragma GCC visibility push(default)

extern "C" {

int posix_memalign(void** memory, size_t alignment, size_t bytes) noexcept {
  if (TensorMemory* const tensors = TensorMemory::Installed())
    if (void* const made = tensors->Allocate(alignment, bytes)) {
      *memory = made;
      return 0;
    }
  return g_next.posix_memalign(memory, alignment, bytes);
}

void free(void* memory) noexcept {
  if (TensorMemory* const holder = HolderOf(memory))
    holder->Free(memory);
  else
    g_next.free(memory);
}

void* realloc(void* memory, size_t bytes) noexcept {
  TensorMemory* const holder = HolderOf(memory);
  if (holder == nullptr) return g_next.realloc(memory, bytes);
  void* const made = malloc(bytes);
  if (made == nullptr) return nullptr;
  std::memcpy(made, memory, std::min(bytes, holder->BytesAt(memory)));
  holder->Free(memory);
  return made;
}

}  // extern "C"

#pragma GCC visibility pop
