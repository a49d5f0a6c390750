#include "knowledge.h"

#include <filesystem>

#include "base/json.h"
#include "os/files.h"
#include "prompt/knowledge.h"
#include "run/files.h"
#include "workplace/selection.h"

namespace kb::cli {

using base::Json;
using base::Result;

void AddKnowledge(Command* command, KnowledgeChoice* choice) {
  command->Add("--knowledge", &choice->runs,
               "RUN...: show fast programs of these runs for other "
               "problems with the same tags (default: none)");
  command
      ->Add("--knowledge-tokens", &choice->tokens,
            "what they may take of a prompt, three bytes a token")
      .Between(int64_t{100}, int64_t{1000000})
      .ShowDefault();
  command
      ->Add("--knowledge-text", &choice->text,
            "how they are shown: a name in share/prompts/knowledge, or "
            "a .toml file")
      .ShowDefault();
  command->AddFlag("--knowledge-of-itself", &choice->own_problem,
                   "also programs for the problem that is asked about");
  command
      ->Add("--holdout", &choice->holdout,
            "problems, levels or selections of which no earlier run is "
            "read")
      .SplitAt(',');
}

Result<ChosenKnowledge> ChooseKnowledge(const KnowledgeChoice& choice,
                                        const std::string& backend,
                                        const problems::Pack& pack,
                                        const Problems& problems) {
  ChosenKnowledge chosen;
  KB_ASSIGN(chosen.held_out, workplace::HeldOut(pack, choice.holdout));
  if (choice.runs.empty()) return chosen;
  prompt::KnowledgeOptions options;
  KB_ASSIGN(const std::string root, os::InstallRoot());
  options.folder = root + "/share/prompts";
  options.name = choice.text;
  options.backend = backend;
  KB_ASSIGN(const auto writer, prompt::KnowledgeWriter::Create(options));
  run::KnowledgePlan plan;
  plan.runs = choice.runs;
  plan.held_out = chosen.held_out;
  plan.backend = backend;
  plan.tokens = choice.tokens;
  plan.own_problem = choice.own_problem;
  KB_ASSIGN(const auto knowledge, run::Knowledge::Read(plan, writer, pack));
  for (const auto& problem : problems)
    chosen.blocks.try_emplace(problem->id, knowledge.For(*problem));
  chosen.hash = knowledge.Hash();
  return chosen;
}

void PutKnowledge(const KnowledgeChoice& choice, const std::string& hash,
                  std::map<std::string, std::string>* manifest) {
  if (!choice.holdout.empty())
    (*manifest)["holdout"] = base::DumpJson(Json(choice.holdout));
  if (choice.runs.empty()) return;
  Json runs = Json::array();
  for (const std::string& run : choice.runs)
    runs.push_back(std::filesystem::absolute(run::RunPath(run)).string());
  (*manifest)["knowledge"] =
      base::DumpJson(Json{{"runs", runs},
                          {"tokens", choice.tokens},
                          {"of_itself", choice.own_problem},
                          {"text", choice.text}});
  (*manifest)["knowledge_hash"] = hash;
}

Result<KnowledgeChoice> KnowledgeOf(
    const std::map<std::string, std::string>& manifest) {
  KnowledgeChoice choice;
  if (const auto held = manifest.find("holdout"); held != manifest.end()) {
    KB_ASSIGN(const Json json, base::ParseJson(held->second, "holdout"));
    choice.holdout = json.get<std::vector<std::string>>();
  }
  const auto found = manifest.find("knowledge");
  if (found == manifest.end()) return choice;
  KB_ASSIGN(const Json json, base::ParseJson(found->second, "knowledge"));
  KB_ASSIGN(choice.runs, base::Get<std::vector<std::string>>(json, "runs"));
  KB_ASSIGN(choice.tokens, base::Get<int64_t>(json, "tokens"));
  KB_ASSIGN(choice.own_problem, base::Get<bool>(json, "of_itself"));
  KB_ASSIGN(choice.text, base::Get<std::string>(json, "text"));
  return choice;
}

}  // namespace kb::cli
