// What thin.h asks of PyTorch. Compiled once, with bindings.cc.
#include <dlfcn.h>
#include <torch/extension.h>

#include <cstdint>
#include <limits>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>

#include "kb_tensor.h"

namespace {

using namespace kb::tensors;

// Not at::Tensor: a candidate's object has members of that name.
using Pointer = c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

static_assert(sizeof(at::Tensor) == sizeof(Pointer));
static_assert(sizeof(at::IntArrayRef) == sizeof(Sizes));
#define KB_SAME(name, value) \
  static_assert(static_cast<int>(at::ScalarType::name) == (value));
KB_SAME(Byte, 0)
KB_SAME(Char, 1)
KB_SAME(Short, 2)
KB_SAME(Int, 3)
KB_SAME(Long, 4)
KB_SAME(Half, 5)
KB_SAME(Float, 6)
KB_SAME(Double, 7)
KB_SAME(Bool, 11)
KB_SAME(BFloat16, 15)
#undef KB_SAME
static_assert(static_cast<int>(at::DeviceType::CPU) == 0);
static_assert(static_cast<int>(at::DeviceType::CUDA) == 1);

const at::Tensor& Of(const void* tensor) {
  return *static_cast<const at::Tensor*>(tensor);
}
Pointer& PointerOf(void* tensor) { return *static_cast<Pointer*>(tensor); }
const Pointer& PointerOf(const void* tensor) {
  return *static_cast<const Pointer*>(tensor);
}

void Give(void* made, at::Tensor tensor) {
  new (made) Pointer(tensor.unsafeReleaseIntrusivePtr());
}

at::IntArrayRef Known(const Sizes& sizes) { return {sizes.data, sizes.count}; }
Sizes Known(at::IntArrayRef sizes) { return {sizes.data(), sizes.size()}; }

Options Known(at::Device device) {
  Options known;
  known.device = static_cast<signed char>(device.type());
  known.index = device.index();
  return known;
}
at::Device DeviceOf(const Options& known) {
  return {static_cast<at::DeviceType>(known.device), known.index};
}
at::ScalarType TypeOf(signed char type) {
  return static_cast<at::ScalarType>(type);
}
at::TensorOptions Known(const Options& known) {
  at::TensorOptions options;
  if (known.type != kNoType) options = options.dtype(TypeOf(known.type));
  if (known.device != kNoDevice) options = options.device(DeviceOf(known));
  return options;
}

// act(T()) with the C++ type of one that thin.h has.
template <typename Act>
void* WithElement(signed char type, Act&& act) {
  switch (TypeOf(type)) {
    case at::ScalarType::Byte:
      return act(static_cast<unsigned char>(0));
    case at::ScalarType::Char:
      return act(static_cast<signed char>(0));
    case at::ScalarType::Short:
      return act(static_cast<short>(0));
    case at::ScalarType::Int:
      return act(0);
    case at::ScalarType::Long:
      return act(0L);
    case at::ScalarType::Double:
      return act(0.0);
    case at::ScalarType::Bool:
      return act(false);
    case at::ScalarType::Half:
      return act(c10::Half());
    case at::ScalarType::BFloat16:
      return act(c10::BFloat16());
    default:
      return act(0.0F);
  }
}

at::Scalar NumberOf(const Word& word) {
  if (word.kind == Word::Kind::kLong) return word.number;
  if (word.kind == Word::Kind::kBool) return word.truth;
  return word.real;
}

void Print(std::ostream& out, const Word& word) {
  using Kind = Word::Kind;
  switch (word.kind) {
    case Kind::kText:
      out << word.text;
      break;
    case Kind::kLong:
      out << word.number;
      break;
    case Kind::kUnsigned:
      out << word.natural;
      break;
    case Kind::kDouble:
      out << word.real;
      break;
    case Kind::kBool:
      out << word.truth;
      break;
    case Kind::kLetter:
      out << word.letter;
      break;
    case Kind::kSizes:
      out << Known(word.sizes);
      break;
    case Kind::kType:
      out << TypeOf(word.options.type);
      break;
    case Kind::kTypeName:
      out << c10::scalarTypeToTypeMeta(TypeOf(word.options.type));
      break;
    case Kind::kDevice:
      out << DeviceOf(word.options);
      break;
  }
}

}  // namespace

extern "C" {

void kb_tensor_undefined(void* made) noexcept { new (made) Pointer(); }
void kb_tensor_copy(void* made, const void* from) noexcept {
  new (made) Pointer(PointerOf(from));
}
void kb_tensor_move(void* made, void* from) noexcept {
  new (made) Pointer(std::move(PointerOf(from)));
}
void kb_tensor_assign(void* to, const void* from) noexcept {
  PointerOf(to) = PointerOf(from);
}
void kb_tensor_take(void* to, void* from) noexcept {
  PointerOf(to) = std::move(PointerOf(from));
}
void kb_tensor_drop(void* tensor) noexcept { PointerOf(tensor).~Pointer(); }

bool kb_tensor_defined(const void* tensor) noexcept {
  return Of(tensor).defined();
}
bool kb_tensor_contiguous(const void* tensor) {
  return Of(tensor).is_contiguous();
}
Long kb_tensor_numel(const void* tensor) { return Of(tensor).numel(); }
Long kb_tensor_dim(const void* tensor) { return Of(tensor).dim(); }
Long kb_tensor_size(const void* tensor, Long dimension) {
  return Of(tensor).size(dimension);
}
Long kb_tensor_stride(const void* tensor, Long dimension) {
  return Of(tensor).stride(dimension);
}
Sizes kb_tensor_sizes(const void* tensor) { return Known(Of(tensor).sizes()); }
Sizes kb_tensor_strides(const void* tensor) {
  return Known(Of(tensor).strides());
}
Options kb_tensor_options(const void* tensor) {
  TORCH_CHECK(Of(tensor).layout() == at::kStrided,
              "options() of a tensor whose layout is ", Of(tensor).layout());
  Options known = kb_tensor_device(tensor);
  known.type = kb_tensor_type(tensor);
  return known;
}
signed char kb_tensor_type(const void* tensor) {
  return static_cast<signed char>(Of(tensor).scalar_type());
}
Options kb_tensor_device(const void* tensor) {
  return Known(Of(tensor).device());
}
Long kb_tensor_element_size(const void* tensor) {
  return Of(tensor).element_size();
}
unsigned long kb_tensor_bytes(const void* tensor) {
  return Of(tensor).nbytes();
}
bool kb_tensor_floating(const void* tensor) {
  return Of(tensor).is_floating_point();
}
Long kb_tensor_get_device(const void* tensor) {
  return Of(tensor).get_device();
}
void kb_tensor_check_accessor(const void* tensor, unsigned long dimensions,
                              bool by_32_bits) {
  constexpr Long kMost = std::numeric_limits<std::int32_t>::max();
  TORCH_CHECK(!by_32_bits || Of(tensor).numel() <= kMost,
              "numel needs to be smaller than int32_t max; otherwise, please "
              "use packed_accessor64");
  TORCH_CHECK(Of(tensor).dim() == static_cast<Long>(dimensions),
              "TensorAccessor expected ", dimensions, " dims but tensor has ",
              Of(tensor).dim());
}
void* kb_tensor_data(const void* tensor, signed char type) {
  if (type == kNoType) return Of(tensor).data_ptr();
  return WithElement(type, [&](auto one) -> void* {
    return Of(tensor).data_ptr<decltype(one)>();
  });
}
const void* kb_tensor_const_data(const void* tensor, signed char type) {
  return WithElement(type, [&](auto one) -> void* {
    return const_cast<decltype(one)*>(
        Of(tensor).const_data_ptr<decltype(one)>());
  });
}
void* kb_tensor_mutable_data(const void* tensor, signed char type) {
  return WithElement(type, [&](auto one) -> void* {
    return Of(tensor).mutable_data_ptr<decltype(one)>();
  });
}

void kb_tensor_new(void* made, Fill fill, Sizes sizes, Options options) {
  switch (fill) {
    case Fill::kNone:
      return Give(made, torch::empty(Known(sizes), Known(options)));
    case Fill::kZeros:
      return Give(made, torch::zeros(Known(sizes), Known(options)));
    case Fill::kOnes:
      return Give(made, torch::ones(Known(sizes), Known(options)));
  }
}
void kb_tensor_like(void* made, Fill fill, const void* like, Options options) {
  switch (fill) {
    case Fill::kNone:
      return Give(made, torch::empty_like(Of(like), Known(options)));
    case Fill::kZeros:
      return Give(made, torch::zeros_like(Of(like), Known(options)));
    case Fill::kOnes:
      return Give(made, torch::ones_like(Of(like), Known(options)));
  }
}
void kb_tensor_make(void* made, Make make, const void* from, Sizes sizes) {
  const at::Tensor& tensor = Of(from);
  switch (make) {
    case Make::kContiguous:
      return Give(made, tensor.contiguous());
    case Make::kClone:
      return Give(made, tensor.clone());
    case Make::kView:
      return Give(made, tensor.view(Known(sizes)));
    case Make::kReshape:
      return Give(made, tensor.reshape(Known(sizes)));
    case Make::kTranspose:
      return Give(made, tensor.transpose(sizes.data[0], sizes.data[1]));
    case Make::kPermute:
      return Give(made, tensor.permute(Known(sizes)));
    case Make::kUnsqueeze:
      return Give(made, tensor.unsqueeze(*sizes.data));
    case Make::kSqueeze:
      return Give(made, tensor.squeeze(*sizes.data));
    case Make::kTransposed:
      return Give(made, tensor.t());
    case Make::kFlatten:
      return Give(made, tensor.flatten(sizes.data[0], sizes.data[1]));
    case Make::kCpu:
      return Give(made, tensor.cpu());
    case Make::kCuda:
      return Give(made, tensor.cuda());
    case Make::kSum:
      return Give(made, tensor.sum());
    case Make::kMean:
      return Give(made, tensor.mean());
  }
}
void kb_tensor_to(void* made, const void* from, signed char type) {
  Give(made, Of(from).to(TypeOf(type)));
}
void kb_tensor_zero(const void* tensor) { Of(tensor).zero_(); }
void kb_tensor_copy_from(const void* tensor, const void* from) {
  Of(tensor).copy_(Of(from));
}

void kb_tensor_full(void* made, Sizes sizes, Word number, Options options) {
  Give(made, torch::full(Known(sizes), NumberOf(number), Known(options)));
}
void kb_tensor_fill(const void* tensor, Word number) {
  Of(tensor).fill_(NumberOf(number));
}
void kb_tensor_item(const void* tensor, signed char type, void* value) {
  WithElement(type, [&](auto one) -> void* {
    return new (value) auto(Of(tensor).item<decltype(one)>());
  });
}

void kb_check_fail(const char* function, const char* file, unsigned line,
                   const Word* words, unsigned long count) {
  std::ostringstream message;
  for (unsigned long i = 0; i < count; ++i) Print(message, words[i]);
  c10::detail::torchCheckFail(function, file, line, message.str());
}

// What PyTorch's macro calls, which versions of it give other arguments; its
// header needs CUDA's.
void kb_cuda_fail(int error, const char* file, const char* function,
                  unsigned line) {
  using Check = void (*)(int, const char*, const char*, unsigned, bool);
  using LoggingCheck =
      void (*)(int, const char*, const char*, unsigned, bool, void* error_log);
  const std::string name =
      "_ZN3c104cuda29c10_cuda_check_implementationEiPKcS2_";
  void* const loaded = dlopen("libc10_cuda.so", RTLD_NOW | RTLD_NOLOAD);
  const auto find = [&](const std::string& arguments) {
    return dlsym(loaded, (name + arguments).c_str());
  };
  if (void* const check = find("jbPNS0_19CUDAErrorLogCaptureE"))
    reinterpret_cast<LoggingCheck>(check)(error, file, function, line, true,
                                          nullptr);
  for (const char* arguments : {"jb", "ib"})
    if (void* const check = find(arguments))
      reinterpret_cast<Check>(check)(error, file, function, line, true);
  TORCH_CHECK(false, "CUDA error: ", error);
}

void kb_not_implemented(const char* name, signed char type) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, '"', name, "\" not implemented for '",
                              toString(TypeOf(type)), "'");
}

}  // extern "C"
