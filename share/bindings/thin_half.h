// PyTorch's own half types, which need nothing else of it, for a source that
// names them: they cost half a second.
#pragma once

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include "kb_thin.h"

namespace kb::tensors {

KB_TYPE_OF(c10::Half, Half)
KB_TYPE_OF(c10::BFloat16, BFloat16)

}  // namespace kb::tensors

namespace at {
using c10::BFloat16;
using c10::Half;
}  // namespace at
namespace torch {
using c10::BFloat16;
using c10::Half;
}  // namespace torch
