#include "providers.h"

#include <array>

#include "base/words.h"

namespace kb::llm {
namespace {

constexpr base::Words<ProviderKind, 5> kKinds{
    {{ProviderKind::kOpenAi, "openai"},
     {ProviderKind::kAnthropic, "anthropic"},
     {ProviderKind::kGemini, "gemini"},
     {ProviderKind::kCommand, "command"},
     {ProviderKind::kReplay, "replay"}}};

// Addresses as the providers document them for their OpenAI-compatible API;
// local servers at the port that they choose by default.
constexpr std::array kRows{
    ProviderRow{"openai", ProviderKind::kOpenAi, "https://api.openai.com/v1",
                "OPENAI_API_KEY"},
    ProviderRow{"anthropic", ProviderKind::kAnthropic,
                "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"},
    ProviderRow{"gemini", ProviderKind::kGemini,
                "https://generativelanguage.googleapis.com/v1beta",
                "GEMINI_API_KEY"},
    ProviderRow{"openrouter", ProviderKind::kOpenAi,
                "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"},
    ProviderRow{"deepseek", ProviderKind::kOpenAi,
                "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"},
    ProviderRow{"together", ProviderKind::kOpenAi,
                "https://api.together.xyz/v1", "TOGETHER_API_KEY"},
    ProviderRow{"fireworks", ProviderKind::kOpenAi,
                "https://api.fireworks.ai/inference/v1", "FIREWORKS_API_KEY"},
    ProviderRow{"groq", ProviderKind::kOpenAi, "https://api.groq.com/openai/v1",
                "GROQ_API_KEY"},
    ProviderRow{"xai", ProviderKind::kOpenAi, "https://api.x.ai/v1",
                "XAI_API_KEY"},
    ProviderRow{"mistral", ProviderKind::kOpenAi, "https://api.mistral.ai/v1",
                "MISTRAL_API_KEY"},
    ProviderRow{"moonshot", ProviderKind::kOpenAi, "https://api.moonshot.ai/v1",
                "MOONSHOT_API_KEY"},
    ProviderRow{"vllm", ProviderKind::kOpenAi, "http://127.0.0.1:8000/v1", ""},
    ProviderRow{"sglang", ProviderKind::kOpenAi, "http://127.0.0.1:30000/v1",
                ""},
    ProviderRow{"ollama", ProviderKind::kOpenAi, "http://127.0.0.1:11434/v1",
                ""},
    ProviderRow{"llamacpp", ProviderKind::kOpenAi, "http://127.0.0.1:8080/v1",
                ""},
    ProviderRow{"command", ProviderKind::kCommand, "", ""},
    ProviderRow{"replay", ProviderKind::kReplay, "", ""},
};

}  // namespace

std::span<const ProviderRow> ProviderRows() { return kRows; }

const ProviderRow* FindProviderRow(std::string_view name) {
  for (const ProviderRow& row : kRows)
    if (row.name == name) return &row;
  return nullptr;
}

std::string ProviderNames() {
  std::string names;
  for (const ProviderRow& row : kRows) {
    if (!names.empty()) names += ", ";
    names += row.name;
  }
  return names;
}

const ProviderRow* RowOfAddress(std::string_view base_url) {
  for (const ProviderRow& row : kRows)
    if (!row.base_url.empty() && row.base_url == base_url) return &row;
  return nullptr;
}

const char* ProviderKindName(ProviderKind kind) { return kKinds.Of(kind); }

}  // namespace kb::llm
