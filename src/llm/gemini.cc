#include <algorithm>
#include <array>
#include <string_view>

#include "dialect.h"
#include "fields.h"

namespace kb::llm {
namespace {

using base::Json;
using base::Ok;
using base::Result;

constexpr std::array<std::string_view, 6> kRefusals{
    "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT",
    "SPII",   "LANGUAGE"};

Finish GeminiFinish(const std::string& reason) {
  if (reason == "STOP") return Finish::kStop;
  if (reason == "MAX_TOKENS") return Finish::kLength;
  const bool refused =
      std::find(kRefusals.begin(), kRefusals.end(), reason) != kRefusals.end();
  return refused ? Finish::kRefused : Finish::kOther;
}

Json Parts(const std::string& text) {
  return {{"parts", Json::array({Json{{"text", text}}})}};
}

// An answer's parts with their signatures, which the API wants back where they
// were. Parts without one are joined.
void AddPart(const Json& part, Json* state) {
  const std::string signature = TextAt(part, "thoughtSignature");
  if (signature.empty() && !state->empty() &&
      !state->back().contains("thoughtSignature")) {
    state->back()["text"] =
        TextAt(state->back(), "text") + TextAt(part, "text");
    return;
  }
  Json kept{{"text", TextAt(part, "text")}};
  if (!signature.empty()) kept["thoughtSignature"] = signature;
  state->push_back(std::move(kept));
}

bool HasSignature(const Json& state) {
  return std::ranges::any_of(state, [](const Json& part) {
    return part.is_object() && part.contains("thoughtSignature");
  });
}

Json Contents(const Question& question) {
  Json list = Json::array();
  for (const Message& message : MessagesOf(question)) {
    const bool user = message.role == Message::Role::kUser;
    Json content = Parts(message.text);
    content["role"] = user ? "user" : "model";
    const auto state = base::ParseJson(message.state, "the state");
    if (state && state->is_array() && HasSignature(*state))
      content["parts"] = *state;
    list.push_back(std::move(content));
  }
  return list;
}

class Gemini : public Dialect {
 public:
  // The key goes into a header: an address ends up in logs.
  net::Request Compose(const Model& model, const Question& question,
                       const Key& key) const override {
    auto request =
        Post(fmt::format("{}/models/{}:streamGenerateContent?alt=sse",
                         model.base_url, model.model),
             Body(model, question), model.extra);
    if (!key.empty())
      request.headers.emplace_back("x-goog-api-key", key.text());
    return request;
  }

  Result<void> ReadEvent(const Event& event, Draft* draft) const override {
    KB_ASSIGN(const Json json, EventJson(event, draft));
    return Read(json, draft);
  }

  // Without SSE the stream is a list of the same objects.
  Result<void> ReadWhole(const Json& json, Draft* draft) const override {
    if (json.is_array()) {
      for (const Json& piece : json) KB_TRY(Read(piece, draft));
    } else {
      KB_TRY(Read(json, draft));
    }
    draft->ended = draft->complete;
    if (!draft->complete && !draft->error)
      return base::Fail("the answer has no finished candidate");
    return Ok();
  }

 private:
  static Json Body(const Model& model, const Question& question) {
    Json body{{"contents", Contents(question)}};
    if (!question.system.empty())
      body["systemInstruction"] = Parts(question.system);
    Json config = Json::object();
    if (model.temperature) config["temperature"] = *model.temperature;
    if (model.top_p) config["topP"] = *model.top_p;
    if (model.max_tokens) config["maxOutputTokens"] = *model.max_tokens;
    if (model.seed) config["seed"] = *model.seed + SeedOffset(question);
    Json thinking = Json::object();
    if (model.thinking_tokens)
      thinking["thinkingBudget"] = *model.thinking_tokens;
    if (!model.reasoning_effort.empty())
      thinking["thinkingLevel"] = model.reasoning_effort;
    if (!thinking.empty()) {
      thinking["includeThoughts"] = true;
      config["thinkingConfig"] = std::move(thinking);
    }
    if (!config.empty()) body["generationConfig"] = std::move(config);
    return body;
  }

  static Result<void> Read(const Json& json, Draft* draft) {
    if (!json.is_object()) return base::Fail("the answer is not an object");
    if (At(json, "error").is_object()) {
      draft->error = ErrorIn(json, 500);
      return Ok();
    }
    Reply& reply = draft->reply;
    const Json& candidate = First(json, "candidates");
    const Json& parts = At(At(candidate, "content"), "parts");
    if (parts.is_array())
      for (const Json& part : parts) {
        const bool thought = At(part, "thought") == true;
        (thought ? reply.reasoning : reply.text) += TextAt(part, "text");
        if (!thought && !draft->complete) AddPart(part, &draft->state);
      }
    if (const std::string name = TextAt(json, "modelVersion"); !name.empty())
      reply.served_model = name;
    if (const std::string reason = TextAt(candidate, "finishReason");
        !reason.empty()) {
      reply.finish = GeminiFinish(reason);
      draft->complete = true;
      if (!HasSignature(draft->state)) draft->state = nullptr;
    }
    if (!TextAt(At(json, "promptFeedback"), "blockReason").empty()) {
      reply.finish = Finish::kRefused;
      draft->complete = true;
    }
    ReadUsage(At(json, "usageMetadata"), &reply);
    return Ok();
  }

  static void ReadUsage(const Json& json, Reply* reply) {
    if (!json.is_object()) return;
    Tally tally;
    tally.input = tally.Count(json, "promptTokenCount");
    tally.cached = tally.Count(json, "cachedContentTokenCount").value_or(0);
    tally.reasoning = tally.Count(json, "thoughtsTokenCount").value_or(0);
    // Counts of 0 are left out.
    tally.output =
        tally.Count(json, "candidatesTokenCount").value_or(0) + tally.reasoning;
    tally.Settle(reply);
  }
};

}  // namespace

std::unique_ptr<Dialect> MakeGemini() { return std::make_unique<Gemini>(); }

}  // namespace kb::llm
