#include "defences.h"

#include <array>
#include <cstdlib>
#include <string_view>

namespace kb::oracle {

bool IsOn(Defence defence) {
  constexpr std::array<std::string_view, 5> kNames{
      "fresh_inputs", "poison", "inputs", "weights", "red_zones"};
  const char* const without = std::getenv("KB_WITHOUT");
  return without == nullptr ||
         without != kNames.at(static_cast<size_t>(defence));
}

}  // namespace kb::oracle
