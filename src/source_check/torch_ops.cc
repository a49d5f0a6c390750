#include "torch_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "token_pattern.h"

namespace kb::source_check {
namespace {

// Functions of torch that compute. Those that make, view or move a tensor, or
// ask about it, are not here.
constexpr std::array<std::string_view, 71> kComputing{"abs",
                                                      "add",
                                                      "addbmm",
                                                      "addmm",
                                                      "addmv",
                                                      "amax",
                                                      "amin",
                                                      "argmax",
                                                      "argmin",
                                                      "argsort",
                                                      "baddbmm",
                                                      "batch_norm",
                                                      "bmm",
                                                      "cdist",
                                                      "celu",
                                                      "chain_matmul",
                                                      "clamp",
                                                      "compile",
                                                      "conv1d",
                                                      "conv2d",
                                                      "conv3d",
                                                      "conv_transpose1d",
                                                      "conv_transpose2d",
                                                      "conv_transpose3d",
                                                      "cosine_similarity",
                                                      "cummax",
                                                      "cummin",
                                                      "cumprod",
                                                      "cumsum",
                                                      "div",
                                                      "dot",
                                                      "einsum",
                                                      "erf",
                                                      "exp",
                                                      "group_norm",
                                                      "instance_norm",
                                                      "layer_norm",
                                                      "log",
                                                      "log_softmax",
                                                      "logcumsumexp",
                                                      "logsumexp",
                                                      "matmul",
                                                      "max",
                                                      "maximum",
                                                      "mean",
                                                      "min",
                                                      "minimum",
                                                      "mm",
                                                      "mul",
                                                      "mv",
                                                      "norm",
                                                      "pow",
                                                      "prod",
                                                      "relu",
                                                      "rms_norm",
                                                      "rsqrt",
                                                      "scatter_add",
                                                      "selu",
                                                      "sigmoid",
                                                      "softmax",
                                                      "sort",
                                                      "sqrt",
                                                      "std",
                                                      "sub",
                                                      "sum",
                                                      "tanh",
                                                      "tensordot",
                                                      "topk",
                                                      "var",
                                                      "var_mean",
                                                      "where"};

// Modules of torch.nn that hold parameters or other modules and compute
// nothing themselves.
constexpr std::array<std::string_view, 7> kContainers{
    "Identity",  "Module",        "ModuleDict",   "ModuleList",
    "Parameter", "ParameterDict", "ParameterList"};

// Behind the block that the line at `start` opens, or the line itself. Lines
// within brackets may stand anywhere.
size_t EndOfBlock(const std::vector<Token>& tokens, size_t start) {
  int depth = 0;
  for (size_t i = start; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (i > start && depth == 0 && token.first &&
        token.indent <= tokens[start].indent)
      return i;
    if (token.text == "(" || token.text == "[" || token.text == "{") ++depth;
    if (token.text == ")" || token.text == "]" || token.text == "}")
      depth = std::max(0, depth - 1);
  }
  return tokens.size();
}

// A copy of it, which a candidate may hold.
bool IsReference(const std::vector<Token>& tokens, size_t i) {
  return i + 1 < tokens.size() && tokens[i].first &&
         tokens[i].text == "class" && tokens[i + 1].text == "Model";
}

bool OpensSkippedBlock(const std::vector<Token>& tokens, size_t i) {
  if (!tokens[i].first || i + 1 >= tokens.size()) return false;
  const std::string_view word = tokens[i].text;
  const std::string_view next = tokens[i + 1].text;
  if (IsReference(tokens, i)) return true;
  if (word == "if") return next == "__name__";
  return word == "def" && (next == "__init__" || next == "get_inputs" ||
                           next == "get_init_inputs");
}

// The tokens that forward may reach.
std::vector<Token> Reachable(const std::vector<Token>& tokens) {
  std::vector<Token> kept;
  std::set<int> lambdas;  // their lines
  for (const Token& token : tokens)
    if (token.text == "lambda") lambdas.insert(token.line);
  const auto is_lambda = [&](size_t i) {
    return lambdas.contains(tokens[i].line);
  };
  for (size_t i = 0; i < tokens.size();) {
    if (OpensSkippedBlock(tokens, i)) {
      i = EndOfBlock(tokens, i);
      continue;
    }
    if (tokens[i].indent > 0 || is_lambda(i)) kept.push_back(tokens[i]);
    ++i;
  }
  return kept;
}

// The names under which torch.nn.functional is known in the file.
std::set<std::string_view> FunctionalNames(const std::vector<Token>& tokens) {
  const TokenPattern import_as("import torch.nn.functional as $");
  const TokenPattern from_as("from torch.nn import functional as $");
  const TokenPattern from("from torch.nn import functional");
  std::set<std::string_view> names;
  for (size_t i = 0; i < tokens.size(); ++i) {
    auto found = import_as.IdentifiersAt(tokens, i);
    if (!found) found = from_as.IdentifiersAt(tokens, i);
    if (found)
      names.insert(found->front());
    else if (from.MatchesAt(tokens, i))
      names.insert("functional");
  }
  return names;
}

// Attributes that hold a layer of torch.nn, or the reference.
std::set<std::string_view> LayerNames(const std::vector<Token>& tokens) {
  const TokenPattern layer("self.$ = nn.$(");
  const TokenPattern full_layer("self.$ = torch.nn.$(");
  const TokenPattern reference("self.$ = Model(");
  std::set<std::string_view> names;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (IsReference(tokens, i)) i = EndOfBlock(tokens, i);
    auto found = layer.IdentifiersAt(tokens, i);
    if (!found) found = full_layer.IdentifiersAt(tokens, i);
    if (found) {
      const std::string_view attribute = found->at(0), type = found->at(1);
      if (std::ranges::find(kContainers, type) == kContainers.end())
        names.insert(attribute);
    } else if (const auto model = reference.IdentifiersAt(tokens, i)) {
      names.insert(model->front());
    }
  }
  return names;
}

bool Computes(std::string_view function) {
  // x.relu_() is x.relu() in place.
  if (function.ends_with('_')) function.remove_suffix(1);
  return std::ranges::find(kComputing, function) != kComputing.end();
}

// Other names that the file gives to operators: `op = torch.relu`, `from torch
// import relu as op`.
std::set<std::string_view> OperatorNames(
    const std::vector<Token>& tokens,
    const std::set<std::string_view>& functional_names) {
  const TokenPattern torch_name("$ = torch.$");
  const TokenPattern full_functional("$ = torch.nn.functional.$");
  const TokenPattern functional("$ = $.$");
  const TokenPattern from_torch("from torch import");
  const TokenPattern from_functional("from torch.nn.functional import");
  std::set<std::string_view> names;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].first) continue;
    const auto is_called = [&](size_t length) {
      return i + length < tokens.size() && tokens[i + length].text == "(";
    };
    const auto full = full_functional.IdentifiersAt(tokens, i);
    if (full && !is_called(9)) names.insert(full->front());
    const auto plain = torch_name.IdentifiersAt(tokens, i);
    if (plain && Computes(plain->at(1)) && !is_called(5))
      names.insert(plain->front());
    const auto brief = functional.IdentifiersAt(tokens, i);
    if (brief && functional_names.contains(brief->at(1)) && !is_called(5))
      names.insert(brief->front());
    const bool all = from_functional.MatchesAt(tokens, i);
    if (!all && !from_torch.MatchesAt(tokens, i)) continue;
    bool in_brackets = false;
    for (size_t k = i + (all ? 7 : 3); k < tokens.size(); ++k) {
      const std::string_view before = tokens[k - 1].text;
      if (before == "(" || before == ")") in_brackets = before == "(";
      if (tokens[k].first && !in_brackets) break;
      if (before != "import" && before != "," && before != "(") continue;
      if (!all && !Computes(tokens[k].text)) continue;
      const bool renamed = k + 2 < tokens.size() && tokens[k + 1].text == "as";
      names.insert(tokens[renamed ? k + 2 : k].text);
    }
  }
  return names;
}

// A forward and its parameters: tensors, as the reference has them.
struct OneForward {
  int first_line = 0, last_line = 0;
  std::set<std::string_view> parameters;
};

std::vector<OneForward> Forwards(const std::vector<Token>& tokens) {
  const TokenPattern forward("def forward(");
  std::vector<OneForward> found;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!forward.MatchesAt(tokens, i)) continue;
    OneForward& one = found.emplace_back();
    one.first_line = tokens[i].line;
    one.last_line = tokens[EndOfBlock(tokens, i) - 1].line;
    int depth = 0;
    for (size_t k = i + 2; k + 1 < tokens.size(); ++k) {
      const std::string_view text = tokens[k].text;
      if (text == "(" || text == "[") ++depth;
      if (text == ")" || text == "]") --depth;
      if (depth == 0) break;
      const bool begins = depth == 1 && (text == "(" || text == ",");
      if (begins && tokens[k + 1].text != "self")
        one.parameters.insert(tokens[k + 1].text);
    }
  }
  return found;
}

bool IsParameter(const Token& token, const std::vector<OneForward>& forwards) {
  return std::ranges::any_of(forwards, [&](const OneForward& one) {
    return one.first_line <= token.line && token.line <= one.last_line &&
           one.parameters.contains(token.text);
  });
}

Finding TorchOp(const Token& at, std::string what) {
  return {at.line, "torch_op", fmt::format("{} computes with PyTorch", what),
          Severity::kReject};
}

}  // namespace

std::vector<Finding> TorchOps(const std::vector<Token>& tokens) {
  const TokenPattern torch_call("torch.$(");
  const TokenPattern full_functional("torch.nn.functional.$(");
  const TokenPattern functional("$.$(");
  const TokenPattern call("$(");
  const TokenPattern aten("torch.ops.aten.$");
  const TokenPattern layer_call("self.$(");
  const TokenPattern parent("super().forward(");
  const auto functional_names = FunctionalNames(tokens);
  const auto operator_names = OperatorNames(tokens, functional_names);
  const auto layers = LayerNames(tokens);
  const auto forwards = Forwards(tokens);

  std::vector<Finding> findings;
  const std::vector<Token> code = Reachable(tokens);
  for (size_t i = 0; i < code.size(); ++i) {
    const auto at = [&](size_t k) { return code[i + k].text; };
    if (torch_call.MatchesAt(code, i) && Computes(at(2)))
      findings.push_back(TorchOp(code[i], fmt::format("torch.{}", at(2))));
    if (full_functional.MatchesAt(code, i))
      findings.push_back(
          TorchOp(code[i], fmt::format("torch.nn.functional.{}", at(6))));
    if (functional.MatchesAt(code, i) && functional_names.contains(at(0)) &&
        (i == 0 || code[i - 1].text != "."))
      findings.push_back(TorchOp(code[i], fmt::format("{}.{}", at(0), at(2))));
    if (functional.MatchesAt(code, i) && IsParameter(code[i], forwards) &&
        Computes(at(2)) && (i == 0 || code[i - 1].text != "."))
      findings.push_back(TorchOp(code[i], fmt::format("{}.{}", at(0), at(2))));
    if (call.MatchesAt(code, i) && operator_names.contains(at(0)) &&
        (i == 0 || code[i - 1].text != "."))
      findings.push_back(TorchOp(code[i], std::string(at(0))));
    if (aten.MatchesAt(code, i))
      findings.push_back(
          TorchOp(code[i], fmt::format("torch.ops.aten.{}", at(6))));
    if (layer_call.MatchesAt(code, i) && layers.contains(at(2)))
      findings.push_back(
          TorchOp(code[i], fmt::format("the layer self.{}", at(2))));
    if (parent.MatchesAt(code, i))
      findings.push_back(TorchOp(code[i], "super().forward()"));
    if (at(0) == "@" && !code[i].first)
      findings.push_back(TorchOp(code[i], "the operator @"));
  }
  return findings;
}

}  // namespace kb::source_check
