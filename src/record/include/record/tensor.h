#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace kb::record {

// Element types that cross the border between processes. The names are
// PyTorch's, without "torch.".
enum class DType : uint8_t {
  kBool = 1,
  kUInt8 = 2,
  kInt8 = 3,
  kInt16 = 4,
  kInt32 = 5,
  kInt64 = 6,
  kFloat16 = 7,
  kBFloat16 = 8,
  kFloat32 = 9,
  kFloat64 = 10,
  kFloat8E4M3 = 11,  // torch.float8_e4m3fn
  kFloat8E5M2 = 12,
};
const char* DTypeName(DType dtype);
std::optional<DType> ParseDType(const std::string& name);
size_t DTypeSize(DType dtype);  // bytes of one element
bool IsFloating(DType dtype);
bool IsFloat8(DType dtype);

// DLPack's type code and bits (dlpack.h: kDLInt 0, kDLUInt 1, kDLFloat 2,
// kDLBfloat 4, kDLBool 6, kDLFloat8_e4m3fn 10, kDLFloat8_e5m2 12).
struct DLPackType {
  uint8_t code;
  uint8_t bits;
};
DLPackType ToDLPack(DType dtype);
std::optional<DType> FromDLPack(uint8_t code, uint8_t bits, uint16_t lanes);

// A dense row-major tensor's type and shape.
struct TensorSpec {
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape;

  int64_t Elements() const;
  uint64_t Bytes() const;
  std::string ToString() const;  // "float32[128, 64]"
  bool operator==(const TensorSpec&) const = default;
};
base::Json ToJson(const TensorSpec& spec);
base::Result<TensorSpec> TensorSpecFromJson(const base::Json& json);

// A parameter or buffer of the reference, by its state_dict key.
struct NamedTensor {
  std::string name;
  TensorSpec spec;
  bool operator==(const NamedTensor&) const = default;
};
base::Json ToJson(const NamedTensor& tensor);
base::Result<NamedTensor> NamedTensorFromJson(const base::Json& json);

// A constructor or forward argument as plain data: None, bool, int, float, str,
// a list, tuple or dict of these, or a tensor, which travels by handle.
struct Value {
  struct None {
    bool operator==(const None&) const = default;
  };
  struct Tensor {
    TensorSpec spec;
    bool operator==(const Tensor&) const = default;
  };
  struct List {
    std::vector<Value> items;
    bool tuple = false;
    bool operator==(const List&) const = default;
  };
  struct Dict {
    std::vector<std::string> keys;  // in Python's order
    std::vector<Value> values;
    bool operator==(const Dict&) const = default;
  };
  std::variant<None, bool, int64_t, double, std::string, Tensor, List, Dict>
      data;
  bool operator==(const Value&) const = default;
};
base::Json ToJson(const Value& value);
base::Result<Value> ValueFromJson(const base::Json& json);

// The tensors of `values` in depth-first order, as the protocol numbers them.
std::vector<TensorSpec> TensorsOf(const std::vector<Value>& values);

}  // namespace kb::record
