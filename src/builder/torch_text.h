#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace kb::builder {

using Names = std::set<std::string, std::less<>>;

// The identifiers of a C++ text, and the words in its comments.
Names Identifiers(std::string_view text);

// Whether PyTorch may have a constant of that name, such as kFloat. Its macros
// make most of them.
bool IsOfConstant(std::string_view name);

// A part of PyTorch's ATen/core/TensorBody.h, which has methods for 700
// operators.
struct TensorClass {
  std::string text;
  Names operators;  // that it calls: "add", of ATen/ops/add_ops.h
};

// `body`, the text of that header, with only those of the operators' methods
// that `used` names or the rest of the header calls. `has`: whether an operator
// has a header. None where the header has not the form that PyTorch's generator
// gives it.
std::optional<TensorClass> WithUsedMethods(
    const std::string& body, const Names& used,
    const std::function<bool(const std::string&)>& has);

// Of torch/csrc/autograd/generated/variable_factories.h, whose functions make
// tensors (torch::empty), those that `used` names; they call
// autograd::make_variable. None where one of them is not of the form that
// PyTorch's generator gives them all, as torch::from_blob and torch::tensor.
std::optional<std::string> UsedFactories(const std::string& header,
                                         const Names& used);

}  // namespace kb::builder
