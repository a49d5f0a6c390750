// What it means for an element to be wrong, and how findings add up. Compiled
// for both devices, as element.h. A tally `T` is device::Tally on the host and
// Partial in a CUDA kernel.
#pragma once

#include "element.h"

namespace kb::kernels {

// device::Tally without initialisers, so that it can lie in shared memory.
struct Partial {
  Index elements, wrong, nonfinite, unwritten, zeros;
  double max_abs_error, max_rel_error, least_tolerance;
  double min_actual, max_actual;
  Index first_wrong, worst;
  double worst_error, sum_sq_error, sum_sq_expected;
};

KB_ELEMENT Partial EmptyPartial() {
  return {0, 0, 0, 0, 0, 0, 0, 0, Infinity(), -Infinity(), -1, -1, 0, 0, 0};
}

struct Rule {
  double atol, rtol;
  Word64 poison_seed;
};

template <typename T, typename U>
KB_ELEMENT void MergeInto(T* into, const U& other) {
  into->elements += other.elements;
  into->wrong += other.wrong;
  into->nonfinite += other.nonfinite;
  into->unwritten += other.unwritten;
  into->zeros += other.zeros;
  if (other.max_abs_error > into->max_abs_error)
    into->max_abs_error = other.max_abs_error;
  if (other.max_rel_error > into->max_rel_error)
    into->max_rel_error = other.max_rel_error;
  if (other.least_tolerance > into->least_tolerance)
    into->least_tolerance = other.least_tolerance;
  if (other.min_actual < into->min_actual) into->min_actual = other.min_actual;
  if (other.max_actual > into->max_actual) into->max_actual = other.max_actual;
  if (other.first_wrong >= 0 &&
      (into->first_wrong < 0 || other.first_wrong < into->first_wrong))
    into->first_wrong = other.first_wrong;
  const bool larger =
      other.worst_error > into->worst_error ||
      (other.worst_error == into->worst_error && other.worst < into->worst);
  if (other.worst >= 0 && (into->worst < 0 || larger)) {
    into->worst = other.worst;
    into->worst_error = other.worst_error;
  }
  into->sum_sq_error += other.sum_sq_error;
  into->sum_sq_expected += other.sum_sq_expected;
}

template <typename T>
KB_ELEMENT void NoteWrong(T* tally, Index i, double error) {
  ++tally->wrong;
  if (tally->first_wrong < 0) tally->first_wrong = i;
  if (tally->worst < 0 || error > tally->worst_error) {
    tally->worst = i;
    tally->worst_error = error;
  }
}

// `error`: |actual - expected|, both finite; `size`: |expected|.
template <typename T>
KB_ELEMENT void NoteError(T* tally, double error, double size) {
  if (error > tally->max_abs_error) tally->max_abs_error = error;
  // The product decides whether the division is worth while. It never hides a
  // larger quotient: error / size > max implies error >= round(max * size).
  const double scale = 1 + size;
  if (error > 0 && error >= tally->least_tolerance * scale) {
    const double scaled = error / scale;
    if (scaled > tally->least_tolerance) tally->least_tolerance = scaled;
  }
  if (error > 0 && size > 0 && error >= tally->max_rel_error * size) {
    const double relative = error / size;
    if (relative > tally->max_rel_error) tally->max_rel_error = relative;
  }
  tally->sum_sq_error += error * error;
  tally->sum_sq_expected += size * size;
}

template <typename T>
KB_ELEMENT void NoteValue(T* tally, double actual) {
  ++tally->elements;
  if (actual == 0) ++tally->zeros;
  if (actual < tally->min_actual) tally->min_actual = actual;
  if (actual > tally->max_actual) tally->max_actual = actual;
}

// Whether `a` is infinite because the type A cannot hold `e`.
template <typename A>
KB_ELEMENT bool IsOverflow(double e, double a) {
  return IsFinite(e) && !IsFinite(a) && A::Value(A::Round(e)) == a;
}

// Of finite values. Written so that a tolerance of NaN fails.
KB_ELEMENT bool IsFar(double e, double a, const Rule& rule) {
  return !(Magnitude(a - e) <= rule.atol + rule.rtol * Magnitude(e));
}

// E, A: element types of expected and actual.
template <typename E, typename A>
KB_ELEMENT bool IsWrong(typename E::Bits expected, typename A::Bits actual,
                        const Rule& rule) {
  if constexpr (!A::kFloating) {
    return expected != actual || !A::IsValid(actual);
  } else {
    const double e = E::Value(expected), a = A::Value(actual);
    if (IsFinite(e) && IsFinite(a)) return IsFar(e, a, rule);
    const bool both_nan = e != e && a != a;
    return !both_nan && e != a && !IsOverflow<A>(e, a);
  }
}

// Adds element i, whose index is above those of all elements added before.
template <typename E, typename A, typename T>
KB_ELEMENT void Observe(T* tally, Index i, typename E::Bits expected,
                        typename A::Bits actual, const Rule& rule) {
  const double e = E::Value(expected), a = A::Value(actual);
  const bool wrong = IsWrong<E, A>(expected, actual, rule);
  NoteValue(tally, a);
  if constexpr (!A::kFloating) {
    const double error = A::Distance(expected, actual);
    NoteError(tally, error, Magnitude(e));
    if (wrong) NoteWrong(tally, i, error);
    if (actual == PoisonAt<A>(rule.poison_seed, i)) ++tally->unwritten;
  } else if (IsFinite(e) && IsFinite(a)) {
    const double error = Magnitude(a - e);
    NoteError(tally, error, Magnitude(e));
    if (wrong) NoteWrong(tally, i, error);
  } else {
    if (wrong) {
      ++tally->nonfinite;
      NoteWrong(tally, i, Infinity());
    }
    if (a != a && actual == PoisonAt<A>(rule.poison_seed, i))
      ++tally->unwritten;
  }
}

// What a tolerance is made of: device::Kernels::Errors on the host.
struct ErrorPart {
  double max_abs_error, sum_sq_expected;
};

template <typename T>
KB_ELEMENT void MergeErrors(T* into, const ErrorPart& other) {
  if (other.max_abs_error > into->max_abs_error)
    into->max_abs_error = other.max_abs_error;
  into->sum_sq_expected += other.sum_sq_expected;
}

// As Observe, of two fields only.
template <typename E, typename A, typename T>
KB_ELEMENT void ObserveError(T* part, typename E::Bits expected,
                             typename A::Bits actual) {
  const double e = E::Value(expected), a = A::Value(actual);
  if (!IsFinite(e) || !IsFinite(a)) return;
  const double error = A::kFloating ? Magnitude(a - e) : 0;
  if (error > part->max_abs_error) part->max_abs_error = error;
  part->sum_sq_expected += e * e;
}

// What an element may err by besides the tolerance, once it is known that it
// may err by `factor` times the distance of these two.
template <typename E, typename A>
KB_ELEMENT float SlackOf(typename E::Bits expected, typename A::Bits actual,
                         double factor) {
  const double e = E::Value(expected), a = A::Value(actual);
  const double far =
      IsFinite(e) && IsFinite(a) ? factor * Magnitude(a - e) : Infinity();
  return static_cast<float>(far);
}

// Adds element i where it is wrong by more than its slack, too.
template <typename E, typename A, typename T>
KB_ELEMENT void ObserveBeyond(T* tally, Index i, typename E::Bits expected,
                              typename A::Bits actual, const Rule& rule,
                              float slack) {
  const double e = E::Value(expected), a = A::Value(actual);
  if (!IsFinite(e) || !IsFinite(a)) return;
  const double allowed =
      rule.atol + rule.rtol * Magnitude(e) + static_cast<double>(slack);
  const double error = Magnitude(a - e);
  if (!(error <= allowed)) NoteWrong(tally, i, error - allowed);
}

}  // namespace kb::kernels
