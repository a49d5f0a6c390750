#pragma once

#include "base/check.h"
#include "kernels/element.h"
#include "record/tensor.h"

namespace kb::device {

// function(T{}) with the element type T of share/kernels/element.h that
// `dtype` names.
template <typename Function>
auto WithElement(record::DType dtype, Function&& function) {
  using record::DType;
  switch (dtype) {
    case DType::kBool:
      return function(kernels::Bool{});
    case DType::kUInt8:
      return function(kernels::UInt8{});
    case DType::kInt8:
      return function(kernels::Int8{});
    case DType::kInt16:
      return function(kernels::Int16{});
    case DType::kInt32:
      return function(kernels::Int32{});
    case DType::kInt64:
      return function(kernels::Int64{});
    case DType::kFloat16:
      return function(kernels::Float16{});
    case DType::kBFloat16:
      return function(kernels::BFloat16{});
    case DType::kFloat32:
      return function(kernels::Float32{});
    case DType::kFloat64:
      return function(kernels::Float64{});
    case DType::kFloat8E4M3:
      return function(kernels::Float8E4M3{});
    case DType::kFloat8E5M2:
      return function(kernels::Float8E5M2{});
  }
  base::CheckFailed("dtype is one of DType's values", __FILE__, __LINE__);
}

}  // namespace kb::device
