#include "record/audit.h"

#include <gtest/gtest.h>

#include <limits>

namespace kb::record {
namespace {

using base::Json;
using Status = MutantResult::Status;

Audit SomeAudit() {
  Audit audit;
  audit.inputs = {{DType::kFloat32, {10}}, {DType::kInt64, {}}};
  audit.outputs = {{DType::kFloat16, {3, 5}}};
  audit.state_bytes = 100;
  audit.peak_bytes = std::numeric_limits<uint64_t>::max();
  audit.flops = 1e18;
  audit.reference_us = 0.1;
  audit.repeatable = false;
  audit.finite = false;
  audit.honest_tolerance = 1e-300;
  audit.unused_parameters = {"fc.bias"};
  audit.ignored_inputs = {"0", "2"};
  audit.mutants = {{"zeros", Status::kKilled, "all wrong", "public", 0.5},
                   {"stale", Status::kSurvived, "", "", {}},
                   {"swap", Status::kNotApplicable, "", "", {}},
                   {"bits", Status::kFailed, "TypeError", "", {}}};
  return audit;
}

std::string ErrorOf(const Json& json) {
  const auto failed = AuditFromJson(json);
  return failed ? "" : failed.error().message();
}

TEST(Audit, SurvivesTheTrip) {
  for (const Audit& audit : {SomeAudit(), Audit{}}) {
    const auto json = base::ParseJson(base::DumpJson(ToJson(audit)), "audit");
    ASSERT_TRUE(json);
    const auto back = AuditFromJson(*json);
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_EQ(*back, audit);
  }
}

TEST(Audit, OutcomesHaveTheWordsOfTheSchema) {
  EXPECT_STREQ(StatusName(Status::kKilled), "killed");
  EXPECT_STREQ(StatusName(Status::kSurvived), "survived");
  EXPECT_STREQ(StatusName(Status::kNotApplicable), "not_applicable");
  EXPECT_STREQ(StatusName(Status::kFailed), "failed");
}

TEST(Audit, AnUnknownOutcomeIsAnErrorThatShowsIt) {
  for (const char* word : {"dead", "", "Killed"}) {
    Json json = ToJson(SomeAudit());
    json["mutants"][1]["outcome"] = word;
    EXPECT_EQ(ErrorOf(json),
              "unknown outcome \"" + std::string(word) + "\" of a mutant");
  }
}

TEST(Audit, NothingThatIsMissingGetsADefault) {
  const Json whole = ToJson(SomeAudit());
  for (const auto& field : whole.items()) {
    if (field.key() == "honest_tolerance") continue;
    Json json = whole;
    json.erase(field.key());
    EXPECT_NE(ErrorOf(json).find("\"" + field.key() + "\""), std::string::npos)
        << field.key() << ": " << ErrorOf(json);
  }
}

TEST(Audit, AToleranceThatWasNotMeasuredIsNull) {
  Json json = ToJson(Audit{});
  EXPECT_TRUE(json.at("honest_tolerance").is_null());
  json.erase("honest_tolerance");
  ASSERT_TRUE(AuditFromJson(json));
  EXPECT_FALSE(AuditFromJson(json)->honest_tolerance);
  json["honest_tolerance"] = "small";
  EXPECT_NE(ErrorOf(json).find("honest_tolerance"), std::string::npos);
}

TEST(Audit, CountsTheBytesThatHaveToMove) {
  const Audit audit = SomeAudit();
  EXPECT_EQ(audit.InputBytes(), 10U * 4 + 8);
  EXPECT_EQ(audit.OutputBytes(), 3U * 5 * 2);
  EXPECT_EQ(audit.CompulsoryBytes(), 48U + 100 + 30);
  EXPECT_EQ(Audit{}.CompulsoryBytes(), 0U);
}

TEST(Audit, OnlyWhoSurvivedIsASurvivor) {
  EXPECT_EQ(SomeAudit().Survivors(), (std::vector<std::string>{"stale"}));
  EXPECT_TRUE(Audit{}.Survivors().empty());
}

TEST(Audit, CheapestIsTheKilledOneOfTheLeastTolerance) {
  Audit audit;
  audit.mutants = {{"failed", Status::kFailed, "", "", 0.001},
                   {"survivor", Status::kSurvived, "", "", 0.002},
                   {"dear", Status::kKilled, "", "", 0.5},
                   {"cheap", Status::kKilled, "", "", 0.1},
                   {"as cheap", Status::kKilled, "", "", 0.1},
                   {"never", Status::kKilled, "", "", {}}};
  ASSERT_NE(audit.Cheapest(), nullptr);
  EXPECT_EQ(audit.Cheapest()->name, "cheap");
}

TEST(Audit, NobodyIsCheapestWhereNoToleranceWouldDo) {
  Audit audit;
  EXPECT_EQ(audit.Cheapest(), nullptr);
  audit.mutants = {{"shape", Status::kKilled, "", "", {}},
                   {"stale", Status::kSurvived, "", "", 0.1}};
  EXPECT_EQ(audit.Cheapest(), nullptr);
}

}  // namespace
}  // namespace kb::record
