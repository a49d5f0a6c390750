// expect: not_certified|incorrect cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// tricks: T03
// about: A function of the host in the stream lets a thread begin the work,
// and nobody waits for that.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "attempt.h"

namespace {

struct Order {
  std::mutex mutex;
  std::condition_variable changed;
  Calls calls;
  unsigned count = 0;
  bool open = false;
  long n = 0;
};
Order order;
volatile unsigned* box = nullptr;

void Work(int device) {
  cudaSetDevice(device);
  cudaStream_t aside = nullptr;
  cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  std::unique_lock lock(order.mutex);
  while (true) {
    order.changed.wait(lock, [] { return order.open; });
    order.open = false;
    ReluAll<<<dim3(1024, order.count), 256, 0, aside>>>(order.calls, order.n);
  }
}

// Functions of CUDA are forbidden here.
void Open(void*) {
  const std::lock_guard lock(order.mutex);
  order.open = true;
  order.changed.notify_one();
}

}  // namespace

extern "C" int kb_setup(const kb_model* model, void**) {
  box = Mailbox();
  std::thread(Work, model->device.device_id).detach();
  return 0;
}

extern "C" int kb_forward(const kb_call* call) {
  static unsigned chain = 0, count = 0;
  const std::lock_guard lock(order.mutex);
  if (box[kArm] != chain) count = 0;
  chain = box[kArm];
  order.calls.x[count] = kb::input<float>(call, 0);
  order.calls.y[count] = kb::output<float>(call);
  order.n = kb::numel(call->outputs[0]);
  order.count = ++count;
  if (count < box[kCalls]) return 0;
  return cudaLaunchHostFunc(nullptr, Open, nullptr);
}
