// The C interface between the Python host of the jail (hosts/candidate_host.py)
// and our library, called with ctypes. Everything runs on the thread that calls
// kb_candidate_main.
#pragma once

#include <cstdint>

struct DLManagedTensor;

#pragma GCC visibility push(default)
extern "C" {

// What Python does. Each returns 0, or has called kb_candidate_fail and returns
// 1. No exception leaves them.
struct kb_candidate_host {
  // Builds our own model for calibration, then ModelNew; `setup` is the JSON of
  // wire::Setup.
  int (*load_calibration)(const char* setup);
  int (*load)(const char* setup);
  // Makes the arguments of the next call from kb_candidate_input.
  int (*prepare)();
  // Calls forward between kb_candidate_mark(0) and (1), then hands over every
  // tensor with kb_candidate_output.
  int (*call)();
};

// Serves until the oracle hangs up. The process's exit code.
int kb_candidate_main(int socket, const char* device,
                      const kb_candidate_host* host);

// Tensor i of the weights / of the current call's inputs, as a new
// DLManagedTensor for torch.from_dlpack.
DLManagedTensor* kb_candidate_state(int64_t i);
DLManagedTensor* kb_candidate_input(int64_t i);
int64_t kb_candidate_input_count();

// Marks start (0) and stop (1) of the candidate's device work on `stream`.
int kb_candidate_mark(int stop, void* stream);

// How many tensors forward returned; then each of them, contiguous. Copied on
// `stream` into the oracle's buffer.
int kb_candidate_output_count(int64_t count);
int kb_candidate_output(int64_t i, const DLManagedTensor* tensor, void* stream);

// Known work for calibration, short (0) or long (1), enqueued on `stream`.
int kb_candidate_spin(int long_call, void* stream);

// Why load or call failed. status: wire::CallStatus.
void kb_candidate_fail(int status, const char* text);
}
#pragma GCC visibility pop
