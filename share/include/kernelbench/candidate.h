/* kernelbench/candidate.h: what a native candidate (one .cu or .cpp file)
 * implements. A C interface; helpers for C++ at the end.
 *
 * A candidate exports
 *   int kb_forward(const kb_call* call);                        required
 *   int kb_setup(const kb_model* model, void** state);          optional
 *   void kb_teardown(void* state);                              optional
 * each returning 0 for success; any other number is a runtime_error (in
 * kb_setup: a load_error) that names it.
 *
 * kb_setup runs once, untimed, before the first call: pack weights, make plans,
 * allocate workspaces there. kb_forward reads the inputs and writes every
 * element of the outputs, which are allocated by the caller and hold garbage
 * before (destination passing). All work must be enqueued on, or joined with,
 * call->stream; kb_forward need not wait for it. On cpu the stream is NULL and
 * the work is done when kb_forward returns. Every call brings new input bytes,
 * sometimes at another address.
 *
 * All tensors are dense and row-major: strides may be NULL, byte_offset is 0.
 * Shapes are those of the problem at the size that is run, so read them.
 */
#ifndef KERNELBENCH_CANDIDATE_H_
#define KERNELBENCH_CANDIDATE_H_

#include <stddef.h>
#include <stdint.h>

/* DLPack's ABI (dmlc/dlpack, version 0.x and 1.x share these). */
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_
typedef struct {
  int32_t device_type; /* 1 cpu, 2 cuda */
  int32_t device_id;
} DLDevice;
typedef struct {
  uint8_t code; /* 0 int, 1 uint, 2 float, 4 bfloat, 6 bool */
  uint8_t bits;
  uint16_t lanes;
} DLDataType;
typedef struct {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
} DLTensor;
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define KB_CANDIDATE_ABI 1

enum kb_kind {
  KB_NONE = 0,
  KB_BOOL = 1,   /* u.i */
  KB_INT = 2,    /* u.i */
  KB_FLOAT = 3,  /* u.f */
  KB_STRING = 4, /* u.s */
  KB_TENSOR = 5, /* u.t */
  KB_LIST = 6    /* u.list; tuples too, and dicts as lists of pairs */
};

/* One argument of the constructor or of forward, as plain data. */
typedef struct kb_value {
  int32_t kind; /* enum kb_kind */
  int32_t reserved;
  union {
    int64_t i;
    double f;
    const char* s;
    const DLTensor* t;
    struct {
      const struct kb_value* items;
      int64_t count;
    } list;
  } u;
} kb_value;

/* A parameter or buffer of the reference, by its state_dict key. */
typedef struct kb_named_tensor {
  const char* name;
  const DLTensor* tensor;
} kb_named_tensor;

/* The constructor's arguments and the weights. Valid until teardown. */
typedef struct kb_model {
  uint32_t abi; /* KB_CANDIDATE_ABI */
  DLDevice device;
  const kb_value* init;
  int64_t init_count;
  const kb_named_tensor* state;
  int64_t state_count;
  void* stream; /* of the set-up; as kb_call.stream */
} kb_model;

/* One call of forward. Valid during the call. */
typedef struct kb_call {
  uint32_t abi;
  const kb_model* model;
  void* state; /* what kb_setup stored, else NULL */
  const kb_value* inputs;
  int64_t input_count;
  const DLTensor* outputs;
  int64_t output_count;
  void* stream; /* cudaStream_t, NULL on cpu */
} kb_call;

#define KB_EXPORT __attribute__((visibility("default")))

KB_EXPORT int kb_forward(const kb_call* call);
KB_EXPORT int kb_setup(const kb_model* model, void** state);
KB_EXPORT void kb_teardown(void* state);

#ifdef __cplusplus
} /* extern "C" */

#include <string.h>

namespace kb {

/* The data of input or output i as T*. */
template <typename T>
const T* input(const kb_call* call, int64_t i) {
  return static_cast<const T*>(call->inputs[i].u.t->data);
}
template <typename T>
T* output(const kb_call* call, int64_t i = 0) {
  return static_cast<T*>(call->outputs[i].data);
}
inline int64_t numel(const DLTensor& t) {
  int64_t n = 1;
  for (int32_t d = 0; d < t.ndim; ++d) n *= t.shape[d];
  return n;
}
inline const DLTensor& input_tensor(const kb_call* call, int64_t i) {
  return *call->inputs[i].u.t;
}
/* A scalar argument of forward or of the constructor as a number. */
inline double number(const kb_value& v) {
  return v.kind == KB_FLOAT ? v.u.f : static_cast<double>(v.u.i);
}
/* The parameter or buffer of this name, NULL when the reference has none. */
inline const DLTensor* weight(const kb_model* model, const char* name) {
  for (int64_t i = 0; i < model->state_count; ++i)
    if (strcmp(model->state[i].name, name) == 0) return model->state[i].tensor;
  return nullptr;
}

} /* namespace kb */
#endif

#endif /* KERNELBENCH_CANDIDATE_H_ */
