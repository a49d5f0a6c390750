#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/tensor.h"

namespace kb::verify {

// Raw elements, on the host, as numbers. Rounds int64 beyond 2^53.
std::vector<double> ToDoubles(std::span<const std::byte> bytes,
                              record::DType dtype);

// 1 for every element that still is the poison of `seed`; the first one has
// the flat index `first` in its output.
std::vector<uint8_t> StillPoison(std::span<const std::byte> bytes,
                                 record::DType dtype, uint64_t seed,
                                 int64_t first);

// Whether poison can be told from results: a byte too often holds it by chance.
bool PoisonIsTelling(record::DType dtype);

// Row-major index of the flat index.
std::vector<int64_t> MultiIndex(const std::vector<int64_t>& shape,
                                int64_t flat);

}  // namespace kb::verify
