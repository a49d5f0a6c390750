#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/evaluation.h"

namespace kb::html {

// {name, value} for a <dl>, on one line each and visible; still to be escaped.
using FactList = std::vector<std::pair<std::string, std::string>>;

// Leaves out what has no value.
void AddFact(const char* name, std::string_view value, FactList* facts);

// "Output 0: 3 of 4,096 elements (0.0732 %) lie outside the tolerance."
std::string MismatchSummary(const record::Mismatch& mismatch);

// Wants a mismatch.
FactList MismatchFacts(const record::Evaluation& evaluation);

// How times came about, in a sentence for what follows.
std::string RulerSummary(const record::Ruler& ruler);

// The ruler in words and numbers. Empty for the first one, whose times were
// made in another way.
FactList RulerFacts(const record::Ruler& ruler);

// Whose code ran, as the candidate's own process says.
FactList ProvenanceFacts(const record::Provenance& provenance);
// "41.2 % library libcublasLt.so.13 sgemm"
std::string PartText(const record::Provenance::Part& part);

// Where the time goes, by the same word, and what that means.
FactList ProfileFacts(const record::Profile& profile);
// "41.2 % own relu in candidate.so"
std::string PartText(const record::Activity::Part& part);
// "1.23e+03 GB/s of 4050: Inputs, ..."
std::string FigureText(const record::Profile::Figure& figure);

// The times that an evaluation has, in the order of a table, and whose they
// are.
struct NamedTime {
  const char* side;
  record::TimeSummary time;
};
std::vector<NamedTime> NamedTimes(const record::Evaluation& evaluation);

// What a reader of the times must not miss; empty when nothing is unusual.
std::vector<std::string> RulerRemarks(const record::Ruler& ruler);

// Under which rules, where and when.
FactList JudgingFacts(const record::Evaluation& evaluation);

// "[3, 4064]"
std::string IndexOf(const record::Mismatch::Position& position);

// Nine significant digits.
std::string Number(double value);

}  // namespace kb::html
