#pragma once

#include <string>

#include "report/runs.h"

namespace kb::report {

// The part of the page about searches: the best so far against what was paid,
// then the tree of each. "" where no run was one.
std::string SearchesHtml(const Book& book);

}  // namespace kb::report
