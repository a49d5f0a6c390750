// expect: compile_error
// problem: level1/19
// tricks: R10
// twin: ../twins/relu.cpp
// limits: compile_seconds=20
// about: Templates that grow without end.
#include <kernelbench/candidate.h>

template <int N, unsigned M>
struct Grow {
  static constexpr unsigned value = Grow<N - 1, 2 * M>::value + Grow<N - 1, 2 * M + 1>::value;
};
template <unsigned M>
struct Grow<0, M> {
  static constexpr unsigned value = M;
};
static_assert(Grow<28, 1>::value != 0);

int kb_forward(const kb_call*) { return 0; }
