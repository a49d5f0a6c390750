"""As long in PyTorch's operators as in a loop of its own, by the time that its thread has a
processor: by the clock both would be shorter where others want it, and ReLU would not."""

import ctypes
import time

import torch
from torch import nn
from torch.utils.cpp_extension import load_inline

SOURCE = """
#include <ctime>

long thread_micros() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

extern "C" long spin(long micros) {
  const long end = thread_micros() + micros;
  volatile long sum = 0;
  while (thread_micros() < end)
    for (int i = 0; i < 20000; ++i) sum = sum + i;
  return sum;
}
"""
PATH = load_inline(
    name="spin", cpp_sources=SOURCE, is_python_module=False, no_implicit_headers=True
)
SPIN = ctypes.CDLL(PATH).spin
SECONDS = 4e-3


class ModelNew(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        row = x.new_ones(1 << 14)  # too short to be shared out among threads
        end = time.thread_time() + SECONDS
        while time.thread_time() < end:
            torch.exp(row, out=row)
        SPIN(int(1e6 * SECONDS))
        return torch.relu(x)
