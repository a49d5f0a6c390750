// kernelbench-candidate DEVICE LIBRARY|--calibrate
// Runs one native candidate inside the jail. The socket to the oracle is file
// descriptor 3.
#include <cstdio>
#include <string_view>

#include "candidate/serve.h"

int main(int argc, char** argv) {
  constexpr int kSocket = 3;
  constexpr int kUsage = 64;  // EX_USAGE
  if (argc != 3) {
    std::fputs("usage: kernelbench-candidate DEVICE LIBRARY|--calibrate\n",
               stderr);
    return kUsage;
  }
  const std::string_view what = argv[2];
  return kb::candidate::Serve(
      kSocket, argv[1], [&](kb::device::Device* device) {
        return what == "--calibrate"
                   ? kb::candidate::NewCalibrationBody(device)
                   : kb::candidate::NewNativeBody(device, std::string(what));
      });
}
