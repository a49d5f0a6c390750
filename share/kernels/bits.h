// Numbers as bits: what both devices need before they know any element type.
// Compiled by the host compiler and by NVRTC; no standard header, because NVRTC
// has none.
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

// Floats of 8 bits: OCP 8-bit Floating Point Specification 1.0, as PyTorch's
// float8_e4m3fn (mantissa 3, bias 7) and float8_e5m2 (2, 15). `largest` is the
// code of the largest finite number; e4m3fn has no infinity, and one NaN.
template <int mantissa, int bias, Word32 largest>
KB_ELEMENT float SmallToFloat(Byte bits) {
  constexpr Word32 kUnits = 1u << mantissa;
  const Word32 sign = static_cast<Word32>(bits & 0x80u) << 24;
  const Word32 rest = bits & 0x7fu;
  if (rest > largest) {
    const bool infinite = largest % kUnits == kUnits - 1 && rest == largest + 1;
    return ToFloat(sign | (infinite ? 0x7f800000u : 0x7fc00000u));
  }
  if (rest < kUnits) {
    constexpr Word32 kUnit = static_cast<Word32>(128 - bias - mantissa) << 23;
    const float magnitude = static_cast<float>(rest) * ToFloat(kUnit);
    return ToFloat(sign | ToBits(magnitude));
  }
  constexpr Word32 kRebias = static_cast<Word32>(127 - bias) << 23;
  return ToFloat(sign | ((rest << (23 - mantissa)) + kRebias));
}

// Rounds to nearest, ties to even. What is too large becomes the code after
// `largest`: an infinity, or NaN.
template <int mantissa, int bias, Word32 largest>
KB_ELEMENT Byte FloatToSmall(float value) {
  const Word32 bits = ToBits(value);
  const Word32 sign = (bits >> 24) & 0x80u;
  const Word32 rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) return static_cast<Byte>(sign | 0x7fu);
  constexpr Word32 kLeastNormal = static_cast<Word32>(128 - bias) << 23;
  if (rest < kLeastNormal) {
    // Floats from this one on count in steps of the subnormal numbers.
    constexpr Word32 kStep = static_cast<Word32>(151 - bias - mantissa) << 23;
    const float shifted = ToFloat(rest) + ToFloat(kStep);
    return static_cast<Byte>(sign | (ToBits(shifted) - kStep));
  }
  constexpr int kShift = 23 - mantissa;
  constexpr Word32 kRebias = static_cast<Word32>(127 - bias) << 23;
  const Word32 rounded =
      rest + ((1u << (kShift - 1)) - 1u) + ((rest >> kShift) & 1u);
  const Word32 code = (rounded - kRebias) >> kShift;
  return static_cast<Byte>(sign | (code > largest ? largest + 1u : code));
}

// How many of the eight bytes of `a` differ from those of `b`.
KB_ELEMENT Word64 DifferentBytes(Word64 a, Word64 b) {
  const Word64 low = 0x7f7f7f7f7f7f7f7full;
  const Word64 x = a ^ b;
  const Word64 marks = (((x & low) + low) | x) & ~low;
  return ((marks >> 7) * 0x0101010101010101ull) >> 56;
}

}  // namespace kb::kernels
