// Pushes everything else out of the second-level cache: `packs` packs of 16
// bytes, more than the cache holds, are read and then written.
#include "launch.h"

extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)
    evict_write(kb::kernels::Pack<kb::kernels::Word64, 2>* data,
                kb::kernels::Index packs, kb::kernels::Word64 value) {
  using namespace kb::kernels;
  for (Index p = FirstPlace(); p < packs; p += Stride())
    data[p] = Pack<Word64, 2>{{value, value}};
}

// `value`: what evict_write wrote last. The sum is 0, which the compiler cannot
// know, so that the reads happen; only before the first evict_write, when the
// data is anything, the first word is written.
extern "C" __global__ void __launch_bounds__(kb::kernels::kThreads)
    evict_read(kb::kernels::Pack<kb::kernels::Word64, 2>* data,
               kb::kernels::Index packs, kb::kernels::Word64 value) {
  using namespace kb::kernels;
  Word64 sum = 0;
  for (Index p = FirstPlace(); p < packs; p += Stride()) {
    const Pack<Word64, 2> pack = data[p];
    sum += (pack.at[0] ^ value) | (pack.at[1] ^ value);
  }
  if (sum != 0) data[0].at[0] = sum;
}
