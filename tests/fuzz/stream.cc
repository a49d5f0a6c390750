// What model servers send: the pieces that bytes come in make no difference,
// and each dialect either understands an event or calls it malformed.

#include <memory>
#include <string>
#include <vector>

#include "dialect.h"
#include "input.h"
#include "sse.h"

namespace {

using Events = std::vector<kb::llm::Event>;

Events EventsOf(std::string_view text, size_t piece) {
  kb::llm::EventParser parser;
  Events events;
  for (size_t at = 0; at < text.size(); at += piece)
    parser.Feed(text.substr(at, piece), [&](const kb::llm::Event& event) {
      events.push_back(event);
      return true;
    });
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kb::fuzz::Require;
  const auto text = kb::fuzz::Text(data, size);
  const Events whole = EventsOf(text, size + 1);
  const Events bytes = EventsOf(text, 1);
  Require(whole.size() == bytes.size(), "pieces make no events");
  for (size_t i = 0; i < whole.size(); ++i)
    Require(whole[i].name == bytes[i].name && whole[i].data == bytes[i].data,
            "pieces change no event");
  const auto json = kb::base::ParseJson(text, "answer");
  for (const auto make :
       {kb::llm::MakeOpenAi, kb::llm::MakeAnthropic, kb::llm::MakeGemini}) {
    const auto dialect = make();
    kb::llm::Draft draft;
    for (const auto& event : whole)
      if (!dialect->ReadEvent(event, &draft)) break;
    kb::llm::Draft at_once;
    if (json) std::ignore = dialect->ReadWhole(*json, &at_once);
  }
  return 0;
}
