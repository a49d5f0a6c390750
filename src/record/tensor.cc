#include "record/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <limits>

namespace kb::record {
namespace {

using base::Json;
using base::Result;

struct DTypeRow {
  DType dtype;
  const char* name;
  uint8_t code;
  uint8_t bits;
};
constexpr std::array<DTypeRow, 12> kDTypes{{
    {DType::kBool, "bool", 6, 8},
    {DType::kUInt8, "uint8", 1, 8},
    {DType::kInt8, "int8", 0, 8},
    {DType::kInt16, "int16", 0, 16},
    {DType::kInt32, "int32", 0, 32},
    {DType::kInt64, "int64", 0, 64},
    {DType::kFloat16, "float16", 2, 16},
    {DType::kBFloat16, "bfloat16", 4, 16},
    {DType::kFloat32, "float32", 2, 32},
    {DType::kFloat64, "float64", 2, 64},
    {DType::kFloat8E4M3, "float8_e4m3fn", 10, 8},
    {DType::kFloat8E5M2, "float8_e5m2", 12, 8},
}};

const DTypeRow& Row(DType dtype) {
  return kDTypes.at(static_cast<size_t>(dtype) - 1);
}

constexpr int64_t kMaxElements = int64_t{1} << 40;

void AppendTensors(const Value& value, std::vector<TensorSpec>* out) {
  if (const auto* tensor = std::get_if<Value::Tensor>(&value.data)) {
    out->push_back(tensor->spec);
  } else if (const auto* list = std::get_if<Value::List>(&value.data)) {
    for (const Value& item : list->items) AppendTensors(item, out);
  } else if (const auto* dict = std::get_if<Value::Dict>(&value.data)) {
    for (const Value& item : dict->values) AppendTensors(item, out);
  }
}

}  // namespace

const char* DTypeName(DType dtype) { return Row(dtype).name; }

std::optional<DType> ParseDType(const std::string& name) {
  for (const DTypeRow& row : kDTypes)
    if (name == row.name) return row.dtype;
  return std::nullopt;
}

size_t DTypeSize(DType dtype) { return Row(dtype).bits / 8; }

bool IsFloat8(DType dtype) {
  return dtype == DType::kFloat8E4M3 || dtype == DType::kFloat8E5M2;
}

bool IsFloating(DType dtype) {
  const uint8_t code = Row(dtype).code;
  return code == 2 || code == 4 || IsFloat8(dtype);
}

DLPackType ToDLPack(DType dtype) { return {Row(dtype).code, Row(dtype).bits}; }

std::optional<DType> FromDLPack(uint8_t code, uint8_t bits, uint16_t lanes) {
  if (lanes != 1) return std::nullopt;
  for (const DTypeRow& row : kDTypes)
    if (row.code == code && row.bits == bits) return row.dtype;
  return std::nullopt;
}

int64_t TensorSpec::Elements() const {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  return count;
}

uint64_t TensorSpec::Bytes() const {
  return static_cast<uint64_t>(Elements()) * DTypeSize(dtype);
}

std::string TensorSpec::ToString() const {
  return fmt::format("{}[{}]", DTypeName(dtype), fmt::join(shape, ", "));
}

Json ToJson(const TensorSpec& spec) {
  return {{"dtype", DTypeName(spec.dtype)}, {"shape", spec.shape}};
}

Result<TensorSpec> TensorSpecFromJson(const Json& json) {
  KB_ASSIGN(const std::string name, base::Get<std::string>(json, "dtype"));
  const auto dtype = ParseDType(name);
  if (!dtype) return base::Fail("unsupported dtype \"{}\"", name);
  TensorSpec spec{*dtype, {}};
  KB_ASSIGN(spec.shape, base::Get<std::vector<int64_t>>(json, "shape"));
  int64_t count = 1;
  for (const int64_t extent : spec.shape) {
    if (extent < 0 || extent > kMaxElements ||
        (extent > 0 && count > kMaxElements / extent))
      return base::Fail("shape [{}] is out of range",
                        fmt::join(spec.shape, ", "));
    count *= extent;
  }
  return spec;
}

Json ToJson(const NamedTensor& tensor) {
  Json json = ToJson(tensor.spec);
  json["name"] = tensor.name;
  return json;
}

Result<NamedTensor> NamedTensorFromJson(const Json& json) {
  NamedTensor tensor;
  KB_ASSIGN(tensor.name, base::Get<std::string>(json, "name"));
  KB_ASSIGN(tensor.spec, TensorSpecFromJson(json));
  return tensor;
}

// Tagged, so that 1, 1.0 and True stay apart, and so that inf and nan survive.
Json ToJson(const Value& value) {
  struct Visitor {
    Json operator()(const Value::None&) const { return {{"none", true}}; }
    Json operator()(bool x) const { return {{"bool", x}}; }
    Json operator()(int64_t x) const { return {{"int", x}}; }
    Json operator()(double x) const {
      if (std::isfinite(x)) return {{"float", x}};
      return {{"float", std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf"}};
    }
    Json operator()(const std::string& x) const { return {{"str", x}}; }
    Json operator()(const Value::Tensor& x) const {
      return {{"tensor", ToJson(x.spec)}};
    }
    Json operator()(const Value::List& x) const {
      Json items = Json::array();
      for (const Value& item : x.items) items.push_back(ToJson(item));
      return {{x.tuple ? "tuple" : "list", items}};
    }
    // Pairs, because JSON objects have no order.
    Json operator()(const Value::Dict& x) const {
      Json items = Json::array();
      for (size_t i = 0; i < x.keys.size(); ++i)
        items.push_back(Json::array({x.keys[i], ToJson(x.values.at(i))}));
      return {{"dict", items}};
    }
  };
  return std::visit(Visitor{}, value.data);
}

namespace {

Result<Value> DictFromJson(const Json& pairs) {
  Value::Dict dict;
  for (const Json& pair : pairs) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string())
      return base::Fail("a dict is a list of pairs of a text and a value");
    KB_ASSIGN(Value value, ValueFromJson(pair[1]));
    dict.keys.push_back(pair[0].get<std::string>());
    dict.values.push_back(std::move(value));
  }
  return Value{std::move(dict)};
}

}  // namespace

Result<Value> ValueFromJson(const Json& json) {
  if (!json.is_object() || json.size() != 1)
    return base::Fail("a value must be an object with one tag");
  const std::string tag = json.begin().key();
  const Json& body = json.begin().value();
  if (tag == "none") return Value{Value::None{}};
  if (tag == "bool" && body.is_boolean()) return Value{body.get<bool>()};
  if (tag == "int" && base::Fits<int64_t>(body))
    return Value{body.get<int64_t>()};
  if (tag == "float" && body.is_number()) return Value{body.get<double>()};
  if (tag == "float" && body.is_string()) {
    const auto text = body.get<std::string>();
    constexpr double kInf = std::numeric_limits<double>::infinity();
    if (text == "inf") return Value{kInf};
    if (text == "-inf") return Value{-kInf};
    if (text == "nan") return Value{std::nan("")};
  }
  if (tag == "str" && body.is_string()) return Value{body.get<std::string>()};
  if (tag == "tensor") {
    KB_ASSIGN(TensorSpec spec, TensorSpecFromJson(body));
    return Value{Value::Tensor{std::move(spec)}};
  }
  if ((tag == "list" || tag == "tuple") && body.is_array()) {
    Value::List list{{}, tag == "tuple"};
    for (const Json& item : body) {
      KB_ASSIGN(Value value, ValueFromJson(item));
      list.items.push_back(std::move(value));
    }
    return Value{std::move(list)};
  }
  if (tag == "dict" && body.is_array()) return DictFromJson(body);
  return base::Fail("a value has the unknown form {}", base::DumpJson(json));
}

std::vector<TensorSpec> TensorsOf(const std::vector<Value>& values) {
  std::vector<TensorSpec> specs;
  for (const Value& value : values) AppendTensors(value, &specs);
  return specs;
}

}  // namespace kb::record
