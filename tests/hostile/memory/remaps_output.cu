// expect: incorrect|runtime_error cpu=not_run
// problem: level1/19
// tricks: M06
// twin: ../twins/relu.cu
// about: Maps the memory of the input at the address of the output.
#include <cuda.h>
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  CUmemGenericAllocationHandle handle;
  CUdeviceptr base = 0;
  size_t size = 0;
  const auto to = reinterpret_cast<CUdeviceptr>(y);
  if (cuMemRetainAllocationHandle(&handle, const_cast<float*>(x)) != CUDA_SUCCESS) return 0;
  cuMemGetAddressRange(&base, &size, to);
  cuMemUnmap(base, size);
  cuMemMap(base, size, 0, handle, 0);
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  cuMemSetAccess(base, size, &access, 1);
  return cudaGetLastError();
}
