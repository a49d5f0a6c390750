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

Finish OpenAiFinish(const std::string& reason) {
  if (reason == "stop" || reason == "eos") return Finish::kStop;
  if (reason == "length") return Finish::kLength;
  if (reason == "content_filter") return Finish::kRefused;
  return Finish::kOther;
}

// A text with the mark up to which its provider caches.
Json Marked(const std::string& text) {
  return Json::array({{{"type", "text"},
                       {"text", text},
                       {"cache_control", {{"type", "ephemeral"}}}}});
}

// Pieces of reasoning that stream in become the blocks that they are of: the
// texts of one index and type are joined, the rest of it replaced.
void AddReasoning(const Json& pieces, Json* state) {
  if (!pieces.is_array()) return;
  for (const Json& piece : pieces) {
    if (!piece.is_object()) continue;
    Json& blocks = (*state)["reasoning_details"];
    const bool goes_on = !blocks.empty() && piece.contains("index") &&
                         At(blocks.back(), "index") == piece.at("index") &&
                         At(blocks.back(), "type") == At(piece, "type");
    if (!goes_on) {
      blocks.push_back(piece);
      continue;
    }
    for (const auto& [key, value] : piece.items()) {
      const bool text = key == "text" || key == "summary" || key == "data";
      if (text && value.is_string() &&
          At(blocks.back(), key.c_str()).is_string())
        blocks.back()[key] =
            TextAt(blocks.back(), key.c_str()) + value.get<std::string>();
      else if (!value.is_null())
        blocks.back()[key] = value;
    }
  }
}

// OpenRouter tells in the choice that the server behind it failed, perhaps
// after a part of the answer.
std::optional<ApiError> ErrorOfChoice(const Json& choice) {
  constexpr int kBadGateway = 502;
  const Json& error = At(choice, "error");
  if (error.is_object() || error.is_string())
    return ErrorIn(choice, kBadGateway);
  if (TextAt(choice, "finish_reason") != "error") return std::nullopt;
  return ApiError{kBadGateway, "the answer ended with an error"};
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
    KB_ASSIGN(const Json json, EventJson(event, draft));
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
    Json body{{"model", model.model},
              {"messages", Messages(model, question, openrouter)},
              {"stream", true},
              {"stream_options", {{"include_usage", true}}}};
    if (model.temperature) body["temperature"] = *model.temperature;
    if (model.top_p) body["top_p"] = *model.top_p;
    // OpenAI's reasoning models refuse the old name, other servers the new one.
    if (model.max_tokens)
      body[openai ? "max_completion_tokens" : "max_tokens"] = *model.max_tokens;
    if (model.seed) body["seed"] = *model.seed + SeedOffset(question);
    if (openrouter) body["usage"] = {{"include", true}};
    if (!model.reasoning_effort.empty()) {
      if (openrouter)
        body["reasoning"] = {{"effort", model.reasoning_effort}};
      else
        body["reasoning_effort"] = model.reasoning_effort;
    }
    return body;
  }

  // Most cache by themselves; OpenRouter passes marks on to Anthropic's models.
  static Json Messages(const Model& model, const Question& question,
                       bool openrouter) {
    const bool marks = openrouter && model.model.starts_with("anthropic/");
    const bool moonshot = model.base_url == "https://api.moonshot.ai/v1";
    Json list = Json::array();
    const auto content = [&](const std::string& text, bool marked) {
      return marks && marked ? Marked(text) : Json(text);
    };
    if (!question.system.empty())
      list.push_back(
          {{"role", "system"}, {"content", content(question.system, true)}});
    int64_t number = 0;
    for (const Message& message : MessagesOf(question)) {
      Json json{
          {"role", RoleName(message.role)},
          {"content", content(message.text, ++number == question.lasting)}};
      if (moonshot && !message.reasoning.empty())
        json["reasoning_content"] = message.reasoning;
      if (const auto state = base::ParseJson(message.state, "the state");
          openrouter && state && state->contains("reasoning_details"))
        json["reasoning_details"] = state->at("reasoning_details");
      list.push_back(std::move(json));
    }
    return list;
  }

  static Result<void> Read(const Json& json, const char* part, Draft* draft) {
    if (!json.is_object()) return base::Fail("the answer is not an object");
    if (At(json, "error").is_object() || At(json, "error").is_string()) {
      draft->error = ErrorIn(json, 500);
      return Ok();
    }
    const Json& choice = First(json, "choices");
    if (auto error = ErrorOfChoice(choice)) {
      draft->error = std::move(error);
      return Ok();
    }
    Reply& reply = draft->reply;
    if (const std::string name = TextAt(json, "model"); !name.empty())
      reply.served_model = name;
    const Json& message = At(choice, part);
    reply.text += TextOf(At(message, "content"), "text");
    reply.reasoning += TextOf(At(message, "content"), "thinking");
    std::string reasoning = TextAt(message, "reasoning_content");
    if (reasoning.empty()) reasoning = TextAt(message, "reasoning");
    reply.reasoning += reasoning;
    AddReasoning(At(message, "reasoning_details"), &draft->state);
    ReadRefusal(message, &reply);
    if (const std::string reason = TextAt(choice, "finish_reason");
        !reason.empty()) {
      if (reply.finish != Finish::kRefused) reply.finish = OpenAiFinish(reason);
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
    // Perplexity's is a table of its parts; the tokens say the cost.
    if (!At(json, "cost").is_object()) reply->usd = UsdAt(json, "cost", reply);
  }
};

}  // namespace

std::unique_ptr<Dialect> MakeOpenAi() { return std::make_unique<OpenAi>(); }

}  // namespace kb::llm
