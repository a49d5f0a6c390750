#include "shared_options.h"

#include <charconv>
#include <optional>

#include "os/status_line.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {

void AddFit(Command* command, std::optional<uint64_t>* fit) {
  command
      ->Add("--fit", fit,
            "the largest size that this much device memory can judge, "
            "e.g. 24GB")
      .IsSize();
}

void AddQuiet(Command* command) {
  command->AddFlag(
      "-q,--quiet", [] { os::BeQuiet(); }, "print results and errors only");
}

void AddSelection(Command* command, workplace::SelectionOptions* options) {
  command->Add("--problem", &options->problems, "ids such as level1/23")
      .SplitAt(',');
  command
      ->Add("--level", &options->levels,
            "1, level1, v3/level1, or v3 for all of it")
      .SplitAt(',');
  command->Add("--select", &options->select,
               "a named selection: representative, metr, v3");
}

void AddAs(Command* command, workplace::JudgeOptions* options) {
  command
      ->Add("--as", &options->as,
            "kernelbench: the original's trials, seeds, tolerances, "
            "weights, limits, precision and baselines")
      .OneOf({"kernelbench"});
}

void AddJudgeOptions(Command* command, workplace::JudgeOptions* options) {
  command->Add("--device", &options->device,
               options->several_devices
                   ? "cuda:N, cuda:0,2, cuda:all or cpu (default: all "
                     "GPUs that are like the first, else cpu)"
                   : "cuda:N or cpu (default: the best one present)");
  command->Add(
      "--size", &options->size,
      std::string("full, small, or a size that the problems "
                  "name") +
          (options->several_sizes ? "; several as small,wide, or all" : "") +
          " (default: full on cuda, small on cpu)");
  AddFit(command, &options->fit);
  command->Add("--precision", &options->precision,
               record::PrecisionNames() +
                   " (default: as_given, which is fp32 for most)");
  command->Add("--policy", &options->policy,
               record::PolicyNames() +
                   ", or a JSON file (default: " + options->usual_policy + ")");
  command->Add(
      "--pack", &options->pack,
      "folder, .jsonl, .parquet or .py file, or hf:OWNER/NAME, of problems "
      "(default: the installed pack)");
  command->Add("--include", &options->includes,
               "folder of headers that candidates may include; "
               "several: repeat it, or KB_INCLUDE=A:B");
  command
      ->Add("--trials", &options->trials,
            "exactly so many timed trials, in each process where there are "
            "several")
      .Between(int64_t{0}, int64_t{100000});
  command
      ->Add("--processes", &options->processes,
            "time in so many processes of each side (default: as many "
            "as short calls need)")
      .Between(int64_t{1}, int64_t{32});
  command
      ->Add("--stop-below", &options->stop_below,
            "end timing as soon as the speedup is known to be below "
            "this, e.g. 1 (default: the policy's)")
      .Between(0.0, 1000.0);
  command
      ->Add("--cache", &options->cache,
            "cold: nothing of a call is in the device's cache before "
            "it (default); warm: what the call before left")
      .OneOf({"cold", "warm"});
  command
      ->Add("--provenance", &options->provenance,
            "whose code ran: off; on: told in the result; required: "
            "rejected below the policy's own_share")
      .OneOf({"off", "on", "required"});
  if (!options->profile)
    command->AddFlag("--profile", &options->profile,
                     "tell where a correct candidate's time goes, from a "
                     "process of its own");
  command
      ->Add("--tolerance", &options->tolerance,
            "atol = rtol = this, instead of the policy's")
      .Positive();
  const Option isolation =
      command->Add("--isolation", &options->isolation,
                   "full or reduced (default: the best that works)");
  command
      ->AddFlag("--unsafe-no-sandbox", &options->unsafe_no_sandbox,
                "run foreign code with your own rights")
      .Without(isolation);
  if (options->has_store) {
    const Option store = command->Add("--store", &options->store,
                                      "SQLite file that results are added to");
    command->AddFlag("--no-store", &options->no_store, "keep no results")
        .Without(store);
  }
  command->AddFlag("--json", &options->json, "print JSON for machines");
  AddQuiet(command);
}

void AddPromptChoice(Command* command, PromptChoice* choice) {
  command
      ->Add("--prompt", &choice->prompt,
            "zero-shot, one-shot, few-shot, chain-of-thought, "
            "best-practices, or a .toml file")
      .ShowDefault();
  command
      ->Add("--backend", &choice->backend,
            "what to write the kernel in; see kernelbench prompt list")
      .ShowDefault();
  command
      ->Add("--hardware", &choice->hardware,
            "the device described in the prompt: a name, auto or none")
      .ShowDefault();
}

void AddConversation(Command* command, ConversationChoice* choice) {
  command
      ->Add("--turns", &choice->turns,
            "answers of a sample, each with what became of the one "
            "before: 10, level1=10,level2=12, or selection: as many, and as "
            "many minutes, as --select says (default: 1)")
      .SplitAt(',');
  command
      ->Add("--minutes", &choice->minutes,
            "no further turn of a sample after so many, answers and "
            "judgements")
      .Positive();
  AddFeedback(command, choice);
}

void AddFeedback(Command* command, ConversationChoice* choice) {
  command
      ->Add("--history", &choice->history,
            "earlier answers that a later turn shows: whole, last, "
            "best, best-and-last")
      .ShowDefault();
  command
      ->Add("--feedback", &choice->feedback,
            "what a turn tells of the answer before besides its "
            "verdict: all, none, or some of "
            "compiler,exception,mismatch,timing,profile")
      .ShowDefault();
  command
      ->Add("--feedback-text", &choice->feedback_text,
            "its words: a name in share/prompts/feedback, or a .toml "
            "file")
      .ShowDefault();
}

bool IsOfLevel(const std::string& problem_id, const std::string& level) {
  const std::string own = analysis::LevelOf(problem_id);
  return own == level || own == "level" + level;
}

base::Result<problems::Limits> LimitsOf(const ConversationChoice& choice,
                                        const std::string& problem_id,
                                        const problems::Limits* of_selection) {
  // With --minutes alone these decide.
  constexpr int64_t kMostTurns = 1000;
  constexpr int64_t kSearched = 16;
  constexpr double kMinute = 60;
  problems::Limits limits{choice.search.empty() ? 1 : kSearched,
                          kMinute * choice.minutes};
  if (choice.minutes > 0 && choice.turns.empty()) limits.turns = kMostTurns;
  std::optional<int64_t> of_level;
  for (const std::string& item : choice.turns) {
    if (item == "selection") {
      if (of_selection == nullptr)
        return base::Usage(
            "--turns selection: no --select is given that says for how many "
            "turns {} is asked; see kernelbench problems list --select",
            problem_id);
      limits.turns = of_selection->turns;
      if (!(choice.minutes > 0)) limits.seconds = of_selection->seconds;
      continue;
    }
    const size_t sign = item.find('=');
    const std::string number =
        sign == std::string::npos ? item : item.substr(sign + 1);
    int64_t count = 0;
    const char* end = number.data() + number.size();
    const auto [rest, error] = std::from_chars(number.data(), end, count);
    if (error != std::errc() || rest != end || count < 1 ||
        count > kMostTurns || sign == 0)
      return base::Usage(
          "--turns {}: use a number from 1 to {}, LEVEL=NUMBER, or selection",
          item, kMostTurns);
    if (sign == std::string::npos)
      limits.turns = count;
    else if (!of_level && IsOfLevel(problem_id, item.substr(0, sign)))
      of_level = count;
  }
  limits.turns = of_level.value_or(limits.turns);
  return limits;
}

void AddPromptPlace(Command* command, workplace::JudgeOptions* options) {
  command->Add(
      "--pack", &options->pack,
      "folder, .jsonl, .parquet or .py file, or hf:OWNER/NAME, of problems");
  command->Add("--size", &options->size,
               "full (default), small, or a size that the problem names");
  AddFit(command, &options->fit);
  command->Add("--precision", &options->precision,
               record::PrecisionNames() + " (default: as_given)");
  command->Add("--device", &options->device,
               "whose hardware block is taken: cuda:N or cpu");
  command->Add("--policy", &options->policy,
               "what the answer may do: " + record::PolicyNames() +
                   ", or a JSON file (default: " + options->usual_policy + ")");
}

void AddScoring(Command* command, ScoringChoice* choice) {
  command->Add("--p", &choice->ps, "thresholds of fast_p")
      .SplitAt(',')
      .NonNegative();
  command->Add("--k", &choice->ks, "best of how many samples")
      .SplitAt(',')
      .Between(int64_t{1}, int64_t{1000000});
  command
      ->Add("--by", &choice->by, "run, model, level, precision, tag or problem")
      .ShowDefault();
  command
      ->Add("--time", &choice->time,
            "device: launches hidden; wall: one call after the other, "
            "host included")
      .ShowDefault();
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
