// How many bytes of two pieces of memory differ.
#include "launch.h"

extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)
    count_different(const kb::kernels::Byte* a, const kb::kernels::Byte* b,
                    kb::kernels::Index bytes, kb::kernels::Word64* counts) {
  using namespace kb::kernels;
  using Words = Pack<Word64, 2>;
  const bool aligned = IsPackAligned(a) && IsPackAligned(b);
  const Index packs = aligned ? bytes / 16 : 0;
  Word64 mine = 0;
  for (Index p = FirstPlace(); p < packs; p += Stride()) {
    const Words x = reinterpret_cast<const Words*>(a)[p];
    const Words y = reinterpret_cast<const Words*>(b)[p];
    // Nearly always the same, and then there is nothing to count.
    if (((x.at[0] ^ y.at[0]) | (x.at[1] ^ y.at[1])) == 0) continue;
    mine += DifferentBytes(x.at[0], y.at[0]) + DifferentBytes(x.at[1], y.at[1]);
  }
  for (Index i = packs * 16 + FirstPlace(); i < bytes; i += Stride())
    mine += a[i] != b[i];
  SumBlock(mine, counts);
}
