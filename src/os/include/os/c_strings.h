#pragma once

#include <map>
#include <string>
#include <vector>

namespace kb::os {

// A NULL-terminated array for execve, made ahead: nothing can be allocated
// between clone and exec. Not copyable, because the pointers point inside.
class CStrings {
 public:
  explicit CStrings(std::vector<std::string> strings = {})
      : strings_(std::move(strings)) {
    for (std::string& text : strings_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  CStrings(const CStrings&) = delete;
  CStrings& operator=(const CStrings&) = delete;
  CStrings(CStrings&&) = default;
  CStrings& operator=(CStrings&&) = default;
  ~CStrings() = default;

  // "name=value" each.
  static CStrings Environment(const std::map<std::string, std::string>& map) {
    std::vector<std::string> entries;
    for (const auto& [name, value] : map) entries.push_back(name + "=" + value);
    return CStrings(std::move(entries));
  }

  char* const* get() const { return pointers_.data(); }

 private:
  std::vector<std::string> strings_;
  std::vector<char*> pointers_;
};

}  // namespace kb::os
