#pragma once

#include <string>
#include <vector>

#include "corpus/outcome.h"

namespace kb::corpus {

// One program and what came of it.
struct Line {
  const Program* program = nullptr;
  Outcome outcome;
  // Null: there is none. That of the program.
  const record::Evaluation* evaluation = nullptr;
};

// A row per family: how many, stopped by which layer, how many gained.
std::string HostileTable(const std::vector<Line>& lines);

// A row per family: how many were correct, how many were not: false alarms.
std::string LegitimateTable(const std::vector<Line>& lines);

}  // namespace kb::corpus
