#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/evaluation.h"

namespace kb::report {

// What a page says of itself and of the machine.
struct PageFacts {
  std::string title;
  std::string generated_at;  // UTC, ISO 8601
  std::string version;       // of kernelbench
  record::DeviceFacts device;
  std::string isolation;  // "full", "reduced", "none"
  // As TableOptions::expected: the page then leads with how many are as
  // expected and which are not.
  std::vector<std::string> expected = {};
};

// One self-contained HTML page: no request leaves it, it reads without
// JavaScript, and whatever a candidate wrote is shown as text. What is not as
// expected comes first, then the correct ones, the fastest first; what was not
// run is folded.
std::string RenderHtml(const std::vector<record::Evaluation>& evaluations,
                       const PageFacts& facts);

struct TableOptions {
  size_t width = 0;     // columns of the terminal; 0: as wide as it gets
  bool colour = false;  // ANSI colours
  // Empty, or per evaluation the name of the verdict it should get ("" = no
  // opinion): adds a column that says "ok" or "UNEXPECTED".
  std::vector<std::string> expected = {};
};

// The same as a table for a terminal, one line per evaluation.
std::string RenderTable(const std::vector<record::Evaluation>& evaluations,
                        const TableOptions& options = {});

}  // namespace kb::report
