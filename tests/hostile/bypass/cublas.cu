// expect: rejected cpu=not_run
// problem: level1/1
// tricks: B03
// twin: ../twins/matmul.py
// policy: own-kernels
// about: A native file whose work cuBLAS does.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

int kb_setup(const kb_model* /*model*/, void** state) {
  return cublasCreate(reinterpret_cast<cublasHandle_t*>(state));
}

int kb_forward(const kb_call* call) {
  const float* a = kb::input<float>(call, 0);
  const float* b = kb::input<float>(call, 1);
  const auto handle = static_cast<cublasHandle_t>(call->state);
  const DLTensor& left = kb::input_tensor(call, 0);
  const DLTensor& right = kb::input_tensor(call, 1);
  const int m = static_cast<int>(left.shape[0]);
  const int k = static_cast<int>(left.shape[1]);
  const int n = static_cast<int>(right.shape[1]);
  const float one = 1, zero = 0;
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, n, a, k,
                     &zero, kb::output<float>(call), n);
}
