#include "cuda/cuda_kernels.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "compare_check.h"
#include "cuda/cuda_device.h"
#include "cuda/cuda_memory.h"
#include "cuda/load_kernels.h"
#include "kernels/launch.h"
#include "kernels/tally.h"

namespace kb::device::cuda {

namespace {

using kernels::Index;
using kernels::Partial;
using kernels::Word64;
using record::DType;
using record::DTypeName;

constexpr size_t kPackBytes = 16;
constexpr size_t kMinEvictBytes = size_t{128} << 20;

// The grid of a kernel that walks over `bytes` bytes by packs. A function of
// the size only, so that sums are added up in the same order every time.
Grid GridFor(uint64_t bytes) {
  const uint64_t per_block = kPackBytes * kernels::kThreads;
  const uint64_t blocks = bytes / per_block + (bytes % per_block != 0);
  return Grid{static_cast<unsigned>(
                  std::clamp<uint64_t>(blocks, 1, kernels::kMaxBlocks)),
              kernels::kThreads};
}

uint64_t BytesOf(DType dtype, int64_t elements) {
  KB_CHECK(elements >= 0);
  return static_cast<uint64_t>(elements) * record::DTypeSize(dtype);
}

// Of a kernel for these element types.
std::string NameOf(const char* verb, DType expected, DType actual) {
  if (expected == actual) return fmt::format("{}_{}", verb, DTypeName(actual));
  return fmt::format("{}_{}_{}", verb, DTypeName(expected), DTypeName(actual));
}

struct Modules {
  Module compare;
  Module fill;
  Module scan;
  Module evict;
};

base::Result<Modules> LoadModules(const ContextPtr& context) {
  KB_ASSIGN(const Nvrtc* nvrtc, Nvrtc::Get());
  const CubinCache cache(nvrtc);
  KB_ASSIGN(auto compare, LoadKernels(context, cache, "compare.cu"));
  KB_ASSIGN(auto fill, LoadKernels(context, cache, "fill.cu"));
  KB_ASSIGN(auto scan, LoadKernels(context, cache, "scan.cu"));
  KB_ASSIGN(auto evict, LoadKernels(context, cache, "evict.cu"));
  return Modules{std::move(compare), std::move(fill), std::move(scan),
                 std::move(evict)};
}

class CudaKernels : public Kernels {
 public:
  CudaKernels(ContextPtr context, Modules modules, DeviceBuffer results,
              DeviceBuffer scratch)
      : context_(std::move(context)),
        modules_(std::move(modules)),
        results_(std::move(results)),
        scratch_(std::move(scratch)) {}

  base::Result<void> Poison(std::byte* data, DType dtype, int64_t elements,
                            uint64_t seed) override {
    return Fill("poison", data, dtype, elements, seed);
  }

  base::Result<void> Mix(std::byte* data, DType dtype, int64_t elements,
                         uint64_t seed) override {
    KB_TRY(CheckMixable(dtype));
    KB_TRY(Fill("mix", data, dtype, elements, seed));
    return driver().ctx_synchronize();
  }

  base::Result<void> Distribute(std::byte* data, DType dtype, int64_t elements,
                                const Redraw& how) override {
    KB_ASSIGN(const kernels::Redrawing redrawing, RedrawingOf(dtype, how));
    KB_TRY(modules_.fill.Launch(fmt::format("redraw_{}", DTypeName(dtype)),
                                GridFor(BytesOf(dtype, elements)), data,
                                Index{elements}, redrawing));
    return driver().ctx_synchronize();
  }

  base::Result<Tally> Compare(const std::byte* expected, DType expected_dtype,
                              const std::byte* actual, DType dtype,
                              int64_t elements, record::Tolerance tolerance,
                              uint64_t poison_seed) override {
    KB_TRY(CheckComparable(expected_dtype, dtype));
    const kernels::Rule rule{tolerance.atol, tolerance.rtol, poison_seed};
    const Grid grid = GridFor(BytesOf(dtype, elements));
    KB_TRY(modules_.compare.Launch(NameOf("compare", expected_dtype, dtype),
                                   grid, expected, actual, Index{elements},
                                   rule, results_.address()));
    return MergedTally(grid);
  }

  base::Result<uint64_t> CountWrong(const std::byte* expected,
                                    DType expected_dtype,
                                    const std::byte* actual, DType dtype,
                                    int64_t elements,
                                    record::Tolerance tolerance) override {
    KB_TRY(CheckComparable(expected_dtype, dtype));
    const kernels::Rule rule{tolerance.atol, tolerance.rtol, 0};
    const Grid grid = GridFor(BytesOf(dtype, elements));
    KB_TRY(modules_.compare.Launch(NameOf("count_wrong", expected_dtype, dtype),
                                   grid, expected, actual, Index{elements},
                                   rule, results_.address()));
    KB_ASSIGN(const auto parts, Results<Word64>(grid.blocks));
    return std::accumulate(parts.begin(), parts.end(), uint64_t{0});
  }

  base::Result<Errors> MeasureErrors(const std::byte* expected,
                                     DType expected_dtype,
                                     const std::byte* actual, DType dtype,
                                     int64_t elements) override {
    KB_TRY(CheckComparable(expected_dtype, dtype));
    const Grid grid = GridFor(BytesOf(dtype, elements));
    KB_TRY(modules_.compare.Launch(NameOf("errors", expected_dtype, dtype),
                                   grid, expected, actual, Index{elements},
                                   results_.address()));
    KB_ASSIGN(const auto parts, Results<kernels::ErrorPart>(grid.blocks));
    Errors errors;
    for (const auto& part : parts) kernels::MergeErrors(&errors, part);
    return errors;
  }

  base::Result<void> Widen(const std::byte* exact, const std::byte* actual,
                           DType dtype, int64_t elements, double factor,
                           bool anew, std::byte* slack) override {
    KB_TRY(CheckSlack(dtype));
    KB_TRY(modules_.compare.Launch(NameOf("widen", DType::kFloat64, dtype),
                                   GridFor(BytesOf(dtype, elements)), exact,
                                   actual, Index{elements}, factor, anew,
                                   slack));
    return driver().ctx_synchronize();
  }

  base::Result<Tally> CompareBeyond(const std::byte* exact,
                                    const std::byte* actual, DType dtype,
                                    int64_t elements,
                                    record::Tolerance tolerance,
                                    const std::byte* slack) override {
    KB_TRY(CheckSlack(dtype));
    const kernels::Rule rule{tolerance.atol, tolerance.rtol, 0};
    const Grid grid = GridFor(BytesOf(dtype, elements));
    KB_TRY(modules_.compare.Launch(NameOf("beyond", DType::kFloat64, dtype),
                                   grid, exact, actual, Index{elements}, rule,
                                   slack, results_.address()));
    KB_ASSIGN(Tally tally, MergedTally(grid));
    tally.elements = elements;
    return tally;
  }

  using Kernels::CountDifferent;
  base::Result<std::vector<uint64_t>> CountDifferent(
      std::span<const Pair> pairs) override {
    size_t blocks = 0;
    for (const Pair& pair : pairs) blocks += GridFor(pair.bytes).blocks;
    KB_TRY(HaveRoom(blocks * sizeof(Word64)));
    CUdeviceptr place = results_.address();
    for (const Pair& pair : pairs) {
      const Grid grid = GridFor(pair.bytes);
      KB_TRY(modules_.scan.Launch("count_different", grid, pair.a, pair.b,
                                  static_cast<Index>(pair.bytes), place));
      place += grid.blocks * sizeof(Word64);
    }
    KB_ASSIGN(const auto parts, Results<Word64>(blocks));
    std::vector<uint64_t> counts;
    auto part = parts.begin();
    for (const Pair& pair : pairs) {
      const auto end = part + GridFor(pair.bytes).blocks;
      counts.push_back(std::accumulate(part, end, uint64_t{0}));
      part = end;
    }
    return counts;
  }

  base::Result<void> EvictCache() override {
    // First, so that what was persisting is written over as well.
    const int status = driver().reset_persisting_l2.Status();
    // Older devices have no persisting lines.
    if (status != kSuccess && status != kErrorNotSupported)
      return base::Fail("{}",
                        DescribeFailure("cuCtxResetPersistingL2Cache", status));
    const auto packs = static_cast<Index>(scratch_.bytes() / kPackBytes);
    const Grid grid = GridFor(scratch_.bytes());
    // Written last, so that the cache is full of what has to be written back,
    // as it is in a chain of calls: a call alone that need not write anything
    // back would take less than one in a chain.
    KB_TRY(modules_.evict.Launch("evict_read", grid, scratch_.address(), packs,
                                 Word64{written_}));
    return modules_.evict.Launch("evict_write", grid, scratch_.address(), packs,
                                 Word64{++written_});
  }

 private:
  const Driver& driver() const { return context_->driver(); }

  base::Result<void> Fill(const char* verb, std::byte* data, DType dtype,
                          int64_t elements, uint64_t seed) {
    return modules_.fill.Launch(fmt::format("{}_{}", verb, DTypeName(dtype)),
                                GridFor(BytesOf(dtype, elements)), data,
                                Index{elements}, Word64{seed});
  }

  // What lies in `results_` is gone when it has to grow.
  base::Result<void> HaveRoom(size_t bytes) {
    if (bytes <= results_.bytes()) return base::Ok();
    KB_ASSIGN(results_, DeviceBuffer::Allocate(context_, bytes));
    return base::Ok();
  }

  // Of the partials that a grid left. To fetch them all takes longer than to
  // compare a little.
  base::Result<Tally> MergedTally(const Grid& grid) {
    KB_TRY(modules_.compare.Launch("merge_partials", {1, kernels::kThreads},
                                   results_.address(), Index{grid.blocks}));
    KB_ASSIGN(const auto partials, Results<Partial>(1));
    Tally tally;
    kernels::MergeInto(&tally, partials.front());
    return tally;
  }

  // Waits, and fetches what a kernel left in `results_`.
  template <typename T>
  base::Result<std::vector<T>> Results(size_t count) {
    std::vector<T> results(count);
    KB_TRY(driver().ctx_synchronize());
    if (count > 0)
      KB_TRY(driver().memcpy_to_host(results.data(), results_.address(),
                                     count * sizeof(T)));
    return results;
  }

  ContextPtr context_;
  Modules modules_;
  DeviceBuffer results_;
  DeviceBuffer scratch_;  // what EvictCache reads and writes
  uint64_t written_ = 0;
};

}  // namespace

base::Result<std::unique_ptr<Kernels>> CreateCudaKernels(Device* device) {
  const ContextPtr context = ContextOf(*device);
  KB_ASSIGN(auto modules, LoadModules(context));
  KB_ASSIGN(auto results, DeviceBuffer::Allocate(
                              context, kernels::kMaxBlocks * sizeof(Partial)));
  KB_ASSIGN(const int l2, context->Attribute(kAttributeL2CacheSize));
  const size_t evict =
      std::max(2 * static_cast<size_t>(std::max(l2, 0)), kMinEvictBytes);
  KB_ASSIGN(auto scratch, DeviceBuffer::Allocate(context, evict));
  return std::make_unique<CudaKernels>(context, std::move(modules),
                                       std::move(results), std::move(scratch));
}

}  // namespace kb::device::cuda
