#pragma once

#include <string>
#include <string_view>

#include "llm/provider.h"
#include "record/generation.h"

namespace kb::prompt {

// The code of an answer.
struct Extracted {
  record::GenerationStatus status = record::GenerationStatus::kNoCode;
  std::string reason;     // one line, unless complete
  std::string file_name;  // "answer.py", "answer.cu", "answer.cpp"
  std::string source;
};

// Takes the last complete fenced block that can be a candidate: Python with
// `class ModelNew`, or C++/CUDA with the native entry point. Prose, further
// blocks, unlabelled or nested fences, <think> parts and Windows line ends are
// dealt with; an answer without fences that is code as a whole counts. An
// answer that ends within its last block is truncated, unless a complete
// candidate stands before it. Pure.
Extracted ExtractCode(std::string_view answer, llm::Finish finish);

}  // namespace kb::prompt
