#include "interop/original.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <regex>
#include <set>
#include <tuple>

namespace kb::interop {
namespace {

using base::Json;
using base::Result;
using record::Verdict;

std::optional<int64_t> Number(std::string_view text) {
  int64_t value = 0;
  const auto parsed =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
    return std::nullopt;
  return value;
}

constexpr const char* kRaised = "runtime_error";

// What the metadata of a failure says; the original has a key for each kind.
std::string ErrorIn(const Json& metadata) {
  for (const char* key :
       {kRaised, "correctness_issue", "compilation_error", "cuda_error",
        "other_error", "error", "error_during_performance"})
    if (const auto found = metadata.find(key); found != metadata.end())
      return found->is_string() ? found->get<std::string>()
                                : base::DumpJson(*found);
  return "";
}

// Where a number stands that Python writes and JSON does not have.
std::optional<std::string> NoNumberIn(std::string_view text) {
  int64_t line = 1;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ++line;
    if (text[i] == '"') in_string = !in_string;
    if (in_string) {
      if (text[i] == '\\') ++i;
      continue;
    }
    for (const std::string_view word : {"NaN", "Infinity"})
      if (text.substr(i).starts_with(word))
        return fmt::format(
            "line {}: {} is no number of JSON: write null in its place", line,
            word);
  }
  return std::nullopt;
}

Result<Json> JsonOfPython(const std::string& text, const std::string& what) {
  auto json = base::ParseJson(text, what);
  if (json) return json;
  if (const auto said = NoNumberIn(text)) return base::Usage("{}", *said);
  return json;
}

Result<OriginalResult> ResultFromJson(int64_t problem, const Json& json) {
  OriginalResult result;
  result.problem = problem;
  KB_ASSIGN(result.sample, base::Get<int64_t>(json, "sample_id"));
  if (result.sample < 0)
    return base::Usage("\"sample_id\" {} is less than 0", result.sample);
  KB_ASSIGN(result.compiled, base::Get<bool>(json, "compiled"));
  KB_ASSIGN(result.correct, base::Get<bool>(json, "correctness"));
  if (const auto runtime = json.find("runtime"); runtime != json.end()) {
    if (!runtime->is_number() && !runtime->is_null())
      return base::Usage("\"runtime\" is no number");
    // -1: it was not measured.
    if (runtime->is_number() && runtime->get<double>() > 0)
      result.runtime_ms = runtime->get<double>();
  }
  if (const auto metadata = json.find("metadata");
      metadata != json.end() && metadata->is_object()) {
    result.error = ErrorIn(*metadata);
    result.raised = metadata->contains(kRaised);
    result.verdict = base::Get<std::string>(*metadata, "verdict").value_or("");
    result.hardware =
        base::Get<std::string>(*metadata, "hardware").value_or("");
  }
  return result;
}

Verdict VerdictOf(const OriginalResult& result) {
  if (!result.compiled) return Verdict::kCompileError;
  if (result.correct) return Verdict::kCorrect;
  return result.raised ? Verdict::kRuntimeError : Verdict::kIncorrect;
}

// What does not load has not compiled, as the original has it.
bool HasCompiled(Verdict verdict) {
  return verdict != Verdict::kCompileError && verdict != Verdict::kLoadError;
}

constexpr double kMicrosPerMilli = 1000;

Json StatsOf(const record::TimeSummary& times,
             const record::DeviceFacts& device) {
  return {{"mean", times.mean / kMicrosPerMilli},
          {"std", times.stddev / kMicrosPerMilli},
          {"min", times.min / kMicrosPerMilli},
          {"max", times.max / kMicrosPerMilli},
          {"num_trials", times.count},
          {"hardware", device.name},
          {"device", device.device}};
}

Json MetadataOf(const record::Evaluation& evaluation) {
  Json metadata{{"hardware", evaluation.device.name},
                {"device", evaluation.device.device},
                {"verdict", record::VerdictName(*evaluation.verdict)}};
  const Verdict verdict = *evaluation.verdict;
  if (!HasCompiled(verdict))
    metadata["compilation_error"] = evaluation.reason;
  else if (verdict == Verdict::kIncorrect)
    metadata["correctness_issue"] = evaluation.reason;
  else if (verdict != Verdict::kCorrect)
    metadata[kRaised] = evaluation.reason;
  return metadata;
}

Json EntryOf(const record::Evaluation& evaluation, int64_t sample) {
  const Verdict verdict = *evaluation.verdict;
  const bool timed =
      verdict == Verdict::kCorrect && evaluation.candidate_time.has_value();
  return {{"sample_id", sample},
          {"compiled", HasCompiled(verdict)},
          {"correctness", verdict == Verdict::kCorrect},
          {"metadata", MetadataOf(evaluation)},
          {"runtime",
           timed ? evaluation.candidate_time->mean / kMicrosPerMilli : -1.0},
          {"runtime_stats",
           timed ? StatsOf(*evaluation.candidate_time, evaluation.device)
                 : Json::object()}};
}

std::string FileName(int64_t problem,
                     const std::map<int64_t, std::string>& names) {
  const auto name = names.find(problem);
  return name == names.end() ? fmt::format("{}_.py", problem) : name->second;
}

}  // namespace

std::optional<int64_t> NumberIn(const std::string& problem_id) {
  return Number(std::string_view(problem_id).substr(problem_id.rfind('/') + 1));
}

Result<std::vector<OriginalResult>> ParseEvalResults(const std::string& text) {
  KB_ASSIGN(const Json json, JsonOfPython(text, "eval_results.json"));
  if (!json.is_object()) return base::Usage("it is no object of problems");
  std::vector<OriginalResult> results;
  for (const auto& [key, value] : json.items()) {
    const auto problem = Number(key);
    if (!problem) return base::Usage("\"{}\" is no problem's number", key);
    const Json entries = value.is_array() ? value : Json::array({value});
    for (const Json& entry : entries) {
      auto result = ResultFromJson(*problem, entry);
      if (!result)
        return base::Usage("problem {}: {}", key, result.error().message());
      results.push_back(std::move(*result));
    }
  }
  std::ranges::sort(results, {}, [](const OriginalResult& result) {
    return std::make_tuple(result.problem, result.sample);
  });
  return results;
}

Result<std::map<int64_t, double>> ParseBaseline(const std::string& text,
                                                const std::string& level) {
  KB_ASSIGN(const Json json, JsonOfPython(text, "the baseline"));
  const auto found = json.find(level);
  if (found == json.end() || !found->is_object())
    return base::Usage("the baseline has no times of {}", level);
  std::map<int64_t, double> times;
  for (const auto& [file, stats] : found->items()) {
    if (stats.is_null()) continue;
    const auto number = Number(file.substr(0, file.find('_')));
    const auto mean = base::Get<double>(stats, "mean");
    if (!number || !mean)
      return base::Usage("the baseline of {} has no mean time of {}", level,
                         file);
    times[*number] = *mean;
  }
  return times;
}

std::string KernelFile(const std::string& level, int64_t problem,
                       int64_t sample, const std::string& extension) {
  const std::string number =
      level.substr(level.find_last_not_of("0123456789") + 1);
  return fmt::format("level_{}_problem_{}_sample_{}_kernel{}", number, problem,
                     sample, extension);
}

std::string ProblemOfKernel(const std::string& file_name) {
  static const std::regex kName(
      "level_(\\d{1,3})_problem_(\\d{1,9})_sample_\\d{1,9}[_.].*");
  std::smatch found;
  if (!std::regex_match(file_name, found, kName)) return "";
  return fmt::format("level{}/{}", found[1].str(), found[2].str());
}

record::Evaluation FromOriginal(const OriginalResult& result,
                                const std::string& level,
                                std::optional<double> baseline_ms) {
  record::Evaluation evaluation;
  evaluation.problem_id = fmt::format("{}/{}", level, result.problem);
  evaluation.sample = result.sample;
  evaluation.candidate.name =
      KernelFile(level, result.problem, result.sample, ".py");
  evaluation.candidate.track = record::Track::kPython;
  evaluation.policy = *record::NamedPolicy("kernelbench");
  evaluation.device.name = result.hardware;
  evaluation.verdict = VerdictOf(result);
  evaluation.reason = result.error;
  evaluation.notes.emplace_back(
      "imported from KernelBench's eval_results.json; neither the verdict nor "
      "the time was certified");
  if (result.correct && result.runtime_ms && baseline_ms) {
    const double speedup = *baseline_ms / *result.runtime_ms;
    evaluation.speedup = record::Interval{speedup, speedup, speedup};
  }
  return evaluation;
}

record::Evaluation MissingResult(const std::string& level, int64_t problem) {
  OriginalResult result;
  result.problem = problem;
  result.error =
      "the run has no result for this problem; the original counts it as not "
      "compiled";
  return FromOriginal(result, level, std::nullopt);
}

bool HasOriginalResult(const record::Evaluation& evaluation) {
  return evaluation.verdict && *evaluation.verdict != Verdict::kInfraError;
}

std::map<int64_t, std::vector<const record::Evaluation*>> SamplesOf(
    const std::vector<record::Evaluation>& evaluations) {
  std::map<int64_t, std::vector<const record::Evaluation*>> by_problem;
  for (const record::Evaluation& evaluation : evaluations) {
    const auto number = NumberIn(evaluation.problem_id);
    if (number && HasOriginalResult(evaluation))
      by_problem[*number].push_back(&evaluation);
  }
  for (auto& [problem, samples] : by_problem)
    std::ranges::stable_sort(samples, {}, [](const record::Evaluation* each) {
      return each->sample;
    });
  return by_problem;
}

std::vector<int64_t> SampleNumbers(
    const std::vector<const record::Evaluation*>& samples) {
  std::set<int64_t> own;
  for (const record::Evaluation* evaluation : samples)
    if (evaluation->sample >= 0) own.insert(evaluation->sample);
  const bool distinct = own.size() == samples.size();
  std::vector<int64_t> numbers;
  for (const record::Evaluation* evaluation : samples)
    numbers.push_back(distinct ? evaluation->sample : std::ssize(numbers));
  return numbers;
}

Json EvalResults(const std::vector<record::Evaluation>& evaluations) {
  Json json = Json::object();
  for (const auto& [problem, samples] : SamplesOf(evaluations)) {
    const std::vector<int64_t> numbers = SampleNumbers(samples);
    Json entries = Json::array();
    for (size_t i = 0; i < samples.size(); ++i)
      entries.push_back(EntryOf(*samples[i], numbers[i]));
    json[std::to_string(problem)] = std::move(entries);
  }
  return json;
}

Json Baseline(const std::vector<record::Evaluation>& evaluations,
              const std::map<int64_t, std::string>& names) {
  Json json = Json::object();
  for (const auto& [problem, samples] : SamplesOf(evaluations)) {
    const auto timed =
        std::ranges::find_if(samples, [](const record::Evaluation* evaluation) {
          return evaluation->reference_time.has_value();
        });
    if (timed == samples.end()) continue;
    json[FileName(problem, names)] =
        StatsOf(*(*timed)->reference_time, (*timed)->device);
  }
  return json;
}

std::string BaselineFile(record::BaselineMode mode) {
  switch (mode) {
    case record::BaselineMode::kEager:
      return "baseline_time_torch.json";
    case record::BaselineMode::kCompile:
      return "baseline_time_torch_compile_inductor_default.json";
    case record::BaselineMode::kReduceOverhead:
      return "baseline_time_torch_compile_inductor_reduce-overhead.json";
    case record::BaselineMode::kMaxAutotune:
      return "baseline_time_torch_compile_inductor_max-autotune.json";
    case record::BaselineMode::kMaxAutotuneNoCudagraphs:
      return "baseline_time_torch_compile_inductor_max-autotune-no-cudagraphs"
             ".json";
    case record::BaselineMode::kCudagraphs:
      return "baseline_time_torch_compile_cudagraphs.json";
    case record::BaselineMode::kFla:  // which the original does not have
      return "baseline_time_fla.json";
  }
  return "";
}

std::optional<std::pair<std::string, Json>> BaselineEntry(
    const record::Baseline& baseline,
    const std::map<int64_t, std::string>& names) {
  const auto number = NumberIn(baseline.problem_id);
  if (!number || !baseline.time) return std::nullopt;
  return std::pair(FileName(*number, names),
                   StatsOf(*baseline.time, baseline.device));
}

}  // namespace kb::interop
