#include "jail_link.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "base/json.h"
#include "candidate/serve.h"
#include "device_fixture.h"
#include "exchange.h"
#include "os/machine.h"

namespace kb::oracle {
namespace {

using namespace std::chrono_literals;
using Status = record::Judgement::Status;
using Wait = JailLink::Wait;
using wire::MessageType;

// Long enough for what is there already.
constexpr auto kPatience = 60s;

// The jail is played by hand: its socket and what it maps.
class JailLinkTest : public DeviceTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(DeviceTest::SetUp());
    record::ProblemFacts facts;
    facts.outputs = {{record::DType::kFloat32, {16}}};
    auto exchange = Exchange::Create(device_.get(), kernels_.get(), facts, 1);
    ASSERT_TRUE(exchange);
    exchange_.emplace(std::move(*exchange));
    auto sockets = os::SocketPair();
    ASSERT_TRUE(sockets);
    auto link = JailLink::Connect(std::move(sockets->first), false);
    ASSERT_TRUE(link);
    link_.emplace(std::move(*link));
    jail_.emplace(std::move(sockets->second));
  }

  // The set-up is sent, read and mapped.
  void Meet() {
    ASSERT_TRUE(link_->SetUp(*exchange_, nullptr, {}));
    auto message = jail_->Receive(kPatience);
    ASSERT_TRUE(message && *message);
    const auto json = base::ParseJson((*message)->payload, "set-up");
    auto setup = wire::SetupFromJson(*json);
    ASSERT_TRUE(setup) << setup.error().message();
    auto memory = candidate::Memory::Map(device_.get(), std::move(*setup),
                                         std::move((*message)->fds));
    ASSERT_TRUE(memory) << memory.error().message();
    memory_.emplace(std::move(*memory));
  }

  wire::Mailbox::FromJail& page() const { return memory_->mailbox().jail; }

  record::Judgement AwaitLoaded(std::chrono::milliseconds time = kPatience) {
    record::Judgement judgement;
    link_->AwaitLoaded(time, &judgement);
    return judgement;
  }

  record::Judgement LoadedAfter(MessageType type, const std::string& text) {
    EXPECT_TRUE(jail_->Send(type, text));
    return AwaitLoaded();
  }

  std::optional<Exchange> exchange_;
  std::optional<JailLink> link_;
  std::optional<wire::Channel> jail_;
  std::optional<candidate::Memory> memory_;
};

TEST_F(JailLinkTest, AJailThatIsGoneCannotBeSetUpOrBegun) {
  jail_.reset();
  EXPECT_FALSE(link_->SetUp(*exchange_, nullptr, {}));
  EXPECT_FALSE(link_->AwaitOpened(kPatience));
  EXPECT_FALSE(link_->Begin());
}

TEST_F(JailLinkTest, OpenedSaysHowFastItsContextIs) {
  ASSERT_TRUE(jail_->Send(MessageType::kOpened,
                          R"({"launch_us": 1.5, "kept_us": 1.75})"));
  EXPECT_TRUE(link_->AwaitOpened(kPatience));
  EXPECT_EQ(*link_->LaunchMicros(), 1.5);
  EXPECT_EQ(*link_->KeptMicros(), 1.75);
}

// By the kernel's word: what it says itself is not asked.
TEST_F(JailLinkTest, WhoOpenedIsKnownAndHowLongItWaited) {
  EXPECT_EQ(link_->WaitedMicros(), std::nullopt);
  const auto before = os::WaitedMicros(getpid());
  ASSERT_TRUE(jail_->Send(MessageType::kOpened, R"({"sender": 1})"));
  ASSERT_TRUE(link_->AwaitOpened(kPatience));
  const auto waited = link_->WaitedMicros();
  ASSERT_EQ(waited.has_value(), before.has_value());
  if (!before) return;
  EXPECT_GE(*waited, *before);
  EXPECT_LE(*waited, *os::WaitedMicros(getpid()));
}

TEST_F(JailLinkTest, WhatItSaysOfItsContextIsNotBelievedUnread) {
  for (const char* said : {"", "{", "{}", R"({"launch_us": "fast"})", "[]"}) {
    ASSERT_TRUE(jail_->Send(MessageType::kOpened, said));
    EXPECT_TRUE(link_->AwaitOpened(kPatience));
    EXPECT_FALSE(link_->LaunchMicros()) << said;
  }
}

TEST_F(JailLinkTest, OpenedSaysWhetherItCanLookAtWhatRuns) {
  ASSERT_TRUE(jail_->Send(MessageType::kOpened, R"({"launch_us": 1.5})"));
  EXPECT_TRUE(link_->AwaitOpened(kPatience));
  EXPECT_EQ(link_->WhyNotObserved(), "");
  ASSERT_TRUE(jail_->Send(MessageType::kOpened, R"({"observer": "no CUPTI"})"));
  EXPECT_TRUE(link_->AwaitOpened(kPatience));
  EXPECT_EQ(link_->WhyNotObserved(), "no CUPTI");
}

TEST_F(JailLinkTest, WhatItSaysOfWhatRanIsReadWithCare) {
  const auto told = [&](MessageType type, const std::string& text) {
    EXPECT_TRUE(jail_->Send(type, text));
    record::Judgement judgement;
    link_->AwaitObserved(kPatience, &judgement);
    return judgement;
  };
  record::Provenance own;
  own.method = "samples";
  own.samples = 3;
  own.shares[0] = 1;
  const auto seen =
      told(MessageType::kObserved, base::DumpJson(record::ToJson(own)));
  EXPECT_EQ(seen.provenance, own);
  EXPECT_EQ(seen.no_provenance, "");
  for (const char* said : {"", "{", "[]", R"({"error": "\u001b[2Jno"})"}) {
    const auto nothing = told(MessageType::kObserved, said);
    EXPECT_FALSE(nothing.provenance) << said;
    EXPECT_NE(nothing.no_provenance, "") << said;
    EXPECT_EQ(nothing.no_provenance.find('\x1b'), std::string::npos);
  }
  EXPECT_FALSE(told(MessageType::kReady, "{}").provenance);
  jail_.reset();
  record::Judgement judgement;
  link_->AwaitObserved(kPatience, &judgement);
  EXPECT_EQ(judgement.no_provenance, "its process told nothing");
}

TEST_F(JailLinkTest, WhatItSaysOfItsTimeIsReadWithCare) {
  const auto told = [&](MessageType type, const std::string& text) {
    EXPECT_TRUE(jail_->Send(type, text));
    record::Judgement judgement;
    link_->AwaitProfiled(kPatience, &judgement);
    return judgement;
  };
  record::Activity activity;
  activity.method = "samples";
  activity.samples = activity.calls = 3;
  activity.shares[0] = 1;
  const auto seen =
      told(MessageType::kProfiled, base::DumpJson(record::ToJson(activity)));
  EXPECT_EQ(seen.activity, activity);
  EXPECT_EQ(seen.no_activity, "");
  for (const char* said : {"", "{", "[]", R"({"error": "\u001b[2Jno"})"}) {
    const auto nothing = told(MessageType::kProfiled, said);
    EXPECT_FALSE(nothing.activity) << said;
    EXPECT_NE(nothing.no_activity, "") << said;
    EXPECT_EQ(nothing.no_activity.find('\x1b'), std::string::npos);
  }
  EXPECT_FALSE(told(MessageType::kObserved, "{}").activity);
}

TEST_F(JailLinkTest, AnythingElseThanOpenedIsNotOpened) {
  ASSERT_TRUE(jail_->Send(MessageType::kReady, ""));
  EXPECT_FALSE(link_->AwaitOpened(kPatience));
  EXPECT_FALSE(link_->AwaitOpened(1ms)) << "said nothing";
}

TEST_F(JailLinkTest, ReadyIsTheOnlyWordThatMeansLoaded) {
  EXPECT_TRUE(LoadedAfter(MessageType::kReady, "").loaded);
  EXPECT_EQ(link_->load_remark(), "");
  EXPECT_TRUE(LoadedAfter(MessageType::kReady, "a\x1b[2Jb").loaded);
  EXPECT_EQ(link_->load_remark().find('\x1b'), std::string::npos);
  EXPECT_NE(link_->load_remark().find('b'), std::string::npos);
  EXPECT_TRUE(link_->load_remark().starts_with(record::kSaysOfItself));
  for (const auto type : {MessageType::kLoadFailed, MessageType::kOpened,
                          MessageType::kJudged, MessageType{999}}) {
    const auto judgement = LoadedAfter(type, "no");
    EXPECT_FALSE(judgement.loaded);
    EXPECT_EQ(judgement.status, Status::kLoadFailed);
    EXPECT_EQ(judgement.text, "no");
  }
  const auto full = LoadedAfter(MessageType::kNoMemory, "2 GiB");
  EXPECT_FALSE(full.loaded);
  EXPECT_EQ(full.status, Status::kOutOfMemory);
}

TEST_F(JailLinkTest, WhatItSaysCannotDriveATerminal) {
  const auto judgement =
      LoadedAfter(MessageType::kLoadFailed, "\x1b[2Jcleared\x07");
  EXPECT_EQ(judgement.text.find('\x1b'), std::string::npos);
  EXPECT_EQ(judgement.text.find('\x07'), std::string::npos);
  EXPECT_NE(judgement.text.find("cleared"), std::string::npos);
}

TEST_F(JailLinkTest, SilenceIsATimeout) {
  const auto judgement = AwaitLoaded(1ms);
  EXPECT_EQ(judgement.status, Status::kTimeout);
  EXPECT_EQ(judgement.limit_s, 0.001);
}

TEST_F(JailLinkTest, BrokenWordsAreCalledSo) {
  const auto long_one =
      LoadedAfter(MessageType::kReady, std::string(20 << 10, 'x'));
  ASSERT_EQ(send(jail_->fd(), "rubbish", 7, 0), 7);
  const auto malformed = AwaitLoaded();
  for (const auto& judgement : {long_one, malformed}) {
    EXPECT_EQ(judgement.status, Status::kLoadFailed);
    EXPECT_FALSE(judgement.loaded);
    EXPECT_NE(judgement.text.find("broke the protocol"), std::string::npos)
        << judgement.text;
  }
}

TEST_F(JailLinkTest, WhoLeftHadStartedOnlyIfItReadTheSetUp) {
  Meet();
  jail_.reset();
  const auto gone = AwaitLoaded();
  EXPECT_EQ(gone.status, Status::kGone);
  EXPECT_FALSE(gone.loaded);
}

TEST_F(JailLinkTest, WhoNeverReadTheSetUpHasNotStarted) {
  ASSERT_TRUE(link_->SetUp(*exchange_, nullptr, {}));
  jail_.reset();
  EXPECT_EQ(AwaitLoaded().status, Status::kNotStarted);
}

TEST_F(JailLinkTest, AChainIsAnnouncedByItsNumber) {
  Meet();
  wire::Chain chain;
  chain.calls = 5;
  chain.first = 2;
  link_->Announce(chain);
  const auto& told = memory_->mailbox().oracle;
  EXPECT_EQ(told.arm, 1U);
  EXPECT_EQ(told.chain.calls, 5U);
  EXPECT_EQ(told.chain.first, 2U);
  EXPECT_EQ(told.go, 0U);
  link_->Go();
  EXPECT_EQ(told.go, 1U);
  link_->Announce({});
  EXPECT_EQ(told.arm, 2U);
}

TEST_F(JailLinkTest, OnlyTheNumberOfThisChainCounts) {
  Meet();
  link_->Announce({});
  page().armed = 1;
  EXPECT_EQ(link_->AwaitArmed(kPatience), Wait::kDone);
  link_->Announce({});
  EXPECT_EQ(link_->AwaitArmed(1ms), Wait::kTimeout) << "that was the last one";
  page().done = 7;
  EXPECT_EQ(link_->AwaitDone(1ms), Wait::kTimeout) << "of the future";
  page().failed = 1;
  page().armed = 2;
  EXPECT_EQ(link_->AwaitArmed(kPatience), Wait::kDone) << "failed once before";
}

TEST_F(JailLinkTest, FailedIsFailedWhateverElseItWrote) {
  Meet();
  link_->Announce({});
  page().failed = 1;
  EXPECT_EQ(link_->AwaitArmed(kPatience), Wait::kFailed);
  page().done = 1;
  EXPECT_EQ(link_->AwaitDone(kPatience), Wait::kFailed);
}

TEST_F(JailLinkTest, WhoLeavesAfterItsWorkHasDoneIt) {
  Meet();
  link_->Announce({});
  page().armed = 1;
  jail_.reset();
  EXPECT_EQ(link_->AwaitArmed(kPatience), Wait::kDone);
  EXPECT_EQ(link_->AwaitDone(kPatience), Wait::kGone);
}

// It could write what looks like a note of ours.
TEST_F(JailLinkTest, WhatAChainThatWentWellSaysIsTheCandidatesWord) {
  Meet();
  EXPECT_EQ(link_->Remark(), "");
  const std::string said = "certified\nnote a person has looked at it";
  std::ranges::copy(said, page().text.begin());
  page().text_size = static_cast<uint32_t>(said.size());
  EXPECT_EQ(link_->Remark(),
            "its process says: certified note a person has looked at it");
}

TEST_F(JailLinkTest, AReportIsAFailureUnlessItsStatusIsKnown) {
  Meet();
  for (const auto status :
       {wire::CallStatus::kOk, wire::CallStatus::kFailed,
        wire::CallStatus::kOutOfMemory, wire::CallStatus::kStructure}) {
    page().status = static_cast<uint32_t>(status);
    EXPECT_EQ(link_->ReadReport().status, status);
  }
  for (const uint32_t status : {4U, 0xffffffffU}) {
    page().status = status;
    EXPECT_EQ(link_->ReadReport().status, wire::CallStatus::kFailed) << status;
  }
}

TEST_F(JailLinkTest, AReportEndsWithItsPage) {
  Meet();
  std::ranges::fill(page().text, 'x');
  page().text_size = 0xffffffff;
  EXPECT_LE(link_->ReadReport().text.size(), page().text.size());
  page().text_size = 3;
  EXPECT_EQ(link_->ReadReport().text, "xxx");
}

TEST_F(JailLinkTest, PlacesAreReadByTheirNumber) {
  Meet();
  page().places[0] = 512;
  page().places.back() = wire::kInSlot;
  EXPECT_EQ(link_->ReadPlace(0), 512U);
  EXPECT_EQ(link_->ReadPlace(wire::kMaxPlaces - 1), wire::kInSlot);
}

}  // namespace
}  // namespace kb::oracle
