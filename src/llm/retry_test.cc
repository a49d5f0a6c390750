#include "retry.h"

#include <gtest/gtest.h>

#include "gate.h"

namespace kb::llm {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

// 2026-01-01 00:00:00 UTC.
constexpr std::time_t kNow = 1767225600;

Trouble Status(int status,
               const std::map<std::string, std::string>& headers = {}) {
  return {Trouble::Kind::kStatus, status, "why", headers};
}

Decision Decided(const Trouble& trouble, int64_t attempt = 1) {
  base::Sequence random(1);
  return Decide(trouble, attempt, RetryRules(), kNow, &random);
}

TEST(Retry, PassingTroubleIsTriedAgain) {
  for (const int status : {408, 409, 429, 500, 502, 503, 504, 529})
    EXPECT_TRUE(Decided(Status(status)).wait) << status;
  for (const auto kind : {Trouble::Kind::kBroken, Trouble::Kind::kMalformed,
                          Trouble::Kind::kForeign})
    EXPECT_TRUE(Decided({kind, 0, "why", {}}).wait);
}

TEST(Retry, LastingTroubleIsNot) {
  const std::map<int, Failure::Kind> expected{
      {400, Failure::Kind::kRejected}, {413, Failure::Kind::kRejected},
      {422, Failure::Kind::kRejected}, {401, Failure::Kind::kFatal},
      {402, Failure::Kind::kFatal},    {403, Failure::Kind::kFatal},
      {404, Failure::Kind::kFatal}};
  for (const auto& [status, kind] : expected) {
    const Decision decision = Decided(Status(status));
    EXPECT_FALSE(decision.wait) << status;
    EXPECT_EQ(decision.kind, kind) << status;
  }
  EXPECT_EQ(Decided({Trouble::Kind::kTooLarge, 0, "", {}}).kind,
            Failure::Kind::kUnusable);
}

TEST(Retry, ModerationRefusesOneQuestion) {
  Trouble trouble = Status(403);
  trouble.flagged = true;
  const Decision decision = Decided(trouble);
  EXPECT_FALSE(decision.wait);
  EXPECT_EQ(decision.kind, Failure::Kind::kRejected);
  EXPECT_EQ(decision.message,
            "status 403: why: moderation refuses this prompt");
  trouble.status = 401;
  EXPECT_EQ(Decided(trouble).kind, Failure::Kind::kFatal);
}

TEST(Retry, LastAttemptSaysWhatItWas) {
  const Decision gone = Decided(Status(500), 6);
  EXPECT_FALSE(gone.wait);
  EXPECT_EQ(gone.kind, Failure::Kind::kUnavailable);
  EXPECT_EQ(gone.message, "status 500: why (tried 6 times)");
  EXPECT_EQ(Decided({Trouble::Kind::kMalformed, 0, "x", {}}, 6).kind,
            Failure::Kind::kUnusable);
}

TEST(Retry, WaitDoublesUpToTheCap) {
  milliseconds expected = 1000ms;
  RetryRules rules;
  rules.attempts = 100;
  base::Sequence random(1);
  for (int64_t attempt = 1; attempt < 90; ++attempt) {
    const auto wait = *Decide(Status(500), attempt, rules, kNow, &random).wait;
    EXPECT_GE(wait, expected * 3 / 4);
    EXPECT_LE(wait, expected * 5 / 4 + 1ms);
    expected = std::min<milliseconds>(expected * 2, 60s);
  }
}

TEST(Retry, AskedWaitIsKeptAndHoldsEveryone) {
  const Decision decision = Decided(Status(429, {{"retry-after", "7"}}));
  EXPECT_TRUE(decision.everyone);
  EXPECT_GE(*decision.wait, 7s);
  EXPECT_LE(*decision.wait, 8s);
  EXPECT_FALSE(Decided(Status(429, {{"retry-after", "86400"}})).wait);
  EXPECT_FALSE(Decided(Status(500)).everyone);
}

TEST(Retry, WhoAsksForNoWaitIsWaitedForAllTheSame) {
  const Decision decision = Decided(Status(429, {{"retry-after", "0"}}), 5);
  EXPECT_GE(*decision.wait, 12s);
  EXPECT_LE(*decision.everyone, 1s);
}

TEST(Retry, EveryWayToAskForAWaitIsRead) {
  EXPECT_EQ(ParseWait("7", kNow), 7s);
  EXPECT_EQ(ParseWait("0.5", kNow), 500ms);
  EXPECT_EQ(ParseWait("20ms", kNow), 20ms);
  EXPECT_EQ(ParseWait("6m0s", kNow), 360s);
  EXPECT_EQ(ParseWait("1h2m3.5s", kNow), 3723500ms);
  EXPECT_EQ(ParseWait("Thu, 01 Jan 2026 00:00:30 GMT", kNow), 30s);
  EXPECT_EQ(ParseWait("2026-01-01T00:01:00Z", kNow), 60s);
  EXPECT_EQ(ParseWait("1767225605", kNow), 5s);
  EXPECT_EQ(ParseWait("1767225605000", kNow), 5s);
  EXPECT_EQ(ParseWait("Thu, 01 Jan 2015 00:00:30 GMT", kNow), 0s);
  for (const char* text : {"", "soon", "-3", "5 parsecs", "nan", "1e999", "s"})
    EXPECT_EQ(ParseWait(text, kNow), std::nullopt) << text;
}

TEST(Retry, ExhaustedLimitSaysWhenItIsReset) {
  EXPECT_EQ(AskedWait({{"x-ratelimit-remaining-requests", "3"},
                       {"x-ratelimit-reset-requests", "9s"},
                       {"x-ratelimit-remaining-tokens", "0"},
                       {"x-ratelimit-reset-tokens", "2s"}},
                      kNow),
            2s);
  EXPECT_EQ(
      AskedWait({{"anthropic-ratelimit-tokens-remaining", "0"},
                 {"anthropic-ratelimit-tokens-reset", "2026-01-01T00:00:04Z"}},
                kNow),
      4s);
  EXPECT_EQ(AskedWait({{"retry-after-ms", "1500"}, {"retry-after", "9"}}, kNow),
            1500ms);
  EXPECT_EQ(AskedWait({}, kNow), std::nullopt);
}

TEST(Gate, StopEndsTheWait) {
  Gate gate;
  gate.Close(Gate::Clock::now() + 1h);
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(gate.Pass(source.get_token()));
  EXPECT_FALSE(gate.Sleep(1h, source.get_token()));
  EXPECT_GT(gate.Left(), 30min);
}

}  // namespace
}  // namespace kb::llm
