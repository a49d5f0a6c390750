#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/evaluation.h"

namespace kb::html {

// A text from anywhere on one line, fit for a table's cell: VisibleLine() of at
// most 200 bytes.
std::string Cell(std::string_view text);

// "1 problem", "1,200 problems"
std::string CountOf(size_t count, const char* noun);

// The style class of a verdict, the same in row, badge and share bar.
const char* VerdictKind(const std::optional<record::Verdict>& verdict);

// HTML from names of ours and texts of others. What goes through Text() and
// attribute values is made visible and escaped; only Raw() is taken as markup.
class Html {
 public:
  using Attributes = std::initializer_list<std::pair<const char*, std::string>>;

  Html& Open(const char* tag, Attributes attributes = {});
  Html& Close();  // the element opened last
  Html& Text(std::string_view text);
  Html& Raw(std::string_view markup);
  Html& Line();  // so that a page can be read and compared line by line

  // Open, Text, Close.
  Html& Element(const char* tag, std::string_view text,
                Attributes attributes = {});

  // All elements must be closed.
  std::string Take();

 private:
  std::string text_;
  std::vector<const char*> open_;
};

}  // namespace kb::html
