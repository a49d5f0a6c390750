// The C interface between the Python host of the reference
// (hosts/oracle_host.py) and our library, called with ctypes. Everything runs
// on the thread that calls kb_oracle_main.
#pragma once

#include <cstdint>

struct DLManagedTensor;

namespace kb::oracle {

// What a list of tensors is that Python hands over. hosts/oracle_host.py names
// them in the same order.
enum class TensorList : int {
  kState,    // parameters and buffers
  kInputs,   // what was drawn
  kOutputs,  // of forward
  kPrecise,  // of forward without TF32
  kTf32,     // of forward with operands rounded to TF32
  kNudged,   // the same on inputs that differ in their last bit
  kExact,    // of forward in float64
  kMutant,   // a wrong answer
};
inline constexpr int kTensorLists = 8;

}  // namespace kb::oracle

#pragma GCC visibility push(default)
extern "C" {

// What Python does. Each returns 0, or has called kb_oracle_fail and returns 1.
// No exception leaves them.
struct kb_oracle_host {
  int (*open)(const char* request);  // answers with kb_oracle_reply
  int (*state)();                    // hands over kState
  int (*draw)(uint64_t seed);        // hands over kInputs
  int (*keep)(uint64_t slot);        // asks for kb_oracle_place
  int (*take_kept)(uint64_t slot);
  int (*forward)(uint64_t generator_seed);  // marks; hands over kOutputs
  int (*forward_precise)();                 // hands over kPrecise
  int (*forward_tf32)();                    // hands over kTf32
  int (*forward_nudged)(uint64_t seed);     // hands over kNudged
  int (*forward_double)();                  // hands over kExact
  int (*inspect)();                         // answers with kb_oracle_reply
  // Hands over kMutant, or returns 2: does not apply.
  int (*mutate)(const char* name);
  int (*rates)();  // answers with kb_oracle_reply
};

// Serves the orchestrator until it hangs up. The process's exit code.
int kb_oracle_main(int socket, const char* device, const char* torch_version,
                   const kb_oracle_host* host);

void kb_oracle_reply(const char* text);
void kb_oracle_fail(const char* text);
// A tensor of the TensorList `list`, in order. Python keeps it alive until it
// hands over the next list of that kind.
int kb_oracle_tensor(int list, const DLManagedTensor* tensor);
// Where input `i` was copied to, while `keep` runs. Python takes it over.
DLManagedTensor* kb_oracle_place(int i);
// Start (0) and stop (1) of the reference's device work on `stream`.
int kb_oracle_mark(int stop, void* stream);
}
#pragma GCC visibility pop
