#include "source_errors.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <regex>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "declared_names.h"
#include "os/files.h"
#include "reached_headers.h"
#include "source_check/source_text.h"
#include "torch_text.h"

namespace kb::builder {
namespace {

struct Error {
  std::string line;
  std::string text;  // the line, and those that explain it
};

// Names by which an error is the source's own, or not.
struct Asked {
  Names words;     // are in no header
  Names declared;  // no header declares
  Names global;    // none but CUDA's declares outside of namespaces
  Names members;   // none but CUDA's has a macro for
};

// What `form` finds in a line; "" where it finds nothing.
std::string Find(const std::string& line, const std::regex& form) {
  std::smatch match;
  return std::regex_search(line, match, form) ? match[1].str() : "";
}

// In g++'s and nvcc's messages:
//   error: 'class at::Tensor' has no member named 'rectify'; did you mean ...
//   error: class "at::Tensor" has no member "rectify"
std::string MissingMember(const std::string& line) {
  static const std::regex kForm(
      R"(at::Tensor\W+has no member (?:named)?\W*(\w+))");
  return Find(line, kForm);
}

//   error: 'rectified' was not declared in this scope; did you mean ...
//   error: identifier "rectified" is undefined
std::string UnknownName(const std::string& line) {
  static const std::regex kForms[] = {
      std::regex(R"((\w+)\W+was not declared in this scope)"),
      std::regex(R"re(identifier "(\w+)" is undefined)re")};
  for (const std::regex& form : kForms)
    if (std::string name = Find(line, form); !name.empty()) return name;
  return "";
}

//   error: 'rectified' is not a member of 'torch'
//   error: namespace "torch" has no member "rectified"
std::string NotOfNamespace(const std::string& line) {
  static const std::regex kForms[] = {
      std::regex(R"((\w+)\W+is not a member of \W*)"
                 R"((?:at|c10|std|torch)(?:::cuda)?\W*(?:;|$))"),
      std::regex(R"re(namespace "[\w:]+" has no member "(\w+)")re")};
  for (const std::regex& form : kForms)
    if (std::string name = Find(line, form); !name.empty()) return name;
  return "";
}

bool IsMissingFile(const std::string& line) {
  return line.find("fatal error: ") != std::string::npos &&
         line.ends_with(": No such file or directory");
}

//   error: no suitable constructor exists to convert from "A" to "B"
//   error: no suitable user-defined conversion from "A" to "B" exists
//   error: no suitable conversion function from "A" to "B" exists
// Of types that are whole in slim headers: constructors and functions of a
// class are all there are.
bool MissesConversion(const std::string& line) {
  static const std::regex kForm(
      R"re(: no suitable (?:constructor|user-defined conversion|conversion )re"
      R"re(function).* from "([^"]+)" to "([^"]+)")re");
  static const std::regex kWhole(
      R"(\b(at::(Tensor|DeprecatedTypeProperties)|std::(optional|vector)|)"
      R"(c10::(ArrayRef|Device|DeviceType|IntArrayRef|Layout|MemoryFormat)"
      R"(|ScalarType|TensorOptions)|bool|char|const|double|float|int|int64_t)"
      R"(|long|size_t|unsigned|\d+)\b)");
  std::smatch match;
  if (!std::regex_search(line, match, kForm)) return false;
  const std::string rest =
      std::regex_replace(match[1].str() + " " + match[2].str(), kWhole, "");
  return std::ranges::none_of(rest, base::IsOfName);
}

bool HasTensorMember(const Sources& sources, const std::string& name) {
  return std::ranges::any_of(
      std::vector<std::string>{"/ATen/core/TensorBody.h",
                               "/ATen/core/TensorBase.h"},
      [&](const std::string& header) {
        const auto text = os::ReadFile(sources.torch_include + header);
        return !text || Identifiers(*text).contains(name);
      });
}

bool HasWord(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !base::IsOfName(text[at - 1])) &&
        (end == text.size() || !base::IsOfName(text[end])))
      return true;
  }
  return false;
}

bool HasAny(const std::string& text, const Names& names) {
  return std::ranges::any_of(
      names, [&](const std::string& name) { return HasWord(text, name); });
}

// What all CUDA sources are given.
struct Known {
  Names macros;
  Names global;
  std::set<std::string> not_understood;  // headers
};

// None where it is not found.
std::optional<Known> KnownOfCuda(const Names& names, const Sources& sources) {
  Known known;
  const auto see = [&](const std::string& path, const std::string& text) {
    if (!HasAny(text, names)) return true;
    if (auto found = MayDeclare(text, names)) {
      known.global.insert(found->macros.begin(), found->macros.end());
      known.global.merge(found->global);
      known.macros.merge(found->macros);
    } else {
      known.not_understood.insert(path);
    }
    return true;
  };
  if (!SeeHeadersOfCuda(sources, see)) return std::nullopt;
  return known;
}

// Also where headers are not found or not understood, and where there are so
// many names that a compiler would not take longer.
bool MayBeInHeaders(const Asked& asked, const Sources& sources) {
  constexpr size_t kMost = 100;
  Names names = asked.declared;
  names.insert(asked.global.begin(), asked.global.end());
  names.insert(asked.members.begin(), asked.members.end());
  if (names.empty() && asked.words.empty()) return false;
  if (names.size() > kMost || std::ranges::any_of(names, IsOfConstant) ||
      std::ranges::any_of(asked.words, IsOfConstant))
    return true;
  const auto known = KnownOfCuda(names, sources);
  if (!known) return true;
  const auto see = [&](const std::string& path, const std::string& text) {
    if (HasAny(text, asked.words)) return false;
    if (!HasAny(text, names)) return true;
    const auto found = MayDeclare(text, names);
    if (!found)
      return known->not_understood.contains(path) &&
             !HasAny(text, asked.declared);
    Names declared = found->inside;
    declared.insert(found->global.begin(), found->global.end());
    declared.insert(found->macros.begin(), found->macros.end());
    const auto is_known = [&](const std::string& name) {
      return asked.declared.contains(name)  ? !declared.contains(name)
             : found->macros.contains(name) ? known->macros.contains(name)
             : asked.global.contains(name)
                 ? !found->global.contains(name) || known->global.contains(name)
                 : true;
    };
    return std::ranges::all_of(names, is_known);
  };
  return !SeeReachedHeaders(sources, see);
}

// Where an error is in a source, from 1; none where it is elsewhere.
struct Place {
  std::string file;
  size_t line = 0;
};

std::optional<Place> PlaceOf(const std::string& line, const Sources& sources) {
  for (const std::string& file : sources.files) {
    if (!line.starts_with(file + ":") && !line.starts_with(file + "("))
      continue;
    Place place{file, 0};
    const char* start = line.data() + file.size() + 1;
    std::from_chars(start, line.data() + line.size(), place.line);
    return place;
  }
  return std::nullopt;
}

bool EndsStatement(std::string_view line) {
  line = base::Trim(line);
  return line.empty() || line.starts_with('#') ||
         std::string_view(";{}").find(line.back()) != std::string_view::npos;
}

// The text of the lines from one that ends a statement to the next; none where
// there is no such line.
std::optional<std::string> StatementAt(const Place& place) {
  constexpr size_t kMostLines = 30;
  const auto text = os::ReadFile(place.file);
  if (!text) return std::nullopt;
  const std::vector<std::string> lines = base::Split(
      source_check::WithoutComments(*text, source_check::Language::kCpp), '\n');
  if (place.line == 0 || place.line > lines.size()) return std::nullopt;
  size_t first = place.line - 1;
  size_t last = first;
  while (first > 0 && last - first < kMostLines &&
         !EndsStatement(lines[first - 1]))
    --first;
  while (last + 1 < lines.size() && last - first < kMostLines &&
         !EndsStatement(lines[last]))
    ++last;
  std::string statement;
  for (size_t i = first; i <= last; ++i) statement += lines[i] + "\n";
  return statement;
}

bool IsKeyword(const std::string& word) {
  static const std::set<std::string> kWords = {
      "auto",   "bool",     "break",    "case",     "char",     "class",
      "const",  "continue", "default",  "delete",   "do",       "double",
      "else",   "enum",     "explicit", "extern",   "false",    "float",
      "for",    "friend",   "goto",     "if",       "inline",   "int",
      "long",   "mutable",  "new",      "nullptr",  "operator", "private",
      "public", "return",   "short",    "signed",   "sizeof",   "static",
      "struct", "switch",   "template", "this",     "throw",    "true",
      "try",    "typedef",  "typename", "union",    "unsigned", "using",
      "void",   "volatile", "while",    "constexpr"};
  return kWords.contains(word);
}

// Adds the names of a statement, other than those of the language.
void AddNames(const std::string& statement, Names* names, Names* members) {
  std::string_view before;
  for (const source_check::Token& token : source_check::Tokenize(statement)) {
    const std::string name(token.text);
    if (base::IsOfName(name[0]) &&
        std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
        !IsKeyword(name))
      (before == "." || before == "->" ? members : names)->insert(name);
    before = token.text;
  }
}

bool IsCalled(const std::string& name, const std::string& statement) {
  std::string_view before;
  for (const source_check::Token& token : source_check::Tokenize(statement)) {
    if (before == name &&
        (token.text.starts_with('(') || token.text.starts_with('<')))
      return true;
    before = token.text;
  }
  return false;
}

// A compiler that names one of these types may know little of it.
bool NamesForeignType(const std::string& text) {
  static const std::regex kForm(
      R"(\b(at|c10|caffe2|cub|cuda|kb|py|pybind11|std|thrust|torch)::|Tensor)");
  return std::regex_search(text, kForm);
}

// What a source says besides its statements. By tokens, because a regular
// expression's stack is at the mercy of the source.
struct Habits {
  Names macros;                 // that it defines
  bool derives = false;         // a class has members of somebody else's
  bool uses_namespace = false;  // by "using namespace"
};

// Whether what stands behind a class's name at `at` names a base of somebody
// else's: ": public at::Base".
bool NamesBase(std::span<const source_check::Token> tokens, size_t at) {
  if (at < tokens.size() && tokens[at].text == "final") ++at;
  if (at >= tokens.size() || tokens[at].text != ":") return false;
  for (++at; at < tokens.size(); ++at) {
    if (tokens[at].text == "::") return base::IsOfName(tokens[at - 1].text[0]);
    if (std::string_view(":;{}").find(tokens[at].text) !=
        std::string_view::npos)
      return false;
  }
  return false;
}

Habits HabitsOf(const Sources& sources) {
  Habits habits;
  const std::vector<source_check::Token> tokens =
      source_check::Tokenize(sources.text);
  for (size_t i = 1; i < tokens.size(); ++i) {
    const std::string_view before = tokens[i - 1].text;
    if (before == "define") habits.macros.emplace(tokens[i].text);
    if (before == "using" && tokens[i].text == "namespace")
      habits.uses_namespace = true;
    if (before == "struct" || before == "class")
      habits.derives |= NamesBase(tokens, i + 1);
  }
  return habits;
}

// Names of a statement: by itself each means what is outside of namespaces.
Names Asked::* OfNames(const Habits& habits) {
  return habits.uses_namespace ? &Asked::declared : &Asked::global;
}

// A name that is called may be a function of its arguments' namespace.
Names Asked::* OfName(const std::string& name, const std::string& statement,
                      const Habits& habits) {
  if (habits.derives) return &Asked::words;
  return IsCalled(name, statement) ? &Asked::declared : OfNames(habits);
}

// Adds what it depends on. False where that cannot be said.
bool Ask(const Error& error, const Sources& sources, const Habits& habits,
         Asked* asked) {
  const auto place = PlaceOf(error.line, sources);
  if (!place) return false;
  if (IsMissingFile(error.line)) return true;
  if (std::string name = NotOfNamespace(error.line); !name.empty()) {
    asked->declared.insert(std::move(name));
    return true;
  }
  const auto statement = StatementAt(*place);
  if (!statement) return false;
  if (const std::string name = UnknownName(error.line); !name.empty()) {
    (asked->*OfName(name, *statement, habits)).insert(name);
    return true;
  }
  if (NamesForeignType(error.text)) return false;
  Names names, members;
  AddNames(*statement, &names, &members);
  const auto is_macro = [&](const std::string& name) {
    return habits.macros.contains(name);
  };
  if (std::ranges::any_of(names, is_macro) ||
      std::ranges::any_of(members, is_macro))
    return false;
  (asked->*OfNames(habits)).merge(names);
  asked->members.merge(members);
  return true;
}

bool AreOfSource(std::span<const Error> errors, const Sources& sources) {
  const Habits habits = HabitsOf(sources);
  Asked asked;
  return std::ranges::all_of(errors,
                             [&](const Error& error) {
                               return Ask(error, sources, habits, &asked);
                             }) &&
         !MayBeInHeaders(asked, sources);
}

// nvcc may say "error #20: ".
std::vector<Error> ErrorsOf(const std::string& output) {
  std::vector<Error> errors;
  for (std::string& line : base::Split(output, '\n')) {
    const bool is_error = line.find(": error") != std::string::npos ||
                          line.find(": fatal error") != std::string::npos;
    if (is_error)
      errors.push_back({line, line});
    else if (!errors.empty())
      errors.back().text += "\n" + line;
  }
  return errors;
}

}  // namespace

bool IsOfSource(const std::string& output, const Sources& sources) {
  const std::vector<Error> errors = ErrorsOf(output);
  if (errors.empty()) return false;
  const std::string& first = errors.front().line;
  if (const std::string member = MissingMember(first); !member.empty())
    return !HasTensorMember(sources, member);
  return MissesConversion(first) ||
         AreOfSource(std::span(errors).first(1), sources);
}

bool AreAllOfSource(const std::string& output, const Sources& sources) {
  const std::vector<Error> errors = ErrorsOf(output);
  return !errors.empty() && AreOfSource(errors, sources);
}

}  // namespace kb::builder
