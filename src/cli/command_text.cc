#include "command_text.h"

#include <CLI/CLI.hpp>

#include "base/text.h"

namespace kb::cli {
namespace {

// "TEXT" of "TEXT:{cold,warm}" and of "INT:INT in [0 - 9]".
std::string ValueOf(const CLI::Option& option) {
  if (option.get_type_size_max() == 0) return "";
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

std::vector<std::string> ChoicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return base::Split(type.substr(open + 1, close - open - 1), ',');
}

OptionText Describe(const CLI::Option& option) {
  OptionText text;
  text.about = option.get_description();
  text.value = ValueOf(option);
  text.choices = ChoicesOf(option);
  text.positional = option.get_positional();
  if (text.positional) {
    text.names.push_back(option.get_single_name());
    return text;
  }
  for (const std::string& name : option.get_snames())
    text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames())
    text.names.push_back("--" + name);
  return text;
}

CommandText Describe(const CLI::App& app, const std::string& name) {
  CommandText text;
  text.name = name;
  text.about = app.get_description();
  text.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options())
    text.options.push_back(Describe(*option));
  for (const CLI::App* command : app.get_subcommands({}))
    text.commands.push_back(Describe(
        *command, (name.empty() ? "" : name + " ") + command->get_name()));
  return text;
}

}  // namespace

CommandText Describe(const Command& command) {
  return Describe(command.app(), "");
}

}  // namespace kb::cli
