#pragma once

#include <string>
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

// `command` names folders of headers by -I and -isystem; PyTorch's is among the
// latter. A file that cannot be read has no text.
Sources ReadSources(const std::vector<std::string>& files,
                    const std::string& command);

}  // namespace kb::builder
