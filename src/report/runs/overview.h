#pragma once

#include <string>

#include "digest.h"
#include "report/runs.h"

namespace kb::report {

// Parts of the page above its tables, as HTML; "" where a book has nothing to
// say.

std::string RunsHtml(const Book& book);        // figures of each run
std::string NotCountedHtml(const Book& book);  // and why
std::string HeatMapHtml(const Book& book);     // runs x levels, per p
std::string ScoresHtml(const Book& book);      // all scores as numbers
std::string VerdictsHtml(const Book& book);    // bars and counts per run
std::string PairingsHtml(const Book& book);

// "r0" to "r7": colour, dash and marker of a run in every chart.
std::string RunClass(size_t run);

// 0.42, and the interval as small print.
std::string ShareText(double share);
std::string IntervalText(const stats::Interval& interval);

}  // namespace kb::report
