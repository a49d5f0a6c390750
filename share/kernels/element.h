// What every device does to one element: the bits of each element type, their
// values, the poison and the mixing. One definition, compiled by the host
// compiler into the cpu device and by NVRTC into the CUDA kernels, so that the
// two cannot disagree. No standard header: NVRTC has none.
#pragma once

#include "bits.h"

namespace kb::kernels {

// --- Element types. Bits: what memory holds. Poison: bits from pseudo-random
// ones that no correct computation is likely to produce at that place.

template <typename Unsigned, typename Number>
struct Integer {
  using Bits = Unsigned;
  static constexpr bool kFloating = false;
  KB_ELEMENT static double Value(Bits bits) {
    return static_cast<double>(static_cast<Number>(bits));
  }
  KB_ELEMENT static bool IsValid(Bits) { return true; }
  // |a - b|, rounded once.
  KB_ELEMENT static double Distance(Bits a, Bits b) {
    // +: the sign is wanted, where Number is a char as well.
    const Index x = +static_cast<Number>(a);
    const Index y = +static_cast<Number>(b);
    const Word64 p = static_cast<Word64>(x), q = static_cast<Word64>(y);
    return static_cast<double>(x > y ? p - q : q - p);
  }
  KB_ELEMENT static Bits Poison(Bits random) { return random; }
};
using UInt8 = Integer<Byte, Byte>;
using Int8 = Integer<Byte, signed char>;
using Int16 = Integer<Word16, short>;
using Int32 = Integer<Word32, int>;
using Int64 = Integer<Word64, long long>;

// 0 or 1; a byte of another value is an error of whoever wrote it, and hence
// the poison.
struct Bool : Integer<Byte, Byte> {
  KB_ELEMENT static bool IsValid(Bits bits) { return bits <= 1; }
  KB_ELEMENT static Bits Poison(Bits random) {
    return static_cast<Bits>(random | 2u);
  }
};

// `exponent`: its field all ones. `quiet`: the bit below it.
template <typename Unsigned, Unsigned exponent, Unsigned quiet>
struct Floating {
  using Bits = Unsigned;
  static constexpr bool kFloating = true;
  // A quiet NaN. A payload of only zeros or only ones is what processors make
  // themselves, and therefore avoided.
  KB_ELEMENT static Bits Poison(Bits random) {
    const Bits sign = static_cast<Bits>(~(exponent | (quiet * 2u - 1u)));
    const Bits mask = static_cast<Bits>(quiet - 1u);
    Bits payload = static_cast<Bits>(random & mask);
    if (payload == 0 || payload == mask)
      payload = static_cast<Bits>(payload ^ 1u);
    return static_cast<Bits>((random & sign) | exponent | quiet | payload);
  }
};

// Too few NaNs to tell one from the poison, which is as an integer's.
template <int mantissa, int bias, Word32 largest, int tiny>
struct Float8 {
  using Bits = Byte;
  static constexpr bool kFloating = true;
  static constexpr int kTiny = tiny;  // 2 to it is denormal
  KB_ELEMENT static double Value(Bits bits) {
    return SmallToFloat<mantissa, bias, largest>(bits);
  }
  KB_ELEMENT static Bits Round(double value) {
    return FloatToSmall<mantissa, bias, largest>(static_cast<float>(value));
  }
  KB_ELEMENT static Bits Poison(Bits random) { return random; }
};
using Float8E4M3 = Float8<3, 7, 0x7e, -8>;
using Float8E5M2 = Float8<2, 15, 0x7b, -15>;

struct Float16 : Floating<Word16, 0x7c00, 0x0200> {
  static constexpr int kTiny = -18;  // 2 to it is denormal
  KB_ELEMENT static double Value(Bits bits) { return HalfToFloat(bits); }
  KB_ELEMENT static Bits Round(double value) {
    return FloatToHalf(static_cast<float>(value));
  }
};
struct BFloat16 : Floating<Word16, 0x7f80, 0x0040> {
  static constexpr int kTiny = -130;  // 2 to it is denormal
  KB_ELEMENT static double Value(Bits bits) { return BFloatToFloat(bits); }
  KB_ELEMENT static Bits Round(double value) {
    return FloatToBFloat(static_cast<float>(value));
  }
};
struct Float32 : Floating<Word32, 0x7f800000, 0x00400000> {
  static constexpr int kTiny = -130;  // 2 to it is denormal
  KB_ELEMENT static double Value(Bits bits) { return ToFloat(bits); }
  KB_ELEMENT static Bits Round(double value) {
    return ToBits(static_cast<float>(value));
  }
};
struct Float64 : Floating<Word64, 0x7ff0000000000000, 0x0008000000000000> {
  static constexpr int kTiny = -1030;  // 2 to it is denormal
  KB_ELEMENT static double Value(Bits bits) { return ToDouble(bits); }
  KB_ELEMENT static Bits Round(double value) { return ToBits(value); }
};

// The poison of element i, which lies in an 8-byte word with these random bits:
// its slice of them.
template <typename T>
KB_ELEMENT typename T::Bits PoisonOf(Word64 word, Index i) {
  using Bits = typename T::Bits;
  constexpr Word64 kPerWord = 8 / sizeof(Bits);
  const Word64 shift = 8 * sizeof(Bits) * (static_cast<Word64>(i) % kPerWord);
  return T::Poison(static_cast<Bits>(word >> shift));
}

template <typename T>
KB_ELEMENT typename T::Bits PoisonAt(Word64 seed, Index i) {
  constexpr Word64 kPerWord = 8 / sizeof(typename T::Bits);
  return PoisonOf<T>(Draw(seed, static_cast<Word64>(i) / kPerWord), i);
}

// So many elements of a mixed input have one scale, 2^-6 .. 2^4.
constexpr Index kMixedAlike = 128;

KB_ELEMENT double MixScale(Word64 seed, Index i) {
  const Word64 common = Draw(~seed, static_cast<Word64>(i / kMixedAlike));
  return static_cast<double>(1u << (common % 11)) / 64;
}

// Element i of a mixed input, with MixScale(seed, i): a random sign, and
// another factor of 64 for one element in 1024. All factors are powers of two.
// What is not finite, or would not be, stays as it is.
template <typename T>
KB_ELEMENT typename T::Bits MixBy(double scale, typename T::Bits bits,
                                  Word64 seed, Index i) {
  const Word64 own = Draw(seed, static_cast<Word64>(i));
  double factor = scale;
  if ((own >> 1) % 1024 == 0) factor *= 64;
  factor = ToDouble(ToBits(factor) ^ (own << 63));  // no branch to mispredict
  const auto mixed = T::Round(T::Value(bits) * factor);
  return IsFinite(T::Value(mixed)) ? mixed : bits;
}

template <typename T>
KB_ELEMENT typename T::Bits MixAt(typename T::Bits bits, Word64 seed, Index i) {
  return MixBy<T>(MixScale(seed, i), bits, seed, i);
}

}  // namespace kb::kernels
