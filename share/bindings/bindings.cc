// What makes Python functions of the Bound ones of an extension, with PyTorch's
// and pybind11's own conversions, so that a call, its errors and what help()
// prints are as torch::wrap_pybind_function, def() of a function itself and
// PYBIND11_MODULE make them.
// Compiled once for a PyTorch and a compiler, and linked into each module.
#include <torch/extension.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "kb_bound.h"

namespace {

using namespace kb::bindings;
namespace py = pybind11;
template <typename T>
using Caster = py::detail::make_caster<T>;
using Tensors = std::vector<at::Tensor>;

static_assert(sizeof(at::Tensor) == sizeof(void*));
static_assert(sizeof(Tensors) == sizeof(std::vector<void*>));
static_assert(sizeof(std::optional<at::Tensor>) ==
              sizeof(std::optional<void*>));
static_assert(std::is_same_v<std::int64_t, long>);

using Two = std::tuple<at::Tensor, at::Tensor>;
using Three = std::tuple<at::Tensor, at::Tensor, at::Tensor>;
using Four = std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>;
static_assert(sizeof(Four) == 4 * sizeof(void*));

// act(T()) with the type of that kind.
template <typename Act>
auto WithType(char kind, Act&& act) {
  switch (kind) {
    case kTensors:
      return act(Tensors());
    case kOptional:
      return act(std::optional<at::Tensor>());
    case kLongs:
      return act(std::vector<long>());
    case kLong:
      return act(long());
    case kInt:
      return act(int());
    case kDouble:
      return act(double());
    case kFloat:
      return act(float());
    case kBool:
      return act(bool());
    default:
      return act(at::Tensor());
  }
}

// The same with what is a result alone, too.
template <typename Act>
auto WithResult(char kind, Act&& act) {
  switch (kind) {
    case kTwo:
      return act(Two());
    case kThree:
      return act(Three());
    case kFour:
      return act(Four());
    default:
      return WithType(kind, act);
  }
}

std::string NameOf(char kind) {
  if (kind == kNothing) return Caster<py::detail::void_type>::name.text;
  return WithResult(kind, [](auto type) -> std::string {
    return Caster<decltype(type)>::name.text;
  });
}

// One argument as C++ has it.
class Argument {
 public:
  // Whether it is of that kind; then at() is where it lies.
  bool Load(char kind, py::handle from, bool convert) {
    return WithType(kind, [&](auto type) {
      using T = decltype(type);
      auto caster = std::make_shared<Caster<T>>();
      if (!caster->load(from, convert)) return false;
      at_ = &static_cast<T&>(*caster);
      owner_ = std::move(caster);
      return true;
    });
  }
  void* at() const { return at_; }

 private:
  std::shared_ptr<void> owner_;
  void* at_ = nullptr;
};

void Run(const Bound& bound, void** arguments, void* result) {
  if (bound.plain) return bound.call(bound.function, arguments, result);
  HANDLE_TH_ERRORS
  bound.call(bound.function, arguments, result);
  END_HANDLE_TH_ERRORS_PYBIND
}

py::handle Call(py::detail::function_call& call) {
  const auto& bound = *static_cast<const Bound*>(call.func.data[0]);
  const std::size_t count = std::strlen(bound.kinds) - 1;
  std::vector<Argument> arguments(count);
  std::vector<void*> places;
  for (std::size_t i = 0; i < count; ++i) {
    if (!arguments[i].Load(bound.kinds[i + 1], call.args[i],
                           call.args_convert[i]))
      return PYBIND11_TRY_NEXT_OVERLOAD;
    places.push_back(arguments[i].at());
  }
  if (bound.kinds[0] == kNothing) {
    Run(bound, places.data(), nullptr);
    return py::none().release();
  }
  return WithResult(bound.kinds[0], [&](auto type) {
    using T = decltype(type);
    alignas(T) unsigned char memory[sizeof(T)];
    Run(bound, places.data(), memory);
    T& made = *std::launder(reinterpret_cast<T*>(memory));
    T result = std::move(made);
    made.~T();
    return Caster<T>::cast(std::move(result), call.func.policy, call.parent);
  });
}

// A cpp_function whose types are known when the program runs.
class Dynamic : public py::cpp_function {
 public:
  Dynamic(const Bound& bound, py::handle scope, py::handle sibling) {
    auto record = make_function_record();
    const std::size_t count = std::strlen(bound.kinds) - 1;
    record->data[0] = const_cast<Bound*>(&bound);
    record->impl = Call;
    record->nargs_pos = static_cast<std::uint16_t>(count);
    record->has_args = record->has_kwargs = false;
    record->name = const_cast<char*>(bound.name);
    record->doc = const_cast<char*>(bound.doc);
    record->scope = scope;
    record->sibling = sibling;
    std::string text = "(";
    for (std::size_t i = 1; i <= count; ++i)
      text += (i > 1 ? ", {" : "{") + NameOf(bound.kinds[i]) + "}";
    text += ") -> " + NameOf(bound.kinds[0]);
    const std::type_info* const no_types[] = {nullptr};
    initialize_generic(std::move(record), text.c_str(), no_types, count);
  }
};

}  // namespace

extern "C" PyObject* kb_module(const char* name, const Bound* functions,
                               unsigned long count) {
  static PyModuleDef definition;
  try {
    auto made =
        py::module_::create_extension_module(name, nullptr, &definition);
    for (unsigned long i = 0; i < count; ++i) {
      const char* const own = functions[i].name;
      const py::object before = py::getattr(made, own, py::none());
      made.add_object(own, Dynamic(functions[i], made, before), true);
    }
    return made.release().ptr();
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_ImportError, error.what());
  }
  return nullptr;
}

// So that PyTorch's builder, which makes this once, finds a module in it.
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}
