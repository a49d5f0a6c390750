#pragma once

#include <string>

#include "sources.h"

namespace kb::builder {

// Of what a compiler said that had a part of PyTorch's headers: whether its
// first error would be there with all of them, too, so that nobody has to wait
// for these. At a place in the source itself,
// - a member that at::Tensor has in no header,
// - a conversion that is none, between types that these headers have whole: a
//   ScalarType of what Tensor::type() tells, a Device of a text,
// - a name that no header declares which the source includes (declared_names.h,
//   reached_headers.h),
// - a file that is nowhere,
// - whatever is wrong with a statement in which each name is the source's own
//   or CUDA's, when the compiler names no type of PyTorch or the library.
bool IsOfSource(const std::string& output, const Sources& sources);

// The same of each of its errors, of headers that have next to nothing: but for
// the first two.
bool AreAllOfSource(const std::string& output, const Sources& sources);

}  // namespace kb::builder
