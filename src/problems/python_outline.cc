#include "python_outline.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "source_check/source_text.h"

namespace kb::problems {
namespace {

using source_check::TextKind;
using source_check::Token;

// A logical line that begins in the first column.
struct Statement {
  size_t begin = 0;
  size_t end = 0;  // where its comment or its last newline begins
  int line = 0;
  bool one_line = true;
};

class Reader {
 public:
  explicit Reader(const std::string& source)
      : source_(source),
        kinds_(source_check::KindsOf(source, source_check::Language::kPython)),
        code_(source_check::CodeOnly(source, source_check::Language::kPython)) {
  }

  PythonOutline Read() {
    while (at_ < source_.size()) {
      const char first = source_[at_];
      const bool blank = first == ' ' || first == '\t' || first == '\r' ||
                         first == '\n' || first == '\f' ||
                         kinds_[at_] == TextKind::kComment;
      const Statement statement = Next();
      if (!blank) Add(statement);
    }
    return std::move(outline_);
  }

 private:
  // Passes one logical line. Brackets, strings and backslashes join lines.
  Statement Next() {
    Statement statement{at_, at_, line_, true};
    int depth = 0;
    for (; at_ < source_.size(); ++at_) {
      const char c = code_[at_];
      if (kinds_[at_] == TextKind::kCode) {
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (c != '\n' && c != '\r') statement.end = at_ + 1;
      }
      if (kinds_[at_] == TextKind::kString) statement.end = at_ + 1;
      if (c != '\n') continue;
      ++line_;
      const bool joined = kinds_[at_] == TextKind::kString || depth > 0 ||
                          (at_ > 0 && code_[at_ - 1] == '\\');
      if (!joined) {
        ++at_;
        break;
      }
      statement.one_line = false;
    }
    while (statement.end > statement.begin &&
           std::isspace(
               static_cast<unsigned char>(source_[statement.end - 1])) != 0)
      --statement.end;
    return statement;
  }

  void Add(const Statement& statement) {
    const std::string_view code = std::string_view(code_).substr(
        statement.begin, statement.end - statement.begin);
    const std::vector<Token> tokens = source_check::Tokenize(code);
    if (tokens.size() < 2) return;
    const std::string_view word = tokens[0].text;
    if (word == "class" || word == "def") {
      outline_.definitions.push_back(
          {std::string(word), std::string(tokens[1].text), statement.line});
    } else {
      AddAssignment(statement, code, tokens);
    }
  }

  void AddAssignment(const Statement& statement, std::string_view code,
                     const std::vector<Token>& tokens) {
    const std::optional<size_t> sign = AssignmentSign(tokens);
    if (!sign || *sign + 1 >= tokens.size()) return;
    Assignment assignment;
    assignment.name = tokens[0].text;
    assignment.line = statement.line;
    assignment.value_begin =
        statement.begin +
        static_cast<size_t>(tokens[*sign + 1].text.data() - code.data());
    assignment.value_end = statement.end;
    assignment.replaceable = statement.one_line && tokens[*sign].text == "=" &&
                             IsOneValue(tokens, *sign + 1);
    outline_.assignments.push_back(std::move(assignment));
  }

  // The place of = (or += and the like) behind one name and perhaps an
  // annotation.
  static std::optional<size_t> AssignmentSign(
      const std::vector<Token>& tokens) {
    size_t i = 1;
    if (tokens[1].text == ":")
      while (i < tokens.size() && tokens[i].text != "=") ++i;
    if (i == tokens.size()) return std::nullopt;
    const std::string_view sign = tokens[i].text;
    const bool comparison =
        sign == "==" || sign == "!=" || sign == "<=" || sign == ">=";
    if (!sign.ends_with('=') || comparison) return std::nullopt;
    return i;
  }

  // Neither a = b = 1 nor a = 1; b = 2.
  static bool IsOneValue(const std::vector<Token>& tokens, size_t begin) {
    int depth = 0;
    for (size_t i = begin; i < tokens.size(); ++i) {
      const std::string_view text = tokens[i].text;
      if (text == "(" || text == "[" || text == "{") ++depth;
      if (text == ")" || text == "]" || text == "}") --depth;
      if (depth == 0 && (text == "=" || text == ";")) return false;
    }
    return true;
  }

  const std::string& source_;
  std::vector<TextKind> kinds_;
  std::string code_;
  size_t at_ = 0;
  int line_ = 1;
  PythonOutline outline_;
};

}  // namespace

bool PythonOutline::Defines(std::string_view keyword,
                            std::string_view name) const {
  return std::ranges::any_of(definitions, [&](const Definition& definition) {
    return definition.keyword == keyword && definition.name == name;
  });
}

PythonOutline OutlineOf(const std::string& source) {
  return Reader(source).Read();
}

}  // namespace kb::problems
