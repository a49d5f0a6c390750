// torch/extension.h for a CUDA source that asks tensors for their sizes and
// pointers and makes new ones, and leaves the rest to its kernels: what is not
// here does not compile, and what compiles means the same. What PyTorch has to
// do for it, tensors.cc does, which is compiled once for all. To parse
// PyTorch's headers takes seconds, four times over for a CUDA source.
//
// Types that can be an argument between two sources have PyTorch's name and
// layout: a tensor is one pointer (which tensors.cc checks) and an ArrayRef a
// pointer and a length. All others are of kb::tensors, so that what does not
// fit does not link. Members of types of PyTorch's names are always inlined: no
// definition of theirs meets one of PyTorch's in the linker.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kb_accessors.h"
#include "kb_tensor.h"

#define KB_INLINE __attribute__((always_inline)) inline

// That of an ArrayRef's list lives as long as the call, as with PyTorch's.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"

namespace c10 {

enum class ScalarType : std::int8_t {
  Byte = 0,
  Char = 1,
  Short = 2,
  Int = 3,
  Long = 4,
  Half = 5,
  Float = 6,
  Double = 7,
  Bool = 11,
  BFloat16 = 15
};

template <typename T>
class ArrayRef {
 public:
  KB_INLINE constexpr ArrayRef() : data_(nullptr), size_(0) {}
  KB_INLINE constexpr ArrayRef(const T& one) : data_(&one), size_(1) {}
  KB_INLINE constexpr ArrayRef(const T* data, std::size_t size)
      : data_(data), size_(size) {}
  KB_INLINE ArrayRef(const std::vector<T>& from)
      : data_(from.data()), size_(from.size()) {}
  KB_INLINE constexpr ArrayRef(const std::initializer_list<T>& from)
      : data_(from.size() == 0 ? nullptr : from.begin()), size_(from.size()) {}

  KB_INLINE constexpr const T* begin() const { return data_; }
  KB_INLINE constexpr const T* end() const { return data_ + size_; }
  KB_INLINE constexpr const T* data() const { return data_; }
  KB_INLINE constexpr std::size_t size() const { return size_; }
  KB_INLINE constexpr bool empty() const { return size_ == 0; }
  KB_INLINE constexpr const T& operator[](std::size_t at) const {
    return data_[at];
  }
  KB_INLINE bool equals(ArrayRef other) const {
    for (std::size_t i = 0; i < size_; ++i)
      if (i >= other.size_ || data_[i] != other.data_[i]) return false;
    return size_ == other.size_;
  }
  KB_INLINE std::vector<T> vec() const { return {begin(), end()}; }

 private:
  const T* data_;
  std::size_t size_;
};
template <typename T>
KB_INLINE bool operator==(ArrayRef<T> a, ArrayRef<T> b) {
  return a.equals(b);
}
template <typename T>
KB_INLINE bool operator!=(ArrayRef<T> a, ArrayRef<T> b) {
  return !a.equals(b);
}
using IntArrayRef = ArrayRef<std::int64_t>;

}  // namespace c10

#pragma GCC diagnostic pop

namespace kb::tensors {

using c10::IntArrayRef;
using c10::ScalarType;

enum class DeviceType : std::int8_t { CPU = 0, CUDA = 1 };

class Device {
 public:
  Device(DeviceType type, std::int8_t index = -1)
      : type_(type), index_(index) {}
  DeviceType type() const { return type_; }
  std::int8_t index() const { return index_; }
  bool has_index() const { return index_ != -1; }
  bool is_cuda() const { return type_ == DeviceType::CUDA; }
  bool is_cpu() const { return type_ == DeviceType::CPU; }
  bool operator==(const Device& other) const {
    return type_ == other.type_ && index_ == other.index_;
  }
  bool operator!=(const Device& other) const { return !(*this == other); }

 private:
  DeviceType type_;
  std::int8_t index_;
};

class TypeMeta {
 public:
  explicit TypeMeta(ScalarType type) : type_(type) {}
  ScalarType toScalarType() const { return type_; }
  friend bool operator==(TypeMeta a, TypeMeta b) { return a.type_ == b.type_; }
  friend bool operator!=(TypeMeta a, TypeMeta b) { return a.type_ != b.type_; }
  friend bool operator==(TypeMeta a, ScalarType b) { return a.type_ == b; }
  friend bool operator!=(TypeMeta a, ScalarType b) { return a.type_ != b; }
  friend bool operator==(ScalarType a, TypeMeta b) { return a == b.type_; }
  friend bool operator!=(ScalarType a, TypeMeta b) { return a != b.type_; }

 private:
  ScalarType type_;
};

// What Tensor::type() tells.
class Type {
 public:
  Type(ScalarType type, bool is_cuda) : type_(type), is_cuda_(is_cuda) {}
  ScalarType scalarType() const { return type_; }
  bool is_cuda() const { return is_cuda_; }

 private:
  ScalarType type_;
  bool is_cuda_;
};

class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType type) { *this = dtype(type); }
  TensorOptions(TypeMeta type) { *this = dtype(type); }
  TensorOptions(Device device) { *this = this->device(device); }
  TensorOptions(DeviceType type) { *this = device(type); }
  explicit TensorOptions(const Options& known) : known_(known) {}

  TensorOptions dtype(ScalarType type) const {
    TensorOptions made = *this;
    made.known_.type = static_cast<signed char>(type);
    return made;
  }
  TensorOptions dtype(TypeMeta type) const {
    return dtype(type.toScalarType());
  }
  TensorOptions device(Device device) const {
    TensorOptions made = *this;
    made.known_.device = static_cast<signed char>(device.type());
    made.known_.index = device.index();
    return made;
  }
  TensorOptions device(DeviceType type, std::int8_t index = -1) const {
    return device(Device(type, index));
  }
  const Options& known() const { return known_; }

 private:
  Options known_;
};

// The ScalarType of a C++ type, and the other way round; none of those that are
// not here (or in thin_half.h).
template <typename T>
struct TypeOf;
template <ScalarType type>
struct CppOf;
#define KB_TYPE_OF(type, name)                          \
  template <>                                           \
  struct TypeOf<type> {                                 \
    static constexpr ScalarType kIs = ScalarType::name; \
  };                                                    \
  template <>                                           \
  struct CppOf<ScalarType::name> {                      \
    using Is = type;                                    \
  };
KB_TYPE_OF(unsigned char, Byte)
KB_TYPE_OF(signed char, Char)
KB_TYPE_OF(short, Short)
KB_TYPE_OF(int, Int)
KB_TYPE_OF(long, Long)
KB_TYPE_OF(float, Float)
KB_TYPE_OF(double, Double)
KB_TYPE_OF(bool, Bool)

template <typename T>
inline constexpr signed char kTypeOf = static_cast<signed char>(TypeOf<T>::kIs);

template <typename T>
Word NumberOf(T value) {
  using Kind = Word::Kind;
  static_assert(std::is_arithmetic_v<T>);
  if constexpr (std::is_same_v<T, bool>)
    return {.kind = Kind::kBool, .truth = value};
  else if constexpr (std::is_integral_v<T>)
    return {.kind = Kind::kLong, .number = static_cast<Long>(value)};
  else
    return {.kind = Kind::kDouble, .real = static_cast<double>(value)};
}

KB_INLINE Sizes Known(IntArrayRef sizes) {
  return {sizes.data(), sizes.size()};
}

}  // namespace kb::tensors

namespace at {

using c10::IntArrayRef;
using c10::ScalarType;

class Tensor {
 public:
  KB_INLINE Tensor() { kb_tensor_undefined(this); }
  KB_INLINE Tensor(const Tensor& from) { kb_tensor_copy(this, &from); }
  KB_INLINE Tensor(Tensor&& from) noexcept { kb_tensor_move(this, &from); }
  KB_INLINE Tensor& operator=(const Tensor& from) & {
    kb_tensor_assign(this, &from);
    return *this;
  }
  KB_INLINE Tensor& operator=(Tensor&& from) & noexcept {
    kb_tensor_take(this, &from);
    return *this;
  }
  KB_INLINE ~Tensor() { kb_tensor_drop(this); }

  KB_INLINE bool defined() const { return kb_tensor_defined(this); }
  KB_INLINE bool is_contiguous() const { return kb_tensor_contiguous(this); }
  KB_INLINE std::int64_t numel() const { return kb_tensor_numel(this); }
  KB_INLINE std::int64_t dim() const { return kb_tensor_dim(this); }
  KB_INLINE std::int64_t ndimension() const { return kb_tensor_dim(this); }
  KB_INLINE std::int64_t size(std::int64_t dimension) const {
    return kb_tensor_size(this, dimension);
  }
  KB_INLINE std::int64_t stride(std::int64_t dimension) const {
    return kb_tensor_stride(this, dimension);
  }
  KB_INLINE IntArrayRef sizes() const {
    const auto known = kb_tensor_sizes(this);
    return {known.data, known.count};
  }
  KB_INLINE IntArrayRef strides() const {
    const auto known = kb_tensor_strides(this);
    return {known.data, known.count};
  }
  KB_INLINE std::int64_t element_size() const {
    return kb_tensor_element_size(this);
  }
  KB_INLINE std::size_t itemsize() const {
    return static_cast<std::size_t>(element_size());
  }
  KB_INLINE std::size_t nbytes() const { return kb_tensor_bytes(this); }
  KB_INLINE bool is_floating_point() const { return kb_tensor_floating(this); }
  KB_INLINE std::int64_t get_device() const {
    return kb_tensor_get_device(this);
  }
  KB_INLINE ScalarType scalar_type() const {
    return static_cast<ScalarType>(kb_tensor_type(this));
  }
  KB_INLINE kb::tensors::Type type() const {
    return {scalar_type(), is_cuda()};
  }
  KB_INLINE kb::tensors::TypeMeta dtype() const {
    return kb::tensors::TypeMeta(scalar_type());
  }
  KB_INLINE kb::tensors::Device device() const {
    const auto known = kb_tensor_device(this);
    return {static_cast<kb::tensors::DeviceType>(known.device), known.index};
  }
  KB_INLINE bool is_cuda() const { return device().is_cuda(); }
  KB_INLINE bool is_cpu() const { return device().is_cpu(); }
  KB_INLINE kb::tensors::TensorOptions options() const {
    return kb::tensors::TensorOptions(kb_tensor_options(this));
  }

  KB_INLINE void* data_ptr() const {
    return kb_tensor_data(this, kb::tensors::kNoType);
  }
  template <typename T>
  KB_INLINE T* data_ptr() const {
    return static_cast<T*>(kb_tensor_data(this, kb::tensors::kTypeOf<T>));
  }
  template <typename T>
  KB_INLINE T* data() const {
    return data_ptr<T>();
  }
  template <typename T>
  KB_INLINE const T* const_data_ptr() const {
    return static_cast<const T*>(
        kb_tensor_const_data(this, kb::tensors::kTypeOf<T>));
  }
  template <typename T>
  KB_INLINE T* mutable_data_ptr() const {
    return static_cast<T*>(
        kb_tensor_mutable_data(this, kb::tensors::kTypeOf<T>));
  }

  template <typename T, std::size_t N>
  KB_INLINE kb::tensors::TensorAccessor<T, N> accessor() const& {
    return {Elements<T, N>(false), sizes().data(), strides().data()};
  }
  template <typename T, std::size_t N>
  void accessor() && = delete;
  template <typename T, std::size_t N,
            template <typename> class Traits = kb::tensors::DefaultPtrTraits>
  KB_INLINE kb::tensors::PackedTensorAccessor32<T, N, Traits>
  packed_accessor32() const& {
    return {Elements<T, N>(true), sizes().data(), strides().data()};
  }
  template <typename T, std::size_t N,
            template <typename> class Traits = kb::tensors::DefaultPtrTraits>
  void packed_accessor32() && = delete;
  template <typename T, std::size_t N,
            template <typename> class Traits = kb::tensors::DefaultPtrTraits>
  KB_INLINE kb::tensors::PackedTensorAccessor64<T, N, Traits>
  packed_accessor64() const& {
    return {Elements<T, N>(false), sizes().data(), strides().data()};
  }
  template <typename T, std::size_t N,
            template <typename> class Traits = kb::tensors::DefaultPtrTraits>
  void packed_accessor64() && = delete;
  // Under its old name.
  template <typename T, std::size_t N,
            template <typename> class Traits = kb::tensors::DefaultPtrTraits,
            typename Index = std::int64_t>
  KB_INLINE kb::tensors::PackedTensorAccessor<T, N, Traits, Index>
  packed_accessor() const& {
    return {Elements<T, N>(false), sizes().data(), strides().data()};
  }
  template <typename T, std::size_t N,
            template <typename> class Traits = kb::tensors::DefaultPtrTraits,
            typename Index = std::int64_t>
  void packed_accessor() && = delete;

  KB_INLINE Tensor contiguous() const {
    return Tensor(kb::tensors::Make::kContiguous, *this, {});
  }
  KB_INLINE Tensor clone() const {
    return Tensor(kb::tensors::Make::kClone, *this, {});
  }
  KB_INLINE Tensor view(IntArrayRef sizes) const {
    return Tensor(kb::tensors::Make::kView, *this, sizes);
  }
  KB_INLINE Tensor reshape(IntArrayRef sizes) const {
    return Tensor(kb::tensors::Make::kReshape, *this, sizes);
  }
  KB_INLINE Tensor transpose(std::int64_t a, std::int64_t b) const {
    return Tensor(kb::tensors::Make::kTranspose, *this, {a, b});
  }
  KB_INLINE Tensor permute(IntArrayRef dimensions) const {
    return Tensor(kb::tensors::Make::kPermute, *this, dimensions);
  }
  KB_INLINE Tensor unsqueeze(std::int64_t dimension) const {
    return Tensor(kb::tensors::Make::kUnsqueeze, *this, dimension);
  }
  KB_INLINE Tensor squeeze(std::int64_t dimension) const {
    return Tensor(kb::tensors::Make::kSqueeze, *this, dimension);
  }
  KB_INLINE Tensor t() const {
    return Tensor(kb::tensors::Make::kTransposed, *this, {});
  }
  KB_INLINE Tensor flatten(std::int64_t from = 0, std::int64_t to = -1) const {
    return Tensor(kb::tensors::Make::kFlatten, *this, {from, to});
  }
  KB_INLINE Tensor cpu() const {
    return Tensor(kb::tensors::Make::kCpu, *this, {});
  }
  KB_INLINE Tensor cuda() const {
    return Tensor(kb::tensors::Make::kCuda, *this, {});
  }
  KB_INLINE Tensor sum() const {
    return Tensor(kb::tensors::Make::kSum, *this, {});
  }
  KB_INLINE Tensor mean() const {
    return Tensor(kb::tensors::Make::kMean, *this, {});
  }
  KB_INLINE Tensor to(ScalarType type) const { return Tensor(*this, type); }
  KB_INLINE const Tensor& zero_() const {
    kb_tensor_zero(this);
    return *this;
  }
  KB_INLINE const Tensor& copy_(const Tensor& from) const {
    kb_tensor_copy_from(this, &from);
    return *this;
  }
  template <typename T>
  KB_INLINE const Tensor& fill_(T value) const {
    kb_tensor_fill(this, kb::tensors::NumberOf(value));
    return *this;
  }
  template <typename T>
  KB_INLINE T item() const {
    T value;
    kb_tensor_item(this, kb::tensors::kTypeOf<T>, &value);
    return value;
  }

  KB_INLINE Tensor(kb::tensors::Fill fill, IntArrayRef sizes,
                   const kb::tensors::TensorOptions& options) {
    kb_tensor_new(this, fill, kb::tensors::Known(sizes), options.known());
  }
  KB_INLINE Tensor(IntArrayRef sizes, const kb::tensors::Word& number,
                   const kb::tensors::TensorOptions& options) {
    kb_tensor_full(this, kb::tensors::Known(sizes), number, options.known());
  }
  KB_INLINE Tensor(kb::tensors::Fill fill, const Tensor& like,
                   const kb::tensors::TensorOptions& options) {
    kb_tensor_like(this, fill, &like, options.known());
  }

 private:
  KB_INLINE Tensor(kb::tensors::Make make, const Tensor& from,
                   IntArrayRef sizes) {
    kb_tensor_make(this, make, &from, kb::tensors::Known(sizes));
  }
  KB_INLINE Tensor(const Tensor& from, ScalarType type) {
    kb_tensor_to(this, &from, static_cast<signed char>(type));
  }

  template <typename T, std::size_t N>
  KB_INLINE T* Elements(bool by_32_bits) const {
    static_assert(N > 0);
    kb_tensor_check_accessor(this, N, by_32_bits);
    if constexpr (std::is_const_v<T>)
      return const_data_ptr<std::remove_const_t<T>>();
    else
      return mutable_data_ptr<T>();
  }

  void* impl_;
};

}  // namespace at

namespace kb::tensors {

// What at:: and torch:: both have.
namespace names {

using at::Tensor;
using c10::ArrayRef;
using c10::IntArrayRef;
using c10::ScalarType;
using kb::tensors::DefaultPtrTraits;
using kb::tensors::Device;
using kb::tensors::DeviceType;
using kb::tensors::PackedTensorAccessor;
using kb::tensors::PackedTensorAccessor32;
using kb::tensors::PackedTensorAccessor64;
using kb::tensors::RestrictPtrTraits;
using kb::tensors::TensorAccessor;
using kb::tensors::TensorOptions;

inline constexpr DeviceType kCPU = DeviceType::CPU;
inline constexpr DeviceType kCUDA = DeviceType::CUDA;
inline constexpr ScalarType kByte = ScalarType::Byte;
inline constexpr ScalarType kChar = ScalarType::Char;
inline constexpr ScalarType kShort = ScalarType::Short;
inline constexpr ScalarType kInt = ScalarType::Int;
inline constexpr ScalarType kLong = ScalarType::Long;
inline constexpr ScalarType kHalf = ScalarType::Half;
inline constexpr ScalarType kFloat = ScalarType::Float;
inline constexpr ScalarType kDouble = ScalarType::Double;
inline constexpr ScalarType kBool = ScalarType::Bool;
inline constexpr ScalarType kBFloat16 = ScalarType::BFloat16;

#define KB_MAKERS(name, fill)                                                \
  inline Tensor name(IntArrayRef sizes, const TensorOptions& options = {}) { \
    return Tensor(Fill::fill, sizes, options);                               \
  }                                                                          \
  inline Tensor name##_like(const Tensor& like,                              \
                            const TensorOptions& options = {}) {             \
    return Tensor(Fill::fill, like, options);                                \
  }
KB_MAKERS(empty, kNone)
KB_MAKERS(zeros, kZeros)
KB_MAKERS(ones, kOnes)
#undef KB_MAKERS
template <typename T>
Tensor full(IntArrayRef sizes, T value, const TensorOptions& options = {}) {
  return Tensor(sizes, NumberOf(value), options);
}

}  // namespace names

// What operator<< of PyTorch prints otherwise is no word.
template <typename T>
Word WordOf(const T& from) {
  using Kind = Word::Kind;
  if constexpr (std::is_integral_v<T> && sizeof(T) == 1 &&
                !std::is_same_v<T, bool>)
    return {.kind = Kind::kLetter, .letter = static_cast<char>(from)};
  else if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
    return {.kind = Kind::kUnsigned, .natural = from};
  else if constexpr (std::is_arithmetic_v<T>)
    return NumberOf(from);
  else if constexpr (std::is_same_v<T, IntArrayRef>)
    return {.kind = Kind::kSizes, .sizes = Known(from)};
  else if constexpr (std::is_same_v<T, TypeMeta>)
    return {.kind = Kind::kTypeName, .options = TensorOptions(from).known()};
  else if constexpr (std::is_same_v<T, Device> || std::is_same_v<T, ScalarType>)
    return {.kind = std::is_same_v<T, Device> ? Kind::kDevice : Kind::kType,
            .options = TensorOptions(from).known()};
  else if constexpr (std::is_convertible_v<const T&, const char*>)
    return {.kind = Kind::kText, .text = from};
  else
    return {.kind = Kind::kText, .text = from.c_str()};
}

// `no_message` is the message where there are no words.
template <typename... Words>
[[noreturn]] void Fail(const char* function, const char* file, unsigned line,
                       const char* no_message, const Words&... words) {
  if constexpr (sizeof...(words) == 0) {
    Fail(function, file, line, no_message, no_message);
  } else {
    const Word all[] = {WordOf(words)...};
    kb_check_fail(function, file, line, all, sizeof...(words));
  }
}

}  // namespace kb::tensors

namespace c10 {
using kb::tensors::Device;
using kb::tensors::DeviceType;
using kb::tensors::TensorOptions;
using std::nullopt;
using std::optional;
}  // namespace c10
namespace at {
using namespace kb::tensors::names;
using std::nullopt;
using std::optional;
}  // namespace at
namespace torch {
using namespace kb::tensors::names;
using std::nullopt;
using std::optional;
using Dtype = c10::ScalarType;
inline constexpr c10::ScalarType kUInt8 = c10::ScalarType::Byte;
inline constexpr c10::ScalarType kInt8 = c10::ScalarType::Char;
inline constexpr c10::ScalarType kInt16 = c10::ScalarType::Short;
inline constexpr c10::ScalarType kInt32 = c10::ScalarType::Int;
inline constexpr c10::ScalarType kInt64 = c10::ScalarType::Long;
inline constexpr c10::ScalarType kFloat16 = c10::ScalarType::Half;
inline constexpr c10::ScalarType kFloat32 = c10::ScalarType::Float;
inline constexpr c10::ScalarType kFloat64 = c10::ScalarType::Double;
inline kb::tensors::TensorOptions dtype(c10::ScalarType type) { return type; }
inline kb::tensors::TensorOptions device(kb::tensors::Device device) {
  return device;
}
}  // namespace torch

#define TORCH_CHECK(condition, ...)                                            \
  if (__builtin_expect(!(condition), 0)) {                                     \
    kb::tensors::Fail(                                                         \
        __func__, __FILE__, __LINE__,                                          \
        "Expected " #condition                                                 \
        " to be true, but got false.  (Could this error message be improved? " \
        " If so, please report an enhancement request to PyTorch.)",           \
        ##__VA_ARGS__);                                                        \
  }

#define KB_CASE(of, ...)                                          \
  case of: {                                                      \
    using scalar_t [[maybe_unused]] = kb::tensors::CppOf<of>::Is; \
    return __VA_ARGS__();                                         \
  }
#define KB_SWITCH(of, name, ...)                                     \
  [&] {                                                              \
    const c10::ScalarType kb_type = of;                              \
    switch (kb_type) {                                               \
      __VA_ARGS__                                                    \
      default:                                                       \
        kb_not_implemented(name, static_cast<signed char>(kb_type)); \
    }                                                                \
  }()
#define KB_FLOATING(...)                        \
  KB_CASE(c10::ScalarType::Double, __VA_ARGS__) \
  KB_CASE(c10::ScalarType::Float, __VA_ARGS__)
#define KB_INTEGRAL(...)                      \
  KB_CASE(c10::ScalarType::Byte, __VA_ARGS__) \
  KB_CASE(c10::ScalarType::Char, __VA_ARGS__) \
  KB_CASE(c10::ScalarType::Int, __VA_ARGS__)  \
  KB_CASE(c10::ScalarType::Long, __VA_ARGS__) \
  KB_CASE(c10::ScalarType::Short, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES(of, name, ...) \
  KB_SWITCH(of, name, KB_FLOATING(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(of, name, ...) \
  AT_DISPATCH_FLOATING_TYPES_AND(c10::ScalarType::Half, of, name, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(more, of, name, ...) \
  KB_SWITCH(of, name, KB_FLOATING(__VA_ARGS__) KB_CASE(more, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(more, and_more, of, name, ...) \
  KB_SWITCH(of, name,                                                  \
            KB_FLOATING(__VA_ARGS__) KB_CASE(more, __VA_ARGS__)        \
                KB_CASE(and_more, __VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(of, name, ...) \
  KB_SWITCH(of, name,                                     \
            KB_CASE(c10::ScalarType::Half, __VA_ARGS__)   \
                KB_CASE(c10::ScalarType::BFloat16, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(of, name, ...) \
  KB_SWITCH(of, name, KB_INTEGRAL(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(of, name, ...) \
  KB_SWITCH(of, name, KB_INTEGRAL(__VA_ARGS__) KB_FLOATING(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(more, of, name, ...)        \
  KB_SWITCH(of, name,                                         \
            KB_INTEGRAL(__VA_ARGS__) KB_FLOATING(__VA_ARGS__) \
                KB_CASE(more, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(more, and_more, of, name, ...) \
  KB_SWITCH(of, name,                                             \
            KB_INTEGRAL(__VA_ARGS__) KB_FLOATING(__VA_ARGS__)     \
                KB_CASE(more, __VA_ARGS__) KB_CASE(and_more, __VA_ARGS__))
