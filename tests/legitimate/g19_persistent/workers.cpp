// expect: correct cuda=not_run
// problem: level1/19
// tricks: G19
// about: Workers that live between calls and wait for work.
#include <kernelbench/candidate.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

// One worker, which takes a half and says when it is done.
class Worker {
 public:
  Worker() : thread_([this] { Work(); }) {}
  ~Worker() {
    Give(nullptr, nullptr, -1);
    thread_.join();
  }
  void Give(const float* x, float* y, int64_t n) {
    const std::lock_guard guard(lock_);
    x_ = x;
    y_ = y;
    n_ = n;
    busy_ = true;
    changed_.notify_all();
  }
  void Await() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return !busy_; });
  }

 private:
  void Work() {
    std::unique_lock guard(lock_);
    for (;;) {
      changed_.wait(guard, [this] { return busy_; });
      if (n_ < 0) return;
      for (int64_t i = 0; i < n_; ++i) y_[i] = x_[i] < 0.0f ? 0.0f : x_[i];
      busy_ = false;
      changed_.notify_all();
    }
  }
  std::mutex lock_;
  std::condition_variable changed_;
  const float* x_ = nullptr;
  float* y_ = nullptr;
  int64_t n_ = 0;
  bool busy_ = false;
  std::thread thread_;
};

}  // namespace

int kb_setup(const kb_model*, void** state) {
  *state = new Worker;
  return 0;
}

int kb_forward(const kb_call* call) {
  auto* worker = static_cast<Worker*>(call->state);
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  worker->Give(x + n / 2, y + n / 2, n - n / 2);
  for (int64_t i = 0; i < n / 2; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
  worker->Await();
  return 0;
}

void kb_teardown(void* state) { delete static_cast<Worker*>(state); }
