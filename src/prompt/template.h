#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kb::prompt {

// What a template may use. A text is a variable and, when it is not empty, a
// section that is shown. The list is the section `examples`.
using Texts = std::map<std::string, std::string>;
struct Values {
  Texts texts;
  std::vector<Texts> examples;
};

// Names that a template may use.
struct Names {
  std::set<std::string> texts;
  std::set<std::string> of_example;  // inside of {{#examples}} only
};

// A rendered part: the text, then the value of the variable that is not known
// yet ("" at the end).
struct Piece {
  std::string text;
  std::string variable;
};

// Of mustache: {{name}}, {{#name}}...{{/name}}, {{^name}}...{{/name}}. Values
// are inserted as they are: nothing is escaped, and braces in them are text. A
// line that holds nothing but the tag of a section leaves no line.
class Template {
 public:
  // A Usage error for a tag that is not closed or a name that is not in
  // `names`; it begins with `where` and the tag's line within `text`, counted
  // from `first_line`.
  static base::Result<Template> Parse(std::string_view text, const Names& names,
                                      const std::string& where, int first_line);

  // Known names that `values` does not have are left for later.
  std::vector<Piece> Render(const Values& values) const;

 private:
  friend class TemplateParser;
  friend class TemplateRenderer;

  enum class Kind { kText, kVariable, kSection, kInverted };
  struct Node {
    Kind kind = Kind::kText;
    std::string text;  // or the name
    std::vector<Node> children;
  };
  std::vector<Node> nodes_;
};

// Of pieces that have no variable.
std::string Join(const std::vector<Piece>& pieces);

}  // namespace kb::prompt
