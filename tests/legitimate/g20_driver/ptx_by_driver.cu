// expect: correct cpu=not_run
// problem: level1/19
// tricks: G20
// about: A kernel in PTX of its own, loaded by the driver.
#include <cuda.h>
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr const char* kPtx = R"(
.version 7.0
.target sm_80
.address_size 64
.visible .entry relu(.param .u64 px, .param .u64 py, .param .u64 pn) {
  .reg .pred %p<3>;
  .reg .f32 %f<3>;
  .reg .b32 %r<5>;
  .reg .b64 %d<9>;
  ld.param.u64 %d1, [px];
  ld.param.u64 %d2, [py];
  ld.param.u64 %d3, [pn];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %d4, %r1, %r2;
  cvt.u64.u32 %d5, %r3;
  add.u64 %d4, %d4, %d5;
  setp.ge.s64 %p1, %d4, %d3;
  @%p1 ret;
  shl.b64 %d6, %d4, 2;
  cvta.to.global.u64 %d7, %d1;
  add.u64 %d7, %d7, %d6;
  ld.global.f32 %f1, [%d7];
  setp.lt.f32 %p2, %f1, 0f00000000;
  selp.f32 %f2, 0f00000000, %f1, %p2;
  cvta.to.global.u64 %d8, %d2;
  add.u64 %d8, %d8, %d6;
  st.global.f32 [%d8], %f2;
  ret;
}
)";

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  static const CUfunction kernel = [] {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    if (cuModuleLoadData(&module, kPtx) == CUDA_SUCCESS)
      cuModuleGetFunction(&function, module, "relu");
    return function;
  }();
  int64_t count = n;
  void* arguments[] = {&x, &y, &count};
  if (kernel == nullptr) return 1;
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  cuLaunchKernel(kernel, blocks, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr);
  return cudaGetLastError();
}
