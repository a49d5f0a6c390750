#include "notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/nesting.h"

namespace kb::problems {
namespace {

constexpr std::array<std::string_view, 7> kFlags{
    "zero_passes", "constant_output",  "input_independent", "collapses",
    "misnamed",    "random_reference", "cannot_be_met"};

int LineOf(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

class Reader {
 public:
  Reader(const std::string& path, std::vector<Issue>* issues)
      : path_(path), issues_(issues) {}

  std::map<std::string, Notes> Read(const std::string& text) {
    if (const auto deep = base::DeepToml(text)) {
      Complain(deep->line, deep->message);
      return {};
    }
    const toml::parse_result parsed = toml::parse(text, path_);
    if (!parsed) {
      Complain(static_cast<int>(parsed.error().source().begin.line),
               fmt::format("not valid TOML: {}", parsed.error().description()));
      return {};
    }
    for (const auto& [key, node] : parsed.table()) {
      const std::string number(key.str());
      const toml::table* table = node.as_table();
      if (number.find_first_not_of("0123456789") != std::string::npos ||
          table == nullptr) {
        Complain(LineOf(node), fmt::format("\"{}\" is not a problem; write "
                                           "e.g. [\"23\"]",
                                           number));
        continue;
      }
      notes_[number].line = LineOf(node);
      for (const auto& [field, value] : *table)
        ReadField(std::string(field.str()), value, &notes_[number]);
    }
    return std::move(notes_);
  }

 private:
  void Complain(int line, std::string message) {
    issues_->push_back({path_, line, std::move(message), ""});
  }

  void ReadField(const std::string& field, const toml::node& value,
                 Notes* notes) {
    if (field == "tags") {
      ReadTags(value, notes);
    } else if (field == "precisions") {
      ReadPrecisions(value, &notes->precisions);
    } else if (field == "inputs") {
      notes->inputs_as_given = value.value_or(std::string()) == "as_given";
      if (!notes->inputs_as_given)
        Complain(LineOf(value), "inputs can only be \"as_given\"");
    } else if (field == "small") {
      ReadSize(record::Size::kSmall, value, notes);
    } else if (field == "sizes") {
      ReadSizes(value, notes);
    } else if (field == "hidden") {
      ReadHidden(value, notes);
    } else if (field == "flags") {
      ReadFlags(value, notes);
    } else if (field == "tolerances") {
      ReadTolerances(value, notes);
    } else if (field == "floor") {
      ReadFloor(value, notes);
    } else if (field == "fla") {
      notes->fla = value.value_or(std::string());
      if (notes->fla.empty())
        Complain(LineOf(value), "fla must be the name of a Python file");
    } else if (field == "scale") {
      notes->scale = value.value_or(std::string());
      if (notes->scale.empty())
        Complain(LineOf(value), "scale must be the name of a constant");
    } else {
      Complain(LineOf(value),
               fmt::format("unknown key \"{}\"; the keys are tags, precisions, "
                           "inputs, small, sizes, scale, hidden, fla, "
                           "tolerances, floor and flags",
                           field));
    }
  }

  void ReadTags(const toml::node& value, Notes* notes) {
    const toml::array* tags = value.as_array();
    if (tags == nullptr)
      return Complain(LineOf(value), "tags must be a list of words");
    for (const toml::node& tag : *tags) {
      const auto text = tag.value_exact<std::string>();
      if (text && !text->empty())
        notes->tags.push_back(*text);
      else
        Complain(LineOf(tag), "a tag must be a word");
    }
  }

  void ReadHidden(const toml::node& value, Notes* notes) {
    const toml::array* names = value.as_array();
    if (names == nullptr)
      return Complain(LineOf(value),
                      "hidden must be a list of constants, e.g. "
                      "[\"batch_size\"]");
    notes->hidden.emplace();
    for (const toml::node& name : *names) {
      const auto text = name.value_exact<std::string>();
      if (text && !text->empty())
        notes->hidden->push_back(*text);
      else
        Complain(LineOf(name), "hidden: a constant must be a word");
    }
  }

  void ReadSizes(const toml::node& value, Notes* notes) {
    const toml::table* named = value.as_table();
    if (named == nullptr)
      return Complain(LineOf(value),
                      "sizes must be names with constants, e.g. "
                      "{ wide = { batch_size = 1, dim = 16411 } }");
    for (const auto& [name, constants] : *named) {
      const auto size = record::ParseSize(std::string(name.str()));
      if (size && size->IsNamed())
        ReadSize(*size, constants, notes);
      else
        Complain(LineOf(constants),
                 fmt::format("\"{}\" cannot name a size; use lower-case "
                             "letters, digits, _ and -, and not full, small, "
                             "fitted or all",
                             name.str()));
    }
  }

  void ReadSize(const record::Size& size, const toml::node& value,
                Notes* notes) {
    const std::string called = record::SizeName(size);
    const toml::table* constants = value.as_table();
    if (constants == nullptr || constants->empty())
      return Complain(LineOf(value),
                      fmt::format("{} must be constants with their values, "
                                  "e.g. {{ batch_size = 61 }}",
                                  called));
    Overrides values;
    for (const auto& [name, number] : *constants) {
      const auto literal = ReadLiteral(number);
      if (!literal)
        return Complain(LineOf(number),
                        fmt::format("{}: {} must be a number, text, true, "
                                    "false, or a list of these",
                                    called, name.str()));
      values[std::string(name.str())] = *literal;
    }
    notes->sizes[size] = {std::move(values), LineOf(value)};
  }

  static std::optional<record::Value> ReadLiteral(const toml::node& node) {
    if (const auto truth = node.value_exact<bool>())
      return record::Value{*truth};
    if (const auto integer = node.value_exact<int64_t>())
      return record::Value{*integer};
    if (const auto number = node.value_exact<double>())
      return record::Value{*number};
    if (const auto text = node.value_exact<std::string>())
      return record::Value{*text};
    const toml::array* items = node.as_array();
    if (items == nullptr) return std::nullopt;
    record::Value::List list;
    for (const toml::node& item : *items) {
      auto literal = ReadLiteral(item);
      if (!literal) return std::nullopt;
      list.items.push_back(std::move(*literal));
    }
    return record::Value{std::move(list)};
  }

  void ReadPrecisions(const toml::node& value,
                      std::vector<record::Precision>* precisions) {
    const toml::array* names = value.as_array();
    if (names == nullptr || names->empty())
      return Complain(LineOf(value),
                      "precisions must be a list, e.g. [\"fp32\", \"bf16\"]");
    for (const toml::node& name : *names) {
      const auto precision =
          record::ParsePrecision(name.value_or(std::string()));
      if (precision)
        precisions->push_back(*precision);
      else
        Complain(LineOf(name),
                 "a precision is one of " + record::PrecisionNames());
    }
  }

  // What is wrong in it leaves the outputs alone in the floor.
  void ReadFloor(const toml::node& value, Notes* notes) {
    const toml::table* table = value.as_table();
    const toml::array* counts =
        table == nullptr ? nullptr : (*table)["counts"].as_array();
    if (counts == nullptr || (*table)["reason"].value_or(std::string()).empty())
      return Complain(LineOf(value),
                      "floor must be { counts = [\"inputs\", \"weights\", "
                      "\"flops\"], reason = \"...\" }, with what holds of "
                      "these and, where they do not hold in all, precisions");
    const size_t before = issues_->size();
    record::Floor floor;
    floor.reason = (*table)["reason"].value_or(std::string());
    for (const auto& [key, node] : *table) {
      if (key == "counts") {
        for (const toml::node& name : *counts) ReadCounted(name, &floor);
      } else if (key == "precisions") {
        ReadPrecisions(node, &floor.precisions);
      } else if (key != "reason") {
        Complain(LineOf(node),
                 fmt::format("unknown key \"{}\" of floor; the keys are "
                             "counts, precisions and reason",
                             key.str()));
      }
    }
    if (issues_->size() == before) notes->floor = std::move(floor);
  }

  void ReadCounted(const toml::node& node, record::Floor* floor) {
    const std::string name = node.value_or(std::string());
    if (name == "inputs")
      floor->inputs = true;
    else if (name == "weights")
      floor->weights = true;
    else if (name == "flops")
      floor->flops = true;
    else
      Complain(LineOf(node),
               "what a floor counts is inputs, weights or flops; outputs "
               "always count");
  }

  void ReadTolerances(const toml::node& value, Notes* notes) {
    const toml::array* list = value.as_array();
    if (list == nullptr)
      return Complain(LineOf(value), "tolerances must be a list");
    for (const toml::node& node : *list) {
      const toml::table* table = node.as_table();
      const toml::table none;
      const toml::table& fields = table == nullptr ? none : *table;
      record::ToleranceNote note;
      const auto precision =
          record::ParsePrecision(fields["precision"].value_or(std::string()));
      note.value = fields["value"].value_or(0.0);
      note.honest = fields["honest"].value_or(0.0);
      note.cheat = fields["cheat"].value_or(0.0);
      if (precision && fields.size() == 4 && note.honest > 0 &&
          note.honest <= note.value && note.value < note.cheat) {
        note.precision = *precision;
        notes->tolerances.push_back(note);
        continue;
      }
      Complain(LineOf(node),
               "a tolerance has exactly four fields: precision (fp32, fp16 or "
               "bf16), value, honest and cheat, numbers with 0 < honest <= "
               "value < cheat");
    }
  }

  void ReadFlags(const toml::node& value, Notes* notes) {
    const toml::array* flags = value.as_array();
    if (flags == nullptr)
      return Complain(LineOf(value),
                      "flags must be a list of { flag = \"...\", reason = "
                      "\"...\" }");
    for (const toml::node& node : *flags)
      if (auto flag = ReadFlag(node)) notes->flags.push_back(std::move(*flag));
  }

  // A field of a flag. False: it was complained of.
  bool ReadCondition(const std::string& field, const toml::node& value,
                     record::Flag* flag) {
    if (field == "flag" || field == "reason") return true;
    const toml::array* list = value.as_array();
    for (size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const auto word = (*list)[i].value_or(std::string());
      const auto precision = record::ParsePrecision(word);
      const auto size = record::ParseSize(word);
      if (field == "precisions" && precision)
        flag->precisions.push_back(*precision);
      else if (field == "sizes" && size && *size == size->Published())
        flag->sizes.push_back(*size);
      else if (field == "policies" && record::Flag::CanName(word))
        flag->policies.push_back(word);
      else
        return ComplainOfCondition(field, value);
    }
    return (list != nullptr && !list->empty()) ||
           ComplainOfCondition(field, value);
  }

  bool ComplainOfCondition(const std::string& field, const toml::node& value) {
    Complain(LineOf(value),
             fmt::format("{} of a flag: besides flag and reason a flag may say "
                         "where it holds, by precisions (fp32, fp16, bf16), "
                         "sizes (full, small) and policies (kernelbench, "
                         "strict, own-kernels), each a list",
                         field));
    return false;
  }

  std::optional<record::Flag> ReadFlag(const toml::node& node) {
    const toml::table* table = node.as_table();
    record::Flag flag;
    if (table != nullptr) {
      flag.flag = (*table)["flag"].value_or(std::string());
      flag.reason = (*table)["reason"].value_or(std::string());
    }
    if (flag.flag.empty() || flag.reason.empty()) {
      Complain(LineOf(node),
               "a flag has the fields flag and reason, both text");
      return std::nullopt;
    }
    for (const auto& [key, value] : *table)
      if (!ReadCondition(std::string(key.str()), value, &flag))
        return std::nullopt;
    if (std::ranges::find(kFlags, flag.flag) == kFlags.end()) {
      Complain(LineOf(node),
               fmt::format("unknown flag \"{}\"; the flags are {}", flag.flag,
                           fmt::join(kFlags, ", ")));
      return std::nullopt;
    }
    return flag;
  }

  const std::string& path_;
  std::vector<Issue>* issues_;
  std::map<std::string, Notes> notes_;
};

}  // namespace

std::map<std::string, Notes> ReadNotes(const std::string& path,
                                       const std::string& text,
                                       std::vector<Issue>* issues) {
  return Reader(path, issues).Read(text);
}

}  // namespace kb::problems
