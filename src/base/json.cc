#include "base/json.h"

#include "base/nesting.h"

namespace kb::base {

Result<Json> ParseJson(std::string_view text, const std::string& what) {
  if (const auto deep = DeepJson(text))
    return Fail("{}: line {}: {}", what, deep->line, deep->message);
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& e) {
    return Fail("{}: not valid JSON: {}", what, e.what());
  }
}

std::string DumpJson(const Json& json, int indent) {
  return json.dump(indent, ' ', false,
                   nlohmann::json::error_handler_t::replace);
}

}  // namespace kb::base
