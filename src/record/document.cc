#include "record/document.h"

#include <fmt/format.h>

namespace kb::record {

using base::Json;

std::string SchemaId(const std::string& name) {
  const int version = name == "analysis" || name == "export" ? 2 : 1;
  return fmt::format("kernelbench/{}/{}", name, version);
}

Json Document(const std::string& name, const Json& fields) {
  Json document{{"schema", SchemaId(name)}};
  document.update(fields);
  return document;
}

}  // namespace kb::record
