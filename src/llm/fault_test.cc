// Every fault of tests/llm/fault_server.py, and what becomes of the question.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <thread>

#include "llm/prices.h"
#include "llm/provider.h"
#include "os/files.h"
#include "os/process.h"

namespace kb::llm {
namespace {

using namespace std::chrono_literals;
using Kind = Failure::Kind;

constexpr const char* kSource = KB_SOURCE_DIR;
constexpr const char* kKey = "sk-test/0123456789+secret";

// The server, and one question to each model that is a fault of it.
// The server's candidate from its first fence to its last.
void ExpectWhole(const Reply& reply) {
  EXPECT_EQ(reply.finish, Finish::kStop);
  const size_t begin = reply.text.find("```");
  ASSERT_NE(begin, std::string::npos) << reply.text;
  EXPECT_NE(reply.text.find("\n```", begin), std::string::npos) << reply.text;
}

class Faults : public testing::Test {
 public:
  static void SetUpTestSuite() {
    ::setenv("KB_RETRY_BASE_MS", "5", 1);
    ::setenv("KB_FAULT_KEY", kKey, 1);
    ::setenv("no_proxy", "127.0.0.1", 1);
    auto folder = os::TempDir::Create();
    ASSERT_TRUE(folder);
    the_folder = std::make_unique<os::TempDir>(std::move(*folder));
    const std::string port_file = the_folder->path() + "/port";
    os::Process::Options options;
    options.argv = {fmt::format("{}/scripts/python", kSource),
                    fmt::format("{}/tests/llm/fault_server.py", kSource),
                    port_file,
                    "--key",
                    kKey,
                    "--log",
                    LogPath(),
                    "--answers",
                    fmt::format("{}/samples", kSource)};
    auto server = os::Process::Start(options);
    ASSERT_TRUE(server) << server.error().message();
    the_server = std::make_unique<os::Process>(std::move(*server));
    for (int i = 0; i < 1000 && !std::filesystem::exists(port_file); ++i)
      std::this_thread::sleep_for(10ms);
    const auto port = os::ReadFile(port_file);
    ASSERT_TRUE(port) << "the server did not start";
    the_port = *port;
  }
  static void TearDownTestSuite() {
    the_server.reset();
    the_folder.reset();
  }

  static std::string LogPath() { return the_folder->path() + "/log"; }

  static Model ModelOf(const std::string& fault) {
    Model model;
    model.name = "test";
    model.provider = ProviderKind::kOpenAi;
    model.model = fault;
    model.base_url = fmt::format("http://127.0.0.1:{}/v1", the_port);
    model.key_env = "KB_FAULT_KEY";
    // What says nothing is left soon; all else may take its time.
    model.idle_seconds = fault.starts_with("hang") ? 0.4 : 60;
    model.total_seconds = 300;
    model.attempts = 2;
    return model;
  }

  static Question QuestionOf(const std::string& problem = "level9/99") {
    Question question;
    question.problem_id = problem;
    question.system = "You write kernels.";
    question.user = fmt::format("problem: {}\nsample: 0\n", problem);
    return question;
  }

  tl::expected<Reply, Failure> Ask(const Model& model,
                                   const Question& question = QuestionOf(),
                                   std::stop_token stop = {}) {
    auto provider = MakeProvider(model, nullptr);
    EXPECT_TRUE(provider) << provider.error().message();
    auto reply = (*provider)->Ask(
        question, [this](const std::string& step) { said_ += step + "\n"; },
        std::move(stop));
    if (!reply) said_ += reply.error().message;
    EXPECT_EQ(said_.find(kKey), std::string::npos) << said_;
    EXPECT_EQ(said_.find("0123456789"), std::string::npos) << said_;
    return reply;
  }
  tl::expected<Reply, Failure> Ask(const std::string& fault) {
    return Ask(ModelOf(fault));
  }

  void ExpectReply(const std::string& fault, int64_t requests) {
    SCOPED_TRACE(fault);
    const auto reply = Ask(fault);
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->attempts, requests);
    EXPECT_EQ(Requests(fault), requests);
    ExpectWhole(*reply);
  }

  void ExpectFailure(const std::string& fault, Kind kind, int64_t requests,
                     const std::string& says) {
    SCOPED_TRACE(fault);
    const auto reply = Ask(fault);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().kind, kind) << reply.error().message;
    EXPECT_NE(reply.error().message.find(says), std::string::npos)
        << reply.error().message;
    EXPECT_EQ(Requests(fault), requests);
  }

  // Requests of this model that the server saw, each with the right key.
  static int64_t Requests(const std::string& fault) {
    int64_t count = 0;
    const auto log = os::ReadFile(LogPath());
    if (!log) return 0;
    EXPECT_EQ(log->find(kKey), std::string::npos);
    size_t start = 0;
    for (size_t end = log->find('\n'); end != std::string::npos;
         start = end + 1, end = log->find('\n', start)) {
      const auto entry =
          base::ParseJson(log->substr(start, end - start), "log");
      if (!entry || entry->at("model") != fault) continue;
      EXPECT_EQ(entry->at("key_ok"), true);
      ++count;
    }
    return count;
  }

 protected:
  std::string said_;
  static inline std::unique_ptr<os::TempDir> the_folder;
  static inline std::unique_ptr<os::Process> the_server;
  static inline std::string the_port;
};

TEST_F(Faults, AnswerIsReadWithItsUsage) {
  const auto reply = Ask("ok");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->usage, (record::Usage{100, 0, 50, 0}));
  EXPECT_EQ(reply->usd, 0.25);
  EXPECT_EQ(reply->served_model, "served");
  EXPECT_EQ(reply->finish, Finish::kStop);
  EXPECT_EQ(reply->attempts, 1);
}

TEST_F(Faults, AnswerThatRepeatsTheKeyIsKeptWithoutIt) {
  const auto reply = Ask("echo");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_NE(reply->text.find("You sent Bearer [key]."), std::string::npos);
  EXPECT_EQ(reply->text.find(kKey), std::string::npos);
}

TEST_F(Faults, AnswerIsForTheProblemOfThePrompt) {
  const auto reply = Ask(ModelOf("ok"), QuestionOf("level1/19"));
  ASSERT_TRUE(reply) << reply.error().message;
  ExpectWhole(*reply);
}

TEST_F(Faults, WhatPassesIsTriedAgain) {
  ExpectReply("whole", 1);
  ExpectReply("429-then-ok", 2);
  ExpectReply("500-then-ok", 2);
  ExpectReply("reset-then-ok", 2);
  ExpectReply("ends-early-then-ok", 2);
  ExpectReply("truncated-json-then-ok", 2);
  ExpectReply("truncated-event-then-ok", 2);
  ExpectReply("web-page-then-ok", 2);
  ExpectReply("hang-then-ok", 2);
  ExpectReply("error-in-stream-then-ok", 2);
  ExpectReply("error-in-choice-then-ok", 2);
  ExpectReply("loud-type", 1);
}

TEST_F(Faults, EmptyAnswerIsAnAnswer) {
  const auto reply = Ask("empty");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text, "");
}

TEST_F(Faults, WhatDoesNotPassIsUnavailable) {
  ExpectFailure("500", Kind::kUnavailable, 2, "internal trouble");
  ExpectFailure("429", Kind::kUnavailable, 2, "slow down");
  ExpectFailure("reset", Kind::kUnavailable, 2, "tried 2 times");
  ExpectFailure("ends-early", Kind::kUnavailable, 2, "before the answer");
  ExpectFailure("web-page", Kind::kUnavailable, 2, "Please log in");
  ExpectFailure("hang", Kind::kUnavailable, 2, "silent for 0.4 s");
  ExpectFailure("error-in-stream", Kind::kUnavailable, 2, "lost the GPU");
  ExpectFailure("error-in-choice", Kind::kUnavailable, 2, "upstream died");
}

TEST_F(Faults, AnswerIsKeptThoughTheConnectionStaysOpen) {
  ExpectReply("hang-after-answer", 1);
  const auto reply = Ask("hang-after-answer");
  ASSERT_TRUE(reply);
  EXPECT_FALSE(reply->usage);
}

TEST_F(Faults, LongHeaderEndsOneRequest) {
  ExpectReply("long-header-then-ok", 2);
  ExpectFailure("long-header", Kind::kUnavailable, 2,
                "a header of the answer is longer");
}

TEST_F(Faults, WhatCannotBeReadIsUnusable) {
  ExpectFailure("truncated-json", Kind::kUnusable, 2, "malformed");
  ExpectFailure("truncated-event", Kind::kUnusable, 2, "malformed");
  ExpectFailure("huge", Kind::kUnusable, 1, "longer than");
}

TEST_F(Faults, WhatNoWaitingChangesEndsAtOnce) {
  ExpectFailure("401", Kind::kFatal, 1, "key_env");
  ExpectFailure("no-such-model", Kind::kFatal, 1, "check `model`");
  ExpectFailure("redirect", Kind::kFatal, 1, "where we do not go");
  ExpectFailure("no-credit", Kind::kFatal, 1, "no credit");
  ExpectFailure("400", Kind::kRejected, 1, "prompt is too long");
  ExpectFailure("moderated", Kind::kRejected, 1, "moderation");
}

TEST_F(Faults, RejectionOfAllFromTheStartIsFatal) {
  const auto provider = MakeProvider(ModelOf("400"), nullptr);
  ASSERT_TRUE(provider);
  for (int i = 1; i <= 6; ++i) {
    const auto question = QuestionOf(fmt::format("level9/{}", i));
    const auto reply = (*provider)->Ask(question, nullptr, {});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().kind, i < 5 ? Kind::kRejected : Kind::kFatal) << i;
    EXPECT_NE(reply.error().message.find("the prompt is too long"),
              std::string::npos);
  }
}

TEST_F(Faults, RejectionsOfOnePromptsSamplesAreOfThePrompt) {
  const auto provider = MakeProvider(ModelOf("400"), nullptr);
  ASSERT_TRUE(provider);
  for (int i = 1; i <= 8; ++i) {
    const auto reply = (*provider)->Ask(QuestionOf("level9/1"), nullptr, {});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().kind, Kind::kRejected) << i;
  }
}

TEST_F(Faults, RejectionsOfAModelThatAnswersAreOfTheQuestions) {
  const auto provider = MakeProvider(ModelOf("400-then-ok"), nullptr);
  ASSERT_TRUE(provider);
  const auto ask = [&](int problem) {
    return (*provider)->Ask(QuestionOf(fmt::format("level9/{}", problem)),
                            nullptr, {});
  };
  EXPECT_FALSE(ask(1));
  EXPECT_TRUE(ask(1));
  for (int i = 2; i <= 8; ++i) {
    const auto reply = ask(i);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().kind, Kind::kRejected) << i;
  }
}

TEST_F(Faults, SilenceIsCountedFromTheLastByte) {
  Model model = ModelOf("slow");  // 40 pauses of 0.1 s
  model.idle_seconds = 2;
  const auto reply = Ask(model);
  ASSERT_TRUE(reply) << reply.error().message;
  ExpectWhole(*reply);
}

TEST_F(Faults, AnswerThatDripsEndsWithTheTotalTime) {
  Model model = ModelOf("drips");
  model.total_seconds = 0.5;
  model.attempts = 1;
  const auto reply = Ask(model);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, Kind::kUnavailable);
  EXPECT_NE(reply.error().message.find("not done after 0.5 s"),
            std::string::npos);
}

TEST_F(Faults, NobodyListensIsUnavailable) {
  Model model = ModelOf("ok");
  model.base_url = "http://127.0.0.1:1/v1";
  const auto reply = Ask(model);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, Kind::kUnavailable);
}

TEST_F(Faults, CancellationEndsARequestAndAWait) {
  for (const char* fault : {"hang", "429-long", "drips"}) {
    SCOPED_TRACE(fault);
    Model model = ModelOf(fault);
    // All longer than CTest waits.
    model.idle_seconds = 7200;
    model.total_seconds = 7200;
    model.attempts = 10;
    std::stop_source source;
    std::jthread canceller([&] {
      std::this_thread::sleep_for(200ms);
      source.request_stop();
    });
    const auto reply = Ask(model, QuestionOf(), source.get_token());
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().kind, Kind::kCancelled);
  }
}

TEST_F(Faults, RateLimitOfOneThreadHoldsAllBack) {
  auto provider = MakeProvider(ModelOf("429-then-ok"), nullptr);
  ASSERT_TRUE(provider);
  std::vector<std::jthread> threads;
  std::atomic<int> answered = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      const auto question = QuestionOf(fmt::format("level9/{}", i));
      if ((*provider)->Ask(question, nullptr, {})) ++answered;
    });
  threads.clear();
  EXPECT_EQ(answered, 8);
}

TEST_F(Faults, MissingKeyIsAUsageError) {
  Model model = ModelOf("ok");
  model.key_env = "KB_NO_SUCH_VARIABLE";
  const auto provider = MakeProvider(model, nullptr);
  ASSERT_FALSE(provider);
  EXPECT_EQ(provider.error().kind(), base::Error::Kind::kUsage);
  EXPECT_NE(provider.error().message().find("KB_NO_SUCH_VARIABLE"),
            std::string::npos);
}

TEST_F(Faults, PricesAreFetched) {
  const auto table = FetchPrices(
      fmt::format("http://127.0.0.1:{}/v1/models", the_port), "2026-01-01");
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_EQ(table->Find("test/ok"), (Price{1, 2, {}, {}}));
}

}  // namespace
}  // namespace kb::llm
