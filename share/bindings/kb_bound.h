// A function of an extension as its module hands it to Python: what is compiled
// for each extension (declared.h) tells what is compiled once for all of them
// (bindings.cc).
#pragma once

namespace kb::bindings {

// Of a result or an argument.
inline constexpr char kNothing = 'v';
inline constexpr char kTensor = 'T';    // also a reference to one
inline constexpr char kTensors = 'V';   // std::vector of them
inline constexpr char kOptional = 'O';  // std::optional of one
inline constexpr char kLongs = 'L';     // std::vector of PyTorch's int64_t
// std::tuple of so many tensors, results alone.
inline constexpr char kTwo = '2';
inline constexpr char kThree = '3';
inline constexpr char kFour = '4';
inline constexpr char kLong = 'l';
inline constexpr char kInt = 'i';
inline constexpr char kDouble = 'd';
inline constexpr char kFloat = 'f';
inline constexpr char kBool = 'b';

using Function = void (*)();  // of whichever type

struct Bound {
  const char* name;
  const char* doc;
  Function function;
  // Calls it with arguments of its kinds and makes the result in the memory at
  // `result`.
  void (*call)(Function function, void** arguments, void* result);
  const char* kinds;  // of the result, then of each argument; ends with 0
  // Errors are translated by pybind11 alone, not as wrap_pybind_function does.
  bool plain;
};

}  // namespace kb::bindings

// The module `name` with `count` functions, which live as long as it. As a
// PyInit function returns it.
extern "C" __attribute__((visibility("hidden"))) struct _object* kb_module(
    const char* name, const kb::bindings::Bound* functions,
    unsigned long count);
