#include "base/random.h"

#include <sys/random.h>

#include <string>

#include "base/check.h"
#include "base/hash.h"

namespace kb::base {

uint64_t SecretSeed() {
  uint64_t seed = 0;
  KB_CHECK(getrandom(&seed, sizeof(seed), 0) == sizeof(seed));
  return seed;
}

uint64_t DerivedSeed(uint64_t seed, std::string_view purpose, uint64_t number) {
  constexpr size_t kDigits = 16;
  const std::string hash = KeyBuilder()
                               .Add(purpose)
                               .Add(std::to_string(seed))
                               .Add(std::to_string(number))
                               .Finish();
  return std::stoull(hash.substr(0, kDigits), nullptr, 16);
}

}  // namespace kb::base
