// Fires performance-move-const-arg: std::move of the const variable
#include <string>
#include <utility>

void Take(std::string text);
void Give(const std::string& text) { Take(std::move(text)); }
