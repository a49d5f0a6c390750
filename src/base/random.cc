#include "base/random.h"

#include <sys/random.h>

#include "base/check.h"

namespace kb::base {

uint64_t SecretSeed() {
  uint64_t seed = 0;
  KB_CHECK(getrandom(&seed, sizeof(seed), 0) == sizeof(seed));
  return seed;
}

}  // namespace kb::base
