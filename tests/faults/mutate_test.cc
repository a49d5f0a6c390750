// Every format that comes from outside, changed in thousands of ways: a reader
// may take or refuse it, and must come back. KB_MUTATIONS: how many of each
// (10,000); KB_MUTATION_SEED: other ones. What was being read when the program
// died is said on standard error.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "base/json.h"
#include "dialect.h"
#include "interop/original.h"
#include "llm/prices.h"
#include "model_file.h"
#include "mutation.h"
#include "notes.h"
#include "os/files.h"
#include "problems/expectation.h"
#include "problems/pack.h"
#include "prompt/extract.h"
#include "python_outline.h"
#include "record/audit.h"
#include "record/evaluation.h"
#include "source_check/classify.h"
#include "source_check/static_check.h"
#include "store/store.h"
#include "table.h"
#include "template.h"
#include "wire/channel.h"
#include "wire/setup.h"

namespace kb::faults {
namespace {

using base::Json;

std::string Source(const std::string& path) {
  std::ifstream file(std::string(KB_SOURCE_DIR "/") + path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_FALSE(text.empty()) << path;
  return text;
}

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

// What is being read, for the handler of a death.
std::array<char, 200> g_now{};

void SayAndDie(int signal) {
  (void)!write(STDERR_FILENO, g_now.data(), std::strlen(g_now.data()));
  ::signal(signal, SIG_DFL);
  raise(signal);
}

class MutationTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGALRM})
      ::signal(signal, SayAndDie);
    // In memory: files are written by the thousand.
    setenv("TMPDIR", "/dev/shm", 1);
    auto folder = os::TempDir::Create("kb-mutate");
    unsetenv("TMPDIR");
    ASSERT_TRUE(folder) << folder.error().message();
    folder_.emplace(std::move(*folder));
  }

  std::string Path(const std::string& name) const {
    return folder_->path() + "/" + name;
  }

  // Reads changed copies of a text that can be read. Each must be done with
  // before an alarm that is only for those that never end. `part`: so many
  // times fewer of them.
  void Try(const std::string& text,
           const std::function<void(const std::string&)>& read,
           int64_t part = 1) {
    constexpr unsigned kSeconds = 120;
    read(text);
    const auto seed =
        static_cast<uint64_t>(FromEnvironment("KB_MUTATION_SEED", 1));
    const int64_t count = FromEnvironment("KB_MUTATIONS", 10000) / part;
    const std::string name =
        testing::UnitTest::GetInstance()->current_test_info()->name();
    for (int64_t i = 0; i < count; ++i) {
      std::snprintf(g_now.data(), g_now.size(), "reading mutation %lld of %s\n",
                    static_cast<long long>(i), name.c_str());
      if (i % 100 == 0) alarm(kSeconds);
      Mutator mutator(base::Mix(seed * 1000003 + static_cast<uint64_t>(i)));
      read(mutator.Mutate(text));
    }
    alarm(0);
  }

  // The same for JSON that one function makes a value of.
  template <typename T>
  void TryJson(const std::string& text,
               base::Result<T> (*parse)(const base::Json&)) {
    Try(text, [&](const std::string& bytes) {
      const auto json = base::ParseJson(bytes, "json");
      if (!json) return Refused(json.error());
      const auto value = parse(*json);
      if (!value) Refused(value.error());
    });
  }

  static void Refused(const base::Error& error) {
    EXPECT_FALSE(error.message().empty());
  }

  std::optional<os::TempDir> folder_;
};

// --- What people write ---

TEST_F(MutationTest, Policy) {
  TryJson(base::DumpJson(ToJson(*record::NamedPolicy("strict"))),
          record::PolicyFromJson);
}

TEST_F(MutationTest, ModelsToml) {
  Try(Source("share/models.toml"), [](const std::string& text) {
    const auto models = llm::ReadModels("models.toml", text);
    if (!models) Refused(models.error());
  });
}

TEST_F(MutationTest, ProblemsToml) {
  Try(Source("problems/level4/problems.toml"), [](const std::string& text) {
    std::vector<problems::Issue> issues;
    problems::ReadNotes("problems.toml", text, &issues);
    for (const problems::Issue& issue : issues)
      EXPECT_FALSE(issue.ToString().empty());
  });
}

TEST_F(MutationTest, PromptTemplate) {
  const prompt::Names names{{"problem.source", "hardware"}, {"source"}};
  Try("{{#hardware}}\nOn {{hardware}}.\n{{/hardware}}\n{{#examples}}\n"
      "{{source}}\n{{/examples}}\n{{^hardware}}\nAnywhere\n{{/hardware}}\n"
      "Write:\n{{problem.source}}\n",
      [&](const std::string& text) {
        const auto parsed = prompt::Template::Parse(text, names, "t.toml", 1);
        if (!parsed) return Refused(parsed.error());
        prompt::Values values;
        values.texts["hardware"] = "H200";
        values.examples.emplace_back()["source"] = "x";
        parsed->Render(values);
      });
}

// --- What others publish ---

TEST_F(MutationTest, Prices) {
  TryJson(
      R"({"date": "2026-11-01", "source": "s", "models": {"a/b": {"input": 1.25,
          "output": 10, "cached": 0.125, "cache_write": 1.5}, "c/d": {"input":
          0, "output": 0.5}}})",
      llm::PriceTable::FromJson);
}

TEST_F(MutationTest, ModelsEndpoint) {
  Try(R"({"data": [{"id": "a/b", "pricing": {"prompt": "0.000001", "completion":
          "0.000002", "input_cache_read": "0", "input_cache_write": "1e-6"}}]})",
      [](const std::string& text) {
        const auto json = base::ParseJson(text, "models");
        if (!json) return;
        const auto table =
            llm::PriceTable::FromModelsEndpoint(*json, "2026-11-01", "s");
        if (!table) Refused(table.error());
      });
}

TEST_F(MutationTest, ProblemAsPython) {
  Try(Source("problems/level1/23_Softmax.py"), [](const std::string& text) {
    problems::OutlineOf(text);
    const auto changed =
        problems::ApplyOverrides(text, {{"dim", record::Value{int64_t{8}}}});
    if (!changed) Refused(changed.error());
  });
}

TEST_F(MutationTest, ProblemsAsJsonLines) {
  Try(Source("tests/packs/exported.jsonl"), [&](const std::string& text) {
    ASSERT_TRUE(os::WriteFileAtomically(Path("x.jsonl"), text));
    const auto rows = problems::ReadTable(
        Path("x.jsonl"), {},
        [](int, const std::string& message) { EXPECT_FALSE(message.empty()); });
    if (!rows) Refused(rows.error());
  });
}

TEST_F(MutationTest, Costs) {
  const std::string costs = Source("problems/costs.json").substr(0, 2000);
  Try(costs.substr(0, costs.rfind(",\n")) + "\n}\n",
      [](const std::string& text) {
        const auto read = problems::CostsFromText(text);
        if (!read) Refused(read.error());
      });
}

TEST_F(MutationTest, OriginalResults) {
  Try(R"({"23": [{"sample_id": 0, "compiled": true, "correctness": true,
         "metadata": {"hardware": "H100", "device": "0"}, "runtime": 1.5,
         "runtime_stats": {"mean": 1.5, "std": 0.1}}], "24": {"sample_id": 1,
         "compiled": false, "correctness": false, "metadata":
         {"compilation_error": "x"}, "runtime": -1.0}})",
      [](const std::string& text) {
        const auto results = interop::ParseEvalResults(text);
        if (!results) return Refused(results.error());
        for (const interop::OriginalResult& result : *results)
          interop::FromOriginal(result, "level1", 2.0);
      });
}

TEST_F(MutationTest, OriginalBaseline) {
  Try(R"({"level1": {"23_Softmax.py": {"mean": 1.5, "std": 0.1, "min": 1,
         "max": 2, "num_trials": 100, "hardware": "H100", "device": "0"}}})",
      [](const std::string& text) {
        const auto times = interop::ParseBaseline(text, "level1");
        if (!times) Refused(times.error());
      });
}

// --- What models answer ---

void ReadStream(const llm::Dialect& dialect, const std::string& bytes) {
  llm::Draft draft;
  llm::EventParser parser;
  parser.Feed(bytes, [&](const llm::Event& event) {
    return dialect.ReadEvent(event, &draft).has_value() && !draft.ended &&
           !draft.error;
  });
  draft.tally.Settle(&draft.reply);
}

TEST_F(MutationTest, OpenAiStream) {
  const auto dialect = llm::MakeOpenAi();
  Try("data: "
      "{\"model\":\"m\",\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n"
      "\ndata: {\"choices\":[{\"delta\":{\"reasoning_content\":\"lo\"},"
      "\"finish_reason\":\"length\"}]}\n\ndata: {\"choices\":[],\"usage\":"
      "{\"prompt_tokens\":10,\"completion_tokens\":20,\"prompt_tokens_details\""
      ":{\"cached_tokens\":4},\"total_tokens\":30,\"cost\":0.5}}\n\n"
      "data: [DONE]\n\n",
      [&](const std::string& bytes) { ReadStream(*dialect, bytes); });
}

TEST_F(MutationTest, AnthropicStream) {
  const auto dialect = llm::MakeAnthropic();
  Try("event: message_start\ndata: {\"type\":\"message_start\",\"message\":"
      "{\"model\":\"c\",\"usage\":{\"input_tokens\":5,"
      "\"cache_read_input_tokens\":2,\"cache_creation_input_tokens\":3}}}\n\n"
      "event: content_block_delta\ndata: {\"type\":\"content_block_delta\","
      "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n"
      "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":"
      "{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":7}}\n\n"
      "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
      [&](const std::string& bytes) { ReadStream(*dialect, bytes); });
}

TEST_F(MutationTest, GeminiStream) {
  const auto dialect = llm::MakeGemini();
  Try("data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"},"
      "{\"text\":\"hm\",\"thought\":true}]},\"finishReason\":\"STOP\"}],"
      "\"usageMetadata\":{\"promptTokenCount\":5,\"candidatesTokenCount\":2,"
      "\"thoughtsTokenCount\":3,\"cachedContentTokenCount\":1},"
      "\"modelVersion\":\"g\"}\n\n",
      [&](const std::string& bytes) { ReadStream(*dialect, bytes); });
}

TEST_F(MutationTest, WholeAnswers) {
  const auto dialect = llm::MakeOpenAi();
  Try(R"({"model":"m","choices":[{"message":{"content":[{"type":"text","text":
         "b"}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,
         "completion_tokens":2},"error":null})",
      [&](const std::string& bytes) {
        const auto json = base::ParseJson(bytes, "answer");
        llm::Draft draft;
        if (json) (void)dialect->ReadWhole(*json, &draft);
      });
}

TEST_F(MutationTest, CodeInAnAnswer) {
  Try("<think>\nA kernel?\n</think>\nHere:\n\n```python\nimport "
      "torch\n\n\nclass "
      "ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return "
      "x\n"
      "```\n\nOr:\n\n~~~~cuda\n#include <kernelbench/candidate.h>\nint "
      "kb_forward(const kb_call* call) { return 0; }\n~~~~\nDone.\n",
      [](const std::string& text) {
        const auto code = prompt::ExtractCode(text, llm::Finish::kStop);
        EXPECT_LE(code.source.size(), text.size() + 1);
      });
}

TEST_F(MutationTest, Candidate) {
  Try(Source("samples/level1_19_relu/loop.cpp"), [](const std::string& text) {
    for (const char* name : {"a.cpp", "a.py", "a.cu"}) {
      const auto candidate = source_check::Classify(name, text);
      ASSERT_TRUE(candidate);
      source_check::Check(*candidate, *record::NamedPolicy("strict"));
      const auto header = problems::ParseExpectation(name, text);
      if (!header) Refused(header.error());
    }
  });
}

// --- What processes of ours, and of others, say ---

TEST_F(MutationTest, ProblemFacts) {
  TryJson(Source("tests/golden/record/problem_facts.json"),
          record::ProblemFactsFromJson);
}

TEST_F(MutationTest, Judgement) {
  record::Judgement judgement;
  judgement.status = record::Judgement::Status::kMismatch;
  judgement.text = "text";
  judgement.trials.resize(3);
  judgement.mismatch.emplace().first.emplace().index = {1, 2};
  judgement.ruler.emplace();
  judgement.notes = {"one"};
  TryJson(base::DumpJson(ToJson(judgement)), record::JudgementFromJson);
}

TEST_F(MutationTest, SetUpOfAJail) {
  wire::Setup setup;
  setup.facts.outputs = {{record::DType::kFloat32, {16}}};
  setup.outputs = {{64}};
  TryJson(base::DumpJson(ToJson(setup)), wire::SetupFromJson);
}

// As a jail may send them, to an oracle that does not trust it.
TEST_F(MutationTest, PacketsOfAJail) {
  auto pair = os::SocketPair();
  ASSERT_TRUE(pair);
  wire::Channel sender(std::move(pair->first));
  ASSERT_TRUE(sender.Send(wire::MessageType::kReady, R"({"launch_us": 1.5})"));
  std::string packet(4096, '\0');
  const ssize_t size =
      recv(pair->second.get(), packet.data(), packet.size(), 0);
  ASSERT_GT(size, 0);
  packet.resize(static_cast<size_t>(size));
  wire::Channel receiver(std::move(pair->second));
  Try(packet, [&](const std::string& bytes) {
    if (bytes.empty()) return;
    ASSERT_EQ(send(sender.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
    const auto message =
        receiver.Receive(std::chrono::milliseconds(1000), wire::kFromJail);
    if (!message) Refused(message.error());
  });
}

// --- What lies on a disk ---

void ReadStore(const std::string& path) {
  const auto store = store::Store::Open(path, store::Store::Mode::kExisting);
  if (!store) {
    EXPECT_FALSE(store.error().message().empty());
    return;
  }
  (void)store->Manifest();
  (void)store->Outcomes();
  (void)store->Evaluations();
  (void)store->Generations();
  (void)store->Baselines();
}

TEST_F(MutationTest, Store) {
  {
    auto store = store::Store::Open(Path("seed.db"));
    ASSERT_TRUE(store);
    record::Evaluation evaluation;
    evaluation.policy = *record::NamedPolicy("strict");
    evaluation.candidate.source = "int x;";
    evaluation.trials.resize(2);
    ASSERT_TRUE(store->Append(evaluation));
    record::Generation generation;
    generation.answer = "an answer";
    ASSERT_TRUE(store->Append(generation));
    ASSERT_TRUE(store->AddToManifest({{"model", "m"}}));
  }
  std::ifstream file(Path("seed.db"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  Try(bytes, [&](const std::string& changed) {
    std::ofstream(Path("x.db"), std::ios::binary) << changed;
    ReadStore(Path("x.db"));
    for (const char* end : {"x.db", "x.db-wal", "x.db-shm"})
      std::filesystem::remove(Path(end));
  });
}

}  // namespace
}  // namespace kb::faults
