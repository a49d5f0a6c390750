#pragma once

#include <cstddef>
#include <cstdint>

// What we use of CUPTI, as its versions for CUDA 12 and 13 have it
// (cupti_callbacks.h, cupti_activity.h): the library comes with PyTorch or the
// toolkit, and is opened when it is needed.
namespace kb::provenance::cupti {

enum Domain : uint32_t { kDriverApi = 1, kRuntimeApi = 2, kResource = 3 };
inline constexpr uint32_t kModuleLoaded = 6;  // of kResource

struct CallbackData {
  uint32_t site;  // 0: enter, 1: exit
  const char* function;
  const void* parameters;
  void* returned;
  const char* symbol;  // of launches: the kernel
  void* context;
  uint32_t context_uid;
  uint64_t* data;
  uint32_t correlation;
};

struct ResourceData {
  void* context;
  void* handle;
  void* descriptor;  // of kModuleLoaded: Module
};

struct Module {
  uint32_t id;
  size_t size;
  const char* cubin;
};

enum Activity : uint32_t { kCopy = 1, kFill = 2, kKernel = 10 };

// How records begin. Later versions only add behind.
struct KernelRecord {
  uint32_t kind;
  uint8_t unused_1[2];
  uint16_t registers;  // of a thread
  uint8_t unused_2[8];
  uint64_t start;  // nanoseconds
  uint64_t end;
  uint8_t unused_3[20];
  int32_t extent[3];  // of the grid, in blocks
  int32_t block[3];
  int32_t static_shared_bytes;  // of a block
  int32_t dynamic_shared_bytes;
  uint32_t local_bytes;  // of a thread
  uint8_t unused_4[4];
  uint32_t correlation;
  int64_t grid;
  const char* name;
};
static_assert(offsetof(KernelRecord, registers) == 6);
static_assert(offsetof(KernelRecord, start) == 16);
static_assert(offsetof(KernelRecord, extent) == 52);
static_assert(offsetof(KernelRecord, local_bytes) == 84);
static_assert(offsetof(KernelRecord, correlation) == 92);
static_assert(offsetof(KernelRecord, name) == 104);

enum CopyKind : uint8_t {
  kToDevice = 1,
  kToHost = 2,
  kOnDevice = 8,
  kBetweenDevices = 10
};

struct CopyRecord {  // copies and fills
  uint32_t kind;
  uint8_t how;  // of copies: CopyKind
  uint8_t unused_1[3];
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t unused_2[3];
  uint32_t correlation;
};
static_assert(offsetof(CopyRecord, start) == 16);
static_assert(offsetof(CopyRecord, correlation) == 44);

using Callback = void (*)(void* user, uint32_t domain, uint32_t id,
                          const void* data);
using BufferRequested = void (*)(uint8_t** buffer, size_t* size,
                                 size_t* most_records);
using BufferCompleted = void (*)(void* context, uint32_t stream,
                                 uint8_t* buffer, size_t size, size_t valid);

}  // namespace kb::provenance::cupti
