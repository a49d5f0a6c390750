#include "llm/model.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "key.h"
#include "llm/provider.h"
#include "model_file.h"
#include "os/files.h"
#include "replay_files.h"

namespace kb::llm {
namespace {

class Files : public testing::Test {
 protected:
  Files() : folder_(*os::TempDir::Create()) {}
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + "/" + name;
    EXPECT_TRUE(os::MakeDirectories(path.substr(0, path.rfind('/'))));
    EXPECT_TRUE(os::WriteFileAtomically(path, text));
    return path;
  }
  os::TempDir folder_;
};
using Models = Files;
using Keys = Files;
using Replay = Files;
using Command = Files;

std::string ErrorOf(const std::string& text) {
  const auto models = ReadModels("models.toml", text);
  return models ? "no error" : models.error().message();
}

TEST_F(Models, TableIsReadAndChanged) {
  const std::string path = Write("models.toml", R"(
[models.fast]
provider = "openrouter"
model = "vendor/name"
temperature = 1
max_tokens = 4096
attempts = 3
extra = { top_k = 20, provider = { order = ["a", "b"] } }
)");
  ModelChanges changes;
  changes.temperature = 0.25;
  const auto model = FindModel("fast", {"/no/such/file", path}, changes);
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(model->base_url, "https://openrouter.ai/api/v1");
  EXPECT_EQ(model->key_env, "OPENROUTER_API_KEY");
  EXPECT_EQ(model->temperature, 0.25);
  EXPECT_EQ(model->max_tokens, 4096);
  EXPECT_EQ(model->attempts, 3);
  EXPECT_EQ(model->extra.at("provider"), R"({"order":["a","b"]})");
  const base::Json settings = model->Settings();
  EXPECT_EQ(settings.at("extra").at("top_k"), 20);
  EXPECT_FALSE(settings.contains("key_env"));
}

TEST_F(Models, KeyOfARowIsNotSentElsewhere) {
  const auto models = ReadModels("m", R"([models.a]
provider = "openai"
base_url = "http://elsewhere.test/v1"
model = "x"
)");
  ASSERT_TRUE(models);
  EXPECT_EQ(models->at("a").key_env, "");
}

TEST_F(Models, MistakesAreNamedWithTheirLine) {
  EXPECT_NE(ErrorOf("[models.a]\nprovider = \"openai\"\ntemprature = 1\n")
                .find("models.toml:3: unknown key \"temprature\""),
            std::string::npos);
  EXPECT_NE(ErrorOf("[models.a]\nprovider = \"openai\"\napi_key = \"sk-1\"\n")
                .find("models.toml:3: \"api_key\": a key does not belong"),
            std::string::npos);
  EXPECT_EQ(ErrorOf("[models.a]\nprovider = \"openai\"\nkey = \"sk-1\"\n")
                .find("sk-1"),
            std::string::npos);
  EXPECT_NE(ErrorOf("[models.a]\nprovider = \"opnai\"\n").find("openrouter"),
            std::string::npos);
  EXPECT_NE(ErrorOf("[models.a]\nmodel = \"x\"\n").find("no provider"),
            std::string::npos);
  EXPECT_NE(ErrorOf("[model.a]\n").find("[models.NAME]"), std::string::npos);
  EXPECT_NE(ErrorOf("[models.a\n").find("models.toml:1"), std::string::npos);
  EXPECT_NE(ErrorOf("[models.a]\nprovider = \"vllm\"\nseed = \"x\"\n")
                .find("whole number"),
            std::string::npos);
}

TEST_F(Models, CountsOfTokensThatCannotBeAreRefused) {
  for (const char* setting :
       {"max_tokens = 0", "max_tokens = 9223372036854775807",
        "thinking_tokens = -1", "thinking_tokens = 9223372036854775807",
        "context_tokens = -5", "context_tokens = 0",
        "context_tokens = 9223372036854775807"}) {
    const std::string path = Write(
        "models.toml", fmt::format("[models.a]\nprovider = \"vllm\"\nmodel = "
                                   "\"x\"\n{}\n",
                                   setting));
    const auto model = FindModel("a", {path}, {});
    ASSERT_FALSE(model) << setting;
    const std::string key =
        std::string(setting).substr(0, std::string(setting).find(' '));
    EXPECT_NE(model.error().message().find(key + " must be between"),
              std::string::npos)
        << model.error().message();
  }
}

TEST_F(Models, ShorthandNeedsNoFile) {
  const auto model = FindModel("deepseek:deepseek-chat", {}, {});
  ASSERT_TRUE(model) << model.error().message();
  EXPECT_EQ(model->model, "deepseek-chat");
  EXPECT_EQ(model->key_env, "DEEPSEEK_API_KEY");
  EXPECT_EQ(FindModel("ollama:qwen3:8b", {}, {})->model, "qwen3:8b");
  EXPECT_EQ(FindModel("command:prog a  b", {}, {})->command,
            (std::vector<std::string>{"prog", "a", "b"}));
  EXPECT_EQ(FindModel("replay:/a b", {}, {})->replay, "/a b");
  EXPECT_FALSE(FindModel("command:", {}, {}));
  EXPECT_FALSE(FindModel("openai:", {}, {}));
  const auto unknown = FindModel("gpt-5", {}, {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind(), base::Error::Kind::kUsage);
}

TEST_F(Models, KeyOfAHundredThousandPartsIsAnErrorAndNoCrash) {
  std::string key;
  for (int i = 0; i < 200000; ++i) key += "a.";
  EXPECT_EQ(ErrorOf("[models.a]\n" + key + "a = 1\n"),
            "models.toml:2: a key has more than 64 parts, which is not read; "
            "shorten it");
}

TEST_F(Models, ShippedExamplesAreSound) {
  const auto text = os::ReadFile(KB_SOURCE_DIR "/share/models.toml");
  ASSERT_TRUE(text) << text.error().message();
  const auto models = ReadModels("share/models.toml", *text);
  ASSERT_TRUE(models) << models.error().message();
  for (const auto& [name, model] : *models) {
    const auto found =
        FindModel(name, {KB_SOURCE_DIR "/share/models.toml"}, {});
    EXPECT_TRUE(found) << found.error().message();
  }
}

TEST_F(Keys, FileOfOthersIsRefused) {
  Model model;
  model.name = "m";
  model.key_file = Write("key", " sk-abc \n");
  ::chmod(model.key_file.c_str(), 0600);
  const auto key = Key::Read(model);
  ASSERT_TRUE(key) << key.error().message();
  EXPECT_EQ(key->text(), "sk-abc");
  for (const mode_t mode : {0640u, 0604u, 0644u}) {
    ::chmod(model.key_file.c_str(), mode);
    const auto refused = Key::Read(model);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message().find("chmod 600"), std::string::npos);
  }
}

TEST_F(Keys, TextThatCannotBeAKeyIsRefusedAndNotShown) {
  Model model;
  model.name = "m";
  model.key_env = "KB_TEST_KEY";
  for (const char* text : {"", "sk two", "sk\nX-Evil: 1", "sk\xc3\xa4"}) {
    ::setenv("KB_TEST_KEY", text, 1);
    const auto key = Key::Read(model);
    ASSERT_FALSE(key);
    EXPECT_EQ(key.error().message().find("sk"), std::string::npos);
  }
}

TEST_F(Keys, KeyIsRedactedHoweverItIsWritten) {
  const Key key("sk-a/b\"+c");
  EXPECT_EQ(key.Redacted("<sk-a/b\"+c> {sk-a/b\\\"+c} sk-a%2Fb%22%2Bc"),
            "<[key]> {[key]} [key]");
  EXPECT_EQ(Key().Redacted("text"), "text");
}

tl::expected<Reply, Failure> Ask(const Model& model, const std::string& problem,
                                 int64_t sample, std::stop_token stop = {},
                                 Recorded recorded = nullptr) {
  auto provider = MakeProvider(model, std::move(recorded));
  EXPECT_TRUE(provider) << provider.error().message();
  Question question;
  question.problem_id = problem;
  question.sample = sample;
  question.system = "system";
  question.user = "user";
  return (*provider)->Ask(question, nullptr, std::move(stop));
}

TEST_F(Replay, FilesAreFoundByHeaderAndByPath) {
  Write("odd/name.py", "# expect: correct\n# problem: level1/23\n");
  Write("level1_23_softmax/b.cu", "// code");
  Write("level1_2_other/b.cu", "// other");
  Write("level1_230/b.cu", "// other");
  Write("level_1_problem_7_sample_10_kernel.py", "ten");
  Write("level_1_problem_7_sample_9_kernel.py", "nine");
  Write("level_1_problem_7_sample_9_prompt.txt", "what was asked");
  Write("level1/8/answer.md", "text");
  Write("README.md", "no answer");
  Model model;
  model.provider = ProviderKind::kReplay;
  model.replay = folder_.path();
  EXPECT_EQ(Ask(model, "level1/23", 0)->file_name, "level1_23_softmax/b.cu");
  EXPECT_EQ(Ask(model, "level1/23", 1)->file_name, "odd/name.py");
  EXPECT_EQ(Ask(model, "level1/23", 2).error().kind, Failure::Kind::kExhausted);
  EXPECT_EQ(Ask(model, "level1/7", 0)->text, "nine");
  EXPECT_EQ(Ask(model, "level1/7", 1)->text, "ten");
  EXPECT_EQ(Ask(model, "level1/7", 2).error().kind, Failure::Kind::kExhausted);
  EXPECT_EQ(Ask(model, "level1/8", 0)->file_name, "");
  EXPECT_EQ(Ask(model, "level1/8", 0)->text, "text");
}

TEST_F(Replay, SamplesOfTheRepositoryAreFound) {
  Model model;
  model.provider = ProviderKind::kReplay;
  model.replay = KB_SOURCE_DIR "/samples";
  const auto reply = Ask(model, "level1/23", 0);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_TRUE(reply->file_name.starts_with("level1_23_softmax/"));
}

TEST_F(Replay, SaysHowManyAnswersThereAre) {
  Model model;
  model.provider = ProviderKind::kReplay;
  model.replay = "run";
  const auto recorded = [](const std::string& problem, int64_t sample,
                           int64_t /*turn*/) {
    std::optional<record::Generation> generation;
    // Sample 1 is missing.
    if (problem == "level1/1" && (sample == 0 || sample == 2))
      generation.emplace();
    return generation;
  };
  auto run = MakeProvider(model, recorded);
  ASSERT_TRUE(run);
  EXPECT_EQ((*run)->Answers("level1/1"), 3);
  EXPECT_EQ((*run)->Answers("level1/2"), 0);
  model.replay = KB_SOURCE_DIR "/samples";
  auto folder = MakeProvider(model, {});
  ASSERT_TRUE(folder);
  EXPECT_GT((*folder)->Answers("level1/19").value_or(0), 40);
  EXPECT_EQ((*folder)->Answers("level9/9"), 0);
}

TEST_F(Replay, RunIsAskedForItsGenerations) {
  Model model;
  model.provider = ProviderKind::kReplay;
  model.replay = "run";
  const auto recorded = [](const std::string& problem, int64_t sample,
                           int64_t /*turn*/) {
    std::optional<record::Generation> generation;
    if (sample > 0) return generation;
    generation.emplace();
    generation->answer = problem;
    generation->status = record::GenerationStatus::kTruncated;
    generation->usage.output = 5;
    return generation;
  };
  const auto reply = Ask(model, "level1/1", 0, {}, recorded);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text, "level1/1");
  EXPECT_EQ(reply->finish, Finish::kLength);
  EXPECT_EQ(reply->usage->output, 5);
  EXPECT_EQ(Ask(model, "level1/1", 1, {}, recorded).error().kind,
            Failure::Kind::kExhausted);
}

Model Shell(const std::string& script) {
  Model model;
  model.name = "sh";
  model.provider = ProviderKind::kCommand;
  model.command = {"sh", "-c", script};
  return model;
}

TEST_F(Command, AnswersThePromptOfItsInput) {
  const auto reply =
      Ask(Shell("cat; echo \"|$KB_PROBLEM|$KB_SAMPLE\""), "level1/2", 3);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text, "system\n\nuser|level1/2|3\n");
}

TEST_F(Command, FailureIsTheLastLineOfItsErrors) {
  const auto reply = Ask(Shell("echo a >&2; echo why >&2; exit 3"), "p/1", 0);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, Failure::Kind::kUnavailable);
  EXPECT_EQ(reply.error().message, "sh: sh: exit code 3: why");
}

TEST_F(Command, GroupIsKilledWhenTimeIsUp) {
  const std::string pid_file = folder_.path() + "/pid";
  Model model = Shell("sleep 300 & echo $! > " + pid_file + "; wait");
  model.total_seconds = 0.5;
  const auto reply = Ask(model, "p/1", 0);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, Failure::Kind::kUnavailable);
  const auto pid = os::ReadFile(pid_file);
  ASSERT_TRUE(pid);
  // Gone, or dead and not yet reaped by init.
  const std::string stat =
      fmt::format("/proc/{}/stat", pid->substr(0, pid->find('\n')));
  for (int i = 0; i < 500; ++i) {
    const auto state = os::ReadFile(stat);
    if (!state || state->find(") Z ") != std::string::npos) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << stat << " is still there";
}

TEST_F(Command, DaemonThatKeepsTheOutputOpenIsNotWaitedFor) {
  const auto reply = Ask(Shell("echo answer; sleep infinity &"), "p/1", 0);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->text, "answer\n");
}

TEST_F(Command, CancellationEndsIt) {
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(Ask(Shell("sleep 30"), "p/1", 0, source.get_token()).error().kind,
            Failure::Kind::kCancelled);
}

TEST_F(Command, EndlessOutputIsUnusable) {
  EXPECT_EQ(Ask(Shell("yes"), "p/1", 0).error().kind, Failure::Kind::kUnusable);
}

TEST_F(Command, MissingProgramIsAUsageError) {
  Model model = Shell("");
  model.command = {"kb-no-such-program"};
  EXPECT_FALSE(MakeProvider(model, nullptr));
}

}  // namespace
}  // namespace kb::llm
