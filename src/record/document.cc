#include "record/document.h"

#include <fmt/format.h>

namespace kb::record {

using base::Json;

std::string SchemaId(const std::string& name) {
  constexpr int kVersion = 1;  // of all so far
  return fmt::format("kernelbench/{}/{}", name, kVersion);
}

Json Document(const std::string& name, const Json& fields) {
  Json document{{"schema", SchemaId(name)}};
  document.update(fields);
  return document;
}

}  // namespace kb::record
