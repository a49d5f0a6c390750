#include <algorithm>

#include "base/text.h"
#include "blocks.h"
#include "fields.h"
#include "hardware.h"
#include "prompt/prompt.h"
#include "template.h"

namespace kb::prompt {

using base::Result;
using base::Usage;

namespace {

// Only the user's part may have these.
Texts ProblemTexts(const record::Problem& problem) {
  return {{"problem.id", problem.id},
          {"problem.name", problem.name},
          {"problem.source", problem.source}};
}

Names WithExamples(Names names) {
  names.of_example = {"example.number", "example.problem", "example.answer"};
  return names;
}

// What the policy lets an answer do, of which one of three texts is there, and
// how it judges it.
void AddPolicy(const record::Policy& policy, const Backend& backend,
               Texts* texts) {
  const bool python = backend.file_name.ends_with(".py");
  const auto set = [&](const char* name, bool there) {
    (*texts)[name] = there ? "yes" : "";
  };
  set("whole_program", !python);
  set("any_part", python && policy.allow_torch_ops);
  set("own_kernels", python && !policy.allow_torch_ops);
  set("mixed_inputs", policy.inputs == record::InputStyle::kMixed);
  set("redrawn_parameters", policy.redraw_flat_parameters);
  set("other_distributions", policy.distributions);
  set("hidden_sizes", policy.hidden_sizes == record::HiddenSizes::kRequired);
  set("warm", policy.warm);
  const bool own = policy.procedure == record::Procedure::kOwn;
  set("timed_checked", own);
  set("given_weights", own);
}

Result<Values> BlocksFor(const PromptOptions& options, const Backend& backend) {
  Values values;
  Texts& texts = values.texts;
  texts["backend.name"] = backend.name;
  texts["backend.file"] = backend.file_name;
  texts["backend.fence"] = backend.fence;
  texts["precision.name"] = record::PrecisionName(options.precision);
  KB_ASSIGN(texts["precision"],
            ReadPrecision(options.folder, options.precision, options.policy));
  texts["hardware.name"] = options.hardware;
  texts["hardware"] = texts["practices"] = "";
  if (!options.hardware.empty()) {
    KB_ASSIGN(texts["hardware"],
              HardwareBlock(options.folder, options.hardware));
    KB_ASSIGN(const std::string architecture,
              ArchitectureOf(options.folder, options.hardware));
    KB_ASSIGN(texts["practices"], ReadPractices(options.folder, architecture));
  }
  AddPolicy(options.policy, backend, &texts);
  texts["several_sizes"] = options.several_sizes ? "yes" : "";
  KB_ASSIGN(texts["backend.instructions"], Instructions(backend, values));
  KB_ASSIGN(texts["rules"], ReadRules(options.folder, values));
  return values;
}

}  // namespace

Result<Catalogue> List(const std::string& folder) {
  Catalogue catalogue;
  KB_ASSIGN(catalogue.prompts, TomlNames(folder + "/prompts"));
  KB_ASSIGN(catalogue.backends, TomlNames(folder + "/backends"));
  KB_ASSIGN(catalogue.hardware, HardwareNames(folder));
  KB_ASSIGN(catalogue.feedback, TomlNames(folder + "/feedback"));
  KB_ASSIGN(catalogue.search, TomlNames(folder + "/search"));
  KB_ASSIGN(catalogue.knowledge, TomlNames(folder + "/knowledge"));
  return catalogue;
}

Result<Writer> Writer::Create(const PromptOptions& options) {
  KB_ASSIGN(const PromptFile file,
            ReadPromptFile(options.folder, options.prompt));
  KB_ASSIGN(const Backend backend,
            ReadBackend(options.folder, options.backend));
  KB_ASSIGN(Values values, BlocksFor(options, backend));
  KB_ASSIGN(values.examples,
            ReadExamples(options.folder, options.backend, backend,
                         file.examples, file.optimised));

  Names names = WithExamples(NamesOf(values));
  KB_ASSIGN(const Template system,
            Template::Parse(file.system, names, file.path, file.system_line));
  for (const auto& [name, value] : ProblemTexts({})) names.texts.insert(name);
  KB_ASSIGN(const Template user,
            Template::Parse(file.user, names, file.path, file.user_line));

  Writer writer;
  writer.options_ = options;
  writer.system_ = base::Trim(Join(system.Render(values)));
  for (Piece& piece : user.Render(values))
    writer.user_.push_back({std::move(piece.text), std::move(piece.variable)});
  writer.file_name_ = backend.file_name;
  if (std::ranges::none_of(writer.user_, [](const Part& part) {
        return part.variable == "problem.source";
      }))
    return Usage(
        "{}: user must contain {{{{problem.source}}}}, or the model "
        "does not see the problem",
        file.path);
  return writer;
}

Result<Prompt> Writer::Write(const record::Problem& problem) const {
  if (base::Trim(problem.source).empty())
    return Usage("{} has no source, so there is nothing to prompt for",
                 problem.id);
  PromptOptions judged = options_;
  judged.policy = problem.Adjusted(options_.policy, options_.precision);
  if (judged.policy == options_.policy) return Fill(problem);
  KB_ASSIGN(const Writer writer, Create(judged));
  return writer.Fill(problem);
}

Prompt Writer::Fill(const record::Problem& problem) const {
  Texts texts = ProblemTexts(problem);
  Prompt prompt;
  prompt.system = system_;
  prompt.file_name = file_name_;
  for (const Part& part : user_) {
    prompt.user += part.text;
    if (!part.variable.empty()) prompt.user += texts.at(part.variable);
  }
  return prompt;
}

}  // namespace kb::prompt
