#include "cpu/cpu_kernels.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "base/check.h"
#include "compare_check.h"
#include "element_of.h"
#include "kernels/tally.h"

namespace kb::device {

namespace {

using record::DType;

constexpr size_t kMiB = size_t{1} << 20;
// When the size of the last-level cache is unknown, and the largest worth its
// time.
constexpr size_t kDefaultScratch = 64 * kMiB;
constexpr size_t kMaxScratch = 256 * kMiB;

// Nothing says that the data is aligned.
template <typename T>
typename T::Bits Load(const std::byte* data, int64_t i) {
  typename T::Bits bits;
  std::memcpy(&bits, data + static_cast<size_t>(i) * sizeof(bits),
              sizeof(bits));
  return bits;
}

template <typename T>
void Save(std::byte* data, int64_t i, typename T::Bits bits) {
  std::memcpy(data + static_cast<size_t>(i) * sizeof(bits), &bits,
              sizeof(bits));
}

// Word by word, each of which is drawn once for all its elements.
template <typename T>
void PoisonAll(std::byte* data, int64_t elements, uint64_t seed) {
  constexpr int64_t kPerWord = 8 / sizeof(typename T::Bits);
  const int64_t words = elements / kPerWord;
  for (int64_t w = 0; w < words; ++w) {
    const uint64_t drawn = kernels::Draw(seed, static_cast<uint64_t>(w));
    uint64_t word = 0;
    for (int64_t i = 0; i < kPerWord; ++i)
      word |= static_cast<uint64_t>(kernels::PoisonOf<T>(drawn, i))
              << (8 * sizeof(typename T::Bits) * static_cast<size_t>(i));
    Save<kernels::Int64>(data, w, word);
  }
  for (int64_t i = words * kPerWord; i < elements; ++i)
    Save<T>(data, i, kernels::PoisonAt<T>(seed, i));
}

template <typename T>
void MixAll(std::byte* data, int64_t elements, uint64_t seed) {
  if constexpr (T::kFloating) {
    for (int64_t begin = 0; begin < elements; begin += kernels::kMixedAlike) {
      const double scale = kernels::MixScale(seed, begin);
      const int64_t end =
          std::min<int64_t>(begin + kernels::kMixedAlike, elements);
      for (int64_t i = begin; i < end; ++i)
        Save<T>(data, i, kernels::MixBy<T>(scale, Load<T>(data, i), seed, i));
    }
  }
}

// Of finite values a vector knows at once how many are wrong. One by one are
// only those counted among which something else is.
template <typename E, typename A>
uint64_t CountWrongOfAll(const std::byte* expected, const std::byte* actual,
                         int64_t elements, const kernels::Rule& rule) {
  constexpr int64_t kTogether = 512;
  uint64_t wrong = 0;
  for (int64_t begin = 0; begin < elements; begin += kTogether) {
    const int64_t end = std::min(begin + kTogether, elements);
    uint64_t far = 0;
    bool finite = A::kFloating;
    if constexpr (A::kFloating) {
      uint64_t others = 0;
      for (int64_t i = begin; i < end; ++i) {
        const double e = E::Value(Load<E>(expected, i));
        const double a = A::Value(Load<A>(actual, i));
        others += !kernels::IsFinite(e) | !kernels::IsFinite(a);
        far += kernels::IsFar(e, a, rule);
      }
      finite = others == 0;
    }
    if (!finite) {
      far = 0;
      for (int64_t i = begin; i < end; ++i)
        far += kernels::IsWrong<E, A>(Load<E>(expected, i), Load<A>(actual, i),
                                      rule);
    }
    wrong += far;
  }
  return wrong;
}

// The loop, compiled once more for processors that multiply eight words at a
// time: a draw is little else.
#if defined(__x86_64__)
template <typename Loop>
[[gnu::target("avx512f,avx512dq"), gnu::flatten]] auto InWide(
    const Loop& loop) {
  return loop();
}
template <typename Loop>
auto InVectors(const Loop& loop) {
  static const bool kWide = __builtin_cpu_supports("avx512dq") != 0;
  return kWide ? InWide(loop) : loop();
}
#else
template <typename Loop>
auto InVectors(const Loop& loop) {
  return loop();
}
#endif

template <typename E, typename A>
Tally CompareAll(const std::byte* expected, const std::byte* actual,
                 int64_t elements, const kernels::Rule& rule) {
  Tally tally;
  for (int64_t i = 0; i < elements; ++i)
    kernels::Observe<E, A>(&tally, i, Load<E>(expected, i), Load<A>(actual, i),
                           rule);
  return tally;
}

uint64_t Different(const Kernels::Pair& pair) {
  const auto& [a, b, bytes] = pair;
  uint64_t count = 0;
  const auto words = static_cast<int64_t>(bytes / 8);
  for (int64_t i = 0; i < words; ++i)
    count += kernels::DifferentBytes(Load<kernels::Int64>(a, i),
                                     Load<kernels::Int64>(b, i));
  for (size_t i = bytes / 8 * 8; i < bytes; ++i) count += a[i] != b[i];
  return count;
}

// Calls act(E(), A()) with the element types.
template <typename Act>
auto WithElements(DType expected_dtype, DType dtype, Act&& act) {
  return WithElement(dtype, [&](auto type) {
    using A = decltype(type);
    if (expected_dtype != dtype) return act(kernels::Float64(), A());
    return act(A(), A());
  });
}

float SlackAt(const std::byte* slack, int64_t i) {
  return std::bit_cast<float>(Load<kernels::Float32>(slack, i));
}

size_t ScratchBytes() {
  const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (cache <= 0) return kDefaultScratch;
  return std::min(2 * static_cast<size_t>(cache), kMaxScratch);
}

class CpuKernels : public Kernels {
 public:
  base::Result<void> Poison(std::byte* data, DType dtype, int64_t elements,
                            uint64_t seed) override {
    KB_CHECK(elements >= 0);
    WithElement(dtype, [&](auto type) {
      using T = decltype(type);
      InVectors([&] { PoisonAll<T>(data, elements, seed); });
    });
    return base::Ok();
  }

  base::Result<Tally> Compare(const std::byte* expected, DType expected_dtype,
                              const std::byte* actual, DType dtype,
                              int64_t elements, record::Tolerance tolerance,
                              uint64_t poison_seed) override {
    KB_CHECK(elements >= 0);
    KB_TRY(CheckComparable(expected_dtype, dtype));
    const kernels::Rule rule{tolerance.atol, tolerance.rtol, poison_seed};
    return WithElements(expected_dtype, dtype, [&](auto e, auto a) {
      return CompareAll<decltype(e), decltype(a)>(expected, actual, elements,
                                                  rule);
    });
  }

  base::Result<uint64_t> CountWrong(const std::byte* expected,
                                    DType expected_dtype,
                                    const std::byte* actual, DType dtype,
                                    int64_t elements,
                                    record::Tolerance tolerance) override {
    KB_CHECK(elements >= 0);
    KB_TRY(CheckComparable(expected_dtype, dtype));
    const kernels::Rule rule{tolerance.atol, tolerance.rtol, 0};
    return WithElements(expected_dtype, dtype, [&](auto e, auto a) {
      using E = decltype(e);
      using A = decltype(a);
      return InVectors([&] {
        return CountWrongOfAll<E, A>(expected, actual, elements, rule);
      });
    });
  }

  base::Result<Errors> MeasureErrors(const std::byte* expected,
                                     DType expected_dtype,
                                     const std::byte* actual, DType dtype,
                                     int64_t elements) override {
    KB_CHECK(elements >= 0);
    KB_TRY(CheckComparable(expected_dtype, dtype));
    return WithElements(expected_dtype, dtype, [&](auto e, auto a) {
      using E = decltype(e);
      using A = decltype(a);
      Errors errors;
      for (int64_t i = 0; i < elements; ++i)
        kernels::ObserveError<E, A>(&errors, Load<E>(expected, i),
                                    Load<A>(actual, i));
      return errors;
    });
  }

  base::Result<void> Widen(const std::byte* exact, const std::byte* actual,
                           DType dtype, int64_t elements, double factor,
                           bool anew, std::byte* slack) override {
    KB_TRY(CheckSlack(dtype));
    WithElement(dtype, [&](auto a) {
      using A = decltype(a);
      if constexpr (!A::kFloating) return;  // CheckSlack accepts none
      for (int64_t i = 0; i < elements; ++i) {
        const float wider = kernels::SlackOf<kernels::Float64, A>(
            Load<kernels::Float64>(exact, i), Load<A>(actual, i), factor);
        const float before = anew ? 0 : SlackAt(slack, i);
        Save<kernels::Float32>(
            slack, i, std::bit_cast<uint32_t>(std::max(wider, before)));
      }
    });
    return base::Ok();
  }

  base::Result<Tally> CompareBeyond(const std::byte* exact,
                                    const std::byte* actual, DType dtype,
                                    int64_t elements,
                                    record::Tolerance tolerance,
                                    const std::byte* slack) override {
    KB_TRY(CheckSlack(dtype));
    const kernels::Rule rule{tolerance.atol, tolerance.rtol, 0};
    Tally tally;
    tally.elements = elements;
    WithElement(dtype, [&](auto a) {
      using A = decltype(a);
      if constexpr (!A::kFloating) return;  // CheckSlack accepts none
      for (int64_t i = 0; i < elements; ++i)
        kernels::ObserveBeyond<kernels::Float64, A>(
            &tally, i, Load<kernels::Float64>(exact, i), Load<A>(actual, i),
            rule, SlackAt(slack, i));
    });
    return tally;
  }

  using Kernels::CountDifferent;
  base::Result<std::vector<uint64_t>> CountDifferent(
      std::span<const Pair> pairs) override {
    std::vector<uint64_t> counts;
    for (const Pair& pair : pairs) counts.push_back(Different(pair));
    return counts;
  }

  base::Result<void> EvictCache() override {
    if (scratch_.empty()) scratch_.resize(ScratchBytes() / sizeof(uint64_t));
    for (uint64_t& word : scratch_) ++word;  // one pass that reads and writes
    read_ = scratch_.back();
    return base::Ok();
  }

  base::Result<void> Mix(std::byte* data, DType dtype, int64_t elements,
                         uint64_t seed) override {
    KB_CHECK(elements >= 0);
    KB_TRY(CheckMixable(dtype));
    WithElement(dtype, [&](auto type) {
      using T = decltype(type);
      InVectors([&] { MixAll<T>(data, elements, seed); });
    });
    return base::Ok();
  }

  base::Result<void> Distribute(std::byte* data, DType dtype, int64_t elements,
                                const Redraw& how) override {
    KB_CHECK(elements >= 0);
    KB_ASSIGN(const kernels::Redrawing redrawing, RedrawingOf(dtype, how));
    WithElement(dtype, [&](auto type) {
      using T = decltype(type);
      for (int64_t i = 0; i < elements; ++i)
        Save<T>(
            data, i,
            kernels::RedrawnAt<T>(
                redrawing, i, Load<T>(data, kernels::SourceOf(redrawing, i))));
    });
    return base::Ok();
  }

 private:
  std::vector<uint64_t> scratch_;  // for EvictCache, made by its first call
  volatile uint64_t read_ = 0;     // so that the compiler keeps the pass
};

}  // namespace

base::Result<std::unique_ptr<Kernels>> CreateCpuKernels() {
  return std::make_unique<CpuKernels>();
}

}  // namespace kb::device
