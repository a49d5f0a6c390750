#include "searches.h"

#include <gtest/gtest.h>

#include "conversation.h"
#include "search_tree.h"
#include "text_fixture.h"

namespace kb::report {
namespace {

using analysis::Search;
using record::AskKind;
using record::Verdict;

analysis::SearchTurn Turn(int64_t number, AskKind kind,
                          std::vector<int64_t> parents, double speedup) {
  analysis::SearchTurn turn;
  turn.ask = {number, kind, std::move(parents), "island 1"};
  turn.told.emplace().turn = number;
  turn.told->status = record::GenerationStatus::kComplete;
  turn.told->verdict = speedup > 0 ? Verdict::kCorrect : Verdict::kIncorrect;
  if (speedup > 0) turn.told->speedup = speedup;
  turn.tokens = 1100;
  turn.usd = 0.5;
  turn.told->seconds = 90;
  return turn;
}

Book BookWith(std::vector<analysis::SearchTurn> turns) {
  Book book;
  book.runs.emplace_back().name = "islands";
  book.problems.emplace_back().id = "level1/19";
  Search search{"level1/19", 0, std::move(turns), {}};
  for (const analysis::SearchTurn& turn : search.turns)
    if (turn.told->speedup == 4) search.best = turn.ask.turn;
  book.runs[0].searches.push_back(search);
  return book;
}

TEST(SearchesPart, IsNotThereWithoutASearch) {
  Book book;
  book.runs.emplace_back();
  EXPECT_EQ(SearchesHtml(book), "");
}

TEST(SearchesPart, TreeStandsBelowItsParents) {
  const std::string html = SearchesHtml(BookWith(
      {Turn(1, AskKind::kFirst, {}, 2), Turn(2, AskKind::kFirst, {}, 0),
       Turn(3, AskKind::kMutation, {1}, 1),
       Turn(4, AskKind::kCrossover, {1, 2}, 4)}));
  // Turns 3 and 4 are a list within the item of turn 1.
  const size_t first = html.find("turn 1, first");
  const size_t list = html.find("<ul class=\"tree\">", first);
  const size_t second = html.find("turn 2, first");
  ASSERT_NE(first, std::string::npos) << html;
  EXPECT_LT(first, list);
  EXPECT_LT(list, html.find("turn 3, mutation"));
  EXPECT_LT(html.find("turn 4, crossover of 1 and 2"), second);
  EXPECT_EQ(TimesIn(html, "class=\"tree\""), 2U);
  EXPECT_EQ(TimesIn(html, "class=\"better\""), 2U) << "turns 1 and 4";
  EXPECT_EQ(TimesIn(html, ">counts<"), 1U);
  EXPECT_TRUE(Has(html, "1,100 tokens"));
}

TEST(SearchesPart, ConversationDoesNotRunOutOfThePage) {
  std::vector<analysis::SearchTurn> turns{Turn(1, AskKind::kFirst, {}, 1)};
  for (int64_t i = 2; i <= 30; ++i)
    turns.push_back(Turn(i, AskKind::kRefine, {i - 1}, 1));
  const std::string html = SearchesHtml(BookWith(std::move(turns)));
  EXPECT_EQ(TimesIn(html, "class=\"tree\""), 1U);
  EXPECT_EQ(TimesIn(html, "<li><div"), 30U);
}

TEST(SearchesPart, VeryManyTurnsAreNotAllShown) {
  std::vector<analysis::SearchTurn> turns;
  for (int64_t i = 1; i <= 401; ++i)
    turns.push_back(Turn(i, AskKind::kFirst, {}, 1));
  const std::string html = SearchesHtml(BookWith(std::move(turns)));
  EXPECT_EQ(TimesIn(html, "<li><div"), 400U);
  EXPECT_TRUE(Has(html, "The first 400 of 401 turns."));
}

TEST(SearchesPart, WinnerStandsBesideWhatItWasAgain) {
  Book book = BookWith({Turn(1, AskKind::kFirst, {}, 4)});
  BookSample& sample = book.samples.emplace_back();
  sample.outcome.sample = 0;
  sample.outcome.confirms = true;
  sample.outcome.speedup = 3.5;
  const std::string html = SearchesHtml(book);
  EXPECT_TRUE(Has(html,
                  "turn 1 counts: 4.00x as the search saw it, 3.50x "
                  "judged again"))
      << html;
}

TEST(SearchesPart, CurvesAreOverAnswersTokensAndPrice) {
  Book book = BookWith(
      {Turn(1, AskKind::kFirst, {}, 1), Turn(2, AskKind::kFirst, {}, 4)});
  std::string html = SearchesHtml(book);
  for (const char* heading : {"Best so far by answers", "Best so far by tokens",
                              "Best so far by price", "Best so far by time"})
    EXPECT_TRUE(Has(html, heading)) << heading;
  EXPECT_TRUE(Has(html, "islands: 4.00x at 2;"));
  EXPECT_TRUE(Has(html, "islands: 4.00x at 3;")) << "minutes";
  EXPECT_FALSE(Has(html, "confidence")) << "of one search there is none";
  book.runs[0].searches[0].turns[1].usd.reset();
  html = SearchesHtml(book);
  EXPECT_FALSE(Has(html, "Best so far by price"));
  const Search search = book.runs[0].searches[0];
  book.runs[0].searches.assign(2, search);
  EXPECT_TRUE(Has(SearchesHtml(book), "confidence"));
}

TEST(SearchesPart, StrategyOfEveryRunIsNamed) {
  Book book = BookWith({Turn(1, AskKind::kFirst, {}, 1)});
  EXPECT_TRUE(Has(SearchesHtml(book), "islands: 1 conversation by refinement"));
  book.runs[0].strategy = "islands:islands=2,seed=0";
  EXPECT_TRUE(Has(SearchesHtml(book),
                  "islands: 1 conversation by islands:islands=2,seed=0"));
}

// Turn 2 changes one line of turn 1 and adds one.
Book BookWithTexts() {
  Book book = BookWith(
      {Turn(1, AskKind::kFirst, {}, 2), Turn(2, AskKind::kRefine, {1}, 4)});
  BookTurn first{"Write it.", "Here it is.", "a\nb\n", false, "all is well"};
  BookTurn second{"It is correct.", "Faster.", "a\nx\ny\n", false, ""};
  book.runs[0].conversations = {{{1, first}, {2, second}}};
  return book;
}

TEST(SearchesPart, NodeLeadsToItsPlaceInTheConversation) {
  const std::string html = SearchesHtml(BookWithTexts());
  EXPECT_TRUE(Has(html, "<a href=\"#search/0/2\">turn 2, refine</a>")) << html;
  EXPECT_TRUE(Has(html, "+2 \u22121 lines"));
  EXPECT_TRUE(Has(html, "<p class=\"said\">all is well</p>"));
  EXPECT_TRUE(Has(html, "$0.5"));
  Book without = BookWithTexts();
  without.runs[0].conversations.clear();
  EXPECT_FALSE(Has(SearchesHtml(without), "href")) << "there is none";
}

TEST(SearchesPart, ProgramIsComparedWithTheFirstParentThatHasOne) {
  Book book = BookWithTexts();
  analysis::SearchTurn& turn = book.runs[0].searches[0].turns[1];
  turn.ask = {2, AskKind::kCrossover, {7, 1}, ""};
  const auto& conversation = book.runs[0].conversations[0];
  EXPECT_EQ(ComparedWith(turn, conversation), 1);
  turn.ask.parents = {7};
  EXPECT_EQ(ComparedWith(turn, conversation), std::nullopt);
  EXPECT_EQ(ChangeText(turn, conversation), "");
}

TEST(SearchesPart, ConversationHasAllTextsOnce) {
  Book book = BookWithTexts();
  book.runs[0].conversations[0].at(2).source = "a\nb\n";
  std::vector<std::string> texts;
  const base::Json json =
      ConversationJson(book, 0, 0, [&texts](const std::string& text) {
        texts.push_back(text);
        return texts.size() - 1;
      });
  EXPECT_EQ(json["problem"], 0);
  EXPECT_EQ(json["best"], 2);
  const base::Json& second = json["turns"][1];
  EXPECT_EQ(second["change"], "the same program");
  EXPECT_EQ(texts.at(second["prompt"].get<size_t>()), "It is correct.");
  EXPECT_EQ(texts.at(second["source"].get<size_t>()), "a\nb\n");
  EXPECT_EQ(second["seconds"], 90);
  EXPECT_TRUE(second["better"].get<bool>());
  EXPECT_EQ(json["turns"][0]["reason"], "all is well");
}

TEST(SearchesPart, WhatCameFromOutsideIsText) {
  Book book = BookWith({Turn(1, AskKind::kFirst, {}, 1)});
  book.runs[0].searches[0].turns[0].ask.place = "<script>";
  book.runs[0].searches[0].problem_id = "<b>";
  book.runs[0].conversations = {{{1, {"", "", "", false, "<script>"}}}};
  const std::string html = SearchesHtml(book);
  EXPECT_FALSE(Has(html, "<script>"));
  EXPECT_FALSE(Has(html, "<b> sample"));
}

}  // namespace
}  // namespace kb::report
