#pragma once

#include <string>
#include <string_view>

namespace kb::html {

enum class Language { kCpp, kPython };

// The source as HTML: every line a <span class="l">, words in <span
// class="k|c|s|n|p"> (keyword, comment, string, number, preprocessor or
// decorator). `source` must be Visible(); everything is escaped.
std::string HighlightHtml(std::string_view source, Language language);

}  // namespace kb::html
