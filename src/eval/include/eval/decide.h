#pragma once

#include <optional>
#include <string>

#include "jail/jail.h"
#include "record/evaluation.h"

namespace kb::eval {

// A verdict with its one line of reason and, where it helps, the program's own
// words.
struct Decision {
  record::Verdict verdict = record::Verdict::kInfraError;
  std::string reason;
  std::string log;
  // Somebody outside may have done it: a signal that anybody can send, or what
  // our own host says of itself. Who does it twice is to blame.
  bool doubtful = false;
};

// What the oracle saw and how the jail ended, as a verdict. Pure.
Decision Decide(const record::Judgement& judgement, const jail::JailExit& exit,
                const record::Policy& policy);

// Times, speedup and certification of a judgement whose outputs were all right.
// Fills times of `evaluation` from its trials; the Decision is kCorrect or
// kNotCertified. `interpreted`: no times are taken. Pure.
Decision DecideTimes(record::Evaluation* evaluation);

// What ran, or that nobody knows, in a correct `evaluation`; where its policy
// requires code of its own, the verdict of one that lacks it. `observed`: of
// the process in which it was looked at. Pure.
void DecideProvenance(const record::Judgement& observed,
                      const jail::JailExit& exit,
                      record::Evaluation* evaluation);

// Where the time of a correct `evaluation` goes, or that nobody knows. Pure.
void DecideProfile(const record::Judgement& observed,
                   const jail::JailExit& exit, const record::Problem& problem,
                   record::Evaluation* evaluation);

// "12 of 4096 elements of output 0 are wrong (worst 3.1 at [7, 1016], ...)".
std::string Describe(const record::Mismatch& mismatch);

// The reason with the line of the candidate's file in which the traceback in
// `log` ends: "NameError: ... (relu.py:12)"; as it is without one.
std::string WithPlace(const std::string& reason, const std::string& log,
                      const std::string& file_name);

// The last lines of a Python traceback or of a program's output that tell what
// happened, at most `max_bytes`.
std::string Trimmed(const std::string& text, size_t max_bytes = 8 << 10);

// Takes back an `incorrect` that may be the fault of Triton's interpreter: it
// computes with the bits of bfloat16 as if they were integers
// (triton-lang/triton issue 11584). Pure.
void ForgiveInterpreter(const record::Problem& problem,
                        record::Evaluation* evaluation);

// What wrong answers at hidden sizes come to by the policy: a note, or a
// rejection.
void DecideSizes(record::Evaluation* evaluation);

}  // namespace kb::eval
