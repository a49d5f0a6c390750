// The C interface between the Python host of the jail (hosts/candidate_host.py)
// and our library, called with ctypes. Everything runs on the thread that calls
// kb_candidate_main.
#pragma once

#include <cstddef>
#include <cstdint>

struct DLManagedTensor;

#pragma GCC visibility push(default)
extern "C" {

// What Python does. Each returns 0, or has called kb_candidate_fail and returns
// 1. No exception leaves them.
struct kb_candidate_host {
  // Builds the model; `setup` is the JSON of wire::Setup.
  int (*load)(const char* setup);
  // Makes the arguments of the next chain's calls from kb_candidate_input, and
  // tells the stream on which forward will work. `copy`: outputs are handed
  // over call by call. `move`: gives back what was allocated for forward, so
  // that it will lie elsewhere. `captured`: calls forward into a CUDA graph,
  // and hands the outputs over call by call there; `call` launches it then.
  int (*prepare)(int64_t calls, int64_t copy, int64_t move, int64_t captured);
  // Calls forward for each call of the chain, call i after
  // torch.manual_seed(kb_candidate_seed(i)) unless that is 0, and hands the
  // outputs over (kb_candidate_outputs).
  int (*call)();
};

// Serves until the oracle hangs up. The process's exit code.
int kb_candidate_main(int socket, const char* device,
                      const kb_candidate_host* host);

// Tensor i of the weights / of the inputs of a call of the chain, as a new
// DLManagedTensor for torch.from_dlpack.
DLManagedTensor* kb_candidate_state(int64_t i);
DLManagedTensor* kb_candidate_input(int64_t call, int64_t i);
int64_t kb_candidate_input_count();
uint64_t kb_candidate_seed(int64_t call);

// The current stream.
void kb_candidate_stream(void* stream);

// Sends a captured graph (cudaGraphExec_t) to the device, so that its launch on
// `stream` does not wait for the gate. 0, or the driver refused.
int kb_candidate_upload_graph(void* graph, void* stream);

// Takes the tensors that forward returned in `calls` calls of the chain, from
// call `first` on, `count` of each, contiguous. Handed over call by call they
// are copied into the oracle's buffers, on the stream; handed over at once only
// those outside the pool; those that nobody reads stay where they are. 0; 1
// when they are not what is expected, which has been told; 2 when two calls at
// once returned the same memory, so that the answers of all but the last are
// gone: they are to be made again, and handed over call by call.
int kb_candidate_outputs(int64_t first, int64_t calls,
                         const DLManagedTensor* const* tensors, int64_t count);

// PyTorch's pluggable allocator (CUDAPluggableAllocator) over the pool. Whether
// there is one: kb_candidate_has_pool.
int kb_candidate_has_pool();
void* kb_candidate_malloc(size_t bytes, int device, void* stream);
void kb_candidate_free(void* memory, size_t bytes, int device, void* stream);

// Why load or call failed. status: wire::CallStatus.
void kb_candidate_fail(int status, const char* text);
// What there is to say of a candidate that was loaded.
void kb_candidate_remark(const char* text);
}
#pragma GCC visibility pop
