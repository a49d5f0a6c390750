// The C interface between the Python host of the reference
// (hosts/oracle_host.py) and our library, called with ctypes. Everything runs
// on the thread that calls kb_oracle_main.
#pragma once

#include <cstdint>

struct DLManagedTensor;

#pragma GCC visibility push(default)
extern "C" {

// What Python does. Each returns 0, or has called kb_oracle_fail and returns 1.
// No exception leaves them.
struct kb_oracle_host {
  int (*open)(const char* request);  // answers with kb_oracle_reply
  int (*state)();                    // hands over with kb_oracle_tensor(0, ..)
  int (*draw)(uint64_t seed);        // kb_oracle_tensor(1, ..)
  int (*forward)(uint64_t generator_seed);  // marks; kb_oracle_tensor(2, ..)
  int (*forward_precise)();                 // kb_oracle_tensor(3, ..)
  int (*forward_double)();                  // kb_oracle_tensor(4, ..)
  int (*inspect)();                         // answers with kb_oracle_reply
  // kb_oracle_tensor(5, ..), or returns 2: does not apply.
  int (*mutate)(const char* name);
};

// Serves the orchestrator until it hangs up. The process's exit code.
int kb_oracle_main(int socket, const char* device, const char* torch_version,
                   const kb_oracle_host* host);

void kb_oracle_reply(const char* text);
void kb_oracle_fail(const char* text);
// A tensor of list `kind`, in order. Python keeps it alive until it hands over
// the next list of that kind.
int kb_oracle_tensor(int kind, const DLManagedTensor* tensor);
// Start (0) and stop (1) of the reference's device work on `stream`.
int kb_oracle_mark(int stop, void* stream);
}
#pragma GCC visibility pop
