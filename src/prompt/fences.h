#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kb::prompt {

// A fenced block of Markdown.
struct Block {
  std::string language;  // first word of its info string, lower case
  std::string text;      // ends with a newline unless empty
  bool closed = false;   // else the answer or another block cut it off
  // Its lines in the answer, from 0; the fences do not belong to it.
  size_t first_line = 0;
  size_t end_line = 0;  // behind the last
};

// The fenced blocks of an answer with Unix line ends, in order. Lenient where
// models are: a fence that names a language begins a new block even inside
// another, and a fence within a triple-quoted Python string is text if the
// block is closed after the string. Takes time by the answer's length.
std::vector<Block> FencedBlocks(std::string_view answer);

}  // namespace kb::prompt
