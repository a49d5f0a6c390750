#include "shared_options.h"

#include <charconv>

#include "os/status_line.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

void AddFit(CLI::App* command, std::optional<uint64_t>* fit) {
  command
      ->add_option("--fit", *fit,
                   "the largest size that this much device memory can judge, "
                   "e.g. 24GB")
      ->transform(CLI::AsSizeValue(true));
}

void AddQuiet(CLI::App* command) {
  command->add_flag_callback(
      "-q,--quiet", [] { os::BeQuiet(); }, "print results and errors only");
}

void AddSelection(CLI::App* command, workplace::SelectionOptions* options) {
  command->add_option("--problem", options->problems, "ids such as level1/23")
      ->delimiter(',');
  command
      ->add_option("--level", options->levels,
                   "1, level1, v3/level1, or v3 for all of it")
      ->delimiter(',');
  command->add_option("--select", options->select,
                      "a named selection: representative, metr, v3");
}

void AddAs(CLI::App* command, workplace::JudgeOptions* options) {
  command
      ->add_option("--as", options->as,
                   "kernelbench: the original's trials, seeds, tolerances, "
                   "weights, limits, precision and baselines")
      ->check(CLI::IsMember({"kernelbench"}));
}

void AddJudgeOptions(CLI::App* command, workplace::JudgeOptions* options) {
  command->add_option("--device", options->device,
                      options->several_devices
                          ? "cuda:N, cuda:0,2, cuda:all or cpu (default: all "
                            "GPUs that are like the first, else cpu)"
                          : "cuda:N or cpu (default: the best one present)");
  command->add_option(
      "--size", options->size,
      std::string("full, small, or a size that the problems "
                  "name") +
          (options->several_sizes ? "; several as small,wide, or all" : "") +
          " (default: full on cuda, small on cpu)");
  AddFit(command, &options->fit);
  command->add_option("--precision", options->precision,
                      record::PrecisionNames() +
                          " (default: as_given, which is fp32 for most)");
  command->add_option("--policy", options->policy,
                      record::PolicyNames() + ", or a JSON file (default: " +
                          options->usual_policy + ")");
  command->add_option(
      "--pack", options->pack,
      "folder, .jsonl, .parquet or .py file, or hf:OWNER/NAME, of problems "
      "(default: the installed pack)");
  command->add_option("--include", options->includes,
                      "folder of headers that candidates may include; "
                      "several: repeat it, or KB_INCLUDE=A:B");
  command
      ->add_option("--trials", options->trials, "exactly so many timed trials")
      ->check(CLI::Range(int64_t{0}, int64_t{100000}));
  command
      ->add_option("--processes", options->processes,
                   "time in so many processes of each side (default: as many "
                   "as short calls need)")
      ->check(CLI::Range(int64_t{1}, int64_t{32}));
  command
      ->add_option("--stop-below", options->stop_below,
                   "end timing as soon as the speedup is known to be below "
                   "this, e.g. 1 (default: the policy's)")
      ->check(CLI::Range(0.0, 1000.0));
  command
      ->add_option("--cache", options->cache,
                   "cold: nothing of a call is in the device's cache before "
                   "it (default); warm: what the call before left")
      ->check(CLI::IsMember({"cold", "warm"}));
  command
      ->add_option("--provenance", options->provenance,
                   "whose code ran: off; on: told in the result; required: "
                   "rejected below the policy's own_share")
      ->check(CLI::IsMember({"off", "on", "required"}));
  if (!options->profile)
    command->add_flag("--profile", options->profile,
                      "tell where a correct candidate's time goes, from a "
                      "process of its own");
  command
      ->add_option("--tolerance", options->tolerance,
                   "atol = rtol = this, instead of the policy's")
      ->check(CLI::PositiveNumber);
  command->add_option("--isolation", options->isolation,
                      "full or reduced (default: the best that works)");
  command->add_flag("--unsafe-no-sandbox", options->unsafe_no_sandbox,
                    "run foreign code with your own rights");
  command->add_option("--store", options->store,
                      "SQLite file that results are added to");
  command->add_flag("--no-store", options->no_store, "keep no results");
  command->add_flag("--json", options->json, "print JSON for machines");
  AddQuiet(command);
}

void AddPromptChoice(CLI::App* command, PromptChoice* choice) {
  command
      ->add_option("--prompt", choice->prompt,
                   "zero-shot, one-shot, few-shot, chain-of-thought, "
                   "best-practices, or a .toml file")
      ->capture_default_str();
  command
      ->add_option("--backend", choice->backend,
                   "what to write the kernel in; see kernelbench prompt list")
      ->capture_default_str();
  command
      ->add_option("--hardware", choice->hardware,
                   "the device described in the prompt: a name, auto or none")
      ->capture_default_str();
}

void AddConversation(CLI::App* command, ConversationChoice* choice) {
  command
      ->add_option("--turns", choice->turns,
                   "answers of a sample, each with what became of the one "
                   "before: 10, or level1=10,level2=12 (default: 1)")
      ->delimiter(',');
  command
      ->add_option("--minutes", choice->minutes,
                   "no further turn of a sample after so many, answers and "
                   "judgements")
      ->check(CLI::PositiveNumber);
  AddFeedback(command, choice);
}

void AddFeedback(CLI::App* command, ConversationChoice* choice) {
  command
      ->add_option("--history", choice->history,
                   "earlier answers that a later turn shows: whole, last, "
                   "best, best-and-last")
      ->capture_default_str();
  command
      ->add_option("--feedback", choice->feedback,
                   "what a turn tells of the answer before besides its "
                   "verdict: all, none, or some of "
                   "compiler,exception,mismatch,timing,profile")
      ->capture_default_str();
  command
      ->add_option("--feedback-text", choice->feedback_text,
                   "its words: a name in share/prompts/feedback, or a .toml "
                   "file")
      ->capture_default_str();
}

base::Result<int64_t> TurnsOf(const ConversationChoice& choice,
                              const std::string& problem_id) {
  // With --minutes alone these decide.
  constexpr int64_t kMostTurns = 1000;
  const std::string level = analysis::LevelOf(problem_id);
  constexpr int64_t kSearched = 16;
  int64_t turns = choice.minutes > 0 && choice.turns.empty() ? kMostTurns
                  : choice.search.empty()                    ? 1
                                                             : kSearched;
  for (const std::string& item : choice.turns) {
    const size_t sign = item.find('=');
    const std::string number =
        sign == std::string::npos ? item : item.substr(sign + 1);
    int64_t count = 0;
    const char* end = number.data() + number.size();
    const auto [rest, error] = std::from_chars(number.data(), end, count);
    if (error != std::errc() || rest != end || count < 1 ||
        count > kMostTurns || sign == 0)
      return base::Usage(
          "--turns {}: use a number from 1 to {}, or LEVEL=NUMBER", item,
          kMostTurns);
    if (sign == std::string::npos) {
      turns = count;
      continue;
    }
    const std::string of = item.substr(0, sign);
    if (level == of || level == "level" + of) return count;
  }
  return turns;
}

void AddPromptPlace(CLI::App* command, workplace::JudgeOptions* options) {
  command->add_option(
      "--pack", options->pack,
      "folder, .jsonl, .parquet or .py file, or hf:OWNER/NAME, of problems");
  command->add_option(
      "--size", options->size,
      "full (default), small, or a size that the problem names");
  AddFit(command, &options->fit);
  command->add_option("--precision", options->precision,
                      record::PrecisionNames() + " (default: as_given)");
  command->add_option("--device", options->device,
                      "whose hardware block is taken: cuda:N or cpu");
  command->add_option(
      "--policy", options->policy,
      "what the answer may do: " + record::PolicyNames() +
          ", or a JSON file (default: " + options->usual_policy + ")");
}

void AddScoring(CLI::App* command, ScoringChoice* choice) {
  command->add_option("--p", choice->ps, "thresholds of fast_p")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber);
  command->add_option("--k", choice->ks, "best of how many samples")
      ->delimiter(',')
      ->check(CLI::Range(int64_t{1}, int64_t{1000000}));
  command
      ->add_option("--by", choice->by,
                   "run, model, level, precision, tag or problem")
      ->capture_default_str();
  command
      ->add_option("--time", choice->time,
                   "device: launches hidden; wall: one call after the other, "
                   "host included")
      ->capture_default_str();
}

base::Result<analysis::ScoreOptions> ScoringOf(
    const ScoringChoice& choice, const std::vector<std::string>& baselines) {
  analysis::ScoreOptions scoring;
  scoring.ps = choice.ps;
  scoring.ks = choice.ks;
  const auto by = analysis::ParseBy(choice.by);
  if (!by)
    return base::Usage(
        "--by {}: use run, model, level, precision, tag or problem", choice.by);
  scoring.by = *by;
  const auto time = analysis::ParseTime(choice.time);
  if (!time) return base::Usage("--time {}: use device or wall", choice.time);
  scoring.time = *time;
  for (const std::string& baseline : baselines)
    if (*time == analysis::Time::kWall && baseline != "eager")
      return base::Usage(
          "--time wall --baseline {}: baselines are known by device time only; "
          "leave out one of the two",
          baseline);
  return scoring;
}

}  // namespace kb::cli
