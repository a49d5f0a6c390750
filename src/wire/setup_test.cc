#include "wire/setup.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstring>

#include "wire/channel.h"

namespace kb::wire {
namespace {

using namespace std::chrono_literals;
using base::Json;

constexpr auto kPatience = 60s;

std::string ErrorOf(const Json& json) {
  const auto failed = SetupFromJson(json);
  return failed ? "" : failed.error().message();
}

TEST(Setup, NothingThatIsMissingGetsADefault) {
  const Json whole = ToJson(wire::Setup{});
  ASSERT_EQ(ErrorOf(whole), "");
  for (const auto& field : whole.items()) {
    Json json = whole;
    json.erase(field.key());
    EXPECT_NE(ErrorOf(json).find("\"" + field.key() + "\""), std::string::npos)
        << field.key() << ": " << ErrorOf(json);
  }
}

TEST(Setup, AnUnknownPrecisionIsAnErrorThatShowsIt) {
  Json json = ToJson(wire::Setup{});
  json["precision"] = "fp8";
  EXPECT_EQ(ErrorOf(json), "unknown precision \"fp8\"");
}

TEST(Setup, FieldsOfAnotherKindAreErrors) {
  for (const char* field : {"device", "facts", "state", "slots", "launch_us"}) {
    Json json = ToJson(wire::Setup{});
    json[field] = Json::array({"x"});
    EXPECT_NE(ErrorOf(json), "") << field;
  }
  EXPECT_NE(ErrorOf(Json::array()), "");
  EXPECT_NE(ErrorOf(Json()), "");
}

// As docs/wire.md draws a header.
struct Header {
  uint32_t magic = 0x4b42'5731;
  uint16_t type = 30;
  uint16_t spilled = 0;
  uint64_t size = 0;
};

class BytesTest : public testing::Test {
 protected:
  void SetUp() override {
    auto pair = os::SocketPair();
    ASSERT_TRUE(pair);
    ours_.emplace(std::move(pair->first));
    theirs_ = std::move(pair->second);
  }

  bool IsTaken(const Header& header, const std::string& payload,
               Limits limits = {}) {
    std::string packet(sizeof(header), '\0');
    std::memcpy(packet.data(), &header, sizeof(header));
    packet += payload;
    EXPECT_EQ(send(theirs_.get(), packet.data(), packet.size(), 0),
              static_cast<ssize_t>(packet.size()));
    const auto got = ours_->Receive(kPatience, limits);
    return got && got->has_value();
  }

  std::optional<Channel> ours_;
  os::Fd theirs_;
};

TEST_F(BytesTest, AreThoseOfTheDocument) {
  ASSERT_TRUE(ours_->Send(MessageType::kLoadFailed, "no"));
  std::string packet(100, '\0');
  packet.resize(static_cast<size_t>(
      recv(theirs_.get(), packet.data(), packet.size(), 0)));
  EXPECT_EQ(packet, std::string("1WBK\x1f\0\0\0\x02\0\0\0\0\0\0\0no", 18));
}

TEST_F(BytesTest, OfAHeaderAndNothingElseAreAMessage) {
  EXPECT_TRUE(IsTaken({}, ""));
  EXPECT_TRUE(IsTaken({.size = 2}, "no"));
}

TEST_F(BytesTest, ThatDoNotFitTheirHeaderAreRefused) {
  EXPECT_FALSE(IsTaken({.magic = 0x4b42'5732}, "")) << "another protocol";
  EXPECT_FALSE(IsTaken({.size = 3}, "no")) << "fewer than it says";
  EXPECT_FALSE(IsTaken({.size = 1}, "no")) << "more than it says";
  EXPECT_FALSE(IsTaken({.size = ~uint64_t{0}}, "no"));
  EXPECT_FALSE(IsTaken({.spilled = 1, .size = 2}, "")) << "no descriptor";
  EXPECT_FALSE(IsTaken({.spilled = 2, .size = 2}, "no"));
  EXPECT_TRUE(IsTaken({.size = 2}, "no")) << "the next message is fine";
}

TEST_F(BytesTest, AreTakenUpToTheLimit) {
  EXPECT_TRUE(IsTaken({.size = 4}, "1234", {4, 0}));
  EXPECT_FALSE(IsTaken({.size = 5}, "12345", {4, 0}));
}

TEST_F(BytesTest, ThatWereSpilledMustAllBeThere) {
  Channel sender(std::move(theirs_));
  const std::string large(100000, 'x');
  ASSERT_TRUE(sender.Send(MessageType::kReady, large));
  EXPECT_FALSE(ours_->Receive(kPatience, {large.size() - 1, 1}));
  ASSERT_TRUE(sender.Send(MessageType::kReady, large));
  const auto whole = ours_->Receive(kPatience, {large.size(), 1});
  ASSERT_TRUE(whole && *whole);
  EXPECT_EQ((*whole)->payload, large);
  EXPECT_TRUE((*whole)->fds.empty()) << "the payload's own is not handed on";
}

TEST_F(BytesTest, MoreDescriptorsThanAPacketHoldsAreNotSent) {
  const std::vector<int> many(65, ours_->fd());
  EXPECT_FALSE(ours_->Send(MessageType::kSetup, "", many));
}

TEST_F(BytesTest, ToAPeerThatIsGoneAreAnErrorAndNoSignal) {
  theirs_.Close();
  EXPECT_FALSE(ours_->Send(MessageType::kSetup, "{}"));
}

}  // namespace
}  // namespace kb::wire
