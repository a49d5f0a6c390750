// How the turns of a conversation go back to each API, with what it gave with
// its answers: read from recorded answers, and sent again.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/json.h"
#include "dialect.h"
#include "os/files.h"

namespace kb::llm {
namespace {

using base::Json;

Json BodyOf(const net::Request& request) {
  return base::ParseJson(request.body, "body").value_or(Json());
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

// The second question, after `draft` answered the first.
Question After(const Draft& draft) {
  Question question;
  question.turn = 2;
  question.system = "Be brief.";
  Message answer{Message::Role::kAssistant, draft.reply.text};
  if (!draft.state.is_null()) answer.state = base::DumpJson(draft.state);
  answer.reasoning = draft.reply.reasoning;
  question.history = {{Message::Role::kUser, "Write it."}, answer};
  question.user = "It does not compile.";
  question.lasting = 3;
  return question;
}

Model At(const std::string& base_url) {
  Model model;
  model.model = "some-model";
  model.base_url = base_url;
  return model;
}

Json Parsed(const std::string& text) { return *base::ParseJson(text, "json"); }

constexpr const char* kAnthropic =
    R"(data: {"type":"message_start","message":{"model":"c-1","usage":{"input_tokens":5,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"."}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQB"}}

data: {"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"Emw"}}

data: {"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}

data: {"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"Hello"}}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":30}}

data: {"type":"message_stop"}

)";

TEST(Conversation, AnthropicGetsItsThinkingBackAndCaches) {
  const Draft draft = Stream(*MakeAnthropic(), kAnthropic);
  EXPECT_EQ(draft.reply.text, "Hello");
  EXPECT_EQ(draft.reply.reasoning, "Hm.");
  Model model = At("https://a.test/v1");
  model.thinking_tokens = 2048;
  const Json body =
      BodyOf(MakeAnthropic()->Compose(model, After(draft), Key()));
  EXPECT_EQ(body.at("messages"), Parsed(R"([
      {"role":"user","content":"Write it."},
      {"role":"assistant","content":[
        {"type":"thinking","thinking":"Hm.","signature":"EqQB"},
        {"type":"redacted_thinking","data":"Emw"},
        {"type":"text","text":"Hello"}]},
      {"role":"user","content":[{"type":"text","text":"It does not compile.",
        "cache_control":{"type":"ephemeral"}}]}])"));
}

TEST(Conversation, AnthropicThatDoesNotThinkGetsTextBack) {
  const Draft draft = Stream(*MakeAnthropic(), kAnthropic);
  Question question = After(draft);
  question.lasting = 1;
  const Json body = BodyOf(
      MakeAnthropic()->Compose(At("https://a.test/v1"), question, Key()));
  EXPECT_EQ(body.at("messages"), Parsed(R"([
      {"role":"user","content":[{"type":"text","text":"Write it.",
        "cache_control":{"type":"ephemeral"}}]},
      {"role":"assistant","content":"Hello"},
      {"role":"user","content":"It does not compile."}])"));
}

TEST(Conversation, ThoughtThatWasCutOffBeforeItsSignatureStaysOut) {
  Draft draft;
  draft.reply.text = "Hello";
  draft.state =
      Parsed(R"([{"type":"thinking","thinking":"H","signature":""}])");
  Model model = At("https://a.test/v1");
  model.thinking_tokens = 2048;
  const Json body =
      BodyOf(MakeAnthropic()->Compose(model, After(draft), Key()));
  EXPECT_EQ(body.at("messages").at(1).at("content"), "Hello");
}

TEST(Conversation, GeminiGetsItsSignaturesBackWhereTheyWere) {
  const Draft draft = Stream(
      *MakeGemini(),
      R"(data: {"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true}]}}]}

data: {"candidates":[{"content":{"parts":[{"text":"Hel"}]}}]}

data: {"candidates":[{"content":{"parts":[{"text":"lo"}]}}]}

data: {"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"Cs4B"}]},"finishReason":"STOP"}]}

)");
  EXPECT_EQ(draft.reply.text, "Hello");
  const Json body = BodyOf(
      MakeGemini()->Compose(At("https://g.test/v1beta"), After(draft), Key()));
  EXPECT_EQ(body.at("contents"), Parsed(R"([
      {"parts":[{"text":"Write it."}],"role":"user"},
      {"parts":[{"text":"Hello"},{"text":"","thoughtSignature":"Cs4B"}],
       "role":"model"},
      {"parts":[{"text":"It does not compile."}],"role":"user"}])"));
}

TEST(Conversation, GeminiWithoutSignaturesHasNoState) {
  const Draft draft = Stream(
      *MakeGemini(),
      "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hello\"}]},"
      "\"finishReason\":\"STOP\"}]}\n\n");
  EXPECT_TRUE(draft.state.is_null());
  const Json body = BodyOf(
      MakeGemini()->Compose(At("https://g.test/v1beta"), After(draft), Key()));
  EXPECT_EQ(body.at("contents").at(1),
            Parsed(R"({"parts":[{"text":"Hello"}],"role":"model"})"));
}

constexpr const char* kOpenRouter =
    R"(data: {"choices":[{"delta":{"reasoning":"H","reasoning_details":[{"type":"reasoning.text","text":"H","format":"x","index":0}]}}]}

data: {"choices":[{"delta":{"reasoning":"m.","reasoning_details":[{"type":"reasoning.text","text":"m.","index":0}]}}]}

data: {"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.text","signature":"EqQB","index":0}]}}]}

data: {"choices":[{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"Zz","index":1}]}}]}

data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":"stop"}]}

data: [DONE]

)";

TEST(Conversation, OpenRouterGetsItsReasoningBack) {
  const Draft draft = Stream(*MakeOpenAi(), kOpenRouter);
  const Json body = BodyOf(MakeOpenAi()->Compose(
      At("https://openrouter.ai/api/v1"), After(draft), Key()));
  EXPECT_EQ(body.at("messages"), Parsed(R"([
      {"role":"system","content":"Be brief."},
      {"role":"user","content":"Write it."},
      {"role":"assistant","content":"Hello","reasoning_details":[
        {"type":"reasoning.text","text":"Hm.","format":"x","index":0,
         "signature":"EqQB"},
        {"type":"reasoning.encrypted","data":"Zz","index":1}]},
      {"role":"user","content":"It does not compile."}])"));
}

TEST(Conversation, OpenRouterPassesMarksOnToAnthropic) {
  Model model = At("https://openrouter.ai/api/v1");
  model.model = "anthropic/claude-sonnet-4.5";
  const Json messages =
      BodyOf(MakeOpenAi()->Compose(model, After({}), Key())).at("messages");
  EXPECT_EQ(messages.at(0).at("content"), Parsed(R"([{"type":"text",
      "text":"Be brief.","cache_control":{"type":"ephemeral"}}])"));
  EXPECT_EQ(messages.at(1).at("content"), "Write it.");
  EXPECT_EQ(messages.at(3).at("content"), Parsed(R"([{"type":"text",
      "text":"It does not compile.","cache_control":{"type":"ephemeral"}}])"));
}

// DeepSeek, among others, refuses what it thought; Moonshot wants it.
TEST(Conversation, OtherServersGetTextBackAndMoonshotItsThoughts) {
  const Draft draft = Stream(*MakeOpenAi(), kOpenRouter);
  const auto answer = [&](const std::string& base_url) {
    return BodyOf(MakeOpenAi()->Compose(At(base_url), After(draft), Key()))
        .at("messages")
        .at(2);
  };
  EXPECT_EQ(answer("https://api.deepseek.com/v1"),
            Parsed(R"({"role":"assistant","content":"Hello"})"));
  EXPECT_EQ(answer("https://api.moonshot.ai/v1"),
            Parsed(R"({"role":"assistant","content":"Hello",
                "reasoning_content":"Hm."})"));
}

// --- Programs and replays ---

Model Python(const std::string& mode, const std::string& script) {
  Model model;
  model.name = "py";
  model.provider = ProviderKind::kCommand;
  model.command = {"python3", "-c", script};
  model.conversation = mode;
  return model;
}

std::unique_ptr<Provider> Made(const Model& model, Recorded recorded = {}) {
  auto provider = MakeProvider(model, std::move(recorded));
  EXPECT_TRUE(provider) << provider.error().message();
  return std::move(*provider);
}

Question Turn(int64_t turn) {
  Draft draft;
  draft.reply.text = "Hello";
  Question question = After(draft);
  question.problem_id = "level1/19";
  question.turn = turn;
  if (turn == 1) question.history.clear();
  return question;
}

TEST(Conversation, CommandReadsWhatWasSaid) {
  Model model = Python("", "");
  model.command = {"sh", "-c", "cat; echo \"|$KB_TURN\""};
  const auto reply = Made(model)->Ask(Turn(2), nullptr, {});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text,
            "Be brief.\n\nWrite it.\n\n--- assistant ---\nHello\n\n--- user "
            "---\nIt does not compile.|2\n");
}

TEST(Conversation, CommandGetsALineOfJson) {
  const auto reply =
      Made(Python("json",
                  "import json,sys\nq=json.loads(input())\n"
                  "print(q['turn'],q['sample'],q['problem'],q['system'],"
                  "[m['role'][0]+m['content'] for m in q['messages']])"))
          ->Ask(Turn(2), nullptr, {});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text,
            "2 0 level1/19 Be brief. ['uWrite it.', 'aHello', 'uIt does not "
            "compile.']\n");
}

TEST(Conversation, OneProcessAnswersAllTurnsOfAnEpisode) {
  const auto provider = Made(Python("episode", R"(
import json, os, sys
for line in sys.stdin:
    said = json.loads(line)
    print(json.dumps({"answer": f"{os.getpid()} {said['turn']}", "usd": 0.5,
        "usage": {"input": 9, "output": 4, "reasoning": 1}}), flush=True)
)"));
  const auto first = provider->Ask(Turn(1), nullptr, {});
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->usage, (record::Usage{9, 0, 4, 1}));
  EXPECT_EQ(first->usd, 0.5);
  const std::string pid = first->text.substr(0, first->text.find(' '));
  EXPECT_EQ(first->text, pid + " 1");
  EXPECT_EQ(provider->Ask(Turn(2), nullptr, {})->text, pid + " 2");
  Question other = Turn(1);
  other.sample = 1;
  EXPECT_NE(provider->Ask(other, nullptr, {})->text, pid + " 1");
  provider->End("level1/19", 0);
  EXPECT_NE(provider->Ask(Turn(3), nullptr, {})->text, pid + " 3");
}

TEST(Conversation, EpisodeThatEndsOrTalksNonsenseIsSaid) {
  const auto gone =
      Made(Python("episode", "import sys\nsys.exit('no licence')"))
          ->Ask(Turn(1), nullptr, {});
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().kind, Failure::Kind::kUnavailable);
  EXPECT_EQ(gone.error().message,
            "py: python3: it ended without an answer, exit code 1: no licence");
  const auto nonsense = Made(Python("episode", "input()\nprint('hello')"))
                            ->Ask(Turn(1), nullptr, {});
  ASSERT_FALSE(nonsense);
  EXPECT_EQ(nonsense.error().kind, Failure::Kind::kUnusable);
}

TEST(Conversation, EpisodeThatNeverAnswersIsGivenUp) {
  Model model = Python("episode", "import time\ntime.sleep(300)");
  model.total_seconds = 0.2;
  EXPECT_EQ(Made(model)->Ask(Turn(1), nullptr, {}).error().kind,
            Failure::Kind::kUnavailable);
}

TEST(Conversation, ReplayedFilesAreTurns) {
  auto folder = os::TempDir::Create("turns-test");
  ASSERT_TRUE(folder);
  for (const auto& [name, text] : {std::pair("level1_19_a/turn_1.md", "a1"),
                                   std::pair("level1_19_a/turn_2.cpp", "a2"),
                                   std::pair("level1_19_b.cpp", "b")}) {
    const std::string path = folder->path() + "/" + name;
    ASSERT_TRUE(os::MakeDirectories(path.substr(0, path.rfind('/'))));
    ASSERT_TRUE(os::WriteFileAtomically(path, text));
  }
  Model model;
  model.provider = ProviderKind::kReplay;
  model.replay = folder->path();
  const auto provider = Made(model);
  EXPECT_EQ(provider->Answers("level1/19"), 2);
  EXPECT_EQ(provider->Ask(Turn(1), nullptr, {})->text, "a1");
  EXPECT_EQ(provider->Ask(Turn(2), nullptr, {})->text, "a2");
  EXPECT_EQ(provider->Ask(Turn(3), nullptr, {}).error().kind,
            Failure::Kind::kExhausted);
  Question other = Turn(1);
  other.sample = 1;
  EXPECT_EQ(provider->Ask(other, nullptr, {})->text, "b");
  other.turn = 2;
  EXPECT_FALSE(provider->Ask(other, nullptr, {}));
}

TEST(Conversation, ReplayedFileThatCannotBeReadMayBeAskedForAgain) {
  auto folder = os::TempDir::Create("turns-test");
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/level1_19_a.cpp";
  ASSERT_TRUE(os::WriteFileAtomically(path, "a"));
  Model model;
  model.provider = ProviderKind::kReplay;
  model.replay = folder->path();
  const auto provider = Made(model);
  std::filesystem::remove(path);
  const auto failed = provider->Ask(Turn(1), nullptr, {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, Failure::Kind::kUnavailable);
  ASSERT_TRUE(os::WriteFileAtomically(path, "a"));
  EXPECT_EQ(provider->Ask(Turn(1), nullptr, {})->text, "a");
}

TEST(Conversation, FoldersOfTurnsHoldSeveralSamples) {
  auto folder = os::TempDir::Create("turns-test");
  ASSERT_TRUE(folder);
  for (const char* turn : {"turn_1", "turn_2"}) {
    const std::string path = folder->path() + "/" + turn;
    ASSERT_TRUE(os::MakeDirectories(path));
    for (const char* name : {"a", "b"})
      ASSERT_TRUE(os::WriteFileAtomically(
          fmt::format("{}/level1_19_{}.cpp", path, name),
          fmt::format("{} of {}", name, turn)));
  }
  Model model;
  model.provider = ProviderKind::kReplay;
  model.replay = folder->path();
  const auto provider = Made(model);
  EXPECT_EQ(provider->Answers("level1/19"), 2);
  Question second = Turn(2);
  EXPECT_EQ(provider->Ask(second, nullptr, {})->text, "a of turn_2");
  second.sample = 1;
  EXPECT_EQ(provider->Ask(second, nullptr, {})->text, "b of turn_2");
}

TEST(Conversation, ReplayedRunIsAskedForItsTurns) {
  Model model;
  model.provider = ProviderKind::kReplay;
  model.replay = "run";
  const auto provider =
      Made(model, [](const std::string&, int64_t, int64_t turn) {
        std::optional<record::Generation> generation;
        if (turn < 3)
          generation.emplace().answer = fmt::format("answer {}", turn);
        if (turn < 3) generation->status = record::GenerationStatus::kNoCode;
        if (turn < 3) generation->state = "[]";
        return generation;
      });
  EXPECT_EQ(provider->Ask(Turn(2), nullptr, {})->text, "answer 2");
  EXPECT_EQ(provider->Ask(Turn(2), nullptr, {})->state, "[]");
  EXPECT_EQ(provider->Ask(Turn(3), nullptr, {}).error().message,
            "run has no sample 0 of level1/19 with a turn 3");
}

}  // namespace
}  // namespace kb::llm
