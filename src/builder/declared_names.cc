#include "declared_names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "source_check/source_text.h"

namespace kb::builder {
namespace {

// Of what is looked at behind a parenthesis.
constexpr size_t kLongest = 200;

// What a bracket opened.
enum class Inside {
  kOpen,       // a block of which all is seen around it: extern "C", enum
  kNamespace,  // likewise, by the namespace's name
  kClosed,     // a class, a function, parameters
};

struct Bracket {
  char closing = 0;
  Inside inside = Inside::kClosed;
};

// What is open by an #if.
struct Branches {
  std::vector<Bracket> before;
  std::optional<std::vector<Bracket>> deepest;  // at the end of one of them
};

// As the functions of <cctype> want it.
int Unsigned(char c) { return static_cast<unsigned char>(c); }

bool IsMacro(std::string_view name) {
  return std::ranges::none_of(name, [](char c) { return std::islower(c); }) &&
         std::ranges::any_of(name, [](char c) { return std::isupper(c); });
}

// Of code without comments; of a literal only the first quote is left.
class Scanner {
 public:
  Scanner(std::string_view text, const Names& names, DeclaredNames* found)
      : text_(text), names_(names), found_(found) {}

  // False where brackets do not match.
  bool Scan() {
    while (at_ < text_.size()) Step();
    return matches_ && brackets_.empty();
  }

 private:
  char Char(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void Step() {
    const char c = Char();
    if (c == '\n') {
      starts_line_ = true;
      ++at_;
    } else if (std::isspace(Unsigned(c)) != 0) {
      ++at_;
    } else if (c == '#' && starts_line_) {
      Directive();
    } else {
      Token(c);
    }
  }

  void Token(char c) {
    starts_line_ = false;
    if (base::IsOfName(c))
      Word();
    else if (c == '"' || c == '\'')
      ++at_;  // a literal, behind which `last_` stays: extern "C" {
    else if (c == '{' || c == '(' || c == '[')
      Open(c);
    else if (c == '}' || c == ')' || c == ']')
      Close(c);
    else
      Other(c);
  }

  void Other(char c) {
    if (c == ':' && Char(1) == ':') {
      at_ += 2;
      last_ = {};
      return;
    }
    if (c == ':' && (after_parenthesis_ || last_ == "noexcept"))
      of_members_ = true;
    if (c == '<' && OpensArguments())
      SkipArguments();
    else
      ++at_;
    if (c == ';') EndStatement();
    if (c == '=') of_value_ = true;
    if (c == ',') of_value_ = false;
    last_ = {};
    after_parenthesis_ = false;
  }

  bool OpensArguments() const {
    return !IsClosed() && !last_.empty() &&
           std::isdigit(Unsigned(last_[0])) == 0 && last_ != "operator" &&
           Char(1) != '<';
  }

  // Of a template, or what may be its parameters.
  void SkipArguments() {
    int depth = 0;
    int brackets = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = Char();
      if (c == '(' || c == '[') ++brackets;
      if ((c == ')' || c == ']') && --brackets < 0) return;
      if (brackets > 0) continue;
      if (c == ';' || c == '{' || c == '}') return;
      if (c == '<') ++depth;
      if (c == '>' && --depth == 0) break;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  void Word() {
    const size_t start = at_;
    while (base::IsOfName(Char())) ++at_;
    last_ = text_.substr(start, at_ - start);
    after_parenthesis_ = false;
    if (last_ == "namespace") of_namespace_ = true;
    if (last_ == "enum") of_enum_ = true;
    if (last_ == "friend") friend_at_ = brackets_.size();
    const bool is_friend = friend_at_ == brackets_.size();
    const std::string_view before = text_.substr(0, start);
    const bool is_member = before.ends_with('.') || before.ends_with("->");
    if ((IsClosed() || of_members_ || of_value_ || is_member) && !is_friend)
      return;
    const auto name = names_.find(last_);
    if (name == names_.end() || except_.contains(last_)) return;
    const bool global = !IsClosed() && !IsInNamespace();
    (global ? found_->global : found_->inside).insert(*name);
  }

  void Open(char c) {
    Bracket bracket;
    bracket.closing = c == '{' ? '}' : c == '(' ? ')' : ']';
    bracket.inside = IsClosed() ? Inside::kClosed : Opened(c);
    ++at_;
    brackets_.push_back(bracket);
    if (c == '{') EndStatement();
    last_ = {};
  }

  Inside Opened(char c) const {
    if (c == '[') return Inside::kClosed;  // an attribute, a size
    if (c == '(' && IsOfList()) return Inside::kNamespace;
    if (c == '(')
      return IsMacro(last_) || IsDeclarator() ? Inside::kOpen : Inside::kClosed;
    if (of_namespace_) return Inside::kNamespace;
    return of_enum_ || last_ == "extern" ? Inside::kOpen : Inside::kClosed;
  }

  // In parentheses stands what is declared: int (*f)(int), int (A::*f)(int),
  // int (g)(int).
  bool IsDeclarator() const {
    static const std::regex kForm(
        R"(^\s*(\(|\w+\s*\)|)"
        R"((\w+\s*::\s*)*[*&^][*&^\s]*(const\b\s*)?\w+\s*[)(\[]))");
    const std::string_view rest = text_.substr(at_ + 1, kLongest);
    return std::regex_search(rest.begin(), rest.end(), kForm);
  }

  // Of a macro that is given what makes something of each: aten::add of
  // _(aten, add).
  bool IsOfList() const {
    static const std::regex kForm(R"(^\s*\w+\s*,\s*\w+\s*\))");
    const std::string_view rest = text_.substr(at_ + 1, kLongest);
    return last_ == "_" && std::regex_search(rest.begin(), rest.end(), kForm);
  }

  void Close(char c) {
    ++at_;
    last_ = {};
    if (brackets_.empty() || brackets_.back().closing != c) {
      matches_ = false;
      return;
    }
    brackets_.pop_back();
    if (c == '}') EndStatement();
    after_parenthesis_ = c == ')';
  }

  void EndStatement() {
    of_namespace_ = of_enum_ = of_members_ = of_value_ = false;
    friend_at_.reset();
  }

  bool IsClosed() const {
    return !brackets_.empty() && brackets_.back().inside == Inside::kClosed;
  }

  bool IsInNamespace() const {
    return std::ranges::any_of(brackets_, [](const Bracket& bracket) {
      return bracket.inside == Inside::kNamespace;
    });
  }

  // With the lines that go on.
  void Directive() {
    const size_t start = ++at_;
    for (; at_ < text_.size() && Char() != '\n'; ++at_)
      if (Char() == '\\') at_ += Char(1) == '\r' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    const std::string_view line = base::Trim(text_.substr(start, at_ - start));
    if (line.starts_with("define"))
      Define(base::Trim(line.substr(std::string_view("define").size())));
    else if (line.starts_with("if"))
      branches_.push_back({brackets_, std::nullopt});
    else if (line.starts_with("el"))
      EndBranch();
    else if (line.starts_with("endif") && !branches_.empty()) {
      EndBranch();
      brackets_ = std::move(*branches_.back().deepest);
      branches_.pop_back();
    }
  }

  // Of #if. What is behind it goes on with the one that opened most: the text
  // closes that, under a condition of its own where others opened less.
  void EndBranch() {
    if (branches_.empty()) return;
    Branches& branches = branches_.back();
    if (!branches.deepest || brackets_.size() > branches.deepest->size())
      branches.deepest = std::move(brackets_);
    brackets_ = branches.before;
  }

  // Its name, and what its text would declare where it is used.
  void Define(std::string_view line) {
    size_t end = 0;
    while (end < line.size() && base::IsOfName(line[end])) ++end;
    const auto name = names_.find(line.substr(0, end));
    if (name != names_.end()) found_->macros.insert(*name);
    line.remove_prefix(end);
    Names parameters;
    if (line.starts_with('(')) {
      const size_t close = std::min(line.find(')'), line.size());
      parameters = Identifiers(line.substr(0, close));
      line.remove_prefix(close);
      if (!line.empty()) line.remove_prefix(1);
    }
    std::string body(line);
    std::ranges::replace(body, '\\', ' ');
    // What opens without an end is closed where it is used.
    Scanner scanner(body, names_, found_);
    scanner.except_ = std::move(parameters);
    scanner.Scan();
  }

  std::string_view text_;
  const Names& names_;
  DeclaredNames* found_;
  Names except_;
  size_t at_ = 0;
  bool starts_line_ = true;
  bool matches_ = true;
  std::string_view last_;  // the word before; none behind other characters
  bool of_namespace_ = false;
  bool of_enum_ = false;
  std::optional<size_t> friend_at_;  // how many brackets were open
  bool of_members_ = false;          // which a constructor initializes
  bool of_value_ = false;            // behind "="
  bool after_parenthesis_ = false;
  std::vector<Bracket> brackets_;
  std::vector<Branches> branches_;
};

}  // namespace

std::optional<DeclaredNames> MayDeclare(std::string_view text,
                                        const Names& names) {
  DeclaredNames found;
  std::string code = source_check::CodeOnly(text, source_check::Language::kCpp);
  // A macro goes on behind a comment of several lines.
  for (size_t at = text.find("\\\n"); at != std::string_view::npos;
       at = text.find("\\\n", at + 1))
    code[at] = '\\';
  if (!Scanner(code, names, &found).Scan()) return std::nullopt;
  return found;
}

}  // namespace kb::builder
