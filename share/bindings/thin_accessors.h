// PyTorch's accessors of a tensor's elements by their indices, for kernels and
// for the host. Of no layout of PyTorch's, so of other names (thin.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace kb::tensors {

template <typename T>
struct DefaultPtrTraits {
  using PtrType = T*;
};
template <typename T>
struct RestrictPtrTraits {
  using PtrType = T* __restrict__;
};

// Sizes and strides, in elements, lie elsewhere. By a constant one no element
// can be changed.
template <typename T, std::size_t N,
          template <typename> class Traits = DefaultPtrTraits,
          typename Index = std::int64_t>
class TensorAccessor {
 public:
  using PtrType = typename Traits<T>::PtrType;

  __host__ __device__ TensorAccessor(PtrType data, const Index* sizes,
                                     const Index* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  __host__ __device__ decltype(auto) operator[](Index at) {
    if constexpr (N == 1)
      return (data_[strides_[0] * at]);
    else
      return Next(at);
  }
  __host__ __device__ decltype(auto) operator[](Index at) const {
    if constexpr (N == 1)
      return static_cast<const T&>(data_[strides_[0] * at]);
    else
      return static_cast<const Inner>(Next(at));
  }
  __host__ __device__ Index size(Index dimension) const {
    return sizes_[dimension];
  }
  __host__ __device__ Index stride(Index dimension) const {
    return strides_[dimension];
  }
  __host__ __device__ PtrType data() const { return data_; }

 private:
  using Inner = TensorAccessor<T, N - 1, Traits, Index>;

  __host__ __device__ Inner Next(Index at) const {
    return Inner(data_ + strides_[0] * at, sizes_ + 1, strides_ + 1);
  }

  PtrType data_;
  const Index* sizes_;
  const Index* strides_;
};

// An argument of a kernel: sizes and strides lie in it.
template <typename T, std::size_t N,
          template <typename> class Traits = DefaultPtrTraits,
          typename Index = std::int64_t>
class PackedTensorAccessor {
 public:
  using PtrType = typename Traits<T>::PtrType;

  __host__ PackedTensorAccessor(PtrType data, const std::int64_t* sizes,
                                const std::int64_t* strides)
      : data_(data) {
    for (std::size_t i = 0; i < N; ++i) {
      sizes_[i] = static_cast<Index>(sizes[i]);
      strides_[i] = static_cast<Index>(strides[i]);
    }
  }
  __device__ decltype(auto) operator[](Index at) {
    Accessor elements(data_, sizes_, strides_);
    return elements[at];
  }
  __device__ decltype(auto) operator[](Index at) const {
    const Accessor elements(data_, sizes_, strides_);
    return elements[at];
  }
  __host__ __device__ Index size(Index dimension) const {
    return sizes_[dimension];
  }
  __host__ __device__ Index stride(Index dimension) const {
    return strides_[dimension];
  }
  __host__ __device__ PtrType data() const { return data_; }

 private:
  using Accessor = TensorAccessor<T, N, Traits, Index>;

  PtrType data_;
  Index sizes_[N];
  Index strides_[N];
};
template <typename T, std::size_t N,
          template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = PackedTensorAccessor<T, N, Traits, std::int32_t>;
template <typename T, std::size_t N,
          template <typename> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = PackedTensorAccessor<T, N, Traits, std::int64_t>;

}  // namespace kb::tensors
