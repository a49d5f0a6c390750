#pragma once

#include <cstdint>
#include <string_view>

namespace kb::base {

// 64 bits from the operating system's generator: a secret nobody can derive.
uint64_t SecretSeed();

// Seed `number` of `purpose` from another one, by SHA-256: nobody gets from it
// to that one, nor to others of it.
uint64_t DerivedSeed(uint64_t seed, std::string_view purpose, uint64_t number);

// A fixed mixing of 64 bits (the finaliser of SplitMix64, Steele et al. 2014,
// doi:10.1145/2660193.2660195). Not a secret, only well spread.
constexpr uint64_t Mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// A small sequence of well-spread numbers from a seed, the same everywhere.
class Sequence {
 public:
  explicit Sequence(uint64_t seed) : state_(seed) {}
  uint64_t Next() { return Mix(state_ += 0x9e3779b97f4a7c15ull); }
  // Uniform in [0, bound); bound > 0. The modulo bias is below 2^-32 for the
  // bounds that fit 32 bits.
  uint64_t Below(uint64_t bound) { return Next() % bound; }

 private:
  uint64_t state_;
};

}  // namespace kb::base
