#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kb::builder {

// What a command compiles.
struct Sources {
  std::vector<std::string> files;
  // Of the files, and of those that they include by "...", without comments.
  std::string text;
  std::vector<std::string> header_folders;  // that the command names
  std::string torch_include;  // the one of PyTorch's headers; "": none
};

// What stands behind #include or #include_next in a line: "<torch/types.h>",
// with its marks, or a macro. "" for any other line.
std::string_view Included(std::string_view line);

// `command` names folders of headers by -I and -isystem; PyTorch's is among the
// latter. A file that cannot be read has no text.
Sources ReadSources(const std::vector<std::string>& files,
                    const std::string& command);

}  // namespace kb::builder
