// torch/extension.h for a source that only declares functions and hands them to
// Python, as PyTorch's load_inline writes it: a tensor is a name, and what is
// not here does not compile. With thin.h, for one that defines them, too. To
// parse PyTorch's and pybind11's headers takes seconds, of which bindings.cc
// takes them once.
//
// A tensor and what holds tensors are no more than where they lie: that is how
// the Itanium C++ ABI passes what has a copy constructor of its own (section
// 3.1.2.3), and results of that kind are made where the caller says (3.1.3.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "kb_bound.h"

namespace at {
class Tensor;
}
namespace torch {
using at::Tensor;
using std::optional;
}  // namespace torch
namespace c10 {
using std::optional;
}

namespace kb::bindings {

// Of a size and made by a constructor of its own.
template <typename Like>
struct Made {
  Made(const Made&);
  ~Made();
  alignas(Like) unsigned char bytes[sizeof(Like)];
};

// How a type is called, passed and given.
template <typename T>
struct Kind;
template <>
struct Kind<void> {
  static constexpr char kName = kNothing;
};
template <typename Like, char name>
struct Placed {
  static constexpr char kName = name;
  using Passed = void*;
  using Given = Made<Like>;
  static void* From(void* place) { return place; }
};
template <>
struct Kind<at::Tensor> : Placed<void*, kTensor> {};  // which is one pointer
template <>
struct Kind<std::vector<at::Tensor>> : Placed<std::vector<void*>, kTensors> {};
template <>
struct Kind<std::optional<at::Tensor>>
    : Placed<std::optional<void*>, kOptional> {};
template <>
struct Kind<std::vector<long>> : Placed<std::vector<long>, kLongs> {};
template <typename T, char name>
struct Plain {
  static constexpr char kName = name;
  using Passed = T;
  using Given = T;
  static T From(void* place) { return *static_cast<T*>(place); }
};
template <>
struct Kind<long> : Plain<long, kLong> {};
template <>
struct Kind<int> : Plain<int, kInt> {};
template <>
struct Kind<double> : Plain<double, kDouble> {};
template <>
struct Kind<float> : Plain<float, kFloat> {};
template <>
struct Kind<bool> : Plain<bool, kBool> {};
template <>
struct Kind<at::Tensor&> : Kind<at::Tensor> {};
template <>
struct Kind<const at::Tensor&> : Kind<at::Tensor> {};
template <>
struct Kind<const std::vector<at::Tensor>&> : Kind<std::vector<at::Tensor>> {};
template <>
struct Kind<const std::optional<at::Tensor>&>
    : Kind<std::optional<at::Tensor>> {};
template <>
struct Kind<const std::vector<long>&> : Kind<std::vector<long>> {};
// A result is no reference.
template <typename T>
struct Result : Kind<T> {};
template <typename T>
struct Result<T&>;
template <>
struct Result<std::tuple<at::Tensor, at::Tensor>> : Placed<void* [2], kTwo> {};
template <>
struct Result<std::tuple<at::Tensor, at::Tensor, at::Tensor>>
    : Placed<void* [3], kThree> {};
template <>
struct Result<std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>>
    : Placed<void* [4], kFour> {};

template <typename R, typename... A>
struct Signature {
  static constexpr char kKinds[] = {Result<R>::kName, Kind<A>::kName..., 0};

  static void Call(Function function, void** arguments, void* result) {
    return Call(function, arguments, result, std::index_sequence_for<A...>());
  }

 private:
  template <std::size_t... I>
  static void Call(Function function, void** arguments, void* result,
                   std::index_sequence<I...>) {
    if constexpr (Result<R>::kName == kNothing) {
      reinterpret_cast<void (*)(typename Kind<A>::Passed...)>(function)(
          Kind<A>::From(arguments[I])...);
    } else {
      using Given = typename Result<R>::Given;
      new (result)
          Given(reinterpret_cast<Given (*)(typename Kind<A>::Passed...)>(
              function)(Kind<A>::From(arguments[I])...));
    }
  }
};

template <typename R, typename... A>
Bound BoundOf(R (*function)(A...), bool plain) {
  using Of = Signature<R, A...>;
  return {"",       "",         reinterpret_cast<Function>(function),
          Of::Call, Of::kKinds, plain};
}

// What PyTorch's builder calls `m`.
class Module {
 public:
  void def(const char* name, Bound function, const char* doc = "") {
    function.name = name;
    function.doc = doc;
    functions_.push_back(function);
  }
  template <typename R, typename... A>
  void def(const char* name, R (*function)(A...), const char* doc = "") {
    // With its namespace, or what it takes would have to be complete.
    def(name, kb::bindings::BoundOf(function, true), doc);
  }
  struct _object* Make(const char* name) const {
    return kb_module(name, functions_.data(), functions_.size());
  }

 private:
  std::vector<Bound> functions_;
};

}  // namespace kb::bindings

namespace torch {
template <typename R, typename... A>
kb::bindings::Bound wrap_pybind_function(R (*function)(A...)) {
  return kb::bindings::BoundOf(function, false);
}
}  // namespace torch

#define KB_TEXT_OF(name) #name
#define KB_TEXT(name) KB_TEXT_OF(name)
#define KB_JOIN_OF(a, b) a##b
#define KB_JOIN(a, b) KB_JOIN_OF(a, b)
#define PYBIND11_MODULE(name, m)                                             \
  static void kb_define(kb::bindings::Module&);                              \
  extern "C" __attribute__((visibility("default"))) struct _object* KB_JOIN( \
      PyInit_, name)() {                                                     \
    static const kb::bindings::Module* const kModule = [] {                  \
      auto* const made = new kb::bindings::Module;                           \
      kb_define(*made);                                                      \
      return made;                                                           \
    }();                                                                     \
    return kModule->Make(KB_TEXT(name));                                     \
  }                                                                          \
  static void kb_define(kb::bindings::Module& m)
