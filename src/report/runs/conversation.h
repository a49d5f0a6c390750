#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "base/json.h"
#include "report/runs.h"

namespace kb::report {

// Where a text of a page is kept: the same id for the same text.
using TextId = std::function<size_t(const std::string&)>;

// The run's conversation with this index, for the page's script: every turn of
// the search with what was asked, answered and said, and what its program is
// compared with.
base::Json ConversationJson(const Book& book, size_t run, size_t index,
                            const TextId& text_id);

}  // namespace kb::report
