// kernelbench-candidate DEVICE LIBRARY
// Runs one native candidate inside the jail. The socket to the oracle is file
// descriptor 3.
#include <cstdio>
#include <string>

#include "candidate/serve.h"

int main(int argc, char** argv) {
  constexpr int kSocket = 3;
  constexpr int kUsage = 64;  // EX_USAGE
  if (argc != 3) {
    std::fputs("usage: kernelbench-candidate DEVICE LIBRARY\n", stderr);
    return kUsage;
  }
  const std::string library = argv[2];
  return kb::candidate::Serve(
      kSocket, argv[1], [&](kb::device::Device* device) {
        return kb::candidate::NewNativeBody(device, library);
      });
}
