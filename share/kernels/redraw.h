// Inputs that are distributed in another way than they were drawn, made of what
// was drawn. Compiled for both devices, as element.h. All factors are powers of
// two, so that both round alike.
#pragma once

#include "element.h"

namespace kb::kernels {

// As record::Distribution numbers them; a test compares the two.
enum Way : int {
  kLongTail,
  kLarge,
  kNegative,
  kPositive,
  kNearZero,
  kRepeated,
  kZipf,
};

struct Redrawing {
  Word64 seed;
  Index row;           // elements of the last dimension
  Index least, range;  // of ids: from `least` on so many numbers
  int way;
};

// 2^exponent, which need not be a normal double.
KB_ELEMENT double Scaled(double value, int exponent) {
  const auto power = [](int e) {
    return ToDouble(static_cast<Word64>(1023 + e) << 52);
  };
  return value * power(exponent / 2) * power(exponent - exponent / 2);
}

// The element that element i becomes a copy of: itself, but for repeated rows.
// It is a copy of itself, so that nobody reads what another one writes.
KB_ELEMENT Index SourceOf(const Redrawing& how, Index i) {
  if (how.way != kRepeated) return i;
  const Index row = i / how.row;
  const Index even = row - row % 2;  // an odd row is the one before
  const bool constant = Draw(~how.seed, static_cast<Word64>(even)) % 4 == 0;
  return even * how.row + (constant ? 0 : i % how.row);
}

// P(exponent >= n) = 4^-n.
KB_ELEMENT int TailExponent(Word64 random) {
  constexpr int kMost = 12;
  int exponent = 0;
  for (; exponent < kMost && (random & 3) == 0; random >>= 2) ++exponent;
  return exponent;
}

KB_ELEMENT double RedrawnValue(const Redrawing& how, Index i, double value,
                               int tiny) {
  const Word64 own = Draw(how.seed, static_cast<Word64>(i));
  const double sign = (own & 1) != 0 ? -1 : 1;
  constexpr int kLargeExponent = 7;
  switch (how.way) {
    case kLongTail:
      return sign * Scaled(value, TailExponent(own >> 1));
    case kLarge:
      return sign * Scaled(value, kLargeExponent);
    case kNegative:
      return -Magnitude(value);
    case kPositive:
      return Magnitude(value);
    case kNearZero:
      if ((own >> 1) % 16 == 0) return 0;
      return (own >> 1) % 16 == 1 ? Scaled(value, tiny) : value;
    default:
      return value;
  }
}

// Number r of `range` ones with a chance of about 1 / r, in an order of its
// own.
KB_ELEMENT Index ZipfAt(const Redrawing& how, Index i) {
  const Word64 own = Draw(how.seed, static_cast<Word64>(i));
  const Word64 range = static_cast<Word64>(how.range);
  Word64 bits = 1;
  while ((range >> bits) != 0) ++bits;
  const Word64 octave = Word64{1} << (own % bits);
  const Word64 rank = octave - 1 + (own >> 8) % octave;
  const Word64 first = Draw(~how.seed, 0);
  return how.least + static_cast<Index>((rank + first) % range);
}

// What element i becomes; `bits` are those of SourceOf(how, i).
template <typename T>
KB_ELEMENT typename T::Bits RedrawnAt(const Redrawing& how, Index i,
                                      typename T::Bits bits) {
  if constexpr (T::kFloating) {
    const auto redrawn =
        T::Round(RedrawnValue(how, i, T::Value(bits), T::kTiny));
    return IsFinite(T::Value(redrawn)) ? redrawn : bits;
  } else {
    return how.way == kZipf ? static_cast<typename T::Bits>(ZipfAt(how, i))
                            : bits;
  }
}

}  // namespace kb::kernels
