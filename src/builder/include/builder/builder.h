#pragma once

#include <string>
#include <vector>

namespace kb::builder {

struct How {
  bool whole_headers = false;  // never slim ones
  // The object, or objects, of share/bindings; "": there is none, and PyTorch's
  // headers are compiled for each extension.
  std::string bindings;
};

// What PyTorch's extension builder starts as `ninja` in the folder of a build:
// makes what the file build.ninja there says, and prints on standard output
// what ninja prints. It differs from ninja in how: sources are compiled with
// few headers first (declared_headers.h, thin_headers.h, slim_headers.h) and,
// where that fails, with the whole ones, of which come the messages; nvcc's
// host and device phases run at the same time; and a build is up to date when
// file and sources are the same, whatever their times.
//
// `arguments`: -v, -j N (commands at once; without it as many as processors),
// --version.
//
// Returns the exit code: 0, or 1 when a command failed or the file is none that
// PyTorch writes.
int Build(const std::vector<std::string>& arguments, const How& how);

}  // namespace kb::builder
