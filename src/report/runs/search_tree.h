#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "analysis/searches.h"
#include "html/html.h"
#include "report/runs.h"

namespace kb::report {

using Conversation = std::map<int64_t, BookTurn>;

// The parent below which a turn stands, of several the program; 0: none.
int64_t ParentOf(const analysis::SearchTurn& turn);

// The turn whose program this one's is compared with: the first of its parents
// that has one. None: it has no program, or no such parent.
std::optional<int64_t> ComparedWith(const analysis::SearchTurn& turn,
                                    const Conversation& conversation);

// Every turn below its parent, with what it changed, how it was judged and what
// it cost. With a conversation (null: the page has none) each leads to its
// place there, "#search/<index>/<turn>".
void AddTree(const analysis::Search& search, const Conversation* conversation,
             size_t index, html::Html* html);

// What the program of a turn is beside the one it is compared with: "+2 -1
// lines". "" where there is none.
std::string ChangeText(const analysis::SearchTurn& turn,
                       const Conversation& conversation);

// The verdict of a turn in words, and its style class.
struct TurnVerdict {
  std::string text;
  std::string style;
};
TurnVerdict VerdictOf(const analysis::SearchTurn& turn);

// "mutation of 3"
std::string KindText(const record::Ask& ask);

}  // namespace kb::report
