#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "base/json.h"
#include "base/result.h"
#include "record/baseline.h"
#include "record/evaluation.h"
#include "record/generation.h"
#include "sqlite.h"

// One value, one column: Put() binds it, Take() reads it back.
namespace kb::store {

// What has a name of its own is kept by it.
template <typename T>
concept Named = std::is_enum_v<T> || std::is_same_v<T, record::Size>;

// The names of enumerators and sizes, as record spells them.
std::string NameOf(record::Track track);
std::string NameOf(record::Backend backend);
std::string NameOf(const record::Size& size);
std::string NameOf(record::Precision precision);
std::string NameOf(record::Verdict verdict);
std::string NameOf(record::BaselineMode mode);
std::string NameOf(record::GenerationStatus status);
// False: no such name, and `out` is untouched.
bool ParseName(const std::string& name, record::Track* out);
bool ParseName(const std::string& name, record::Backend* out);
bool ParseName(const std::string& name, record::Size* out);
bool ParseName(const std::string& name, record::Precision* out);
bool ParseName(const std::string& name, record::Verdict* out);
bool ParseName(const std::string& name, record::BaselineMode* out);
bool ParseName(const std::string& name, record::GenerationStatus* out);

// A value that is one column of JSON.
template <typename T>
struct JsonColumn {
  T& value;  // an optional
  base::Result<typename std::remove_cvref_t<T>::value_type> (*parse)(
      const base::Json&);
};
template <typename T>
JsonColumn<T> AsJson(T& value,
                     base::Result<typename std::remove_cvref_t<T>::value_type> (
                         *parse)(const base::Json&)) {
  return {value, parse};
}

inline void Put(Statement* to, const std::string& value) {
  to->BindText(value);
}
inline void Put(Statement* to, bool value) { to->BindInteger(value ? 1 : 0); }
inline void Put(Statement* to, int64_t value) { to->BindInteger(value); }
inline void Put(Statement* to, uint64_t value) {
  to->BindInteger(static_cast<int64_t>(value));
}
inline void Put(Statement* to, double value) { to->BindReal(value); }
template <Named T>
void Put(Statement* to, const T& value) {
  to->BindText(NameOf(value));
}
template <typename T>
void Put(Statement* to, const std::optional<T>& value) {
  if (value)
    Put(to, *value);
  else
    to->BindNull();
}
template <typename T>
void Put(Statement* to, const JsonColumn<T>& column) {
  using record::ToJson;  // of an interval, which is base's
  if (column.value)
    to->BindText(base::DumpJson(ToJson(*column.value)));
  else
    to->BindNull();
}

inline base::Result<void> Take(Statement* from, std::string& value) {
  value = from->Text();
  return base::Ok();
}
inline base::Result<void> Take(Statement* from, bool& value) {
  value = from->Integer() != 0;
  return base::Ok();
}
inline base::Result<void> Take(Statement* from, int64_t& value) {
  value = from->Integer();
  return base::Ok();
}
inline base::Result<void> Take(Statement* from, uint64_t& value) {
  value = static_cast<uint64_t>(from->Integer());
  return base::Ok();
}
inline base::Result<void> Take(Statement* from, double& value) {
  value = from->Real();
  return base::Ok();
}
template <Named T>
base::Result<void> Take(Statement* from, T& value) {
  const std::string name = from->Text();
  if (!ParseName(name, &value)) return base::Fail("unknown word \"{}\"", name);
  return base::Ok();
}
template <typename T>
base::Result<void> Take(Statement* from, std::optional<T>& value) {
  if (from->IsNull()) {
    from->Skip();
    value.reset();
    return base::Ok();
  }
  return Take(from, value.emplace());
}
template <typename T>
base::Result<void> Take(Statement* from, const JsonColumn<T>& column) {
  if (from->IsNull()) {
    from->Skip();
    return base::Ok();
  }
  KB_ASSIGN(const base::Json json, base::ParseJson(from->Text(), "JSON"));
  KB_ASSIGN(column.value, column.parse(json));
  return base::Ok();
}

inline std::string InsertSql(const std::string& table,
                             const std::string& columns) {
  std::string marks = "?";
  for (const char c : columns)
    if (c == ',') marks += ", ?";
  return fmt::format("INSERT INTO {} ({}) VALUES ({})", table, columns, marks);
}

}  // namespace kb::store
