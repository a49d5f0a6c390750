#include "prompt/feedback.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "blocks.h"
#include "excerpt.h"
#include "template.h"

namespace kb::prompt {
namespace {

using base::Result;
using record::Evaluation;
using record::Generation;
using record::GenerationStatus;
using record::Verdict;

constexpr std::array<std::pair<const char*, Layer>, 5> kLayers{
    {{"compiler", Layer::kCompiler},
     {"exception", Layer::kException},
     {"mismatch", Layer::kMismatch},
     {"timing", Layer::kTiming},
     {"profile", Layer::kProfile}}};

// Every name that the texts may use, with nothing in it.
Values Blank() {
  Values values;
  for (const char* name : {"no_code",
                           "truncated",
                           "compile_error",
                           "load_error",
                           "runtime_error",
                           "timeout",
                           "out_of_memory",
                           "rejected",
                           "not_certified",
                           "incorrect",
                           "correct",
                           "reason",
                           "errors",
                           "exception",
                           "turn",
                           "left_out",
                           "backend.fence",
                           "backend.file",
                           "tolerance.atol",
                           "tolerance.rtol",
                           "mismatch.structure",
                           "mismatch.output",
                           "mismatch.elements",
                           "mismatch.wrong",
                           "mismatch.pattern",
                           "mismatch.nonfinite",
                           "mismatch.unwritten",
                           "mismatch.first",
                           "mismatch.worst",
                           "mismatch.max_abs",
                           "mismatch.max_rel",
                           "timing.candidate",
                           "timing.reference",
                           "timing.speedup",
                           "timing.low",
                           "timing.high",
                           "timing.slower",
                           "timing.wall_speedup",
                           "timing.floor",
                           "timing.floor_share",
                           "profile.limiter",
                           "profile.figures",
                           "profile.parts"})
    values.texts[name] = "";
  return values;
}

std::string Count(int64_t count) {
  return count > 0 ? fmt::format("{}", count) : "";
}

std::string PositionText(
    const std::optional<record::Mismatch::Position>& position) {
  if (!position) return "";
  return fmt::format("at [{}] it is {:.6g} where {:.6g} is expected",
                     fmt::join(position->index, ", "), position->actual,
                     position->expected);
}

void AddMismatch(const Evaluation& evaluation, Texts* texts) {
  if (!evaluation.mismatch) return;
  const record::Mismatch& mismatch = *evaluation.mismatch;
  (*texts)["mismatch.output"] = fmt::format("{}", mismatch.output);
  (*texts)["mismatch.structure"] = mismatch.structure;
  if (!mismatch.structure.empty()) return;
  (*texts)["mismatch.elements"] = Count(mismatch.elements);
  (*texts)["mismatch.wrong"] = fmt::format("{}", mismatch.wrong);
  (*texts)["mismatch.pattern"] = mismatch.pattern;
  (*texts)["mismatch.nonfinite"] = Count(mismatch.nonfinite);
  (*texts)["mismatch.unwritten"] = Count(mismatch.unwritten);
  (*texts)["mismatch.first"] = PositionText(mismatch.first);
  (*texts)["mismatch.worst"] = PositionText(mismatch.worst);
  // Of elements that are no numbers there is none.
  if (mismatch.max_abs_error != 0) {
    (*texts)["mismatch.max_abs"] =
        fmt::format("{:.4g}", mismatch.max_abs_error);
    (*texts)["mismatch.max_rel"] =
        fmt::format("{:.4g}", mismatch.max_rel_error);
  }
  (*texts)["tolerance.atol"] = fmt::format("{:.4g}", evaluation.tolerance.atol);
  (*texts)["tolerance.rtol"] = fmt::format("{:.4g}", evaluation.tolerance.rtol);
}

std::string Micros(double micros) {
  constexpr double kManyMicros = 1000;
  return micros < kManyMicros ? fmt::format("{:.4g}", micros)
                              : fmt::format("{:.0f}", micros);
}

void AddTiming(const Evaluation& evaluation, Texts* texts) {
  if (!evaluation.speedup || !evaluation.candidate_time ||
      !evaluation.reference_time)
    return;
  const double micros = evaluation.candidate_time->median;
  const double speedup = evaluation.speedup->estimate;
  (*texts)["timing.candidate"] = Micros(micros);
  (*texts)["timing.reference"] = Micros(evaluation.reference_time->median);
  (*texts)["timing.speedup"] = fmt::format("{:.3g}", speedup);
  (*texts)["timing.low"] = fmt::format("{:.3g}", evaluation.speedup->low);
  (*texts)["timing.high"] = fmt::format("{:.3g}", evaluation.speedup->high);
  (*texts)["timing.slower"] = speedup < 1 ? "yes" : "";
  if (evaluation.wall_speedup)
    (*texts)["timing.wall_speedup"] =
        fmt::format("{:.3g}", evaluation.wall_speedup->estimate);
  if (!evaluation.ruler || !(evaluation.ruler->floor_us > 0)) return;
  const double floor = evaluation.ruler->floor_us;
  (*texts)["timing.floor"] = Micros(floor);
  (*texts)["timing.floor_share"] =
      fmt::format("{:.0f}", micros > 0 ? 100 * floor / micros : 0);
}

// What decides, in sentences, and what took most.
void AddProfile(const Evaluation& evaluation, Texts* texts) {
  if (!evaluation.profile) return;
  constexpr double kLeastShare = 0.05;
  const record::Profile& profile = *evaluation.profile;
  (*texts)["profile.limiter"] = base::Printable(profile.limiter);
  std::vector<std::string> figures, parts;
  for (const record::Profile::Figure& figure : profile.figures)
    figures.push_back("- " + base::Printable(figure.meaning));
  for (const record::Activity::Part& part : profile.activity.parts)
    if (part.share >= kLeastShare)
      parts.push_back(fmt::format(
          "- {:.3g} %: {}", 100 * part.share,
          base::Printable(part.name.empty() ? part.object : part.name)));
  (*texts)["profile.figures"] = fmt::format("{}", fmt::join(figures, "\n"));
  (*texts)["profile.parts"] = fmt::format("{}", fmt::join(parts, "\n"));
}

// An answer whose program was not judged is not at fault for that.
const char* StateOf(const Generation& answer, const Evaluation* evaluation) {
  if (answer.status == GenerationStatus::kTruncated) return "truncated";
  if (answer.status != GenerationStatus::kComplete) return "no_code";
  if (evaluation == nullptr || !evaluation->verdict) return "not_certified";
  return record::VerdictName(*evaluation->verdict);
}

std::string Rendered(const std::string& text, const Values& values) {
  const auto parsed = Template::Parse(text, NamesOf(values), "", 1);
  return parsed ? std::string(base::Trim(Join(parsed->Render(values)))) : "";
}

}  // namespace

Result<std::set<Layer>> ParseLayers(const std::string& names) {
  std::set<Layer> layers;
  if (names == "none") return layers;
  if (names == "all") {
    for (const auto& [word, layer] : kLayers) layers.insert(layer);
    return layers;
  }
  for (const std::string& name : base::Split(names, ',')) {
    bool known = false;
    for (const auto& [word, layer] : kLayers)
      if (name == word) known = layers.insert(layer).second || true;
    if (!known)
      return base::Usage(
          "--feedback {}: use all, none, or some of compiler, exception, "
          "mismatch, timing and profile, with commas",
          names);
  }
  return layers;
}

std::string TurnLine(const Generation& answer, const Evaluation* evaluation) {
  std::string what = StateOf(answer, evaluation);
  if (answer.status == GenerationStatus::kComplete && evaluation != nullptr &&
      evaluation->speedup)
    what += fmt::format(", {:.3g} times as fast as the reference",
                        evaluation->speedup->estimate);
  return fmt::format("turn {}: {}", answer.turn, what);
}

Result<FeedbackWriter> FeedbackWriter::Create(const FeedbackOptions& options) {
  FeedbackWriter writer;
  KB_ASSIGN(const Backend backend,
            ReadBackend(options.folder, options.backend));
  KB_ASSIGN(const FeedbackFile file,
            ReadFeedbackFile(options.folder, options.name));
  writer.path_ = file.path;
  writer.feedback_ = file.feedback;
  writer.left_out_ = file.left_out;
  writer.file_name_ = backend.file_name;
  writer.fence_ = backend.fence;
  writer.layers_ = options.layers;
  const Names names = NamesOf(Blank());
  KB_TRY(Template::Parse(file.feedback, names, file.path, file.feedback_line));
  KB_TRY(Template::Parse(file.left_out, names, file.path, file.left_out_line));
  return writer;
}

std::string FeedbackWriter::Write(const Generation& answer,
                                  const Evaluation* evaluation) const {
  Values values = Blank();
  Texts& texts = values.texts;
  texts["backend.file"] = file_name_;
  texts["backend.fence"] = fence_;
  texts["turn"] = fmt::format("{}", answer.turn);
  texts[StateOf(answer, evaluation)] = "yes";
  texts["reason"] = answer.reason;
  if (answer.status == GenerationStatus::kComplete && evaluation != nullptr) {
    const auto has = [&](Layer layer) { return layers_.contains(layer); };
    // What is wrong with a result, or was thrown, is of a layer.
    texts["reason"] = base::Printable(evaluation->reason);
    if (has(Layer::kCompiler))
      texts["errors"] =
          ErrorExcerpt(evaluation->log, answer.candidate_name, answer.source);
    if (has(Layer::kException))
      texts["exception"] = LogEnd(evaluation->log.empty() ? evaluation->reason
                                                          : evaluation->log);
    if (has(Layer::kMismatch)) AddMismatch(*evaluation, &texts);
    if (has(Layer::kTiming)) AddTiming(*evaluation, &texts);
    if (has(Layer::kProfile)) AddProfile(*evaluation, &texts);
  }
  return Rendered(feedback_, values);
}

std::string FeedbackWriter::LeftOut(const std::vector<std::string>& lines,
                                    int64_t shown_turn) const {
  Values values = Blank();
  values.texts["left_out"] = fmt::format("{}", fmt::join(lines, "\n"));
  values.texts["turn"] = fmt::format("{}", shown_turn);
  return Rendered(left_out_, values);
}

std::string FeedbackWriter::Hash() const {
  base::KeyBuilder key;
  key.Add(feedback_).Add(left_out_).Add(file_name_).Add(fence_);
  for (const auto& [name, layer] : kLayers)
    if (layers_.contains(layer)) key.Add(name);
  return key.Finish().substr(0, 16);
}

}  // namespace kb::prompt
