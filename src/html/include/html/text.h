#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kb::html {

// Bytes of a reason that pages show.
inline constexpr size_t kMaxReason = 2 << 10;

// Text from anywhere as valid UTF-8 in which nothing hides: control characters,
// direction overrides and invisible characters become <U+202E>, bad bytes
// <\xff>. Newline and tab stay; a carriage return before a newline is dropped.
// Still to be escaped for HTML.
std::string Visible(std::string_view text);

// Visible() on one line: newlines and tabs become spaces.
std::string VisibleLine(std::string_view text);

// For HTML text and quoted attributes.
std::string EscapeHtml(std::string_view text);

// Columns of a terminal that valid UTF-8 takes, one per code point.
size_t Columns(std::string_view text);

// At most `columns` of valid UTF-8, the last one an ellipsis when it was cut.
std::string CutToColumns(std::string_view text, size_t columns);

}  // namespace kb::html
