// What is sent to each API, and what its recorded answers become.

#include "dialect.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/json.h"

namespace kb::llm {
namespace {

using base::Json;

Question TheQuestion() {
  Question question;
  question.problem_id = "level1/23";
  question.sample = 2;
  question.system = "Be brief.";
  question.user = "Write a kernel.";
  return question;
}

Model TheModel(const std::string& base_url) {
  Model model;
  model.name = "m";
  model.model = "some-model";
  model.base_url = base_url;
  model.temperature = 0.5;
  model.max_tokens = 1000;
  model.seed = 40;
  model.extra["top_k"] = "20";
  return model;
}

Json BodyOf(const net::Request& request) {
  EXPECT_EQ(request.url.find("secret"), std::string::npos);
  EXPECT_EQ(request.body.find("secret"), std::string::npos);
  return base::ParseJson(request.body, "body").value_or(Json());
}

std::string HeaderOf(const net::Request& request, const std::string& name) {
  for (const auto& [key, value] : request.headers)
    if (key == name) return value;
  return "";
}

Draft Stream(const Dialect& dialect, const std::string& bytes) {
  Draft draft;
  EventParser parser;
  parser.Feed(bytes, [&](const Event& event) {
    const auto read = dialect.ReadEvent(event, &draft);
    EXPECT_TRUE(read) << read.error().message();
    return !draft.ended && !draft.error;
  });
  return draft;
}

TEST(OpenAi, RequestHasTheSettings) {
  const auto request = MakeOpenAi()->Compose(TheModel("https://x.test/v1"),
                                             TheQuestion(), Key("secret"));
  EXPECT_EQ(request.url, "https://x.test/v1/chat/completions");
  EXPECT_EQ(HeaderOf(request, "Authorization"), "Bearer secret");
  const auto expected = base::ParseJson(
      R"({"model":"some-model","messages":[
          {"role":"system","content":"Be brief."},
          {"role":"user","content":"Write a kernel."}],
          "stream":true,"stream_options":{"include_usage":true},
          "temperature":0.5,"max_tokens":1000,"seed":42,"top_k":20})",
      "expected");
  EXPECT_EQ(BodyOf(request), *expected);
}

TEST(OpenAi, LimitAndEffortAreNamedAsTheProviderWants) {
  Model model = TheModel("https://api.openai.com/v1");
  model.reasoning_effort = "high";
  const Json openai =
      BodyOf(MakeOpenAi()->Compose(model, TheQuestion(), Key()));
  EXPECT_EQ(openai.at("max_completion_tokens"), 1000);
  EXPECT_EQ(openai.at("reasoning_effort"), "high");
  model.base_url = "https://openrouter.ai/api/v1";
  const Json router =
      BodyOf(MakeOpenAi()->Compose(model, TheQuestion(), Key()));
  EXPECT_EQ(router.at("reasoning"), (Json{{"effort", "high"}}));
  EXPECT_EQ(router.at("usage"), (Json{{"include", true}}));
}

TEST(OpenAi, StreamBecomesAReply) {
  const Draft draft = Stream(*MakeOpenAi(),
                             R"(: OPENROUTER PROCESSING

data: {"model":"m-1","choices":[{"delta":{"role":"assistant","content":""}}]}

data: {"choices":[{"delta":{"reasoning_content":"Hm."}}]}

data: {"choices":[{"delta":{"content":"Hel"}}]}

data: {"choices":[{"delta":{"content":"lo"},"finish_reason":"length"}]}

data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":5},"total_tokens":30,"cost":0.5}}

data: [DONE]

)");
  EXPECT_TRUE(draft.ended);
  EXPECT_EQ(draft.reply.text, "Hello");
  EXPECT_EQ(draft.reply.reasoning, "Hm.");
  EXPECT_EQ(draft.reply.finish, Finish::kLength);
  EXPECT_EQ(draft.reply.served_model, "m-1");
  EXPECT_EQ(draft.reply.usage, (record::Usage{10, 4, 20, 5}));
  EXPECT_EQ(draft.reply.usd, 0.5);
}

TEST(OpenAi, ReasoningBesideTheCompletionIsAddedToIt) {
  Draft draft;
  const auto json = base::ParseJson(
      R"({"choices":[{"message":{"content":[{"type":"thinking","thinking":
          [{"type":"text","text":"a"}]},{"type":"text","text":"b"}]},
          "finish_reason":"stop"}],"usage":{"prompt_tokens":10,
          "completion_tokens":20,"total_tokens":35,
          "completion_tokens_details":{"reasoning_tokens":5}}})",
      "answer");
  ASSERT_TRUE(MakeOpenAi()->ReadWhole(*json, &draft));
  EXPECT_EQ(draft.reply.usage, (record::Usage{10, 0, 25, 5}));
  EXPECT_EQ(draft.reply.text, "b");
  EXPECT_EQ(draft.reply.reasoning, "a");
}

Reply WholeOpenAi(const std::string& usage) {
  Draft draft;
  const auto json = base::ParseJson(
      R"({"choices":[{"message":{"content":"b"},"finish_reason":"stop"}])" +
          usage + "}",
      "answer");
  EXPECT_TRUE(json) << usage;
  EXPECT_TRUE(MakeOpenAi()->ReadWhole(*json, &draft));
  return draft.reply;
}

TEST(OpenAi, AnswerWithoutUsageHasNone) {
  for (const char* usage :
       {"", R"(,"usage":null)", R"(,"usage":{})",
        R"(,"usage":{"prompt_tokens":3})",
        R"(,"usage":{"prompt_tokens":null,"completion_tokens":2})"}) {
    const Reply reply = WholeOpenAi(usage);
    EXPECT_FALSE(reply.usage) << usage;
    EXPECT_FALSE(reply.usd) << usage;
    EXPECT_EQ(reply.usage_mistake, "") << usage;
  }
}

TEST(OpenAi, UsageThatCannotBeIsRefusedAndSaid) {
  const std::pair<const char*, const char*> mistakes[] = {
      {R"("prompt_tokens":"3","completion_tokens":2)",
       "prompt_tokens is \"3\""},
      {R"("prompt_tokens":3,"completion_tokens":2.5)",
       "completion_tokens is 2.5"},
      {R"("prompt_tokens":3,"completion_tokens":-8000)",
       "completion_tokens is -8000; that is no count of tokens"},
      {R"("prompt_tokens":18446744073709551615,"completion_tokens":2)",
       "prompt_tokens is 1844674"},
      {R"("prompt_tokens":3,"completion_tokens":2000000000)",
       "completion_tokens is 2000000000"},
      {R"("prompt_tokens":3,"completion_tokens":2,"cached_tokens":4)",
       "4 cached and 0 newly cached tokens are more than the 3 of the input"},
      {R"("prompt_tokens":3,"completion_tokens":2,"prompt_tokens_details":)"
       R"({"cached_tokens":true})",
       "cached_tokens is true"},
      {R"("prompt_tokens":3,"completion_tokens":2,)"
       R"("completion_tokens_details":{"reasoning_tokens":9})",
       "9 reasoning tokens are more than the 2 of the output"},
  };
  for (const auto& [usage, part] : mistakes) {
    const Reply reply = WholeOpenAi(std::string(R"(,"usage":{)") + usage + "}");
    EXPECT_FALSE(reply.usage) << usage;
    EXPECT_EQ(reply.text, "b");
    EXPECT_NE(reply.usage_mistake.find(part), std::string::npos)
        << reply.usage_mistake;
  }
}

TEST(OpenAi, CostInPartsIsLeftToTheTokens) {
  const Reply reply =
      WholeOpenAi(R"(,"usage":{"prompt_tokens":3,"completion_tokens":2,)"
                  R"("cost":{"total_cost":0.01}})");
  EXPECT_EQ(reply.usage, (record::Usage{3, 0, 2, 0}));
  EXPECT_FALSE(reply.usd);
  EXPECT_EQ(reply.usage_mistake, "");
}

TEST(OpenAi, ErrorOfTheChoiceIsNoAnswer) {
  const std::string part = R"(data: {"choices":[{"delta":{"content":"Hel"}}]})"
                           "\n\n";
  const auto after = [&](const std::string& choice) {
    return Stream(*MakeOpenAi(),
                  part + "data: {\"choices\":[" + choice + "]}\n\n");
  };
  const Draft said = after(
      R"({"delta":{"content":""},"finish_reason":"error","error":{"code":503,)"
      R"("message":"upstream died"}})");
  ASSERT_TRUE(said.error);
  EXPECT_EQ(said.error->status, 503);
  EXPECT_EQ(said.error->message, "upstream died");
  EXPECT_FALSE(said.complete);
  const Draft unknown = after(R"({"error":{"code":"odd","message":"m"}})");
  ASSERT_TRUE(unknown.error);
  EXPECT_EQ(unknown.error->status, 502);
  const Draft bare = after(R"({"delta":{},"finish_reason":"error"})");
  ASSERT_TRUE(bare.error);
  EXPECT_EQ(bare.error->status, 502);
  EXPECT_FALSE(after(R"({"finish_reason":"stop","error":null})").error);
}

TEST(OpenAi, CharacterThatIsCutInTwoIsJoined) {
  const Draft draft = Stream(
      *MakeOpenAi(),
      R"(data: {"choices":[{"delta":{"content":"\\u \ud83d\ude00 \ud83d"}}]}

data: {"choices":[{"delta":{}}]}

data: {"choices":[{"delta":{"content":"\ude01\ud83d"}}]}

data: {"choices":[{"delta":{"content":"\ude02.","reasoning":"\ude02"}}]}

)");
  EXPECT_EQ(draft.reply.text,
            "\\u \xf0\x9f\x98\x80 \xf0\x9f\x98\x81"
            "\xf0\x9f\x98\x82.");
  EXPECT_EQ(draft.reply.reasoning, "\xf0\x9f\x98\x82");
  Draft alone;
  Event event;
  event.data = R"({"choices":[{"delta":{"content":"\ude00"}}]})";
  EXPECT_FALSE(MakeOpenAi()->ReadEvent(event, &alone));
}

TEST(OpenAi, CostThatCannotBeIsRefusedAndSaid) {
  for (const char* cost : {"-8000", "1e300", "\"1\""}) {
    const Reply reply = WholeOpenAi(
        fmt::format(R"(,"usage":{{"prompt_tokens":3,"completion_tokens":2,)"
                    R"("cost":{}}})",
                    cost));
    EXPECT_EQ(reply.usage, (record::Usage{3, 0, 2, 0}));
    EXPECT_FALSE(reply.usd);
    EXPECT_NE(reply.usage_mistake.find("cost is "), std::string::npos);
  }
}

TEST(OpenAi, ForeignTypesAreNoCrash) {
  for (const char* text :
       {"{}", R"({"choices":1})", R"({"choices":[]})",
        R"({"choices":[{"message":{"content":7},"finish_reason":3}]})",
        R"({"choices":[null],"usage":{"prompt_tokens":"x"}})", "[]", "3"}) {
    Draft draft;
    static_cast<void>(
        MakeOpenAi()->ReadWhole(*base::ParseJson(text, "t"), &draft));
    static_cast<void>(
        MakeGemini()->ReadWhole(*base::ParseJson(text, "t"), &draft));
    static_cast<void>(
        MakeAnthropic()->ReadWhole(*base::ParseJson(text, "t"), &draft));
    Event event;
    event.data = text;
    for (const auto& make : {MakeOpenAi, MakeAnthropic, MakeGemini})
      static_cast<void>(make()->ReadEvent(event, &draft));
  }
}

TEST(Anthropic, RequestCachesTheSystemText) {
  Model model = TheModel("https://api.anthropic.com/v1");
  model.thinking_tokens = 2048;
  model.extra.clear();
  const auto request =
      MakeAnthropic()->Compose(model, TheQuestion(), Key("secret"));
  EXPECT_EQ(request.url, "https://api.anthropic.com/v1/messages");
  EXPECT_EQ(HeaderOf(request, "x-api-key"), "secret");
  EXPECT_EQ(HeaderOf(request, "anthropic-version"), "2023-06-01");
  EXPECT_EQ(HeaderOf(request, "Authorization"), "");
  const auto expected = base::ParseJson(
      R"({"model":"some-model","max_tokens":1000,
          "messages":[{"role":"user","content":"Write a kernel."}],
          "stream":true,"system":[{"type":"text","text":"Be brief.",
          "cache_control":{"type":"ephemeral"}}],"temperature":0.5,
          "thinking":{"type":"enabled","budget_tokens":2048}})",
      "expected");
  EXPECT_EQ(BodyOf(request), *expected);
}

TEST(Anthropic, StreamBecomesAReply) {
  const Draft draft = Stream(*MakeAnthropic(),
                             R"(event: message_start
data: {"type":"message_start","message":{"model":"c-1","usage":{"input_tokens":5,"cache_read_input_tokens":7,"cache_creation_input_tokens":1,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}

event: ping
data: {"type":"ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hello"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":30}}

event: message_stop
data: {"type":"message_stop"}

)");
  EXPECT_TRUE(draft.ended);
  EXPECT_EQ(draft.reply.text, "Hello");
  EXPECT_EQ(draft.reply.reasoning, "Hm.");
  EXPECT_EQ(draft.reply.finish, Finish::kStop);
  EXPECT_EQ(draft.reply.served_model, "c-1");
  EXPECT_EQ(draft.reply.usage, (record::Usage{13, 7, 30, 0}));
  EXPECT_EQ(draft.reply.newly_cached, 1);
}

TEST(Anthropic, AnswerIsCompleteWithItsReason) {
  const Draft draft =
      Stream(*MakeAnthropic(),
             "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
             "\"end_turn\"}}\n\n");
  EXPECT_TRUE(draft.complete);
  EXPECT_FALSE(draft.ended);
}

TEST(Anthropic, UsageIsKnownWhenItsEndIs) {
  const std::string start =
      R"(data: {"type":"message_start","message":{"usage":{"input_tokens":5,"output_tokens":1}}})"
      "\n\n";
  const std::string stop = "data: {\"type\":\"message_stop\"}\n\n";
  const Draft cut = Stream(*MakeAnthropic(), start + stop);
  EXPECT_TRUE(cut.complete);
  EXPECT_FALSE(cut.reply.usage);
  const Draft wrong = Stream(
      *MakeAnthropic(),
      start +
          R"(data: {"type":"message_delta","usage":{"output_tokens":-30}})"
          "\n\n" +
          stop);
  EXPECT_FALSE(wrong.reply.usage);
  EXPECT_EQ(wrong.reply.usage_mistake,
            "output_tokens is -30; that is no count of tokens");
}

TEST(Anthropic, CachedTokensStayWhenTheInputIsRepeated) {
  const std::string start =
      R"(data: {"type":"message_start","message":{"usage":{"input_tokens":100,"cache_read_input_tokens":9000,"cache_creation_input_tokens":500,"output_tokens":1}}})"
      "\n\n";
  const auto after = [&](const std::string& usage) {
    return Stream(*MakeAnthropic(),
                  start + R"(data: {"type":"message_delta","usage":)" + usage +
                      "}\n\n")
        .reply;
  };
  const Reply repeated = after(R"({"input_tokens":100,"output_tokens":50})");
  EXPECT_EQ(repeated.usage, (record::Usage{9600, 9000, 50, 0}));
  EXPECT_EQ(repeated.newly_cached, 500);
  const Reply corrected = after(
      R"({"cache_read_input_tokens":8000,"cache_creation_input_tokens":0,)"
      R"("output_tokens":50})");
  EXPECT_EQ(corrected.usage, (record::Usage{8100, 8000, 50, 0}));
  EXPECT_EQ(corrected.newly_cached, 0);
}

TEST(Anthropic, ErrorEventHasTheStatusOfItsType) {
  const Draft draft = Stream(*MakeAnthropic(), R"(event: error
data: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}

)");
  ASSERT_TRUE(draft.error);
  EXPECT_EQ(draft.error->status, 529);
  EXPECT_EQ(draft.error->message, "busy");
}

TEST(Gemini, KeyIsAHeaderAndNotInTheAddress) {
  Model model = TheModel("https://g.test/v1beta");
  model.extra = {{"generationConfig", R"({"topK": 4})"}};
  model.thinking_tokens = 128;
  const auto request =
      MakeGemini()->Compose(model, TheQuestion(), Key("secret"));
  EXPECT_EQ(
      request.url,
      "https://g.test/v1beta/models/some-model:streamGenerateContent?alt=sse");
  EXPECT_EQ(HeaderOf(request, "x-goog-api-key"), "secret");
  const auto expected = base::ParseJson(
      R"({"contents":[{"parts":[{"text":"Write a kernel."}],"role":"user"}],
          "systemInstruction":{"parts":[{"text":"Be brief."}]},
          "generationConfig":{"temperature":0.5,"maxOutputTokens":1000,
          "seed":42,"thinkingConfig":{"thinkingBudget":128,
          "includeThoughts":true},"topK":4}})",
      "expected");
  EXPECT_EQ(BodyOf(request), *expected);
}

TEST(Gemini, StreamBecomesAReply) {
  const Draft draft = Stream(
      *MakeGemini(),
      R"(data: {"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true}]}}],"modelVersion":"g-1"}

data: {"candidates":[{"content":{"parts":[{"text":"Hel"}]}}]}

data: {"candidates":[{"content":{"parts":[{"text":"lo"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"cachedContentTokenCount":2,"candidatesTokenCount":5,"thoughtsTokenCount":3}}

)");
  EXPECT_TRUE(draft.complete);
  EXPECT_EQ(draft.reply.text, "Hello");
  EXPECT_EQ(draft.reply.reasoning, "Hm.");
  EXPECT_EQ(draft.reply.served_model, "g-1");
  EXPECT_EQ(draft.reply.usage, (record::Usage{9, 2, 8, 3}));
}

TEST(Gemini, UsageThatCannotBeIsRefusedAndSaid) {
  const Draft draft = Stream(
      *MakeGemini(),
      R"(data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"cachedContentTokenCount":20}}

)");
  EXPECT_TRUE(draft.complete);
  EXPECT_FALSE(draft.reply.usage);
  EXPECT_NE(draft.reply.usage_mistake.find("20 cached"), std::string::npos);
}

TEST(Gemini, BlockedPromptIsARefusal) {
  const Draft draft =
      Stream(*MakeGemini(),
             "data: {\"promptFeedback\":{\"blockReason\":\"OTHER\"}}\n\n");
  EXPECT_TRUE(draft.complete);
  EXPECT_EQ(draft.reply.finish, Finish::kRefused);
}

TEST(Events, AnyCutGivesTheSameEvents) {
  const std::string bytes =
      "\xef\xbb\xbf: hi\r\nevent: a\r\ndata: 1\r\ndata:2\r\n\r\nid: 3\n\n"
      "data\n\nevent: b\rdata: x\r\rdata: cut off";
  for (size_t step = 1; step <= bytes.size(); ++step) {
    EventParser parser;
    std::vector<std::string> seen;
    for (size_t at = 0; at < bytes.size(); at += step)
      EXPECT_TRUE(parser.Feed(bytes.substr(at, step), [&](const Event& event) {
        seen.push_back(event.name + "|" + event.data);
        return true;
      }));
    EXPECT_EQ(seen, (std::vector<std::string>{"a|1\n2", "|", "b|x"})) << step;
  }
}

TEST(Events, EventWithoutEndIsRefused) {
  EventParser parser(100);
  EXPECT_FALSE(parser.Feed("data: " + std::string(200, 'x'),
                           [](const Event&) { return true; }));
  EXPECT_TRUE(parser.too_long());
}

}  // namespace
}  // namespace kb::llm
