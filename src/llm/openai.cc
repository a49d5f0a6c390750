#include "dialect.h"
#include "fields.h"

namespace kb::llm {
namespace {

using base::Json;
using base::Ok;
using base::Result;

// Some send a text, some a list of parts.
std::string TextOf(const Json& content, const char* wanted) {
  if (content.is_string())
    return std::string_view(wanted) == "text" ? content.get<std::string>() : "";
  if (!content.is_array()) return "";
  std::string text;
  for (const Json& part : content) {
    if (TextAt(part, "type") != wanted) continue;
    const Json& inner = At(part, wanted);
    text += inner.is_array() ? TextOf(inner, "text") : TextAt(part, wanted);
  }
  return text;
}

Finish FinishOf(const std::string& reason) {
  if (reason == "stop" || reason == "eos") return Finish::kStop;
  if (reason == "length") return Finish::kLength;
  if (reason == "content_filter") return Finish::kRefused;
  return Finish::kOther;
}

class OpenAi : public Dialect {
 public:
  net::Request Compose(const Model& model, const Question& question,
                       const Key& key) const override {
    auto request = Post(model.base_url + "/chat/completions",
                        Body(model, question), model.extra);
    if (!key.empty())
      request.headers.emplace_back("Authorization", "Bearer " + key.text());
    return request;
  }

  Result<void> ReadEvent(const Event& event, Draft* draft) const override {
    if (event.data == "[DONE]") {
      draft->ended = draft->complete = true;
      return Ok();
    }
    KB_ASSIGN(const Json json, base::ParseJson(event.data, "an event"));
    return Read(json, "delta", draft);
  }

  Result<void> ReadWhole(const Json& json, Draft* draft) const override {
    if (!At(json, "choices").is_array() && !ErrorIn(json, 500))
      return base::Fail("the answer has no choices");
    KB_TRY(Read(json, "message", draft));
    draft->ended = draft->complete = true;
    return Ok();
  }

 private:
  static Json Body(const Model& model, const Question& question) {
    const bool openai = model.base_url == "https://api.openai.com/v1";
    const bool openrouter = model.base_url == "https://openrouter.ai/api/v1";
    Json messages = Json::array();
    if (!question.system.empty())
      messages.push_back({{"role", "system"}, {"content", question.system}});
    messages.push_back({{"role", "user"}, {"content", question.user}});
    Json body{{"model", model.model},
              {"messages", std::move(messages)},
              {"stream", true},
              {"stream_options", {{"include_usage", true}}}};
    if (model.temperature) body["temperature"] = *model.temperature;
    if (model.top_p) body["top_p"] = *model.top_p;
    // OpenAI's reasoning models refuse the old name, other servers the new one.
    if (model.max_tokens)
      body[openai ? "max_completion_tokens" : "max_tokens"] = *model.max_tokens;
    if (model.seed) body["seed"] = *model.seed + question.sample;
    if (openrouter) body["usage"] = {{"include", true}};
    if (!model.reasoning_effort.empty()) {
      if (openrouter)
        body["reasoning"] = {{"effort", model.reasoning_effort}};
      else
        body["reasoning_effort"] = model.reasoning_effort;
    }
    return body;
  }

  static Result<void> Read(const Json& json, const char* part, Draft* draft) {
    if (!json.is_object()) return base::Fail("the answer is not an object");
    if (At(json, "error").is_object() || At(json, "error").is_string()) {
      draft->error = ErrorIn(json, 500);
      return Ok();
    }
    Reply& reply = draft->reply;
    if (const std::string name = TextAt(json, "model"); !name.empty())
      reply.served_model = name;
    const Json& choice = First(json, "choices");
    const Json& message = At(choice, part);
    reply.text += TextOf(At(message, "content"), "text");
    reply.reasoning += TextOf(At(message, "content"), "thinking");
    std::string reasoning = TextAt(message, "reasoning_content");
    if (reasoning.empty()) reasoning = TextAt(message, "reasoning");
    reply.reasoning += reasoning;
    ReadRefusal(message, &reply);
    if (const std::string reason = TextAt(choice, "finish_reason");
        !reason.empty()) {
      if (reply.finish != Finish::kRefused) reply.finish = FinishOf(reason);
      draft->complete = true;
    }
    for (const Json* usage : {&At(json, "usage"), &At(choice, "usage"),
                              &At(At(json, "x_groq"), "usage")})
      if (usage->is_object()) ReadUsage(*usage, &reply);
    return Ok();
  }

  static void ReadRefusal(const Json& message, Reply* reply) {
    const std::string refusal = TextAt(message, "refusal");
    if (refusal.empty()) return;
    reply->text += refusal;
    reply->finish = Finish::kRefused;
  }

  static void ReadUsage(const Json& json, Reply* reply) {
    Tally tally;
    tally.input = tally.Count(json, "prompt_tokens");
    tally.output = tally.Count(json, "completion_tokens");
    tally.cached =
        tally.Count(At(json, "prompt_tokens_details"), "cached_tokens")
            .value_or(0);
    // DeepSeek, Moonshot.
    for (const char* key : {"prompt_cache_hit_tokens", "cached_tokens"})
      if (tally.cached == 0) tally.cached = tally.Count(json, key).value_or(0);
    tally.reasoning =
        tally.Count(At(json, "completion_tokens_details"), "reasoning_tokens")
            .value_or(0);
    // xAI counts reasoning beside the completion; the total tells.
    if (const auto total = tally.Count(json, "total_tokens");
        tally.reasoning > 0 && tally.input && tally.output &&
        total == *tally.input + *tally.output + tally.reasoning)
      *tally.output += tally.reasoning;
    tally.Settle(reply);
    reply->usd = UsdAt(json, "cost", reply);
  }
};

}  // namespace

std::unique_ptr<Dialect> MakeOpenAi() { return std::make_unique<OpenAi>(); }

}  // namespace kb::llm
