#include "torch_text.h"

#include <utility>
#include <vector>

#include "base/text.h"

namespace kb::builder {
namespace {

// The name before the first parenthesis: "add" of "Tensor add(int x)".
std::string_view NameBeforeParenthesis(std::string_view line) {
  const size_t end = line.find('(');
  if (end == std::string_view::npos) return {};
  size_t start = end;
  while (start > 0 && base::IsOfName(line[start - 1])) --start;
  return line.substr(start, end - start);
}

// A method's definition behind the class:
//
//   // aten::add_.Tensor(Tensor(a!) self, ...) -> Tensor(a!)
//   inline at::Tensor & Tensor::add_(const at::Tensor & other) const {
//       return at::_ops::add__Tensor::call(...);
//   }
struct Definition {
  std::string method;
  std::string op;  // "add_"
};

constexpr size_t kDefinitionLines = 4;

std::optional<Definition> ReadDefinition(const std::vector<std::string>& lines,
                                         size_t at) {
  constexpr std::string_view kSchema = "// aten::";
  if (at + kDefinitionLines > lines.size()) return std::nullopt;
  if (!lines[at].starts_with(kSchema) || lines[at + 3] != "}" ||
      !lines[at + 1].starts_with("inline ") ||
      lines[at + 1].find("Tensor::") == std::string::npos)
    return std::nullopt;
  const std::string schema = lines[at].substr(kSchema.size());
  return Definition{std::string(NameBeforeParenthesis(lines[at + 1])),
                    schema.substr(0, schema.find_first_of(".("))};
}

// What stands in lines of a text: of the class, of a definition's four lines,
// or of the rest.
struct Part {
  size_t start = 0;
  size_t end = 0;
  std::optional<Definition> definition;
};

std::vector<Part> Divide(const std::vector<std::string>& lines) {
  std::vector<Part> parts;
  for (size_t i = 0; i < lines.size();) {
    auto definition = ReadDefinition(lines, i);
    const size_t end = i + (definition ? kDefinitionLines : 1);
    parts.push_back({i, end, std::move(definition)});
    i = end;
  }
  return parts;
}

// "  at::Tensor add(const at::Tensor & other) const;"
bool IsDeclaration(std::string_view line, const Names& methods) {
  return line.starts_with("  ") && line.ends_with(";") &&
         line.find(" return ") == std::string_view::npos &&
         methods.contains(NameBeforeParenthesis(line));
}

// A trailing '_' means that the operator works in place; it has its header in
// common with the one that does not.
std::string HeaderOf(std::string op,
                     const std::function<bool(const std::string&)>& has) {
  if (!has(op) && op.ends_with('_')) op.pop_back();
  return op;
}

}  // namespace

Names Identifiers(std::string_view text) {
  Names names;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t start = i;
    while (i < text.size() && base::IsOfName(text[i])) ++i;
    if (i > start) names.emplace(text.substr(start, i - start));
  }
  return names;
}

bool IsOfConstant(std::string_view name) {
  return name.size() > 1 && name[0] == 'k' && name[1] >= 'A' && name[1] <= 'Z';
}

std::optional<TensorClass> WithUsedMethods(
    const std::string& body, const Names& used,
    const std::function<bool(const std::string&)>& has) {
  const std::vector<std::string> lines = base::Split(body, '\n');
  const std::vector<Part> parts = Divide(lines);
  Names methods;
  for (const Part& part : parts)
    if (part.definition) methods.insert(part.definition->method);
  if (methods.empty()) return std::nullopt;
  Names kept = used;
  for (const Part& part : parts) {
    const std::string& line = lines[part.start];
    if (!part.definition && !IsDeclaration(line, methods))
      kept.merge(Identifiers(line.substr(0, line.find("//"))));
  }
  TensorClass result;
  for (const Part& part : parts) {
    const std::string& line = lines[part.start];
    if (part.definition) {
      if (!kept.contains(part.definition->method)) continue;
      result.operators.insert(HeaderOf(part.definition->op, has));
    } else if (IsDeclaration(line, methods) &&
               !kept.contains(NameBeforeParenthesis(line))) {
      continue;
    }
    for (size_t i = part.start; i < part.end; ++i)
      result.text += lines[i] + "\n";
  }
  return result;
}

std::optional<std::string> UsedFactories(const std::string& header,
                                         const Names& used) {
  constexpr std::string_view kStart = "inline at::Tensor ";
  constexpr std::string_view kGuard =
      "  at::AutoDispatchBelowADInplaceOrView guard;";
  const std::vector<std::string> lines = base::Split(header, '\n');
  std::string found;
  for (size_t i = 0; i + 3 < lines.size(); ++i) {
    if (!lines[i].starts_with(kStart)) continue;
    if (!used.contains(NameBeforeParenthesis(lines[i]))) continue;
    if (lines[i + 1] != kGuard || lines[i + 3] != "}") return std::nullopt;
    for (size_t line = i; line < i + 4; ++line) found += lines[line] + "\n";
  }
  return found;
}

}  // namespace kb::builder
