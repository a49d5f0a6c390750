#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/random.h"

namespace kb::faults {

// What a disk, a network, a model or a person may make of a text: the same for
// the same seed.
class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  // `text` with one to four changes.
  std::string Mutate(std::string text) {
    for (uint64_t left = 1 + random_.Below(4); left > 0; --left) Change(&text);
    return text;
  }

 private:
  void Change(std::string* text) {
    const size_t at = random_.Below(text->size() + 1);
    const size_t length = random_.Below(1 + std::min<size_t>(64, text->size()));
    switch (random_.Below(9)) {
      case 0:  // a bit
        if (at < text->size())
          (*text)[at] =
              static_cast<char>((*text)[at] ^ (1 << random_.Below(8)));
        break;
      case 1:  // a byte
        if (at < text->size())
          (*text)[at] = static_cast<char>(random_.Below(256));
        break;
      case 2:  // something is missing
        text->erase(at, length);
        break;
      case 3:  // or there twice
        text->insert(at, text->substr(at, length));
        break;
      case 4:  // or cut off
        if (random_.Below(4) == 0) text->resize(at);
        break;
      case 5:  // or elsewhere
      {
        const std::string part = text->substr(at, length);
        text->erase(at, length);
        text->insert(random_.Below(text->size() + 1), part);
        break;
      }
      case 6:  // much of the same
        text->insert(at, Word(), 0, 1 + random_.Below(3));
        text->insert(at, 1 + random_.Below(2000),
                     at < text->size() ? (*text)[at] : '[');
        break;
      default:
        text->insert(at, Word());
    }
  }

  // What readers are known to stumble over.
  std::string Word() {
    using std::string_view_literals::operator""sv;
    static constexpr std::array kWords{"\0"sv,
                                       "\xff\xfe"sv,
                                       "\xed\xa0\x80"sv,
                                       "\x1b[2J"sv,
                                       "\r"sv,
                                       "\n\n"sv,
                                       "null"sv,
                                       "true"sv,
                                       "-1"sv,
                                       "1e999"sv,
                                       "-0.0"sv,
                                       "NaN"sv,
                                       "{"sv,
                                       "}"sv,
                                       "["sv,
                                       "]"sv,
                                       "\""sv,
                                       "'''"sv,
                                       "\\u0000"sv,
                                       "\\ud800"sv,
                                       "```"sv,
                                       "```cuda\n"sv,
                                       "<think>"sv,
                                       "{{"sv,
                                       "}}"sv,
                                       "#"sv,
                                       "data: "sv,
                                       "[DONE]"sv,
                                       "a.b.c = "sv,
                                       "\\"sv,
                                       "18446744073709551616"sv,
                                       "-9223372036854775809"sv,
                                       "0.1e-400"sv,
                                       "class ModelNew:\n"sv,
                                       "/*"sv,
                                       "//"sv,
                                       "R\"("sv,
                                       "\xc2\x9b"sv};
    return std::string(kWords.at(random_.Below(kWords.size())));
  }

  base::Sequence random_;
};

}  // namespace kb::faults
