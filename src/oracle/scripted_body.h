#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <span>

#include "candidate/serve.h"
#include "doubling.h"

namespace kb::oracle {

// For tests: what runs in a jail does as a test says.

using candidate::CallResult;

// One call of a chain as a body sees it.
struct Call {
  const float* input = nullptr;
  float* output = nullptr;
  float* weight = nullptr;
  int number = 0;    // 0, 1, ... since loading
  size_t index = 0;  // in its chain
  size_t calls = 1;  // of the chain
  uint64_t generator_seed = 0;
  int socket = -1;
  bool IsLast() const { return index + 1 == calls; }
};

// What a body does in a call. One that does not answer returns from it when the
// judgement is over.
struct Behaviour {
  std::function<CallResult(const Call&)> forward;
  bool answers = true;
  bool starts = true;  // else it ends before it has read the set-up
  CallResult load = {};
  uint64_t place = wire::kInSlot;  // where it says that outputs are
};

inline CallResult Honest(const Call& call) {
  for (int64_t i = 0; i < kElements; ++i)
    call.output[i] = *call.weight * call.input[i];
  return {};
}

// What the threads of one judgement share.
struct Stage {
  std::atomic<bool> over = false;  // the judgement has come
  // As the oracle asked for it.
  std::atomic<bool> candidate_runs = true;
  std::atomic<bool> reference_runs = true;
  std::atomic<int> loads = 0;
  std::atomic<int> loads_at_begin = -1;  // when a candidate's life began
  std::atomic<int> reference_calls = 0;
  std::atomic<int> candidate_calls = 0;
  std::atomic<int> calls_out_of_turn = 0;
};

class ScriptedBody : public candidate::Body {
 public:
  ScriptedBody(Behaviour behaviour, bool is_candidate, int socket,
               std::shared_ptr<Stage> stage)
      : behaviour_(std::move(behaviour)),
        is_candidate_(is_candidate),
        socket_(socket),
        stage_(std::move(stage)) {}

  CallResult Load(const candidate::Memory& memory) override {
    memory_ = &memory;
    ++stage_->loads;
    return behaviour_.load;
  }
  CallResult Prepare(const wire::Chain& chain) override {
    chain_ = chain;
    return {};
  }
  void* stream() const override { return nullptr; }
  CallResult Enqueue(std::span<uint64_t> places) override {
    EXPECT_EQ(places.size(), chain_.calls);
    std::ranges::fill(places, behaviour_.place);
    CallResult result;
    for (size_t slot = 0; slot < chain_.calls; ++slot) {
      ++(is_candidate_ ? stage_->candidate_calls : stage_->reference_calls);
      // Before it is read for the first time nobody has stopped the reference.
      const bool stopped = stage_->reference_calls > 0;
      if (stage_->candidate_runs != is_candidate_ ||
          (stopped && stage_->reference_runs == is_candidate_))
        ++stage_->calls_out_of_turn;
      result = behaviour_.forward(CallAt(slot));
      ++number_;
      if (result.status != wire::CallStatus::kOk) break;
    }
    if (!behaviour_.answers) stage_->over.wait(false);
    return result;
  }

 private:
  oracle::Call CallAt(size_t index) const {
    const size_t slot = chain_.first + index;
    return {reinterpret_cast<float*>(memory_->input(slot, 0)),
            reinterpret_cast<float*>(memory_->output(slot, 0)),
            reinterpret_cast<float*>(memory_->state(0)),
            number_,
            index,
            chain_.calls,
            chain_.generator_seeds.at(index),
            socket_};
  }

  Behaviour behaviour_;
  bool is_candidate_;
  int socket_;
  std::shared_ptr<Stage> stage_;
  const candidate::Memory* memory_ = nullptr;
  wire::Chain chain_;
  int number_ = 0;
};

inline std::pair<os::Fd, os::Fd> Sockets() {
  return os::SocketPair().value_or(std::pair<os::Fd, os::Fd>());
}

}  // namespace kb::oracle
