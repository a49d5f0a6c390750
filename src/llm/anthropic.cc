#include "dialect.h"
#include "fields.h"

namespace kb::llm {
namespace {

using base::Json;
using base::Ok;
using base::Result;

// The API wants a limit; this much for the answer when nothing is said.
constexpr int64_t kDefaultMaxTokens = 32000;

Finish AnthropicFinish(const std::string& reason) {
  if (reason == "end_turn" || reason == "stop_sequence") return Finish::kStop;
  if (reason == "max_tokens" || reason == "model_context_window_exceeded")
    return Finish::kLength;
  if (reason == "refusal") return Finish::kRefused;
  return Finish::kOther;
}

class Anthropic : public Dialect {
 public:
  net::Request Compose(const Model& model, const Question& question,
                       const Key& key) const override {
    auto request =
        Post(model.base_url + "/messages", Body(model, question), model.extra);
    request.headers.emplace_back("anthropic-version", "2023-06-01");
    if (!key.empty()) request.headers.emplace_back("x-api-key", key.text());
    return request;
  }

  Result<void> ReadEvent(const Event& event, Draft* draft) const override {
    KB_ASSIGN(const Json json, EventJson(event, draft));
    const std::string type = TextAt(json, "type");
    if (type == "error") {
      draft->error = ErrorIn(json, 500);
      if (!draft->error) draft->error = ApiError{500, "an error event"};
    } else if (type == "message_start") {
      ReadMessage(At(json, "message"), false, draft);
    } else if (type == "content_block_start") {
      ReadBlock(At(json, "content_block"), draft);
    } else if (type == "content_block_delta") {
      ReadBlock(At(json, "delta"), draft);
    } else if (type == "message_delta") {
      ReadStop(At(json, "delta"), draft);
      ReadUsage(At(json, "usage"), true, draft);
    } else if (type == "message_stop") {
      draft->ended = draft->complete = true;
    }
    return Ok();
  }

  Result<void> ReadWhole(const Json& json, Draft* draft) const override {
    if (TextAt(json, "type") == "error") {
      draft->error = ErrorIn(json, 500);
      return Ok();
    }
    const Json& blocks = At(json, "content");
    if (!blocks.is_array()) return base::Fail("the answer has no content");
    ReadMessage(json, true, draft);
    for (const Json& block : blocks) ReadBlock(block, draft);
    ReadStop(json, draft);
    draft->ended = draft->complete = true;
    return Ok();
  }

 private:
  static Json Body(const Model& model, const Question& question) {
    const int64_t thinking = model.thinking_tokens.value_or(0);
    Json body{
        {"model", model.model},
        {"max_tokens", model.max_tokens.value_or(kDefaultMaxTokens + thinking)},
        {"messages", Messages(question, thinking > 0)},
        {"stream", true}};
    if (!question.system.empty())
      body["system"] = Json::array({Marked(TextBlock(question.system))});
    if (model.temperature) body["temperature"] = *model.temperature;
    if (model.top_p) body["top_p"] = *model.top_p;
    if (thinking > 0)
      body["thinking"] = {{"type", "enabled"}, {"budget_tokens", thinking}};
    if (!model.reasoning_effort.empty())
      body["output_config"] = {{"effort", model.reasoning_effort}};
    return body;
  }

  static Json TextBlock(const std::string& text) {
    return {{"type", "text"}, {"text", text}};
  }

  static Json Marked(Json block) {
    block["cache_control"] = {{"type", "ephemeral"}};
    return block;
  }

  // What an assistant thought goes back as it came, signature and all, before
  // its text; where nothing is to be thought the API does not want it.
  static Json Messages(const Question& question, bool thinking) {
    Json list = Json::array();
    int64_t number = 0;
    for (const Message& message : MessagesOf(question)) {
      Json content = Json::array();
      if (const auto state = base::ParseJson(message.state, "the state");
          thinking && state && state->is_array())
        for (const Json& block : *state)
          if (!TextAt(block, "signature").empty() || block.contains("data"))
            content.push_back(block);
      content.push_back(TextBlock(message.text));
      if (++number == question.lasting)
        content.back() = Marked(std::move(content.back()));
      else if (content.size() == 1)
        content = message.text;
      list.push_back(
          {{"role", RoleName(message.role)}, {"content", std::move(content)}});
    }
    return list;
  }

  static void ReadMessage(const Json& message, bool whole, Draft* draft) {
    draft->reply.served_model = TextAt(message, "model");
    ReadUsage(At(message, "usage"), whole, draft);
  }

  // A block or a piece of one: both have the text under its kind.
  static void ReadBlock(const Json& block, Draft* draft) {
    const std::string type = TextAt(block, "type");
    if (type == "text" || type == "text_delta")
      draft->reply.text += TextAt(block, "text");
    if (type == "thinking" || type == "thinking_delta")
      draft->reply.reasoning += TextAt(block, "thinking");
    if (type == "thinking")
      draft->state.push_back({{"type", "thinking"},
                              {"thinking", TextAt(block, "thinking")},
                              {"signature", TextAt(block, "signature")}});
    if (type == "redacted_thinking")
      draft->state.push_back({{"type", type}, {"data", TextAt(block, "data")}});
    if (draft->state.empty()) return;
    Json& last = draft->state.back();
    for (const char* piece : {"thinking", "signature"})
      if (type == std::string(piece) + "_delta")
        last[piece] = TextAt(last, piece) + TextAt(block, piece);
  }

  static void ReadStop(const Json& json, Draft* draft) {
    const std::string reason = TextAt(json, "stop_reason");
    if (reason.empty()) return;
    draft->reply.finish = AnthropicFinish(reason);
    draft->complete = true;
  }

  // Later numbers replace earlier ones; what a later event leaves out stays.
  // The output is counted at the end: before, it says what there is so far.
  static void ReadUsage(const Json& json, bool at_end, Draft* draft) {
    Tally& tally = draft->tally;
    auto fresh = tally.Count(json, "input_tokens");
    if (!fresh && tally.input)
      fresh = *tally.input - tally.cached - tally.newly_cached;
    if (const auto cached = tally.Count(json, "cache_read_input_tokens"))
      tally.cached = *cached;
    if (const auto written = tally.Count(json, "cache_creation_input_tokens"))
      tally.newly_cached = *written;
    if (fresh) tally.input = *fresh + tally.cached + tally.newly_cached;
    if (at_end)
      if (const auto output = tally.Count(json, "output_tokens"))
        tally.output = output;
    if (const auto thought =
            tally.Count(At(json, "output_tokens_details"), "thinking_tokens"))
      tally.reasoning = *thought;
    tally.Settle(&draft->reply);
  }
};

}  // namespace

std::unique_ptr<Dialect> MakeAnthropic() {
  return std::make_unique<Anthropic>();
}

}  // namespace kb::llm
