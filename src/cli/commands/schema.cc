#include "commands/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "os/files.h"
#include "schema.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;
using base::Json;
using base::Result;

Result<Json> Read(const std::string& folder, const std::string& name) {
  KB_ASSIGN(const std::string text,
            os::ReadFile((fs::path(folder) / (name + ".json")).string()));
  return base::ParseJson(text, name + ".json");
}

// The other schemas of ours that `json` refers to.
void AddReferences(const Json& json, std::set<std::string>* names) {
  constexpr std::string_view kOurs = "urn:kernelbench:";
  if (json.is_object() && json.contains("$ref")) {
    const Json& reference = json.at("$ref");
    const std::string target =
        reference.is_string() ? reference.get<std::string>() : "";
    if (target.starts_with(kOurs))
      names->insert(
          target.substr(kOurs.size(), target.rfind(':') - kOurs.size()));
  }
  if (json.is_structured())
    for (const auto& part : json) AddReferences(part, names);
}

Result<ExitCode> Run(const SchemaOptions& options) {
  KB_ASSIGN(const std::string root, os::InstallRoot());
  const std::string folder = root + "/share/schemas";
  if (!options.name.empty()) {
    KB_ASSIGN(const Json schema, SchemaOf(folder, options.name));
    fmt::print("{}\n", base::DumpJson(schema, 1));
    return ExitCode::kDone;
  }
  KB_ASSIGN(const auto names, SchemaNames(folder));
  for (const std::string& name : names) {
    KB_ASSIGN(const Json schema, Read(folder, name));
    fmt::print("{:<12} {}\n", name, schema.value("title", ""));
  }
  return ExitCode::kDone;
}

}  // namespace

Result<std::vector<std::string>> SchemaNames(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".json")
      names.push_back(entry.path().stem());
  if (error) return base::Fail("{}: {}", folder, error.message());
  std::ranges::sort(names);
  return names;
}

Result<Json> SchemaOf(const std::string& folder, const std::string& name) {
  KB_ASSIGN(const auto names, SchemaNames(folder));
  if (std::ranges::find(names, name) == names.end())
    return base::Usage("there is no schema \"{}\"; there are {}", name,
                       fmt::join(names, ", "));
  KB_ASSIGN(Json schema, Read(folder, name));
  // Those that it refers to may refer to more.
  std::set<std::string> known{name};
  std::vector<Json> open{schema};
  while (!open.empty()) {
    std::set<std::string> others;
    AddReferences(open.back(), &others);
    open.pop_back();
    for (const std::string& other : others) {
      if (!known.insert(other).second) continue;
      KB_ASSIGN(open.emplace_back(), Read(folder, other));
      schema["$defs"][other] = open.back();
    }
  }
  return schema;
}

void AddSchema(Command* program, SchemaOptions* options, Call* call) {
  Command* schema =
      program->AddCommand("schema", "the JSON Schema of what commands print");
  schema->Footer("example:\n  kernelbench schema evaluation");
  schema->Add("name", &options->name, "left out: lists all of them");
  Means(schema, call, options, Run);
}

}  // namespace kb::cli
