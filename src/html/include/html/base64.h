#pragma once

#include <string>
#include <string_view>

namespace kb::html {

std::string Base64(std::string_view bytes);

// The SHA-256 of a script as a Content-Security-Policy names it, without
// "sha256-".
std::string ScriptHash(std::string_view script);

}  // namespace kb::html
