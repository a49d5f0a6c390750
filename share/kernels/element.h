// What every device does to one element: the bits of each element type, their
// values, the poison and the mixing. One definition, compiled by the host
// compiler into the cpu device and by NVRTC into the CUDA kernels, so that the
// two cannot disagree. No standard header: NVRTC has none.
#pragma once

#ifdef __CUDACC_RTC__
#define KB_ELEMENT __device__ inline
#else
#define KB_ELEMENT inline
#endif

namespace kb::kernels {

using Byte = unsigned char;
using Word16 = unsigned short;
using Word32 = unsigned int;
using Word64 = unsigned long long;
using Index = long long;

static_assert(sizeof(Word16) == 2 && sizeof(Word32) == 4);
static_assert(sizeof(Word64) == 8 && sizeof(Index) == 8);

#ifdef __CUDACC_RTC__
KB_ELEMENT float ToFloat(Word32 bits) { return __uint_as_float(bits); }
KB_ELEMENT Word32 ToBits(float value) { return __float_as_uint(value); }
KB_ELEMENT double ToDouble(Word64 bits) {
  return __longlong_as_double(static_cast<Index>(bits));
}
KB_ELEMENT Word64 ToBits(double value) {
  return static_cast<Word64>(__double_as_longlong(value));
}
#else
KB_ELEMENT float ToFloat(Word32 bits) {
  return __builtin_bit_cast(float, bits);
}
KB_ELEMENT Word32 ToBits(float value) {
  return __builtin_bit_cast(Word32, value);
}
KB_ELEMENT double ToDouble(Word64 bits) {
  return __builtin_bit_cast(double, bits);
}
KB_ELEMENT Word64 ToBits(double value) {
  return __builtin_bit_cast(Word64, value);
}
#endif

KB_ELEMENT double Infinity() { return ToDouble(0x7ff0000000000000ull); }
KB_ELEMENT double Magnitude(double value) {
  return ToDouble(ToBits(value) & 0x7fffffffffffffffull);
}
KB_ELEMENT bool IsFinite(double value) { return Magnitude(value) < Infinity(); }

// base::Mix, which NVRTC cannot see; a test compares the two.
KB_ELEMENT Word64 Spread(Word64 x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// The place-th number of the SplitMix64 sequence of `seed`.
KB_ELEMENT Word64 Draw(Word64 seed, Word64 place) {
  return Spread(seed + place * 0x9e3779b97f4a7c15ull);
}

KB_ELEMENT float HalfToFloat(Word16 half) {
  const Word32 sign = static_cast<Word32>(half & 0x8000u) << 16;
  const Word32 rest = static_cast<Word32>(half & 0x7fffu) << 13;
  if ((half & 0x7c00u) == 0x7c00u) return ToFloat(sign | 0x7f800000u | rest);
  if ((half & 0x7c00u) != 0) return ToFloat(sign | (rest + 0x38000000u));
  // Subnormal: 2^-14 + m * 2^-24 less 2^-14. No subnormal float takes part, so
  // it also holds where these are flushed to zero.
  const float magnitude = ToFloat(0x38800000u | rest) - ToFloat(0x38800000u);
  return ToFloat(sign | ToBits(magnitude));
}

// Rounds to nearest, ties to even; NaN keeps sign and upper payload.
KB_ELEMENT Word16 FloatToHalf(float value) {
  const Word32 bits = ToBits(value);
  const Word32 sign = (bits >> 16) & 0x8000u;
  const Word32 rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u)
    return static_cast<Word16>(sign | 0x7e00u | ((rest >> 13) & 0x3ffu));
  if (rest >= 0x477ff000u)  // 65520, halfway from the largest half to 2^16
    return static_cast<Word16>(sign | 0x7c00u);
  if (rest < 0x38800000u) {
    // Below 2^-14. A float in [0.5, 1) counts in steps of 2^-24, as subnormal
    // halves do, so that adding 0.5 rounds.
    const float shifted = ToFloat(rest) + 0.5f;
    return static_cast<Word16>(sign | (ToBits(shifted) - 0x3f000000u));
  }
  const Word32 rounded = rest + 0xfffu + ((rest >> 13) & 1u);
  return static_cast<Word16>(sign | ((rounded - 0x38000000u) >> 13));
}

KB_ELEMENT float BFloatToFloat(Word16 bits) {
  return ToFloat(static_cast<Word32>(bits) << 16);
}

// Rounds to nearest, ties to even; NaN keeps sign and upper payload.
KB_ELEMENT Word16 FloatToBFloat(float value) {
  const Word32 bits = ToBits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return static_cast<Word16>((bits >> 16) | 0x40u);
  return static_cast<Word16>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

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
    const Index x = static_cast<Number>(a), y = static_cast<Number>(b);
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

struct Float16 : Floating<Word16, 0x7c00, 0x0200> {
  KB_ELEMENT static double Value(Bits bits) { return HalfToFloat(bits); }
  KB_ELEMENT static Bits Round(double value) {
    return FloatToHalf(static_cast<float>(value));
  }
};
struct BFloat16 : Floating<Word16, 0x7f80, 0x0040> {
  KB_ELEMENT static double Value(Bits bits) { return BFloatToFloat(bits); }
  KB_ELEMENT static Bits Round(double value) {
    return FloatToBFloat(static_cast<float>(value));
  }
};
struct Float32 : Floating<Word32, 0x7f800000, 0x00400000> {
  KB_ELEMENT static double Value(Bits bits) { return ToFloat(bits); }
  KB_ELEMENT static Bits Round(double value) {
    return ToBits(static_cast<float>(value));
  }
};
struct Float64 : Floating<Word64, 0x7ff0000000000000, 0x0008000000000000> {
  KB_ELEMENT static double Value(Bits bits) { return ToDouble(bits); }
  KB_ELEMENT static Bits Round(double value) { return ToBits(value); }
};

// The poison of element i: its slice of the i-th 8-byte word's random bits.
template <typename T>
KB_ELEMENT typename T::Bits PoisonAt(Word64 seed, Index i) {
  using Bits = typename T::Bits;
  constexpr Word64 kPerWord = 8 / sizeof(Bits);
  const Word64 place = static_cast<Word64>(i);
  const Word64 shift = 8 * sizeof(Bits) * (place % kPerWord);
  return T::Poison(static_cast<Bits>(Draw(seed, place / kPerWord) >> shift));
}

// Element i of a mixed input: a random sign, one scale of 2^-6 .. 2^4 for every
// 128 elements, and another factor of 64 for one element in 1024. All factors
// are powers of two. What is not finite, or would not be, stays as it is.
template <typename T>
KB_ELEMENT typename T::Bits MixAt(typename T::Bits bits, Word64 seed, Index i) {
  const Word64 place = static_cast<Word64>(i);
  const Word64 own = Draw(seed, place);
  const Word64 common = Draw(~seed, place / 128);
  double factor = static_cast<double>(1u << (common % 11)) / 64;
  if ((own >> 1) % 1024 == 0) factor *= 64;
  if ((own & 1) != 0) factor = -factor;
  const auto mixed = T::Round(T::Value(bits) * factor);
  return IsFinite(T::Value(mixed)) ? mixed : bits;
}

// How many of the eight bytes of `a` differ from those of `b`.
KB_ELEMENT Word64 DifferentBytes(Word64 a, Word64 b) {
  const Word64 low = 0x7f7f7f7f7f7f7f7full;
  const Word64 x = a ^ b;
  const Word64 marks = (((x & low) + low) | x) & ~low;
  return ((marks >> 7) * 0x0101010101010101ull) >> 56;
}

}  // namespace kb::kernels
