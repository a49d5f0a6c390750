#include "searching.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <utility>

#include "models.h"
#include "os/files.h"
#include "run/files.h"
#include "run/given.h"
#include "search/strategy.h"

namespace kb::cli {
namespace {

using base::Result;

constexpr const char* kReplay = "replay:";
constexpr int64_t kEta = 2;  // of successive halving

std::optional<int64_t> NumberIn(const std::string& text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number < 0) return std::nullopt;
  return number;
}

// The strategy of another run, whose log is replayed.
Result<search::Choice> ReplayedChoice(const store::Store& store,
                                      const std::string& run) {
  KB_ASSIGN(const auto manifest, store.Manifest());
  search::Choice choice;
  choice.name = "refinement";
  choice.parallel = 1;
  const auto found = manifest.find("search");
  if (found == manifest.end()) return choice;
  if (found->second.starts_with(kReplay))
    return base::Usage(
        "--search {}{}: that run is a replay itself; name the run that it "
        "replays",
        kReplay, run);
  return search::ParseChoice(found->second);
}

Result<void> AddReplay(const std::string& run,
                       run::ConversationPlan* conversation) {
  KB_ASSIGN(const store::Store store, run::OpenRun(run));
  KB_ASSIGN(conversation->replayed, store.Decisions());
  if (conversation->replayed.empty())
    return base::Usage(
        "--search {}{}: that run has no log of a search; it was made without "
        "--search and --turns, or by an older kernelbench",
        kReplay, run);
  KB_ASSIGN(conversation->search, ReplayedChoice(store, run));
  return base::Ok();
}

// What the searches begin with; at least one problem must be there.
Result<void> AddGiven(const ConversationChoice& choice,
                      const std::vector<run::Wanted>& samples,
                      run::ConversationPlan* conversation) {
  KB_ASSIGN(const TurnName name, ParseTurnName("--from", choice.from));
  KB_ASSIGN(const store::Store store, run::OpenRun(name.run));
  std::set<std::string> problems;
  for (const run::Wanted& wanted : samples)
    if (problems.insert(wanted.problem->id).second) {
      KB_ASSIGN(auto given, run::GivenFrom(store, name.run, wanted, name.sample,
                                           name.turn));
      if (given)
        conversation->given.emplace(wanted.problem->id, std::move(*given));
    }
  if (!conversation->given.empty()) return base::Ok();
  return base::Usage(
      "--from {}: the run has no program there for any of the selected "
      "problems",
      choice.from);
}

// What is read of an earlier run must not be of a problem that is held out.
Result<void> CheckHeldOut(const std::string& option,
                          const std::vector<run::Wanted>& samples,
                          const std::set<std::string>& held_out) {
  for (const run::Wanted& wanted : samples)
    if (held_out.contains(wanted.problem->id))
      return base::Usage(
          "{}: {} is held out (--holdout), so nothing is read of it in an "
          "earlier run; select other problems",
          option, wanted.problem->id);
  return base::Ok();
}

}  // namespace

Result<TurnName> ParseTurnName(const std::string& option,
                               const std::string& text) {
  const size_t slash = text.rfind('/');
  const std::string last =
      slash == std::string::npos ? "" : text.substr(slash + 1);
  const size_t colon = last.find(':');
  const auto sample = NumberIn(last.substr(0, colon));
  TurnName name;
  if (colon != std::string::npos) name.turn = NumberIn(last.substr(colon + 1));
  const bool has_turn = colon == std::string::npos || name.turn.value_or(0) > 0;
  if (slash == std::string::npos || slash == 0 || !sample || !has_turn)
    return base::Usage(
        "{} {}: write RUN/SAMPLE, a run and the number of a sample, e.g. "
        "deepseek/0, or RUN/SAMPLE:TURN, e.g. deepseek/0:7",
        option, text);
  name.run = text.substr(0, slash);
  name.sample = *sample;
  return name;
}

void AddSearch(Command* command, ConversationChoice* choice) {
  command->Add(
      "--search", &choice->search,
      search::StrategyNames() +
          ", each with options as in beam:ideas=4,parallel=8; or replay:RUN. "
          "--turns says how many answers (default: 16)");
  command
      ->Add("--search-text", &choice->search_text,
            "what a search asks: a name in share/prompts/search, or a "
            ".toml file")
      .ShowDefault();
  command
      ->Add("--allocation", &choice->allocation,
            "how answers are given out over samples: uniform, or "
            "halving: more to those that still gain")
      .OneOf({"uniform", "halving"})
      .ShowDefault();
  command->Add("--from", &choice->from,
               "RUN/SAMPLE or RUN/SAMPLE:TURN: begin with that program "
               "(of a sample its best)");
}

Result<prompt::SearchWriter> ChooseSearchTexts(const ConversationChoice& choice,
                                               const std::string& backend) {
  prompt::SearchOptions options;
  KB_ASSIGN(const std::string root, os::InstallRoot());
  options.folder = root + "/share/prompts";
  options.name = choice.search_text;
  options.backend = backend;
  return prompt::SearchWriter::Create(options);
}

Result<void> AddSearchTo(const ConversationChoice& choice,
                         const std::vector<run::Wanted>& samples,
                         const std::set<std::string>& held_out,
                         const std::string& backend,
                         std::optional<prompt::SearchWriter>* texts,
                         run::ConversationPlan* conversation,
                         run::RunPlan* plan) {
  if (!choice.from.empty()) {
    KB_TRY(CheckHeldOut("--from " + choice.from, samples, held_out));
    KB_TRY(AddGiven(choice, samples, conversation));
    plan->manifest["from"] = choice.from;
  }
  if (choice.allocation == "halving") {
    plan->halving = kEta;
    plan->manifest["allocation"] = choice.allocation;
  }
  if (choice.search.empty()) return base::Ok();
  std::string text = choice.search;
  if (choice.search.starts_with(kReplay)) {
    KB_TRY(CheckHeldOut("--search " + choice.search, samples, held_out));
    KB_TRY(AddReplay(choice.search.substr(std::string(kReplay).size()),
                     conversation));
  } else {
    KB_ASSIGN(conversation->search, search::ParseChoice(choice.search));
    text = search::ChoiceText(*conversation->search);
  }
  KB_ASSIGN(*texts, ChooseSearchTexts(choice, backend));
  conversation->texts = &**texts;
  plan->asking.parallel = conversation->search->parallel;
  plan->manifest["search"] = text;
  plan->manifest["search_text"] = choice.search_text;
  plan->manifest["search_hash"] = (*texts)->Hash();
  return base::Ok();
}

}  // namespace kb::cli
