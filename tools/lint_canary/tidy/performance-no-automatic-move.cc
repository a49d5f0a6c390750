// Fires performance-no-automatic-move: prevents automatic move
#include <optional>
#include <string>

std::string Make();
std::optional<std::string> Maybe() {
  const std::string made = Make();
  return made;
}
