#include "manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"

namespace kb::cli {
namespace {

// Text as roff: no line of it is a request, a hyphen is the one of options.
std::string Roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string Label(const OptionText& option) {
  std::string label = fmt::format(
      "\\fB{}\\fR", Roff(fmt::format("{}", fmt::join(option.names, ", "))));
  if (option.positional) return label;
  if (!option.choices.empty())
    label += " " + Roff(fmt::format("{}", fmt::join(option.choices, "|")));
  else if (!option.value.empty())
    label += fmt::format(" \\fI{}\\fR", Roff(option.value));
  return label;
}

void AddOptions(const CommandText& command, std::string* page) {
  for (const OptionText& option : command.options)
    *page += fmt::format(".TP\n{}\n{}\n", Label(option), Roff(option.about));
}

// As it stands: examples keep their lines.
void AddFooter(const CommandText& command, std::string* page) {
  if (command.footer.empty()) return;
  *page += fmt::format(".PP\n.nf\n{}\n.fi\n", Roff(command.footer));
}

void AddCommands(const CommandText& command, std::string* page) {
  for (const CommandText& below : command.commands) {
    *page += fmt::format(".SS kernelbench {}\n{}\n", Roff(below.name),
                         Roff(below.about));
    AddOptions(below, page);
    AddFooter(below, page);
    AddCommands(below, page);
  }
}

}  // namespace

std::string ManualPage(const CommandText& program, const std::string& version) {
  std::string page = fmt::format(
      ".TH KERNELBENCH 1 \"\" \"kernelbench {}\" \"User Commands\"\n.SH NAME\n"
      "kernelbench \\- judge GPU kernels that language models wrote\n"
      ".SH SYNOPSIS\n.B kernelbench\n.I COMMAND\n[\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n{}\n.SH OPTIONS\n",
      Roff(version), Roff(program.about));
  AddOptions(program, &page);
  page += ".SH COMMANDS\n";
  AddCommands(program, &page);
  if (!program.footer.empty()) {
    page += ".SH NOTES\n";
    AddFooter(program, &page);
  }
  return page;
}

}  // namespace kb::cli
