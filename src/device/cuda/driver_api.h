#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "cuda/driver_entry.h"

// The part of the CUDA driver's interface that we use, opened at run time, so
// that neither a toolkit nor a driver is needed to build or to start. Types and
// values are the driver's ABI (cuda.h, stable since CUDA 11).
namespace kb::device::cuda {

struct CUctx_st;
struct CUevent_st;
struct CUfunc_st;
struct CUmod_st;
struct CUstream_st;
using CUcontext = CUctx_st*;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUevent = CUevent_st*;
using CUfunction = CUfunc_st*;
using CUmemGenericAllocationHandle = unsigned long long;
using CUmodule = CUmod_st*;
using CUstream = CUstream_st*;
using CUgraphExec = struct CUgraphExec_st*;

struct CUmemLocation {
  int type;
  int id;
};
struct CUmemAllocationProp {
  int type;
  int requested_handle_types;
  CUmemLocation location;
  void* win32_handle_meta_data;
  struct {
    unsigned char compression_type;
    unsigned char gpu_direct_rdma_capable;
    unsigned short usage;
    unsigned char reserved[4];
  } alloc_flags;
};
static_assert(sizeof(CUmemAllocationProp) == 32);
struct CUmemAccessDesc {
  CUmemLocation location;
  int flags;
};
static_assert(sizeof(CUmemAccessDesc) == 12);

constexpr int kErrorNotReady = 600;      // CUDA_ERROR_NOT_READY
constexpr int kErrorNotSupported = 801;  // CUDA_ERROR_NOT_SUPPORTED
constexpr int kAttributeMultiprocessors = 16;
constexpr int kAttributeL2CacheSize = 38;
constexpr int kAttributeThreadsOfMultiprocessor = 39;
constexpr int kAttributeComputeCapabilityMajor = 75;
constexpr int kAttributeComputeCapabilityMinor = 76;
constexpr int kAttributeSharedOfMultiprocessor = 81;
constexpr int kAttributeRegistersOfMultiprocessor = 82;
constexpr int kAttributeBlocksOfMultiprocessor = 106;
constexpr int kAttributeReservedSharedOfBlock = 111;
constexpr int kMemAllocationTypePinned = 1;
constexpr int kMemHandleTypePosixFileDescriptor = 1;
constexpr int kMemLocationTypeDevice = 1;
constexpr int kMemAccessReadWrite = 3;
constexpr int kMemGranularityMinimum = 0;
constexpr unsigned kEventDefault = 0;  // with timing
constexpr unsigned kStreamNonBlocking = 1;
constexpr unsigned kHostRegisterDeviceMap = 2;
constexpr unsigned kWaitValueReached = 0;   // CU_STREAM_WAIT_VALUE_GEQ
constexpr unsigned kWriteValueDefault = 0;  // after a memory barrier

// All functions, resolved together.
class Driver {
 public:
  // Opens libcuda.so.1 on the first call. The driver lives until the process
  // ends.
  static base::Result<const Driver*> Get();

 private:
  explicit Driver(void* handle) : library_(handle) {}
  static base::Result<const Driver*> Open();
  Library library_;
  Library* lib_ = &library_;

 public:
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver() = default;

  Entry<unsigned> init{lib_, "cuInit"};
  Entry<int*> driver_get_version{lib_, "cuDriverGetVersion"};
  Entry<int, const char**> get_error_name{lib_, "cuGetErrorName"};
  Entry<int, const char**> get_error_string{lib_, "cuGetErrorString"};

  Entry<int*> device_get_count{lib_, "cuDeviceGetCount"};
  Entry<CUdevice*, int> device_get{lib_, "cuDeviceGet"};
  Entry<char*, int, CUdevice> device_get_name{lib_, "cuDeviceGetName"};
  Entry<char*, int, CUdevice> device_get_pci_bus_id{lib_,
                                                    "cuDeviceGetPCIBusId"};
  Entry<int*, int, CUdevice> device_get_attribute{lib_, "cuDeviceGetAttribute"};

  Entry<CUcontext*, CUdevice> primary_retain{lib_, "cuDevicePrimaryCtxRetain"};
  Entry<CUdevice> primary_release{lib_, "cuDevicePrimaryCtxRelease_v2"};
  Entry<CUcontext> ctx_set_current{lib_, "cuCtxSetCurrent"};
  Entry<> ctx_synchronize{lib_, "cuCtxSynchronize"};
  Entry<> reset_persisting_l2{lib_, "cuCtxResetPersistingL2Cache"};

  Entry<size_t*, size_t*> mem_get_info{lib_, "cuMemGetInfo_v2"};
  Entry<CUdeviceptr*, size_t> mem_alloc{lib_, "cuMemAlloc_v2"};
  Entry<CUdeviceptr> mem_free{lib_, "cuMemFree_v2"};
  Entry<void*, CUdeviceptr, size_t> memcpy_to_host{lib_, "cuMemcpyDtoH_v2"};
  Entry<CUdeviceptr, const void*, size_t> memcpy_from_host{lib_,
                                                           "cuMemcpyHtoD_v2"};
  Entry<CUdeviceptr, CUdeviceptr, size_t, CUstream> memcpy_async{
      lib_, "cuMemcpyDtoDAsync_v2"};

  Entry<void*, CUdeviceptr, size_t, CUstream> memcpy_to_host_async{
      lib_, "cuMemcpyDtoHAsync_v2"};
  Entry<void**, size_t, unsigned> host_alloc{lib_, "cuMemHostAlloc"};
  Entry<void*> host_free{lib_, "cuMemFreeHost"};
  Entry<void*, size_t, unsigned> host_register{lib_, "cuMemHostRegister_v2"};
  Entry<void*> host_unregister{lib_, "cuMemHostUnregister"};
  Entry<CUdeviceptr*, void*, unsigned> host_device_pointer{
      lib_, "cuMemHostGetDevicePointer_v2"};

  Entry<CUstream*, unsigned> stream_create{lib_, "cuStreamCreate"};
  Entry<CUstream> stream_destroy{lib_, "cuStreamDestroy_v2"};
  Entry<CUstream> stream_synchronize{lib_, "cuStreamSynchronize"};
  Entry<CUstream> stream_query{lib_, "cuStreamQuery"};
  Entry<CUstream, CUdeviceptr, unsigned, unsigned> stream_wait_value{
      lib_, "cuStreamWaitValue32_v2"};
  Entry<CUstream, CUdeviceptr, unsigned, unsigned> stream_write_value{
      lib_, "cuStreamWriteValue32_v2"};

  Entry<CUgraphExec, CUstream> graph_upload{lib_, "cuGraphUpload"};

  Entry<CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*,
        unsigned long long>
      mem_create{lib_, "cuMemCreate"};
  Entry<CUmemGenericAllocationHandle> mem_release{lib_, "cuMemRelease"};
  Entry<void*, CUmemGenericAllocationHandle, int, unsigned long long>
      mem_export{lib_, "cuMemExportToShareableHandle"};
  Entry<CUmemGenericAllocationHandle*, void*, int> mem_import{
      lib_, "cuMemImportFromShareableHandle"};
  Entry<CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long>
      address_reserve{lib_, "cuMemAddressReserve"};
  Entry<CUdeviceptr, size_t> address_free{lib_, "cuMemAddressFree"};
  Entry<CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle,
        unsigned long long>
      mem_map{lib_, "cuMemMap"};
  Entry<CUdeviceptr, size_t> mem_unmap{lib_, "cuMemUnmap"};
  Entry<CUdeviceptr, size_t, const CUmemAccessDesc*, size_t> mem_set_access{
      lib_, "cuMemSetAccess"};
  Entry<size_t*, const CUmemAllocationProp*, int> mem_granularity{
      lib_, "cuMemGetAllocationGranularity"};

  Entry<CUevent*, unsigned> event_create{lib_, "cuEventCreate"};
  Entry<CUevent> event_destroy{lib_, "cuEventDestroy_v2"};
  Entry<CUevent, CUstream> event_record{lib_, "cuEventRecord"};
  Entry<CUevent> event_synchronize{lib_, "cuEventSynchronize"};
  Entry<float*, CUevent, CUevent> event_elapsed{lib_, "cuEventElapsedTime"};

  Entry<CUmodule*, const void*> module_load{lib_, "cuModuleLoadData"};
  Entry<CUmodule> module_unload{lib_, "cuModuleUnload"};
  Entry<CUfunction*, CUmodule, const char*> module_function{
      lib_, "cuModuleGetFunction"};
  // Function, grid x y z, block x y z, shared bytes, stream, parameters, extra.
  Entry<CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
        unsigned, CUstream, void**, void**>
      launch_kernel{lib_, "cuLaunchKernel"};
};

}  // namespace kb::device::cuda
