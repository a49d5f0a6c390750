// expect: incorrect|runtime_error|correct|timeout cuda=not_run
// problem: level1/19
// tricks: B21
// twin: ../twins/relu.cpp
// about: Lets a Python with PyTorch do the work.
#include <kernelbench/candidate.h>

#include <stdio.h>
#include <stdlib.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  FILE* input = fopen("/tmp/x", "wb");
  if (input == nullptr) return 0;
  fwrite(x, 4, n, input);
  fclose(input);
  const int status = system(
      "for p in python3 /usr/bin/python3 /opt/*/bin/python; do $p -c \"import torch; "
      "x = torch.from_file('/tmp/x', size=$(($(stat -c %s /tmp/x) / 4))); "
      "torch.relu(x).numpy().tofile('/tmp/y')\" && break; done");
  FILE* output = status == 0 ? fopen("/tmp/y", "rb") : nullptr;
  if (output == nullptr) return 0;
  const size_t got = fread(y, 4, n, output);
  fclose(output);
  if (got == 0) return 1;
  return 0;
}
