#include "search_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "html/format.h"
#include "html/text.h"
#include "line_change.h"

namespace kb::report {
namespace {

using analysis::Search;
using analysis::SearchTurn;
using html::Html;

constexpr size_t kMostTurns = 400;
// Of what is said of a turn; its conversation has all of it.
constexpr size_t kMostColumns = 160;

// The turns of a search by the parent that they stand below; 0: none.
using Children = std::map<int64_t, std::vector<const SearchTurn*>>;

class Tree {
 public:
  Tree(const Search& search, const Conversation* conversation, size_t index,
       Html* html)
      : search_(search),
        conversation_(conversation),
        index_(index),
        html_(html) {
    const size_t shown = std::min(search.turns.size(), kMostTurns);
    for (size_t i = 0; i < shown; ++i)
      children_[ParentOf(search.turns[i])].push_back(&search.turns[i]);
    for (const int64_t turn : analysis::Improvements(search))
      better_.insert(turn);
  }

  void Add() {
    AddBelow(0);
    if (search_.turns.size() > kMostTurns)
      html_->Element("p",
                     fmt::format("The first {} of {} turns.", kMostTurns,
                                 search_.turns.size()),
                     {{"class", "hint"}});
  }

 private:
  // An only child stands beside its parent, so that a long line of descent does
  // not run out of the page.
  void AddBelow(int64_t parent) {
    html_->Open("ul", {{"class", "tree"}}).Line();
    std::vector<const SearchTurn*> row = children_[parent];
    while (!row.empty()) {
      std::vector<const SearchTurn*> next;
      for (const SearchTurn* turn : row) {
        const auto& below = children_[turn->ask.turn];
        const bool beside = row.size() == 1 && below.size() == 1;
        const bool better = better_.contains(turn->ask.turn);
        html_->Open("li");
        html_->Open("div", {{"class", better ? "better" : "not"}});
        AddTurn(*turn);
        html_->Close();
        if (beside)
          next = below;
        else if (!below.empty())
          AddBelow(turn->ask.turn);
        html_->Close().Line();
      }
      row = std::move(next);
    }
    html_->Close();
  }

  void AddTurn(const SearchTurn& turn) {
    const std::string what =
        fmt::format("turn {}, {}", turn.ask.turn, KindText(turn.ask));
    html_->Open("span", {{"class", "what"}});
    if (HasText(turn))
      html_->Element(
          "a", what,
          {{"href", fmt::format("#search/{}/{}", index_, turn.ask.turn)}});
    else
      html_->Text(what);
    html_->Close();
    const TurnVerdict verdict = VerdictOf(turn);
    html_->Raw(" ").Element("span", verdict.text,
                            {{"class", "badge " + verdict.style}});
    if (turn.told && turn.told->speedup)
      html_->Raw(" ").Element("b", html::FormatRatio(*turn.told->speedup));
    if (turn.ask.turn == search_.best)
      html_->Raw(" ").Element("span", "counts", {{"class", "tag"}});
    html_->Raw(" ").Element("small", Small(turn));
    AddWhatWasSaid(turn);
  }

  bool HasText(const SearchTurn& turn) const {
    return conversation_ != nullptr && conversation_->contains(turn.ask.turn);
  }

  // Where it was asked, what it cost, what it changes and how it works.
  std::string Small(const SearchTurn& turn) const {
    std::vector<std::string> parts;
    const auto add = [&parts](std::string part) {
      if (!part.empty()) parts.push_back(std::move(part));
    };
    add(turn.ask.place);
    if (turn.tokens > 0)
      add(fmt::format("{} tokens", html::FormatCount(turn.tokens)));
    if (turn.usd && *turn.usd > 0) add(fmt::format("${:.3g}", *turn.usd));
    if (conversation_ != nullptr) add(ChangeText(turn, *conversation_));
    std::string small = fmt::format("{}", fmt::join(parts, ", "));
    if (turn.told && !turn.told->approaches.empty())
      small += fmt::format("{}{}", small.empty() ? "" : "; ",
                           fmt::join(turn.told->approaches, ", "));
    return small;
  }

  void AddWhatWasSaid(const SearchTurn& turn) {
    if (!HasText(turn)) return;
    const std::string& reason = conversation_->at(turn.ask.turn).reason;
    if (reason.empty()) return;
    html_->Element("p",
                   html::CutToColumns(html::VisibleLine(reason), kMostColumns),
                   {{"class", "said"}});
  }

  const Search& search_;
  const Conversation* conversation_;
  size_t index_;
  Html* html_;
  Children children_;
  std::set<int64_t> better_;
};

bool HasProgram(const Conversation& conversation, int64_t turn) {
  const auto found = conversation.find(turn);
  return found != conversation.end() && !found->second.source.empty();
}

}  // namespace

int64_t ParentOf(const SearchTurn& turn) {
  if (turn.ask.parents.empty()) return 0;
  return turn.ask.kind == record::AskKind::kIdea ? turn.ask.parents.back()
                                                 : turn.ask.parents.front();
}

std::optional<int64_t> ComparedWith(const SearchTurn& turn,
                                    const Conversation& conversation) {
  if (!HasProgram(conversation, turn.ask.turn)) return std::nullopt;
  for (const int64_t parent : turn.ask.parents)
    if (HasProgram(conversation, parent)) return parent;
  return std::nullopt;
}

std::string ChangeText(const SearchTurn& turn,
                       const Conversation& conversation) {
  const auto before = ComparedWith(turn, conversation);
  if (!before) return {};
  const auto change = LineChangeOf(conversation.at(*before).source,
                                   conversation.at(turn.ask.turn).source);
  if (!change) return "another program";
  if (change->added == 0 && change->removed == 0) return "the same program";
  return fmt::format("+{} \u2212{} lines", change->added, change->removed);
}

TurnVerdict VerdictOf(const SearchTurn& turn) {
  if (!turn.told) return {"open", "none"};
  if (turn.told->verdict)
    return {html::FormatVerdict(turn.told->verdict),
            html::VerdictKind(turn.told->verdict)};
  if (turn.ask.kind == record::AskKind::kIdea &&
      turn.told->status == record::GenerationStatus::kNoCode)
    return {"in words", "none"};
  return {"no program", "none"};
}

std::string KindText(const record::Ask& ask) {
  std::string text = record::AskKindName(ask.kind);
  if (ask.parents.size() > 1)
    text += fmt::format(" of {}", fmt::join(ask.parents, " and "));
  return text;
}

void AddTree(const Search& search, const Conversation* conversation,
             size_t index, Html* html) {
  Tree(search, conversation, index, html).Add();
}

}  // namespace kb::report
