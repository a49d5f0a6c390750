#pragma once

#include <string>

#include "digest.h"
#include "report/runs.h"

namespace kb::report {

// One row per problem, with the controls that the page's script shows.
std::string ProblemsHtml(const Book& book, const Digest& digest);

// One row per listed sample, and how many have none.
std::string SamplesHtml(const Book& book, const Digest& digest);

}  // namespace kb::report
