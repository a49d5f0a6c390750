// expect: incorrect|correct cuda=not_run
// problem: level1/47
// tricks: C33
// twin: ../twins/sum.cpp
// about: Threads that add to the same sums without a lock.
#include <kernelbench/candidate.h>

#include <thread>
#include <vector>

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const auto* data = static_cast<const float*>(x.data);
  float* y = kb::output<float>(call);
  const int64_t rows = x.shape[1], columns = x.shape[2];
  memset(y, 0, 4 * kb::numel(call->outputs[0]));
  std::vector<std::thread> threads;
  for (int part = 0; part < 4; ++part)
    threads.emplace_back([=] {
      for (int64_t b = 0; b < x.shape[0]; ++b)
        for (int64_t r = part; r < rows; r += 4)
          for (int64_t q = 0; q < columns; ++q) {
            volatile float* sum = y + b * columns + q;
            *sum = *sum + data[(b * rows + r) * columns + q];
          }
    });
  for (std::thread& thread : threads) thread.join();
  return 0;
}
