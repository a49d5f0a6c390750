#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kb::prompt {

// A TOML file as a table; an Error that names file and line.
base::Result<toml::table> ReadToml(const std::string& path);

// Names of the files in `folder` that end in .toml, without that, in order.
base::Result<std::vector<std::string>> TomlNames(const std::string& folder);

// Takes the fields of a table one by one. The first thing that is wrong, be it
// a field that is missing, of another type or that nobody took, is what Done
// returns; the values are empty then.
class Fields {
 public:
  // Both must outlive this object.
  Fields(const std::string& path, const toml::table& table)
      : path_(path), table_(table) {}

  std::string Text(std::string_view key);
  std::string OptionalText(std::string_view key);
  std::vector<std::string> Texts(std::string_view key);
  bool Flag(std::string_view key);
  int64_t Count(std::string_view key);  // not negative
  double Number(std::string_view key);  // not negative
  // The table or array, or nullptr.
  const toml::node* Take(std::string_view key);
  base::Result<void> Done();

  // Of the first line of a text.
  int LineOfText(std::string_view key) const;

 private:
  void Complain(const toml::node& at, std::string_view key,
                std::string_view wanted);

  const std::string& path_;
  const toml::table& table_;
  std::set<std::string, std::less<>> taken_;
  std::string complaint_;
};

}  // namespace kb::prompt
