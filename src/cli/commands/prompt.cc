#include "commands/prompt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <utility>

#include "base/json.h"
#include "models.h"
#include "os/files.h"
#include "record/document.h"
#include "run/files.h"
#include "run/turn_question.h"
#include "searching.h"
#include "shared_options.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Json;
using base::Result;

Result<ExitCode> List(const PromptOptions& options) {
  KB_ASSIGN(const std::string root, os::InstallRoot());
  KB_ASSIGN(const prompt::Catalogue found,
            prompt::List(root + "/share/prompts"));
  if (options.judge.json) {
    fmt::print("{}\n",
               base::DumpJson(record::Document(
                                  "prompts", {{"version", KB_VERSION},
                                              {"prompts", found.prompts},
                                              {"backends", found.backends},
                                              {"hardware", found.hardware},
                                              {"feedback", found.feedback},
                                              {"search", found.search},
                                              {"knowledge", found.knowledge}}),
                              2));
    return ExitCode::kDone;
  }
  for (const auto& [kind, names] : {std::pair("prompts", &found.prompts),
                                    std::pair("backends", &found.backends),
                                    std::pair("hardware", &found.hardware),
                                    std::pair("feedback", &found.feedback),
                                    std::pair("search", &found.search),
                                    std::pair("knowledge", &found.knowledge)})
    fmt::print("{:<9} {}\n", kind, fmt::join(*names, ", "));
  return ExitCode::kDone;
}

Json MessagesToJson(const llm::Question& question) {
  Json list = Json::array();
  for (const llm::Message& message : llm::MessagesOf(question))
    list.push_back(
        {{"role", llm::RoleName(message.role)}, {"content", message.text}});
  return list;
}

std::string PlaceOfProgram(const record::ShownProgram& program) {
  if (program.run.empty()) return fmt::format("turn {}", program.turn);
  if (program.sample < 0)
    return fmt::format("{} in {}", program.problem_id, program.run);
  return fmt::format("{} sample {} turn {} in {}", program.problem_id,
                     program.sample, program.turn, program.run);
}

void Print(const run::TurnQuestion& asked, const std::string& file_name,
           bool json) {
  const llm::Question& question = asked.question;
  if (json) {
    fmt::print(
        "{}\n",
        base::DumpJson(
            record::Document("prompt", {{"version", KB_VERSION},
                                        {"system", question.system},
                                        {"user", question.user},
                                        {"messages", MessagesToJson(question)},
                                        {"shown", record::ToJson(asked.shown)},
                                        {"file_name", file_name}}),
            2));
    return;
  }
  fmt::print("--- system ---\n{}\n", question.system);
  for (const llm::Message& message : llm::MessagesOf(question))
    fmt::print("--- {} ---\n{}\n", llm::RoleName(message.role), message.text);
  if (asked.shown.empty()) return;
  fmt::print("--- programs in it ---\n");
  for (const record::ShownProgram& program : asked.shown)
    fmt::print("{:.16} {}\n", program.hash, PlaceOfProgram(program));
}

// What the run was begun with, in place of what the options say.
Result<PromptOptions> AsBegun(PromptOptions options,
                              const std::map<std::string, std::string>& run) {
  const auto take = [&](const char* name, std::string* to) {
    if (const auto found = run.find(name); found != run.end())
      *to = found->second;
  };
  if (!run.contains("prompt") || !run.contains("settings"))
    return base::Usage(
        "--from: this run was not made by kernelbench run or generate, so it "
        "is not known what was asked");
  take("prompt", &options.prompt.prompt);
  take("backend", &options.prompt.backend);
  take("hardware", &options.prompt.hardware);
  take("size", &options.judge.size);
  take("precision", &options.judge.precision);
  take("history", &options.conversation.history);
  take("feedback", &options.conversation.feedback);
  take("feedback_text", &options.conversation.feedback_text);
  take("search", &options.conversation.search);
  take("search_text", &options.conversation.search_text);
  KB_ASSIGN(options.knowledge, KnowledgeOf(run));
  return options;
}

// What of the model decides a question.
Result<llm::Model> ModelOf(const std::map<std::string, std::string>& run) {
  KB_ASSIGN(const Json settings,
            base::ParseJson(run.at("settings"), "the run's settings"));
  llm::Model model;
  model.name = run.at("model");
  const auto take = [&](const char* name, std::optional<int64_t>* to) {
    if (const auto found = settings.find(name);
        found != settings.end() && found->is_number_integer())
      *to = found->get<int64_t>();
  };
  take("max_tokens", &model.max_tokens);
  take("thinking_tokens", &model.thinking_tokens);
  take("context_tokens", &model.context_tokens);
  return model;
}

// Whether the run was begun with these texts, by their hashes.
Result<void> CheckTexts(const std::map<std::string, std::string>& run,
                        const std::map<std::string, std::string>& ours,
                        const std::string& name) {
  for (const auto& [text, hash] : ours)
    if (const auto begun = run.find(text);
        begun != run.end() && begun->second != hash)
      return base::Usage(
          "{}: the run was begun with other texts than share/prompts (or the "
          "runs of its --knowledge) hold now, so what it sent cannot be shown",
          name);
  return base::Ok();
}

// Of a turn that was asked the store knows which programs it held.
Result<void> TakeKeptPrograms(const store::Store& store,
                              const std::string& problem_id, int64_t sample,
                              int64_t turn, run::TurnQuestion* asked) {
  store::GenerationFilter filter;
  filter.problem_id = problem_id;
  filter.sample = sample;
  filter.turn = turn;
  filter.with_texts = false;
  KB_ASSIGN(const auto kept, store.Generations(filter));
  if (!kept.empty() && kept.back().shown) asked->shown = *kept.back().shown;
  return base::Ok();
}

Result<ExitCode> ShowTurn(const PromptOptions& given) {
  KB_ASSIGN(const TurnName sample, ParseTurnName("--from", given.from));
  KB_ASSIGN(const store::Store store, run::OpenRun(sample.run));
  KB_ASSIGN(const auto begun, store.Manifest());
  KB_ASSIGN(const PromptOptions options, AsBegun(given, begun));
  KB_ASSIGN(PromptPlace place, PlaceOf(options.judge));
  KB_ASSIGN(const auto policy, run::BegunPolicy(begun));
  if (policy) place.policy = *policy;
  KB_ASSIGN(run::Wanted wanted, WantedAt(place, options.problem));
  const record::Precision precision = wanted.precision;
  // A run has a writer for each precision that it asks for.
  KB_ASSIGN(const auto requests, store.Requests());
  std::set<record::Precision> precisions{precision};
  for (const record::Request& request : requests)
    precisions.insert(request.precision);
  KB_ASSIGN(const ChosenPrompt chosen,
            ChoosePrompt(options.prompt, place, precisions));
  KB_ASSIGN(const prompt::FeedbackWriter feedback,
            ChooseFeedback(options.conversation, options.prompt.backend));
  KB_ASSIGN(const ChosenKnowledge knowledge,
            ChooseKnowledge(options.knowledge, options.prompt.backend,
                            place.pack, {wanted.problem}));
  KB_ASSIGN(const std::string hash, HashOf(chosen, knowledge.hash));
  KB_ASSIGN(const prompt::SearchWriter texts,
            ChooseSearchTexts(options.conversation, options.prompt.backend));
  KB_TRY(CheckTexts(begun,
                    {{"prompt_hash", hash},
                     {"feedback_hash", feedback.Hash()},
                     {"search_hash", texts.Hash()}},
                    sample.run));
  KB_ASSIGN(const llm::Model model, ModelOf(begun));
  run::ConversationPlan conversation;
  conversation.feedback = &feedback;
  KB_ASSIGN(conversation.history, HistoryOf(options.conversation));
  // The log says what was asked for; which strategy did is all the same.
  if (!options.conversation.search.empty()) conversation.search.emplace();
  conversation.texts = &texts;
  run::AskingPlan plan;
  plan.model = &model;
  plan.writers = &chosen.writers;
  plan.conversation = &conversation;
  plan.knowledge = &knowledge.blocks;
  wanted.sample = sample.sample;
  const int64_t turn = sample.turn.value_or(options.turn);
  KB_ASSIGN(run::TurnQuestion asked,
            run::QuestionOfTurn(store, plan, wanted, turn));
  KB_TRY(
      TakeKeptPrograms(store, wanted.problem->id, sample.sample, turn, &asked));
  KB_ASSIGN(const prompt::Prompt first,
            chosen.writers.at(precision).Write(*wanted.problem));
  Print(asked, first.file_name, options.judge.json);
  return ExitCode::kDone;
}

Result<ExitCode> Show(const PromptOptions& options) {
  if (!options.from.empty()) return ShowTurn(options);
  if (options.turn != 1)
    return base::Usage(
        "--turn {}: what a later turn says depends on the answers before it; "
        "give --from RUN/SAMPLE",
        options.turn);
  KB_ASSIGN(const PromptPlace place, PlaceOf(options.judge));
  KB_ASSIGN(const run::Wanted wanted, WantedAt(place, options.problem));
  KB_ASSIGN(const ChosenPrompt chosen,
            ChoosePrompt(options.prompt, place, {wanted.precision}));
  KB_ASSIGN(const ChosenKnowledge knowledge,
            ChooseKnowledge(options.knowledge, options.prompt.backend,
                            place.pack, {wanted.problem}));
  run::AskingPlan plan;
  plan.writers = &chosen.writers;
  plan.knowledge = &knowledge.blocks;
  KB_ASSIGN(const prompt::Prompt prompt, run::PromptFor(plan, wanted));
  run::TurnQuestion asked;
  asked.question.system = prompt.system;
  asked.question.user = prompt.user;
  asked.shown = run::ProgramsIn(plan, wanted, {});
  Print(asked, prompt.file_name, options.judge.json);
  return ExitCode::kDone;
}

}  // namespace

void AddPrompt(Command* program, PromptOptions* options, Call* call) {
  Command* prompt = program->AddCommand("prompt", "what models are asked");
  prompt->NeedCommand(1, 1);
  Command* list =
      prompt->AddCommand("list", "what options of prompts can name");
  Command* show = prompt->AddCommand("show", "exactly what would be sent");
  show->Footer(
      "example:\n  kernelbench prompt show level1/23 --backend triton "
      "--hardware H100\n  kernelbench prompt show level1/23 --turn 2 --from "
      "deepseek/0");
  show->Add("problem", &options->problem, "level1/23").Required();
  AddPromptChoice(show, &options->prompt);
  options->judge.usual_policy = "strict";
  options->judge.several_sizes = true;
  AddPromptPlace(show, &options->judge);
  show->Add("--turn", &options->turn,
            "of the sample that --from names (default: 1)")
      .Positive();
  show->Add(
      "--from", &options->from,
      "RUN/SAMPLE or RUN/SAMPLE:TURN: as that sample of a run was asked, or "
      "would be");
  AddFeedback(show, &options->conversation);
  AddKnowledge(show, &options->knowledge);
  for (Command* command : {list, show})
    command->AddFlag("--json", &options->judge.json, "print JSON for machines");
  Means(list, call, options, List);
  Means(show, call, options, Show);
}

}  // namespace kb::cli
