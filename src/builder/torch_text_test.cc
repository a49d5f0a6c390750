#include "torch_text.h"

#include <gtest/gtest.h>

namespace kb::builder {
namespace {

// As torch 2.15 has it, with three of the methods.
constexpr const char* kBody = R"(#include <ATen/MethodOperators.h>
namespace at {
class TORCH_API Tensor: public TensorBase {
  Tensor& operator+=(const Tensor & other) {
    return add_(other);
  }
  at::Tensor & add_(const at::Tensor & other, const at::Scalar & alpha=1) const;
  at::Tensor relu() const;
  at::Tensor __and__(const at::Scalar & other) const;
};

// aten::add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)
inline at::Tensor & Tensor::add_(const at::Tensor & other, const at::Scalar & alpha) const {
    return at::_ops::add__Tensor::call(const_cast<Tensor&>(*this), other, alpha);
}

// aten::relu(Tensor self) -> Tensor
inline at::Tensor Tensor::relu() const {
    return at::_ops::relu::call(const_cast<Tensor&>(*this));
}

// aten::__and__.Scalar(Tensor self, Scalar other) -> Tensor
inline at::Tensor Tensor::__and__(const at::Scalar & other) const {
    return at::_ops::__and___Scalar::call(const_cast<Tensor&>(*this), other);
}
}
)";

TensorClass With(const Names& used) {
  const auto has = [](const std::string& name) {
    return Names{"add", "relu", "__and__"}.contains(name);
  };
  return WithUsedMethods(kBody, used, has).value();
}

bool Contains(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

TEST(TorchText, IdentifiersAreWords) {
  EXPECT_EQ(Identifiers("a_1 = b(c2)+a_1;"), (Names{"a_1", "b", "c2"}));
}

TEST(TorchText, MethodThatTheClassItselfCallsStays) {
  const TensorClass tensor = With({});
  EXPECT_TRUE(Contains(tensor.text, "  at::Tensor & add_("));
  EXPECT_TRUE(Contains(tensor.text, "Tensor::add_("));
  EXPECT_EQ(tensor.operators, Names{"add"}) << "in place has no header";
}

TEST(TorchText, MethodThatNobodyNamesGoesWithItsDefinition) {
  const TensorClass tensor = With({"mul"});
  EXPECT_FALSE(Contains(tensor.text, "relu"));
  EXPECT_TRUE(Contains(tensor.text, "#include <ATen/MethodOperators.h>"));
}

TEST(TorchText, MethodThatTheSourceNamesStays) {
  const TensorClass tensor = With({"relu", "__and__"});
  EXPECT_EQ(tensor.text, kBody + std::string("\n"));
  EXPECT_EQ(tensor.operators, (Names{"__and__", "add", "relu"}));
}

TEST(TorchText, HeaderOfAnotherFormIsLeftAlone) {
  EXPECT_FALSE(WithUsedMethods("class Tensor {};", {}, {}).has_value());
}

constexpr const char* kFactories = R"(
inline at::Tensor tensor(detail::TensorDataContainer data) {
  return autograd::make_variable(data.convert_to_tensor());
}
inline at::Tensor empty(at::IntArrayRef size) {
  at::AutoDispatchBelowADInplaceOrView guard;
  return autograd::make_variable(at::empty(size), false);
}
inline at::Tensor zeros(at::IntArrayRef size) {
  at::AutoDispatchBelowADInplaceOrView guard;
  return autograd::make_variable(at::zeros(size), false);
}
)";

TEST(TorchText, FactoriesAreThoseThatTheSourceNames) {
  const std::string used = UsedFactories(kFactories, {"zeros"}).value();
  EXPECT_TRUE(used.starts_with("inline at::Tensor zeros("));
  EXPECT_FALSE(Contains(used, "empty"));
  EXPECT_EQ(UsedFactories(kFactories, {"relu"}), "");
}

TEST(TorchText, FactoryOfAnotherFormNeedsItsHeader) {
  EXPECT_FALSE(UsedFactories(kFactories, {"tensor"}).has_value());
}

}  // namespace
}  // namespace kb::builder
