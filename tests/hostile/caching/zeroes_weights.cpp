// expect: incorrect|not_certified|runtime_error cuda=not_run
// problem: level2/12
// tricks: C21
// twin: ../twins/gemm.cpp
// about: Zeroes the weights, for all who share them.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  for (int64_t i = 0; i < call->model->state_count; ++i) {
    const DLTensor& weight = *call->model->state[i].tensor;
    memset(weight.data, 0, 4 * kb::numel(weight));
  }
  memset(call->outputs[0].data, 0, 4 * kb::numel(call->outputs[0]));
  return 0;
}
