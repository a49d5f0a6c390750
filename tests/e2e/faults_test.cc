// What happens when processes of ours or the candidate's die, or the user
// interrupts: KB_BINARY judges a slow honest kernel on the cpu device, and the
// tests kill what they find below it.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "os/files.h"
#include "os/process.h"

namespace kb {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// level1/19 (ReLU): right, 200 ms a call, and its process is called slow_relu
// from the first call on.
constexpr const char* kSlowRelu = R"(
#include <kernelbench/candidate.h>
#include <sys/prctl.h>
#include <unistd.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  prctl(PR_SET_NAME, "slow_relu");
  usleep(200000);
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
  return 0;
}
)";

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Name and arguments of a process as one line.
std::string CommandLine(int pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  std::string line = ReadAll(folder + "/comm") + ReadAll(folder + "/cmdline");
  for (char& c : line)
    if (c == '\0') c = ' ';
  return line;
}

bool Lives(int pid) {
  const std::string stat = ReadAll("/proc/" + std::to_string(pid) + "/stat");
  const size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.at(name_end + 2) != 'Z';
}

int ParentOf(int pid) {
  const std::string stat = ReadAll("/proc/" + std::to_string(pid) + "/stat");
  std::istringstream after(stat.substr(stat.rfind(')') + 1));
  std::string state;
  int parent = 0;
  after >> state >> parent;
  return parent;
}

std::set<int> Below(int pid) {
  std::set<int> found;
  const std::string own = std::to_string(pid);
  std::error_code error;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + own + "/task", error)) {
    std::istringstream children(ReadAll(task.path() / "children"));
    for (int child = 0; children >> child;) {
      found.insert(child);
      found.merge(Below(child));
    }
  }
  return found;
}

class FaultsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TempDir::Create("kb-faults");
    ASSERT_TRUE(folder) << folder.error().message();
    folder_.emplace(std::move(*folder));
    ASSERT_TRUE(os::WriteFileAtomically(Path("slow.cpp"), kSlowRelu));
  }

  std::string Path(const std::string& name) const {
    return folder_->path() + "/" + name;
  }

  void Start() {
    os::Process::Options options;
    options.argv = {KB_BINARY,     "eval",          "--device",  "cpu",
                    "--no-store",  "--json",        "--problem", "level1/19",
                    "--candidate", Path("slow.cpp")};
    options.log_path = Path("log");
    auto process = os::Process::Start(options);
    ASSERT_TRUE(process) << process.error().message();
    process_.emplace(std::move(*process));
  }

  // Waits for a process below ours whose command line has `part`; 0: none came.
  int Find(const std::string& part) {
    const auto end = steady_clock::now() + std::chrono::seconds(120);
    while (steady_clock::now() < end) {
      const std::set<int> below = Below(process_->pid());
      seen_.insert(below.begin(), below.end());
      for (const int pid : below)
        if (CommandLine(pid).find(part) != std::string::npos) return pid;
      std::this_thread::sleep_for(milliseconds(20));
    }
    return 0;
  }

  // In the middle of the trials. The candidate's process.
  int AwaitTrials() {
    const int candidate = Find("slow_relu");
    EXPECT_NE(candidate, 0) << ReadAll(Path("log"));
    return candidate;
  }

  int ExitCode() {
    const os::ExitStatus status = process_->Wait(std::chrono::seconds(120));
    const auto* exited = std::get_if<os::Exited>(&status);
    EXPECT_NE(exited, nullptr) << os::Describe(status);
    return exited != nullptr ? exited->code : -1;
  }

  // Every process that was ever seen below ours is gone.
  void ExpectNothingLeft() {
    const auto end = steady_clock::now() + std::chrono::seconds(30);
    std::set<int> left = seen_;
    while (!left.empty() && steady_clock::now() < end) {
      std::erase_if(left, [](int pid) { return !Lives(pid); });
      std::this_thread::sleep_for(milliseconds(20));
    }
    for (const int pid : left) ADD_FAILURE() << pid << " " << CommandLine(pid);
  }

  std::optional<os::TempDir> folder_;
  std::optional<os::Process> process_;
  std::set<int> seen_;
};

TEST_F(FaultsTest, KilledOracleIsReplacedAndTheCandidateNotBlamed) {
  Start();
  AwaitTrials();
  const int oracle = Find("oracle_host.py");
  ASSERT_NE(oracle, 0);
  kill(oracle, SIGKILL);
  EXPECT_EQ(ExitCode(), 0);
  const std::string log = ReadAll(Path("log"));
  EXPECT_NE(log.find("\"verdict\": \"correct\""), std::string::npos) << log;
  EXPECT_NE(log.find("tried again after our own failure"), std::string::npos);
  ExpectNothingLeft();
}

// By a person, or by a machine short of memory; nobody can tell.
TEST_F(FaultsTest, CandidateThatIsKilledOnceIsJudgedAgain) {
  Start();
  const int candidate = AwaitTrials();
  ASSERT_NE(candidate, 0);
  kill(candidate, SIGKILL);
  EXPECT_EQ(ExitCode(), 0);
  const std::string log = ReadAll(Path("log"));
  EXPECT_NE(log.find("tried again, perhaps not its doing"), std::string::npos)
      << log;
  ExpectNothingLeft();
}

TEST_F(FaultsTest, CandidateThatIsKilledTwiceIsARuntimeError) {
  Start();
  const int first = AwaitTrials();
  ASSERT_NE(first, 0);
  kill(first, SIGKILL);
  int second = first;
  for (int i = 0; i < 6000 && (second == first || second == 0); ++i)
    second = Find("slow_relu");
  ASSERT_NE(second, first);
  kill(second, SIGKILL);
  EXPECT_EQ(ExitCode(), 1);
  const std::string log = ReadAll(Path("log"));
  EXPECT_NE(log.find("\"runtime_error\""), std::string::npos) << log;
  ExpectNothingLeft();
}

TEST_F(FaultsTest, KilledInitOfAJailIsOurFailure) {
  Start();
  const int candidate = AwaitTrials();
  ASSERT_NE(candidate, 0);
  kill(ParentOf(candidate), SIGKILL);
  EXPECT_EQ(ExitCode(), 0);
  const std::string log = ReadAll(Path("log"));
  EXPECT_NE(log.find("somebody killed the jail's first process"),
            std::string::npos)
      << log;
  ExpectNothingLeft();
}

TEST_F(FaultsTest, InterruptEndsCleanly) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Start();
    AwaitTrials();
    const auto begin = steady_clock::now();
    kill(process_->pid(), signal);
    EXPECT_EQ(ExitCode(), 130);
    RecordProperty(
        "milliseconds_" + std::to_string(signal),
        std::to_string((steady_clock::now() - begin) / milliseconds(1)));
    ExpectNothingLeft();
  }
}

TEST_F(FaultsTest, NothingOutlivesUsWhenWeAreKilled) {
  Start();
  AwaitTrials();
  kill(process_->pid(), SIGKILL);
  ExpectNothingLeft();
}

}  // namespace
}  // namespace kb
