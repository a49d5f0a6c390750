#include "record/audit.h"

#include "oracle_fixture.h"

namespace kb::oracle {
namespace {

class AuditTest : public OracleTest {
 protected:
  record::Audit AuditIt() {
    const base::Json request{{"policy", record::ToJson(policy_)},
                             {"mutants", true}};
    EXPECT_TRUE(channel_->Send(MessageType::kAudit, base::DumpJson(request)));
    const wire::Message answer = Receive();
    EXPECT_EQ(answer.type, MessageType::kAudited) << answer.payload;
    const auto json = base::ParseJson(answer.payload, "audit");
    auto audit = record::AuditFromJson(*json);
    EXPECT_TRUE(audit) << audit.error().message();
    return audit.value_or(record::Audit());
  }

  // "zeros=killed stale=survived "
  static std::string OutcomesOf(const record::Audit& audit) {
    std::string outcomes;
    for (const record::MutantResult& mutant : audit.mutants)
      outcomes += mutant.name + "=" + record::StatusName(mutant.status) + " ";
    return outcomes;
  }
};

TEST_F(AuditTest, SaysWhichWrongAnswersPass) {
  const record::Audit audit = AuditIt();
  EXPECT_EQ(OutcomesOf(audit),
            "right=survived shifted=killed short=killed none=not_applicable "
            "late=killed absolute=survived broken=failed ");
  EXPECT_EQ(audit.mutants.back().detail, "TypeError: no");
  EXPECT_EQ(audit.mutants[1].trial, "public");
  EXPECT_EQ(audit.mutants[0].trial, "");
  // One element is off by 1: 1 / (1 + |expected|), expected in [0, 2).
  ASSERT_EQ(audit.Cheapest(), &audit.mutants[1]);
  EXPECT_GT(*audit.mutants[1].least_tolerance, 1.0 / 3);
  EXPECT_LE(*audit.mutants[1].least_tolerance, 1);
  EXPECT_FALSE(audit.mutants[2].least_tolerance);
  EXPECT_EQ(audit.honest_tolerance, 0);
  EXPECT_TRUE(audit.repeatable);
  EXPECT_TRUE(audit.finite);
  EXPECT_EQ(audit.InputBytes(), kElements * sizeof(float));
  EXPECT_EQ(audit.flops, 1000);
}

TEST_F(AuditTest, WithAMeasuredToleranceComparesWithFloat64) {
  policy_.error_multiple = 8;
  const record::Audit audit = AuditIt();
  EXPECT_EQ(OutcomesOf(audit),
            "right=survived shifted=killed short=killed none=not_applicable "
            "late=killed absolute=survived broken=failed ");
  EXPECT_EQ(audit.honest_tolerance, 0);
}

TEST_F(AuditTest, SaysWhichTrialFindsAMutant) {
  policy_.error_multiple = 8;
  policy_.distributions = true;
  const record::Audit audit = AuditIt();
  const auto trial_of = [&](const std::string& name) {
    for (const record::MutantResult& mutant : audit.mutants)
      if (mutant.name == name) return mutant.trial;
    return std::string("no such mutant");
  };
  EXPECT_EQ(trial_of("shifted"), "public");
  EXPECT_EQ(trial_of("late"), "secret") << "right on public seeds";
  EXPECT_EQ(trial_of("absolute"), "long_tail") << "right where all is positive";
  EXPECT_EQ(trial_of("right"), "");
}

TEST_F(AuditTest, GoesOnWhereTheReferenceTakesNoSuchInputs) {
  policy_.error_multiple = 8;
  policy_.distributions = true;
  g_takes_no_negative = true;
  const record::Audit audit = AuditIt();
  g_takes_no_negative = false;
  EXPECT_EQ(OutcomesOf(audit),
            "right=survived shifted=killed short=killed none=not_applicable "
            "late=killed absolute=survived broken=failed ");
}

}  // namespace
}  // namespace kb::oracle
