#pragma once

#include <string>

#include "report/runs.h"

namespace kb::report {

// <svg>s of the overview, each with its text alternative; "" where the book
// does not have what they show.

std::string CurvesSvg(const Book& book);     // fast_p over p
std::string CostSvg(const Book& book);       // fast_1 over price
std::string SpeedupsHtml(const Book& book);  // a histogram per run

// Which line and marker is which run.
std::string RunKeyHtml(const Book& book);

}  // namespace kb::report
