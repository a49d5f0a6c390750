// What PyTorch's tensors come from on cpu, and what goes with it, for a process
// that has this library loaded before all others (src/lane/jail_spec.cc):
// src/candidate/tensor_memory.h. All else is the C library's.
#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tensor_memory.h"

using kb::candidate::TensorMemory;

#pragma GCC visibility push(default)

extern "C" {

// By these names glibc has what is replaced here.
void* __libc_memalign(size_t alignment, size_t bytes) noexcept;
void* __libc_realloc(void* memory, size_t bytes) noexcept;
void __libc_free(void* memory) noexcept;

int posix_memalign(void** memory, size_t alignment, size_t bytes) noexcept {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 ||
      alignment == 0)
    return EINVAL;
  if (TensorMemory* const tensors = TensorMemory::Installed())
    if (void* const made = tensors->Allocate(alignment, bytes)) {
      *memory = made;
      return 0;
    }
  void* const made = __libc_memalign(alignment, bytes);
  if (made == nullptr) return ENOMEM;
  *memory = made;
  return 0;
}

void free(void* memory) noexcept {
  TensorMemory* const tensors = TensorMemory::Installed();
  if (tensors != nullptr && tensors->Holds(memory))
    tensors->Free(memory);
  else
    __libc_free(memory);
}

void* realloc(void* memory, size_t bytes) noexcept {
  TensorMemory* const tensors = TensorMemory::Installed();
  if (tensors == nullptr || !tensors->Holds(memory))
    return __libc_realloc(memory, bytes);
  void* const made = malloc(bytes);
  if (made == nullptr) return nullptr;
  std::memcpy(made, memory, std::min(bytes, tensors->BytesAt(memory)));
  tensors->Free(memory);
  return made;
}

}  // extern "C"

#pragma GCC visibility pop
