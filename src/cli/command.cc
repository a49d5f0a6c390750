#include "command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace kb::cli {
namespace {

// CLI11's own checks let "nan" pass, and name a limit by 309 digits.
std::string WhyNotNumber(const std::string& text, bool positive) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0' && std::isfinite(number) &&
      (positive ? number > 0 : number >= 0))
    return "";
  return fmt::format("{} is no number {}", text,
                     positive ? "above 0" : "of 0 or more");
}

}  // namespace

const Option& Option::Required() const {
  option_->required();
  return *this;
}

const Option& Option::ShowDefault() const {
  option_->capture_default_str();
  return *this;
}

const Option& Option::Default(const std::string& value) const {
  option_->default_val(value);
  return *this;
}

const Option& Option::SplitAt(char separator) const {
  option_->delimiter(separator);
  return *this;
}

const Option& Option::OneByOne() const {
  option_->allow_extra_args(false);
  return *this;
}

const Option& Option::Expect(int values) const {
  option_->expected(values);
  return *this;
}

const Option& Option::OneOf(const std::vector<std::string>& values) const {
  option_->check(CLI::IsMember(values));
  return *this;
}

const Option& Option::Positive() const {
  option_->check(
      [](const std::string& text) { return WhyNotNumber(text, true); },
      "POSITIVE");
  return *this;
}

const Option& Option::NonNegative() const {
  option_->check(
      [](const std::string& text) { return WhyNotNumber(text, false); },
      "NONNEGATIVE");
  return *this;
}

const Option& Option::Between(int64_t least, int64_t most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

const Option& Option::Between(double least, double most) const {
  option_->check(CLI::Range(least, most));
  option_->check(
      [](const std::string& text) { return WhyNotNumber(text, false); }, "");
  return *this;
}

const Option& Option::Without(const Option& other) const {
  option_->excludes(other.option_);
  return *this;
}

const Option& Option::IsSize() const {
  option_->transform(CLI::AsSizeValue(true));
  return *this;
}

std::unique_ptr<Command> Command::Program(const std::string& about) {
  auto app = std::make_unique<CLI::App>(about);
  auto program = std::unique_ptr<Command>(new Command(app.get()));
  program->owned_ = std::move(app);
  return program;
}

Command::Command(CLI::App* app) : app_(app) {}
Command::~Command() = default;

template <typename T>
Option Command::Add(const std::string& names, T* value,
                    const std::string& about) {
  return Option(app_->add_option(names, *value, about));
}

#define KB_OPTION_OF(...)                                        \
  template Option Command::Add(const std::string&, __VA_ARGS__*, \
                               const std::string&)
KB_OPTION_OF(std::string);
KB_OPTION_OF(int64_t);
KB_OPTION_OF(uint64_t);
KB_OPTION_OF(double);
KB_OPTION_OF(std::vector<std::string>);
KB_OPTION_OF(std::vector<int64_t>);
KB_OPTION_OF(std::vector<double>);
KB_OPTION_OF(std::optional<int64_t>);
KB_OPTION_OF(std::optional<uint64_t>);
KB_OPTION_OF(std::optional<double>);
KB_OPTION_OF(std::optional<std::string>);
#undef KB_OPTION_OF

Option Command::AddFlag(const std::string& names, bool* value,
                        const std::string& about) {
  return Option(app_->add_flag(names, *value, about));
}

void Command::AddFlag(const std::string& names, std::function<void()> act,
                      const std::string& about) {
  app_->add_flag_callback(names, std::move(act), about);
}

void Command::AddVersion(const std::string& names, const std::string& version,
                         const std::string& about) {
  app_->set_version_flag(names, version, about);
}

void Command::AddAct(const std::string& names, const Act& act,
                     const std::string& about) {
  app_->add_option_function<std::vector<std::string>>(names, act, about);
}

Option Command::Get(const std::string& name) const {
  return Option(app_->get_option(name));
}

Command* Command::AddCommand(const std::string& name,
                             const std::string& about) {
  commands_.push_back(
      std::unique_ptr<Command>(new Command(app_->add_subcommand(name, about))));
  return commands_.back().get();
}

void Command::NeedCommand(int least, int most) const {
  app_->require_subcommand(static_cast<size_t>(least),
                           static_cast<size_t>(most));
}

void Command::Footer(const std::string& text) const { app_->footer(text); }

void Command::Then(std::function<void()> body) const {
  app_->callback(std::move(body));
}

bool Command::HasCommand() const { return !app_->get_subcommands().empty(); }

void Command::Miss(const std::string& what) { throw CLI::RequiredError(what); }

std::optional<ExitCode> Command::Parse(int argc, char** argv) const {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::Success& e) {
    app_->exit(e);
    return ExitCode::kDone;
  } catch (const CLI::ParseError& e) {
    app_->exit(e);
    return ExitCode::kUsage;
  }
  return std::nullopt;
}

base::Result<std::string> Command::Parse(
    const std::vector<std::string>& words) const {
  std::string named;
  try {
    app_->parse(std::vector(words.rbegin(), words.rend()));
    for (const CLI::App* at = app_; !at->get_subcommands().empty();) {
      at = at->get_subcommands().front();
      named += (named.empty() ? "" : " ") + at->get_name();
    }
  } catch (const CLI::ParseError& e) {
    return base::Fail("{}", e.what());
  }
  return named;
}

}  // namespace kb::cli
