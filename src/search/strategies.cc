#include "strategies.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "base/random.h"
#include "base/text.h"

namespace kb::search {
namespace {

using base::Result;
using base::Usage;

const std::array<Row, 5>& Rows() {
  static const std::array<Row, 5> kRows{BestOfNRow(), RefinementRow(),
                                        ParallelRefinementRow(), BeamRow(),
                                        IslandsRow()};
  return kRows;
}

constexpr double kMostParallel = 1024;

Result<const Row*> FindRow(const std::string& name) {
  for (const Row& row : Rows())
    if (name == row.name) return &row;
  return Usage("--search {}: there is no such strategy; there are {}", name,
               StrategyNames());
}

// The names of what a strategy takes, for an error.
std::string OptionNames(const Row& row) {
  std::string names;
  for (const Option& option : row.options)
    names += fmt::format("{}, ", option.name);
  return names + "parallel, seed";
}

template <typename T>
std::optional<T> Number(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

Result<double> ValueOf(const Option& option, const std::string& text) {
  std::optional<double> value;
  if (option.share)
    value = Number<double>(text);
  else if (const auto whole = Number<int64_t>(text))
    value = static_cast<double>(*whole);
  if (!value || !(*value >= option.least && *value <= option.most))
    return Usage("--search: {}={}: use a {}number from {} to {}", option.name,
                 text, option.share ? "" : "whole ", option.least, option.most);
  return *value;
}

Result<void> TakeOption(const Row& row, const std::string& name,
                        const std::string& text, Choice* choice) {
  if (name == "parallel") {
    KB_ASSIGN(const double value,
              ValueOf({"parallel", 4, 1, kMostParallel, ""}, text));
    choice->parallel = static_cast<int64_t>(value);
    return base::Ok();
  }
  if (name == "seed") {
    const auto seed = Number<uint64_t>(text);
    if (!seed) return Usage("--search: seed={}: use a whole number", text);
    choice->seed = *seed;
    return base::Ok();
  }
  for (const Option& option : row.options) {
    if (name != option.name) continue;
    KB_TRY(ValueOf(option, text));
    choice->options[name] = text;
    return base::Ok();
  }
  return Usage("--search {}: it has no option \"{}\"; it has {}", row.name,
               name, OptionNames(row));
}

Result<Values> ValuesOf(const Row& row, const Choice& choice) {
  Values values;
  for (const Option& option : row.options) {
    const auto found = choice.options.find(option.name);
    values[option.name] = option.usual;
    if (found == choice.options.end()) continue;
    KB_ASSIGN(values[option.name], ValueOf(option, found->second));
  }
  return values;
}

}  // namespace

std::string StrategyNames() {
  std::string names;
  for (const Row& row : Rows())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  return names;
}

std::string StrategiesText() {
  std::string text;
  for (const Row& row : Rows()) {
    text += fmt::format("  {:<20} {}\n", row.name, row.help);
    for (const Option& option : row.options)
      text += fmt::format("  {:<20}   {}={}: {}\n", "", option.name,
                          option.usual, option.help);
  }
  return text;
}

Result<Choice> ParseChoice(const std::string& text) {
  const size_t colon = text.find(':');
  Choice choice;
  choice.name = text.substr(0, colon);
  KB_ASSIGN(const Row* row, FindRow(choice.name));
  if (colon == std::string::npos) return choice;
  for (const std::string& item : base::Split(text.substr(colon + 1), ',')) {
    const size_t sign = item.find('=');
    if (sign == std::string::npos || sign == 0)
      return Usage("--search {}: \"{}\": write OPTION=VALUE; it has {}",
                   choice.name, item, OptionNames(*row));
    KB_TRY(
        TakeOption(*row, item.substr(0, sign), item.substr(sign + 1), &choice));
  }
  return choice;
}

std::string ChoiceText(const Choice& choice) {
  std::string text = choice.name + ":";
  const auto row = FindRow(choice.name);
  if (row)
    for (const Option& option : (*row)->options) {
      const auto found = choice.options.find(option.name);
      text += fmt::format("{}={},", option.name,
                          found == choice.options.end()
                              ? fmt::format("{}", option.usual)
                              : found->second);
    }
  return fmt::format("{}parallel={},seed={}", text, choice.parallel,
                     choice.seed);
}

Result<std::unique_ptr<Strategy>> MakeStrategy(const Choice& choice,
                                               uint64_t stream) {
  KB_ASSIGN(const Row* row, FindRow(choice.name));
  KB_ASSIGN(const Values values, ValuesOf(*row, choice));
  return row->make(values, base::Mix(choice.seed ^ base::Mix(stream)));
}

}  // namespace kb::search
