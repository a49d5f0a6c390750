#include "conversation.h"

#include <set>

#include "base/text.h"
#include "detail.h"
#include "html/html.h"
#include "html/text.h"
#include "search_tree.h"

namespace kb::report {
namespace {

using analysis::Search;
using analysis::SearchTurn;
using base::Json;

Json TurnJson(const SearchTurn& turn, const Conversation& conversation,
              const TextId& text_id) {
  const TurnVerdict verdict = VerdictOf(turn);
  Json json{{"turn", turn.ask.turn},
            {"kind", record::AskKindName(turn.ask.kind)},
            {"parents", turn.ask.parents},
            {"place", html::Cell(turn.ask.place)},
            {"verdict", {verdict.text, verdict.style}},
            {"tokens", turn.tokens},
            {"change", ChangeText(turn, conversation)}};
  if (turn.usd) json["usd"] = Rounded(*turn.usd);
  if (turn.told) {
    json["seconds"] = Rounded(turn.told->seconds);
    if (turn.told->speedup) json["speedup"] = Rounded(*turn.told->speedup);
    json["approaches"] = turn.told->approaches;
  }
  const auto found = conversation.find(turn.ask.turn);
  if (found == conversation.end()) return json;
  const BookTurn& said = found->second;
  json["reason"] = html::Visible(base::Shorten(said.reason, html::kMaxReason));
  json["language"] = said.is_python ? "python" : "cpp";
  for (const auto& [name, text] :
       {std::pair("prompt", &said.prompt), std::pair("answer", &said.answer),
        std::pair("source", &said.source)})
    if (!text->empty()) json[name] = text_id(*text);
  return json;
}

}  // namespace

Json ConversationJson(const Book& book, size_t run, size_t index,
                      const TextId& text_id) {
  const Search& search = book.runs[run].searches[index];
  const Conversation& conversation = book.runs[run].conversations[index];
  std::set<int64_t> better;
  for (const int64_t turn : analysis::Improvements(search)) better.insert(turn);
  Json turns = Json::array();
  for (const SearchTurn& turn : search.turns) {
    turns.push_back(TurnJson(turn, conversation, text_id));
    turns.back()["better"] = better.contains(turn.ask.turn);
  }
  Json json{{"part", "search"},
            {"run", run},
            {"id", html::Cell(search.problem_id)},
            {"sample", search.sample},
            {"turns", turns}};
  if (search.best) json["best"] = *search.best;
  for (size_t i = 0; i < book.problems.size(); ++i)
    if (book.problems[i].id == search.problem_id) json["problem"] = i;
  return json;
}

}  // namespace kb::report
