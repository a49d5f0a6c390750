#include "source_check/static_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>

#include "base/text.h"
#include "source_check/source_text.h"
#include "token_pattern.h"
#include "torch_ops.h"

namespace kb::source_check {
namespace {

using record::Track;

constexpr size_t kMaxBytes = size_t{1} << 20;

// Things that cheats and honest kernels both do: told, never judged.
struct NoteRule {
  const char* rule;
  Track track;
  const char* pattern;  // token_pattern.h
  const char* message;
};

constexpr const char* kStream = "uses a stream of its own";
constexpr const char* kThread = "starts threads or processes";
constexpr const char* kDynamic = "calls code outside the file";
constexpr const char* kClock = "replaces a function that measures time";
constexpr const char* kEvents = "measures time with CUDA events";
constexpr const char* kPatch = "replaces a part of PyTorch or of Python";
constexpr const char* kFallback = "catches exceptions, so it may fall back";
constexpr const char* kEnvironment = "reads or sets the environment";
constexpr const char* kTensor = "defines a subclass of torch.Tensor";
constexpr const char* kGraph = "uses CUDA graphs";
constexpr const char* kPrecision = "names a lower precision";
constexpr const char* kIntrospection = "looks into the running program";

constexpr std::array kNotes{
    NoteRule{"stream", Track::kPython, "cuda.Stream(", kStream},
    NoteRule{"stream", Track::kPython, "cuda.stream(", kStream},
    NoteRule{"stream", Track::kNative, "cudaStreamCreate(", kStream},
    NoteRule{"stream", Track::kNative, "cudaStreamCreateWithFlags(", kStream},
    NoteRule{"stream", Track::kNative, "cudaStreamCreateWithPriority(",
             kStream},
    NoteRule{"thread", Track::kPython, "import threading", kThread},
    NoteRule{"thread", Track::kPython, "from threading import", kThread},
    NoteRule{"thread", Track::kPython, "import multiprocessing", kThread},
    NoteRule{"thread", Track::kPython, "from multiprocessing", kThread},
    NoteRule{"thread", Track::kPython, "concurrent.futures", kThread},
    NoteRule{"thread", Track::kPython, "import subprocess", kThread},
    NoteRule{"thread", Track::kPython, "os.fork(", kThread},
    NoteRule{"thread", Track::kPython, "os.system(", kThread},
    NoteRule{"thread", Track::kNative, "std::thread", kThread},
    NoteRule{"thread", Track::kNative, "std::jthread", kThread},
    NoteRule{"thread", Track::kNative, "std::async", kThread},
    NoteRule{"thread", Track::kNative, "pthread_create(", kThread},
    NoteRule{"thread", Track::kNative, "fork(", kThread},
    NoteRule{"thread", Track::kNative, "system(", kThread},
    NoteRule{"thread", Track::kNative, "popen(", kThread},
    NoteRule{"dynamic_code", Track::kPython, "import ctypes", kDynamic},
    NoteRule{"dynamic_code", Track::kPython, "from ctypes import", kDynamic},
    NoteRule{"dynamic_code", Track::kPython, "exec(", kDynamic},
    NoteRule{"dynamic_code", Track::kPython, "eval(", kDynamic},
    NoteRule{"dynamic_code", Track::kNative, "dlopen(", kDynamic},
    NoteRule{"dynamic_code", Track::kNative, "dlsym(", kDynamic},
    NoteRule{"clock", Track::kPython, "cuda.Event =", kClock},
    NoteRule{"clock", Track::kPython, "cuda.synchronize =", kClock},
    NoteRule{"clock", Track::kPython, ".elapsed_time =", kClock},
    NoteRule{"clock", Track::kPython, "time.perf_counter =", kClock},
    NoteRule{"clock", Track::kPython, "time.time =", kClock},
    NoteRule{"patch", Track::kPython, "torch.$ =", kPatch},
    NoteRule{"patch", Track::kPython, "torch.cuda.$ =", kPatch},
    NoteRule{"patch", Track::kPython, "torch.testing.$ =", kPatch},
    NoteRule{"patch", Track::kPython, "torch.nn.functional.$ =", kPatch},
    NoteRule{"patch", Track::kPython, "torch.Tensor.$ =", kPatch},
    NoteRule{"patch", Track::kPython, "setattr(torch", kPatch},
    NoteRule{"patch", Track::kPython, "sys.modules[", kPatch},
    NoteRule{"clock", Track::kNative, "cudaEventElapsedTime", kEvents},
    NoteRule{"fallback", Track::kPython, "except", kFallback},
    NoteRule{"fallback", Track::kNative, "catch(", kFallback},
    NoteRule{"environment", Track::kPython, "os.environ", kEnvironment},
    NoteRule{"environment", Track::kPython, "getenv(", kEnvironment},
    NoteRule{"environment", Track::kNative, "getenv(", kEnvironment},
    NoteRule{"environment", Track::kNative, "secure_getenv(", kEnvironment},
    NoteRule{"tensor_subclass", Track::kPython, "class $(torch.Tensor",
             kTensor},
    NoteRule{"tensor_subclass", Track::kPython, "class $(Tensor", kTensor},
    NoteRule{"tensor_subclass", Track::kPython, "_make_subclass(", kTensor},
    NoteRule{"tensor_subclass", Track::kPython, "__torch_function__", kTensor},
    NoteRule{"tensor_subclass", Track::kPython, "__torch_dispatch__", kTensor},
    NoteRule{"graph", Track::kPython, "cuda.CUDAGraph(", kGraph},
    NoteRule{"graph", Track::kPython, "make_graphed_callables(", kGraph},
    NoteRule{"graph", Track::kNative, "cudaStreamBeginCapture(", kGraph},
    NoteRule{"graph", Track::kNative, "cudaGraphLaunch(", kGraph},
    NoteRule{"precision", Track::kPython, ".half(", kPrecision},
    NoteRule{"precision", Track::kPython, "torch.float16", kPrecision},
    NoteRule{"precision", Track::kPython, "torch.bfloat16", kPrecision},
    NoteRule{"precision", Track::kPython, "tl.float16", kPrecision},
    NoteRule{"precision", Track::kPython, "tl.bfloat16", kPrecision},
    NoteRule{"precision", Track::kPython, "allow_tf32 =", kPrecision},
    NoteRule{"precision", Track::kPython, "set_float32_matmul_precision(",
             kPrecision},
    NoteRule{"precision", Track::kNative, "__half", kPrecision},
    NoteRule{"precision", Track::kNative, "__nv_bfloat16", kPrecision},
    NoteRule{"precision", Track::kNative, "wmma::precision::tf32", kPrecision},
    NoteRule{"introspection", Track::kPython, "import inspect", kIntrospection},
    NoteRule{"introspection", Track::kPython, "import gc", kIntrospection},
    NoteRule{"introspection", Track::kPython, "sys._getframe(", kIntrospection},
    NoteRule{"introspection", Track::kPython, "sys.modules", kIntrospection},
    NoteRule{"introspection", Track::kNative, "ptrace(", kIntrospection},
    NoteRule{"introspection", Track::kNative, "process_vm_readv(",
             kIntrospection},
};

std::optional<std::string> Unreadable(const std::string& source) {
  if (base::Trim(source).empty()) return "the file is empty";
  if (source.size() > kMaxBytes)
    return fmt::format("the file has {} bytes; at most {} are read",
                       source.size(), kMaxBytes);
  if (source.find('\0') != std::string::npos)
    return "the file contains a NUL byte, so it is not source text";
  if (!IsUtf8(source)) return "the file is not UTF-8; save it as UTF-8";
  return std::nullopt;
}

// Whether the tokens from `at` on mean what they look like: what is assigned to
// begins its statement (in `x: torch.Tensor = y` it does not), and Python's own
// eval and exec are nobody's methods.
bool IsMeant(const NoteRule& rule, const std::vector<Token>& tokens,
             size_t at) {
  const std::string_view pattern = rule.pattern;
  const bool assigns = pattern.ends_with(" =") &&
                       (rule.message == kPatch || rule.message == kClock);
  const bool runs = pattern == "eval(" || pattern == "exec(";
  const auto is = [&](size_t i, std::string_view text) {
    return tokens[i].text == text;
  };
  if (runs) return at == 0 || !(is(at - 1, ".") || is(at - 1, "def"));
  if (!assigns) return true;
  size_t first = at;
  if (first > 0 && is(first, ".")) --first;
  while (first > 1 && is(first - 1, ".")) first -= 2;
  return first == 0 || tokens[first - 1].line != tokens[first].line ||
         is(first - 1, ";");
}

// `all` in the order of lines, one per rule.
std::vector<Finding> FirstOfEachRule(std::vector<Finding> all) {
  std::ranges::sort(all, {}, [](const Finding& finding) {
    return std::tuple(finding.severity, finding.line, finding.rule,
                      finding.message);
  });
  std::set<std::string> seen;
  std::erase_if(all, [&](const Finding& finding) {
    return !seen.insert(finding.rule).second;
  });
  return all;
}

// Where it is looked at what runs, that decides.
std::vector<Finding> FoundTorchOps(const std::vector<Token>& tokens,
                                   const record::Policy& policy) {
  std::vector<Finding> findings = TorchOps(tokens);
  for (Finding& finding : findings) {
    if (policy.provenance == record::ProvenanceRule::kRequired)
      finding.severity = Severity::kNote;
    else
      finding.message +=
          ", which this policy does not allow; write it as a kernel or choose "
          "a policy with allow_torch_ops";
  }
  return findings;
}

}  // namespace

std::vector<Finding> Check(const record::Candidate& candidate,
                           const record::Policy& policy) {
  if (const auto why = Unreadable(candidate.source))
    return {{0, "unreadable", *why, Severity::kReject}};

  const bool python = candidate.track == Track::kPython;
  const std::string code =
      CodeOnly(candidate.source, python ? Language::kPython : Language::kCpp);
  const std::vector<Token> tokens = Tokenize(code);
  std::vector<Finding> findings;
  if (python && !policy.allow_torch_ops)
    findings = FoundTorchOps(tokens, policy);
  for (const NoteRule& rule : kNotes) {
    if (rule.track != candidate.track) continue;
    const TokenPattern pattern(rule.pattern);
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (!pattern.MatchesAt(tokens, i) || !IsMeant(rule, tokens, i)) continue;
      findings.push_back(
          {tokens[i].line, rule.rule, rule.message, Severity::kNote});
      break;
    }
  }
  return FirstOfEachRule(std::move(findings));
}

}  // namespace kb::source_check
