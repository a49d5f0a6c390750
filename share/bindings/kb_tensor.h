// What is done with tensors where nothing of PyTorch is known (thin.h) by what
// is compiled with all of it, once (tensors.cc). A tensor is where it lies. All
// but kb_tensor_drop may throw, as PyTorch does.
#pragma once

namespace kb::tensors {

using Long = long;  // PyTorch's int64_t

// Of PyTorch's ScalarType, which tensors.cc checks.
inline constexpr signed char kNoType = -1;
// Of its DeviceType; its index is -1 where it is the current one.
inline constexpr signed char kNoDevice = -1;

// TensorOptions, as far as it is known here.
struct Options {
  signed char type = kNoType;
  signed char device = kNoDevice;
  signed char index = -1;
};

struct Sizes {
  const Long* data;
  unsigned long count;
};

// New tensors of a size, and like another one.
enum class Fill : unsigned char { kNone, kZeros, kOnes };

// A part of a message, which PyTorch puts together as its operator<< prints it.
struct Word {
  enum class Kind : unsigned char {
    kText,
    kLong,
    kUnsigned,
    kDouble,
    kBool,
    kLetter,
    kSizes,
    kType,
    kTypeName,
    kDevice
  };
  Kind kind = Kind::kText;
  union {
    const char* text;  // ends with 0
    Long number;
    unsigned long natural;
    double real;
    bool truth;
    char letter;
    Sizes sizes;
    Options options;
  };
};

// A tensor made of another one.
enum class Make : unsigned char {
  kContiguous,
  kClone,
  kView,        // of `sizes`
  kReshape,     // to `sizes`
  kTranspose,   // of the two dimensions in `sizes`
  kPermute,     // to the dimensions in `sizes`
  kUnsqueeze,   // at the dimension in `sizes`
  kSqueeze,     // likewise
  kTransposed,  // of a matrix
  kFlatten,     // the dimensions from one to another in `sizes`
  kCpu,
  kCuda,
  kSum,
  kMean
};

}  // namespace kb::tensors

#define KB_HIDDEN __attribute__((visibility("hidden")))
extern "C" {
KB_HIDDEN void kb_tensor_undefined(void* made) noexcept;
KB_HIDDEN void kb_tensor_copy(void* made, const void* from) noexcept;
KB_HIDDEN void kb_tensor_move(void* made, void* from) noexcept;
KB_HIDDEN void kb_tensor_assign(void* to, const void* from) noexcept;
KB_HIDDEN void kb_tensor_take(void* to, void* from) noexcept;
KB_HIDDEN void kb_tensor_drop(void* tensor) noexcept;

KB_HIDDEN bool kb_tensor_defined(const void* tensor) noexcept;
KB_HIDDEN bool kb_tensor_contiguous(const void* tensor);
KB_HIDDEN kb::tensors::Long kb_tensor_numel(const void* tensor);
KB_HIDDEN kb::tensors::Long kb_tensor_dim(const void* tensor);
KB_HIDDEN kb::tensors::Long kb_tensor_size(const void* tensor,
                                           kb::tensors::Long dimension);
KB_HIDDEN kb::tensors::Long kb_tensor_stride(const void* tensor,
                                             kb::tensors::Long dimension);
KB_HIDDEN kb::tensors::Sizes kb_tensor_sizes(const void* tensor);
KB_HIDDEN kb::tensors::Sizes kb_tensor_strides(const void* tensor);
KB_HIDDEN kb::tensors::Options kb_tensor_options(const void* tensor);
KB_HIDDEN signed char kb_tensor_type(const void* tensor);
KB_HIDDEN kb::tensors::Options kb_tensor_device(const void* tensor);
KB_HIDDEN kb::tensors::Long kb_tensor_element_size(const void* tensor);
KB_HIDDEN unsigned long kb_tensor_bytes(const void* tensor);
KB_HIDDEN bool kb_tensor_floating(const void* tensor);
KB_HIDDEN kb::tensors::Long kb_tensor_get_device(const void* tensor);
// What PyTorch asks before it makes an accessor.
KB_HIDDEN void kb_tensor_check_accessor(const void* tensor,
                                        unsigned long dimensions,
                                        bool by_32_bits);
// As data_ptr<T>() with T of that type; as data_ptr() where it is kNoType.
KB_HIDDEN void* kb_tensor_data(const void* tensor, signed char type);
KB_HIDDEN const void* kb_tensor_const_data(const void* tensor,
                                           signed char type);
KB_HIDDEN void* kb_tensor_mutable_data(const void* tensor, signed char type);

KB_HIDDEN void kb_tensor_new(void* made, kb::tensors::Fill fill,
                             kb::tensors::Sizes sizes,
                             kb::tensors::Options options);
KB_HIDDEN void kb_tensor_like(void* made, kb::tensors::Fill fill,
                              const void* like, kb::tensors::Options options);
KB_HIDDEN void kb_tensor_make(void* made, kb::tensors::Make make,
                              const void* from, kb::tensors::Sizes sizes);
KB_HIDDEN void kb_tensor_to(void* made, const void* from, signed char type);
KB_HIDDEN void kb_tensor_zero(const void* tensor);
KB_HIDDEN void kb_tensor_copy_from(const void* tensor, const void* from);
// Full of a number: a kLong, kDouble or kBool.
KB_HIDDEN void kb_tensor_full(void* made, kb::tensors::Sizes sizes,
                              kb::tensors::Word number,
                              kb::tensors::Options options);
KB_HIDDEN void kb_tensor_fill(const void* tensor, kb::tensors::Word number);
// Its only element as a value of that type, in the memory at `value`.
KB_HIDDEN void kb_tensor_item(const void* tensor, signed char type,
                              void* value);

// TORCH_CHECK that does not hold.
[[noreturn]] KB_HIDDEN void kb_check_fail(const char* function,
                                          const char* file, unsigned line,
                                          const kb::tensors::Word* words,
                                          unsigned long count);
// C10_CUDA_CHECK of a cudaError_t that is not cudaSuccess.
[[noreturn]] KB_HIDDEN void kb_cuda_fail(int error, const char* file,
                                         const char* function, unsigned line);
// AT_DISPATCH_* of a type that is not among its cases.
[[noreturn]] KB_HIDDEN void kb_not_implemented(const char* name,
                                               signed char type);
}
#undef KB_HIDDEN
