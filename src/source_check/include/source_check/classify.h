#pragma once

#include <string>

#include "base/result.h"
#include "record/evaluation.h"

namespace kb::source_check {

// The candidate in `source`, with its track and backend told from the file's
// ending and text alone. A Usage error for an ending that we do not know.
//
// A python candidate is triton when it imports triton, else cuda when CUDA
// source is in it, else cpp when it builds an extension, else torch.
base::Result<record::Candidate> Classify(const std::string& path,
                                         const std::string& source);

}  // namespace kb::source_check
