#pragma once

#include <string>

#include "html/page_template.h"
#include "report/runs.h"

namespace kb::report {

// <svg>s of the overview, each with its text alternative; "" where the book
// does not have what they show.

std::string CurvesSvg(const Book& book);     // fast_p over p
std::string CostSvg(const Book& book);       // fast_1 over price
std::string SpeedupsHtml(const Book& book);  // a histogram per run

// Which line and marker is which run.
std::string RunKeyHtml(const Book& book);

// What share/report/charts.html needs: curves and costs with their key. `of`:
// what a line of them is, "runs".
void SetCharts(const Book& book, const char* of, html::Data* page);

// A part of a page that is left out with its heading when it is empty.
void SetPart(const char* name, const std::string& html, html::Data* page);

}  // namespace kb::report
