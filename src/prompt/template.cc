#include "template.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "base/text.h"

namespace kb::prompt {

using base::Result;
using base::Usage;

namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";
constexpr std::string_view kExamples = "examples";

struct Tag {
  size_t begin = 0;  // of the text that it replaces
  size_t end = 0;
  char sign = 0;  // '#', '^', '/' or 0 for a variable
  std::string name;
  size_t at = 0;  // where the braces begin
};

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

// Alone on its line, the tag of a section replaces the line.
void TakeLine(std::string_view text, Tag* tag) {
  const size_t before = text.substr(0, tag->begin).rfind('\n');
  const size_t line = before == std::string_view::npos ? 0 : before + 1;
  const size_t newline = text.find('\n', tag->end);
  const size_t end =
      newline == std::string_view::npos ? text.size() : newline + 1;
  if (!IsBlank(text.substr(line, tag->begin - line)) ||
      !IsBlank(base::Trim(text.substr(tag->end, end - tag->end))))
    return;
  tag->begin = line;
  tag->end = end;
}

}  // namespace

class TemplateParser {
 public:
  TemplateParser(std::string_view text, const Names& names,
                 const std::string& where, int first_line)
      : text_(text), names_(names), where_(where), first_line_(first_line) {}

  Result<Template> Parse() {
    Template result;
    KB_ASSIGN(result.nodes_, ParseUntil(std::nullopt));
    return result;
  }

 private:
  using Node = Template::Node;
  using Kind = Template::Kind;

  // Up to the end of the text, or the tag that closes `section`.
  Result<std::vector<Node>> ParseUntil(const std::optional<Tag>& section) {
    std::vector<Node> nodes;
    while (true) {
      KB_ASSIGN(const std::optional<Tag> tag, NextTag());
      if (!tag) break;
      AddText(tag->begin, &nodes);
      at_ = tag->end;
      if (tag->sign == '/') {
        if (section && section->name == tag->name) return nodes;
        return Usage("{}: {{{{/{}}}}} closes nothing", Place(*tag), tag->name);
      }
      KB_TRY(CheckName(*tag));
      Node node{Kind::kVariable, tag->name, {}};
      if (tag->sign != 0) {
        node.kind = tag->sign == '#' ? Kind::kSection : Kind::kInverted;
        KB_ASSIGN(node.children, ParseSection(*tag));
      }
      nodes.push_back(std::move(node));
    }
    if (section)
      return Usage("{}: {{{{{}{}}}}} is never closed", Place(*section),
                   section->sign, section->name);
    AddText(text_.size(), &nodes);
    return nodes;
  }

  Result<std::vector<Node>> ParseSection(const Tag& tag) {
    const bool outer = in_example_;
    in_example_ = outer || (tag.name == kExamples && tag.sign == '#');
    auto nodes = ParseUntil(tag);
    in_example_ = outer;
    return nodes;
  }

  Result<std::optional<Tag>> NextTag() {
    Tag tag;
    tag.at = tag.begin = text_.find(kOpen, at_);
    if (tag.begin == std::string_view::npos) return std::optional<Tag>();
    const size_t close = text_.find(kClose, tag.begin);
    if (close == std::string_view::npos)
      return Usage("{}: {{{{ without }}}}", Place(tag));
    tag.end = close + kClose.size();
    std::string_view inside = base::Trim(
        text_.substr(tag.begin + kOpen.size(), close - tag.begin - 2));
    if (inside.starts_with('#') || inside.starts_with('^') ||
        inside.starts_with('/')) {
      tag.sign = inside.front();
      inside = base::Trim(inside.substr(1));
      TakeLine(text_, &tag);
    }
    tag.name = inside;
    return std::optional(tag);
  }

  Result<void> CheckName(const Tag& tag) const {
    if (names_.texts.contains(tag.name)) return base::Ok();
    if (in_example_ && names_.of_example.contains(tag.name)) return base::Ok();
    if (tag.sign != 0 && tag.name == kExamples && !names_.of_example.empty())
      return base::Ok();
    std::set<std::string> known = names_.texts;
    if (in_example_)
      known.insert(names_.of_example.begin(), names_.of_example.end());
    return Usage("{}: unknown variable {{{{{}}}}}; known here are {}{}",
                 Place(tag), tag.name, fmt::join(known, ", "),
                 names_.of_example.empty() || in_example_
                     ? ""
                     : " and the section examples");
  }

  void AddText(size_t end, std::vector<Node>* nodes) const {
    if (end > at_)
      nodes->push_back(
          {Kind::kText, std::string(text_.substr(at_, end - at_)), {}});
  }

  std::string Place(const Tag& tag) const {
    const auto newlines =
        std::ranges::count(text_.substr(0, tag.at), '\n') + first_line_;
    return fmt::format("{}:{}", where_, newlines);
  }

  std::string_view text_;
  const Names& names_;
  const std::string& where_;
  int first_line_;
  size_t at_ = 0;
  bool in_example_ = false;
};

class TemplateRenderer {
 public:
  explicit TemplateRenderer(const Values& values) : values_(values) {}

  std::vector<Piece> Render(const std::vector<Template::Node>& nodes) {
    Walk(nodes, nullptr);
    pieces_.push_back(std::move(open_));
    return std::move(pieces_);
  }

 private:
  using Kind = Template::Kind;

  void Walk(const std::vector<Template::Node>& nodes, const Texts* example) {
    for (const Template::Node& node : nodes) {
      switch (node.kind) {
        case Kind::kText:
          open_.text += node.text;
          break;
        case Kind::kVariable:
          Insert(node.text, example);
          break;
        case Kind::kSection:
          if (node.text == kExamples)
            for (const Texts& each : values_.examples)
              Walk(node.children, &each);
          else if (IsShown(node.text, example))
            Walk(node.children, example);
          break;
        case Kind::kInverted:
          if (!IsShown(node.text, example)) Walk(node.children, example);
          break;
      }
    }
  }

  void Insert(const std::string& name, const Texts* example) {
    if (const std::string* value = Find(name, example)) {
      open_.text += *value;
      return;
    }
    open_.variable = name;
    pieces_.push_back(std::move(open_));
    open_ = {};
  }

  bool IsShown(const std::string& name, const Texts* example) const {
    if (name == kExamples) return !values_.examples.empty();
    const std::string* value = Find(name, example);
    return value == nullptr || !value->empty();
  }

  const std::string* Find(const std::string& name, const Texts* example) const {
    if (example != nullptr)
      if (const auto it = example->find(name); it != example->end())
        return &it->second;
    const auto it = values_.texts.find(name);
    return it == values_.texts.end() ? nullptr : &it->second;
  }

  const Values& values_;
  std::vector<Piece> pieces_;
  Piece open_;
};

Result<Template> Template::Parse(std::string_view text, const Names& names,
                                 const std::string& where, int first_line) {
  return TemplateParser(text, names, where, first_line).Parse();
}

std::vector<Piece> Template::Render(const Values& values) const {
  return TemplateRenderer(values).Render(nodes_);
}

std::string Join(const std::vector<Piece>& pieces) {
  std::string text;
  for (const Piece& piece : pieces) {
    KB_CHECK(piece.variable.empty());
    text += piece.text;
  }
  return text;
}

}  // namespace kb::prompt
