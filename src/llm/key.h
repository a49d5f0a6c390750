#pragma once

#include <string>

#include "base/result.h"
#include "llm/model.h"

namespace kb::llm {

// An API key, kept out of everything that is shown or stored.
class Key {
 public:
  Key() = default;
  explicit Key(std::string text) : text_(std::move(text)) {}

  // From the variable or the file that the model names; empty when it names
  // none. The file must be readable by its owner only.
  static base::Result<Key> Read(const Model& model);

  bool empty() const { return text_.empty(); }
  // For the request's header only.
  const std::string& text() const { return text_; }
  // `text` with "[key]" in place of the key, as it is and as JSON or a URL
  // writes it.
  std::string Redacted(std::string text) const;

 private:
  std::string text_;
};

}  // namespace kb::llm
