// Fires bugprone-use-after-move: used after it was moved
#include <string>
#include <utility>

void Take(std::string text);
size_t Length(std::string text) {
  Take(std::move(text));
  return text.size();
}
