#include "build_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace kb::builder {
namespace {

using base::Fail;
using base::Result;

using Variables = std::map<std::string, std::string, std::less<>>;

// "$name" and "${name}" by their values, "$$", "$ " and "$:" by what follows.
std::string Expand(std::string_view text, const Variables& variables) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const bool braces = text[i + 1] == '{';
    const size_t start = i + (braces ? 2 : 1);
    size_t end = start;
    while (end < text.size() && base::IsOfName(text[end])) ++end;
    if (end == start) {
      result += text[++i];
      continue;
    }
    const auto found = variables.find(text.substr(start, end - start));
    if (found != variables.end()) result += found->second;
    i = braces ? end : end - 1;
  }
  return result;
}

// Words between spaces that no '$' precedes.
std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '$' && i + 1 < text.size()) {
      words.back() += text[++i];
    } else if (text[i] != ' ') {
      words.back() += text[i];
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

class Reader {
 public:
  Result<void> Read(const std::string& line) {
    if (base::Trim(line).empty() || line.starts_with("default ")) return {};
    if (line.starts_with("rule ")) return StartRule(line);
    if (line.starts_with("build ")) return ReadBuild(line);
    const size_t equals = line.find(" = ");
    if (equals == std::string::npos)
      return Fail("no statement of an extension: {}", line);
    const std::string name(base::Trim(line.substr(0, equals)));
    const std::string_view value = std::string_view(line).substr(equals + 3);
    if (!line.starts_with("  "))
      variables_[name] = Expand(value, variables_);
    else if (name == "command")
      rules_[rule_] = value;
    return {};
  }

  std::vector<Edge> Edges() { return std::move(edges_); }

 private:
  Result<void> StartRule(const std::string& line) {
    rule_ = base::Trim(line.substr(5));
    return {};
  }

  Result<void> ReadBuild(const std::string& line) {
    const size_t colon = line.find(": ");
    std::vector<std::string> words;
    if (colon != std::string::npos) words = Words(line.substr(colon + 2));
    if (words.size() < 2 || !rules_.contains(words[0]))
      return Fail("no statement of an extension: {}", line);
    Edge edge;
    edge.output =
        fmt::format("{}", fmt::join(Words(line.substr(6, colon - 6)), " "));
    edge.rule = words[0];
    edge.inputs.assign(words.begin() + 1, words.end());
    Variables variables = variables_;
    variables["in"] = fmt::format("{}", fmt::join(edge.inputs, " "));
    variables["out"] = edge.output;
    edge.command = Expand(rules_[edge.rule], variables);
    edges_.push_back(std::move(edge));
    return {};
  }

  Variables variables_;
  std::map<std::string, std::string> rules_;  // their commands
  std::string rule_;                          // that is being read
  std::vector<Edge> edges_;
};

}  // namespace

Result<std::vector<Edge>> ReadBuildFile(const std::string& text) {
  Reader reader;
  for (const std::string& line : base::Split(text, '\n'))
    KB_TRY(reader.Read(line));
  std::vector<Edge> edges = reader.Edges();
  if (edges.empty()) return Fail("it builds nothing");
  return edges;
}

}  // namespace kb::builder
