// expect: compile_error
// problem: level1/19
// tricks: R10
// twin: ../twins/relu.cpp
// limits: compile_seconds=10
// about: Names of types that double forty times.
#include <kernelbench/candidate.h>

template <typename A, typename B>
struct Pair {
  static int value() { return __PRETTY_FUNCTION__[0] + A::value() + B::value(); }
};
template <int N>
struct Leaf {
  static int value() { return N; }
};
template <int N, int M>
struct Tree {
  using type = Pair<typename Tree<N - 1, 2 * M>::type, typename Tree<N - 1, 2 * M + 1>::type>;
};
template <int M>
struct Tree<0, M> {
  using type = Leaf<M>;
};

int kb_forward(const kb_call*) { return Tree<24, 1>::type::value(); }
