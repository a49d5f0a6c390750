// Quick looks at memory: how many bytes differ, and a few words of it.
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

// found[i]: the word of `data` at the i-th place. Read by bytes, because
// nothing says that `data` is aligned.
extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)
    sample(const kb::kernels::Byte* data, kb::kernels::Word64 words,
           kb::kernels::Index count, kb::kernels::Word64 seed,
           kb::kernels::Word64* found) {
  using namespace kb::kernels;
  for (Index i = FirstPlace(); i < count; i += Stride()) {
    const Word64 place = Draw(seed, static_cast<Word64>(i)) % words;
    Word64 word = 0;
    for (int byte = 0; byte < 8; ++byte)
      word |= static_cast<Word64>(data[place * 8 + byte]) << (8 * byte);
    found[i] = word;
  }
}
