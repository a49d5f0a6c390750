#include "blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/text.h"
#include "fields.h"
#include "os/files.h"

namespace kb::prompt {

using base::Result;
using base::Usage;

namespace {

std::string Trimmed(const std::string& text) {
  return std::string(base::Trim(text));
}

// The file of a block in this folder of ours, or a Usage error with all names
// that there are.
Result<std::string> FindBlock(const std::string& blocks, const char* what,
                              const std::string& name, const char* hint = "") {
  KB_ASSIGN(const std::vector<std::string> names, TomlNames(blocks));
  if (std::ranges::find(names, name) == names.end())
    return Usage("no {} is called \"{}\"; there are {}{}", what, name,
                 fmt::join(names, ", "), hint);
  return fmt::format("{}/{}.toml", blocks, name);
}

// The same, or a file of the user's own.
Result<std::string> FindFile(const std::string& blocks, const char* what,
                             const std::string& name) {
  if (name.ends_with(".toml")) return name;
  return FindBlock(blocks, what, name, "; or give a file that ends in .toml");
}

// One text of a file that holds nothing else than templates.
Result<std::string> RenderText(const std::string& path,
                               const toml::table& table, const std::string& key,
                               const Values& values) {
  Fields fields(path, table);
  const std::string text = fields.Text(key);
  for (const auto& [other, node] : table) fields.Text(other.str());
  KB_TRY(fields.Done());
  KB_ASSIGN(const Template parsed, Template::Parse(text, NamesOf(values), path,
                                                   fields.LineOfText(key)));
  return Trimmed(Join(parsed.Render(values)));
}

}  // namespace

Result<Backend> ReadBackend(const std::string& folder,
                            const std::string& name) {
  KB_ASSIGN(const std::string path,
            FindBlock(folder + "/backends", "backend", name));
  KB_ASSIGN(const toml::table table, ReadToml(path));
  Fields fields(path, table);
  Backend backend;
  backend.name = fields.Text("name");
  backend.file_name = fields.Text("file");
  backend.fence = fields.Text("fence");
  backend.instructions = fields.Text("instructions");
  backend.path = path;
  backend.instructions_line = fields.LineOfText("instructions");
  backend.examples = fields.Texts("examples");
  if (table.contains("optimised"))
    backend.optimised = fields.Texts("optimised");
  KB_TRY(fields.Done());
  const std::filesystem::path file(backend.file_name);
  if (file.has_parent_path() || !file.has_extension())
    return Usage("{}: file must be a name such as answer.cu, not \"{}\"", path,
                 backend.file_name);
  return backend;
}

Result<std::string> Instructions(const Backend& backend, const Values& values) {
  KB_ASSIGN(const Template parsed,
            Template::Parse(backend.instructions, NamesOf(values), backend.path,
                            backend.instructions_line));
  return Trimmed(Join(parsed.Render(values)));
}

Result<std::vector<Texts>> ReadExamples(const std::string& folder,
                                        const std::string& backend_name,
                                        const Backend& backend, int64_t count,
                                        bool optimised) {
  std::vector<Texts> examples;
  if (count > 0 && backend.examples.empty())
    return Usage("the backend {} has no examples; take a prompt without",
                 backend_name);
  const std::string extension =
      std::filesystem::path(backend.file_name).extension().string();
  for (const std::string& name : optimised && !backend.optimised.empty()
                                     ? backend.optimised
                                     : backend.examples) {
    const auto number = static_cast<int64_t>(examples.size()) + 1;
    if (number > count) break;
    const std::string root = folder + "/examples/";
    KB_ASSIGN(const std::string problem,
              os::ReadFile(fmt::format("{}problems/{}.py", root, name)));
    KB_ASSIGN(const std::string answer,
              os::ReadFile(fmt::format("{}{}/{}{}", root, backend_name, name,
                                       extension)));
    examples.push_back({{"example.number", fmt::format("{}", number)},
                        {"example.problem", Trimmed(problem)},
                        {"example.answer", Trimmed(answer)}});
  }
  return examples;
}

Result<std::string> ReadPrecision(const std::string& folder,
                                  record::Precision precision,
                                  const record::Policy& policy) {
  const std::string path = folder + "/precisions.toml";
  KB_ASSIGN(const toml::table table, ReadToml(path));
  Values values;
  const auto dtype = record::PrecisionDType(precision);
  const auto allowed = [&](record::DType type) {
    const record::Tolerance tolerance =
        record::FixedTolerance(policy, dtype.value_or(type));
    return fmt::format("{} + {} * |expected|", tolerance.atol, tolerance.rtol);
  };
  values.texts["allowed"] = allowed(record::DType::kFloat32);
  values.texts["allowed_16"] = allowed(record::DType::kFloat16);
  values.texts["error_multiple"] = fmt::format("{}", policy.error_multiple);
  for (const auto rule :
       {record::PrecisionRule::kAsReference, record::PrecisionRule::kIeee,
        record::PrecisionRule::kTf32})
    values.texts[record::PrecisionRuleName(rule)] =
        rule == policy.precision ? "yes" : "";
  std::string measured;
  if (policy.error_multiple > 0) {
    KB_ASSIGN(measured, RenderText(path, table, "measured", values));
  }
  values.texts["measured"] = std::move(measured);
  return RenderText(path, table, record::PrecisionName(precision), values);
}

Result<std::string> ReadPractices(const std::string& folder,
                                  const std::string& architecture) {
  const std::string path = folder + "/practices.toml";
  KB_ASSIGN(const toml::table table, ReadToml(path));
  if (!table.contains(architecture)) return std::string();
  return RenderText(path, table, architecture, {});
}

Result<std::string> ReadRules(const std::string& folder, const Values& values) {
  const std::string path = folder + "/rules.toml";
  KB_ASSIGN(const toml::table table, ReadToml(path));
  return RenderText(path, table, "rules", values);
}

Result<PromptFile> ReadPromptFile(const std::string& folder,
                                  const std::string& name) {
  PromptFile file;
  KB_ASSIGN(file.path, FindFile(folder + "/prompts", "prompt", name));
  KB_ASSIGN(const toml::table table, ReadToml(file.path));
  Fields fields(file.path, table);
  fields.Text("description");
  file.examples = fields.Count("examples");
  file.optimised = table.contains("optimised") && fields.Flag("optimised");
  file.system = fields.Text("system");
  file.system_line = fields.LineOfText("system");
  file.user = fields.Text("user");
  file.user_line = fields.LineOfText("user");
  KB_TRY(fields.Done());
  return file;
}

Result<FeedbackFile> ReadFeedbackFile(const std::string& folder,
                                      const std::string& name) {
  FeedbackFile file;
  KB_ASSIGN(file.path, FindFile(folder + "/feedback", "feedback text", name));
  KB_ASSIGN(const toml::table table, ReadToml(file.path));
  Fields fields(file.path, table);
  fields.Text("description");
  file.feedback = fields.Text("feedback");
  file.feedback_line = fields.LineOfText("feedback");
  file.left_out = fields.Text("left_out");
  file.left_out_line = fields.LineOfText("left_out");
  KB_TRY(fields.Done());
  return file;
}

Result<SearchFile> ReadSearchFile(const std::string& folder,
                                  const std::string& name) {
  SearchFile file;
  KB_ASSIGN(file.path, FindFile(folder + "/search", "search text", name));
  KB_ASSIGN(const toml::table table, ReadToml(file.path));
  Fields fields(file.path, table);
  fields.Text("description");
  for (const auto& [key, to] :
       {std::pair("idea", &file.idea), std::pair("program", &file.program),
        std::pair("mutation", &file.mutation),
        std::pair("crossover", &file.crossover)})
    *to = {fields.Text(key), fields.LineOfText(key)};
  KB_TRY(fields.Done());
  return file;
}

Result<KnowledgeFile> ReadKnowledgeFile(const std::string& folder,
                                        const std::string& name) {
  KnowledgeFile file;
  KB_ASSIGN(file.path, FindFile(folder + "/knowledge", "knowledge text", name));
  KB_ASSIGN(const toml::table table, ReadToml(file.path));
  Fields fields(file.path, table);
  fields.Text("description");
  file.text = fields.Text("knowledge");
  file.line = fields.LineOfText("knowledge");
  KB_TRY(fields.Done());
  return file;
}

Names NamesOf(const Values& values) {
  Names names;
  for (const auto& [name, value] : values.texts) names.texts.insert(name);
  return names;
}

}  // namespace kb::prompt
