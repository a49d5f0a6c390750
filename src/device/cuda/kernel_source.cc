#include "cuda/kernel_source.h"

extern "C" {
extern const char kb_kernels_bits_h[];
extern const char kb_kernels_element_h[];
extern const char kb_kernels_tally_h[];
extern const char kb_kernels_launch_h[];
extern const char kb_kernels_redraw_h[];
extern const char kb_kernels_compare_cu[];
extern const char kb_kernels_fill_cu[];
extern const char kb_kernels_scan_cu[];
extern const char kb_kernels_evict_cu[];
extern const char kb_kernels_occupy_cu[];
}

namespace kb::device::cuda {

const std::vector<KernelSource>& KernelSources() {
  static const std::vector<KernelSource> kSources = {
      {"compare.cu", kb_kernels_compare_cu}, {"fill.cu", kb_kernels_fill_cu},
      {"scan.cu", kb_kernels_scan_cu},       {"evict.cu", kb_kernels_evict_cu},
      {"occupy.cu", kb_kernels_occupy_cu},
  };
  return kSources;
}

const std::vector<KernelSource>& KernelHeaders() {
  static const std::vector<KernelSource> kHeaders = {
      {"bits.h", kb_kernels_bits_h},     {"element.h", kb_kernels_element_h},
      {"tally.h", kb_kernels_tally_h},   {"launch.h", kb_kernels_launch_h},
      {"redraw.h", kb_kernels_redraw_h},
  };
  return kHeaders;
}

}  // namespace kb::device::cuda
