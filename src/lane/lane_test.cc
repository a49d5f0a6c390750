#include "lane/lane.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "os/files.h"
#include "os/processor_set.h"

namespace kb::lane {
namespace {

// Root in a container may not.
bool MayPrefer() {
  const int usual = ::getpriority(PRIO_PROCESS, 0);
  const bool may = ::setpriority(PRIO_PROCESS, 0, usual - 1) == 0;
  ::setpriority(PRIO_PROCESS, 0, usual);
  return may;
}

// A lane whose Python is a shell script.
class LaneTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TempDir::Create("kb-lane");
    ASSERT_TRUE(folder) << folder.error().message();
    folder_.emplace(std::move(*folder));
    options_.device = "cpu";
    options_.python = folder_->path() + "/python";
  }

  std::string ErrorOfStart(const std::string& script) {
    EXPECT_TRUE(
        os::WriteFileAtomically(options_.python, "#!/bin/sh\n" + script));
    EXPECT_EQ(0, chmod(options_.python.c_str(), 0755));
    const auto lane = Lane::Start(options_, {});
    EXPECT_TRUE(lane);
    const auto greeted = lane ? (*lane)->AwaitOracle() : base::Ok();
    return greeted ? "" : greeted.error().message();
  }

  // A lane whose oracle is the Python program `text`, and whose candidates
  // sleep.
  std::unique_ptr<Lane> LaneWithOracle(const std::string& text) {
    options_.root = folder_->path();
    options_.isolation = jail::Isolation::kNone;
    for (const char* file :
         {"/hosts/candidate_host.py", "/lib/libkb_candidate.so"}) {
      const std::string path = options_.root + file;
      EXPECT_TRUE(os::MakeDirectories(path.substr(0, path.rfind('/'))));
      EXPECT_TRUE(os::WriteFileAtomically(path, ""));
    }
    const std::string oracle = folder_->path() + "/oracle.py";
    EXPECT_TRUE(os::WriteFileAtomically(oracle, kOracle + text));
    EXPECT_TRUE(os::WriteFileAtomically(
        options_.python,
        "#!/bin/sh\ncase $2 in\n*/fork_server.py) exit 3 ;;\n"
        "*/oracle_host.py) exec python3 " +
            oracle + " ;;\nesac\necho $$ > " + PidFile() +
            "\nexec sleep 10000\n"));
    EXPECT_EQ(0, chmod(options_.python.c_str(), 0755));
    auto lane = Lane::Start(options_, {});
    EXPECT_TRUE(lane && (*lane)->AwaitOracle());
    return lane ? std::move(*lane) : nullptr;
  }

  // It has the number of the last candidate's process.
  std::string PidFile() const { return folder_->path() + "/pid"; }

  // Of that one, which may only have been started.
  pid_t AwaitPid() const {
    while (true) {
      const auto text = os::ReadFile(PidFile());
      if (text && text->ends_with("\n")) return std::stoi(*text);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  // Its only candidate, at its turn.
  static base::Result<TurnResult> JudgeOne(
      Lane* lane, const record::Policy& policy, const record::Turn& turn = {},
      const std::function<void(int64_t, int64_t)>& progress = nullptr) {
    JailRequest request;
    request.track = record::Track::kPython;
    request.name = "candidate.py";
    request.policy = policy;
    KB_ASSIGN(auto jail, lane->Launch(request));
    KB_TRY(lane->Prepare(jail.get(), 0, request.track, policy));
    return lane->Judge(std::move(jail), policy, turn, progress);
  }

  // docs/wire.md, as far as one judgement needs it.
  static constexpr const char* kOracle = R"(
import json, socket, struct, time
ours = socket.socket(fileno=3)
def send(kind, body):
    text = json.dumps(body).encode()
    ours.send(struct.pack("<IHHQ", 0x4B425731, kind, 0, len(text)) + text)
def receive():
    data, fds, _, _ = socket.recv_fds(ours, 1 << 20, 8)
    if not data:
        raise SystemExit
    return struct.unpack_from("<IH", data)[1], fds
def judged(status):
    send(12, {"status": status, "text": "", "limit_s": 0.0,
              "loaded": True, "atol": 0.0, "rtol": 0.0, "notes": [], "trials": [],
              "distributions": [],
              "no_provenance": "", "no_activity": "",
              "observer_failed": False,
              "spent": {"load_s": 0.0, "inputs_s": 0.0, "compare_s": 0.0,
                        "hold_s": 0.0, "readings": 0, "open_s": 0.0,
                        "contexts": 0, "reference_launch_us": 0.0,
                        "candidate_launch_us": 0.0}})
send(10, {"device": "cpu", "name": "", "driver": "", "torch": "", "arch": ""})
kind, fds = receive()
candidate = socket.socket(fileno=fds[-1])
send(17, {})
receive()
)";

  std::optional<os::TempDir> folder_;
  LaneOptions options_;
};

// The oracle waits for the candidate's end, and has to say so in time.
TEST_F(LaneTest, CandidateThatSaysNothingEndsBeforeTheOracle) {
  const auto lane = LaneWithOracle(R"(
send(16, {"do": "begin", "whom": "candidate"})
receive()
candidate.recv(1)
time.sleep(2)  # longer than it may live, and than other answers may take
judged("gone")
receive()
)");
  record::Policy policy;
  policy.max_timed_trials = policy.min_timed_trials = 0;
  policy.wall_seconds = 1;
  lane->SetAnswerLimit(std::chrono::seconds(1));
  const auto turn = JudgeOne(lane.get(), policy);
  ASSERT_TRUE(turn) << turn.error().message();
  EXPECT_EQ(turn->exit.kind, jail::JailExit::Kind::kTimedOut);
  EXPECT_TRUE(lane->alive());
}

TEST_F(LaneTest, LifeIsNotLimitedBeforeItsTurn) {
  const auto lane = LaneWithOracle(R"(
time.sleep(2)  # its predecessor is judged
send(16, {"do": "begin", "whom": "candidate"})
receive()
judged("ok")
receive()
)");
  record::Policy policy;
  policy.max_timed_trials = policy.min_timed_trials = 0;
  policy.wall_seconds = 1;
  const auto turn = JudgeOne(lane.get(), policy);
  ASSERT_TRUE(turn) << turn.error().message();
  EXPECT_EQ(turn->exit.kind, jail::JailExit::Kind::kKilled)
      << "by us, when it had been judged";
}

// What torch.compile makes may use many processors to make it, and is timed on
// those that are set apart.
TEST_F(LaneTest, WhatIsCompiledIsConfinedWhenItIsTimed) {
  cpu_set_t set;
  CPU_ZERO(&set);
  ASSERT_EQ(0, ::sched_getaffinity(0, sizeof set, &set));
  const std::vector<int> usable = os::ProcessorsOf(set);
  if (usable.size() < 2) GTEST_SKIP() << "one processor";
  const std::vector<int> others{usable.front()}, timed{usable.back()};
  options_.device = "cuda:0";
  options_.processors.others = others;
  options_.processors.timed = timed;
  for (const bool compiled : {false, true}) {
    const auto lane = LaneWithOracle(R"(
send(13, {"done": 0, "of": 1})
send(16, {"do": "confine", "whom": "candidate"})
receive()
send(13, {"done": 1, "of": 1})
judged("ok")
)");
    std::vector<std::vector<int>> ran_on;
    std::vector<int> nice;
    pid_t pid = 0;
    record::Turn turn;
    turn.compiled = compiled;
    record::Policy policy;
    policy.max_timed_trials = 0;  // no process of the reference
    const auto judged = JudgeOne(lane.get(), policy, turn, [&](auto, auto) {
      if (pid == 0) pid = AwaitPid();
      CPU_ZERO(&set);
      ASSERT_EQ(0, ::sched_getaffinity(pid, sizeof set, &set));
      ran_on.push_back(os::ProcessorsOf(set));
      nice.push_back(::getpriority(PRIO_PROCESS, static_cast<id_t>(pid)));
    });
    ASSERT_TRUE(judged) << judged.error().message();
    EXPECT_EQ(ran_on, (std::vector{compiled ? others : timed, timed}));
    const int usual = ::getpriority(PRIO_PROCESS, 0);
    const int timed_at = MayPrefer() ? -10 : usual;
    EXPECT_EQ(nice, (std::vector{compiled ? usual : timed_at, timed_at}));
    ASSERT_EQ(0, ::unlink(PidFile().c_str()));
  }
}

TEST_F(LaneTest, LaneWhoseOracleHasLeftIsNotAlive) {
  const auto lane = LaneWithOracle("judged('ok')\n");
  record::Policy policy;
  policy.max_timed_trials = policy.min_timed_trials = 0;
  ASSERT_TRUE(JudgeOne(lane.get(), policy));
  while (lane->alive()) usleep(1000);
}

TEST_F(LaneTest, OracleThatSaysNothingIsGivenUp) {
  options_.start_limit = std::chrono::seconds(1);
  EXPECT_EQ(ErrorOfStart("exec sleep 10000"),
            "starting an oracle: the oracle of cpu gave no answer in 1 s");
}

TEST_F(LaneTest, OracleThatIsStoppedIsGivenUp) {
  options_.start_limit = std::chrono::seconds(1);
  EXPECT_EQ(ErrorOfStart("kill -STOP $$"),
            "starting an oracle: the oracle of cpu gave no answer in 1 s");
}

TEST_F(LaneTest, OracleThatEndsSaysHow) {
  EXPECT_EQ(ErrorOfStart("exit 3"),
            "starting an oracle: the oracle of cpu died: exit code 3");
}

// Here the program of the fork server, and what it would have forked.
TEST_F(LaneTest, ProgramsAreExecutedWhereTheForkServerFails) {
  options_.root = folder_->path();
  options_.isolation = jail::Isolation::kNone;
  for (const char* file :
       {"/hosts/candidate_host.py", "/lib/libkb_candidate.so"}) {
    const std::string path = options_.root + file;
    ASSERT_TRUE(os::MakeDirectories(path.substr(0, path.rfind('/'))));
    ASSERT_TRUE(os::WriteFileAtomically(path, ""));
  }
  ASSERT_TRUE(os::WriteFileAtomically(
      options_.python,
      "#!/bin/sh\ncase $2 in */fork_server.py) exit 3 ;; esac\n"
      "echo \"executed $2\"\n"));
  ASSERT_EQ(0, chmod(options_.python.c_str(), 0755));
  const auto lane = Lane::Start(options_, {});
  ASSERT_TRUE(lane) << lane.error().message();
  JailRequest request;
  request.track = record::Track::kPython;
  request.name = "candidate.py";
  for (int i = 0; i < 2; ++i) {
    const auto waiting = (*lane)->Launch(request);
    ASSERT_TRUE(waiting) << waiting.error().message();
    EXPECT_EQ((*waiting)->jail().Wait().output,
              "executed " + options_.root + "/hosts/candidate_host.py\n");
  }
}

}  // namespace
}  // namespace kb::lane
