#include "completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

namespace kb::cli {
namespace {

void ForEach(const CommandText& command,
             const std::function<void(const CommandText&)>& visit) {
  visit(command);
  for (const CommandText& below : command.commands) ForEach(below, visit);
}

std::string LastWord(const std::string& name) {
  return name.substr(name.rfind(' ') + 1);
}

// In single quotes of any shell.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// As an item of zsh's _describe: "name:about".
std::string ZshItem(const std::string& name, const std::string& about) {
  std::string item;
  for (const char c : name) item += c == ':' ? "\\:" : std::string(1, c);
  return Quoted(item + ":" + about);
}

// Shell code, the same in bash and zsh: the command that `words` begin with.
std::string FindCommand(const CommandText& program, const char* words) {
  std::string names;
  ForEach(program, [&](const CommandText& command) {
    if (command.name.empty()) return;
    if (!names.empty()) names += "|";
    names += "\"" +
             (command.name.find(' ') == std::string::npos ? " " + command.name
                                                          : command.name) +
             "\"";
  });
  return fmt::format(
      "  local command=\"\" word\n"
      "  for word in {}; do\n"
      "    case \"$command $word\" in\n"
      "      {}) command=\"${{command:+$command }}$word\" ;;\n"
      "    esac\n"
      "  done\n",
      words, names);
}

std::vector<std::string> OptionNames(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options)
    if (!option.positional)
      names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::vector<std::string> CommandNames(const CommandText& command) {
  std::vector<std::string> names;
  for (const CommandText& below : command.commands)
    names.push_back(LastWord(below.name));
  return names;
}

}  // namespace

std::string BashCompletion(const CommandText& program) {
  std::string values, commands;
  ForEach(program, [&](const CommandText& command) {
    for (const OptionText& option : command.options)
      for (const std::string& name : option.names)
        if (!option.choices.empty() && !option.positional)
          values +=
              fmt::format("    \"{} {}\") words=\"{}\" ;;\n", command.name,
                          name, fmt::join(option.choices, " "));
    std::vector<std::string> plain = CommandNames(command);
    for (const OptionText& option : command.options)
      if (option.positional)
        plain.insert(plain.end(), option.choices.begin(), option.choices.end());
    commands += fmt::format("      \"{}\") words=\"{}\" options=\"{}\" ;;\n",
                            command.name, fmt::join(plain, " "),
                            fmt::join(OptionNames(command), " "));
  });
  return "# Completion of kernelbench for bash.\n_kernelbench() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\" "
         "options=\"\"\n" +
         FindCommand(program, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"") +
         "  case \"$command ${COMP_WORDS[COMP_CWORD-1]}\" in\n" + values +
         "    *) case \"$command\" in\n" + commands +
         "      esac\n"
         "      case \"$current\" in -*) words=\"$options\" ;; esac ;;\n"
         "  esac\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "}\n"
         "complete -o default -F _kernelbench kernelbench\n";
}

std::string ZshCompletion(const CommandText& program) {
  std::string values, commands;
  ForEach(program, [&](const CommandText& command) {
    std::string options, below;
    for (const OptionText& option : command.options) {
      for (const std::string& name : option.names) {
        if (option.positional) continue;
        options += " " + ZshItem(name, option.about);
        if (!option.choices.empty())
          values +=
              fmt::format("    \"{} {}\") compadd -- {}; return ;;\n",
                          command.name, name, fmt::join(option.choices, " "));
      }
      if (option.positional)
        for (const std::string& choice : option.choices)
          below += " " + ZshItem(choice, option.about);
    }
    for (const CommandText& next : command.commands)
      below += " " + ZshItem(LastWord(next.name), next.about);
    commands += fmt::format("    \"{}\") plain=({}) options=({}) ;;\n",
                            command.name, below, options);
  });
  return "#compdef kernelbench\n# Completion of kernelbench for zsh.\n"
         "_kernelbench() {\n"
         "  local -a plain options\n" +
         FindCommand(program, "\"${words[@]:1:CURRENT-2}\"") +
         "  case \"$command ${words[CURRENT-1]}\" in\n" + values +
         "  esac\n  case \"$command\" in\n" + commands +
         "  esac\n"
         "  if [[ ${words[CURRENT]} == -* ]]; then\n"
         "    _describe -o option options\n"
         "  elif (( ${#plain} )); then\n"
         "    _describe command plain\n"
         "  else\n"
         "    _files\n"
         "  fi\n"
         "}\n"
         // Sourced, or run by compinit as the function itself.
         "if [ \"$funcstack[1]\" = _kernelbench ]; then _kernelbench; "
         "else compdef _kernelbench kernelbench; fi\n";
}

std::string FishCompletion(const CommandText& program) {
  std::string text = "# Completion of kernelbench for fish.\n";
  ForEach(program, [&](const CommandText& command) {
    std::string when;
    for (size_t at = 0; at < command.name.size();) {
      const size_t end =
          std::min(command.name.find(' ', at), command.name.size());
      when +=
          (when.empty() ? "" : "; and ") +
          ("__fish_seen_subcommand_from " + command.name.substr(at, end - at));
      at = end + 1;
    }
    if (when.empty()) when = "__fish_use_subcommand";
    const auto line = [&](const std::string& rest, const std::string& about) {
      text += fmt::format("complete -c kernelbench -n {} {} -d {}\n",
                          Quoted(when), rest, Quoted(about));
    };
    for (const CommandText& below : command.commands)
      line("-f -a " + LastWord(below.name), below.about);
    for (const OptionText& option : command.options) {
      std::string rest;
      if (!option.positional)
        for (const std::string& name : option.names)
          rest += name.starts_with("--") ? " -l " + name.substr(2)
                                         : " -s " + name.substr(1);
      if (!option.choices.empty())
        rest += fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
      else if (!option.value.empty())
        rest += " -r";
      if (!option.positional || !option.choices.empty())
        line(rest.substr(1), option.about);
    }
  });
  return text;
}

}  // namespace kb::cli
