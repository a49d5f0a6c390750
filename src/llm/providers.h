#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "llm/model.h"

namespace kb::llm {

// What a word before the colon of "openrouter:NAME", or `provider` in
// models.toml, stands for.
struct ProviderRow {
  std::string_view name;
  ProviderKind kind;
  std::string_view base_url;  // empty: none
  std::string_view key_env;   // empty: no key needed
};

std::span<const ProviderRow> ProviderRows();
const ProviderRow* FindProviderRow(std::string_view name);
// "openai, anthropic, ..." for messages.
std::string ProviderNames();
// The row whose API answers at this address.
const ProviderRow* RowOfAddress(std::string_view base_url);
const char* ProviderKindName(ProviderKind kind);

}  // namespace kb::llm
