"""A model for searches: its programs work several times over, and one that is shown
programs does half of the least that they do.

    searching_model.py < PROMPT
"""

import os
import re
import sys
import time
from pathlib import Path

PROGRAM = """#include <kernelbench/candidate.h>

constexpr int kTimes = {times};
int kb_forward(const kb_call* call) {{
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) {{
    volatile float v = x[i];
    for (int k = 0; k < kTimes; ++k) v = v + 0.0f;
    y[i] = v < 0.0f ? 0.0f : static_cast<float>(v);
  }}
  return 0;
}}
"""


def main() -> None:
    """Answers once. Waits where a file says that fewer answers are allowed."""
    text = sys.stdin.read()
    allowed = os.environ.get("SEARCHING_MODEL_ALLOWED")
    while allowed and int(Path(allowed).read_text()) < int(os.environ["KB_TURN"]):
        time.sleep(0.02)
    shown = [int(times) for times in re.findall(r"kTimes = (\d+);", text)]
    if "Do not write the program yet" in text:
        print(f"Work {min(shown, default=64) // 2} times.")
        return
    print(f"```cpp\n{PROGRAM.format(times=min(shown) // 2 if shown else 64)}```")


if __name__ == "__main__":
    main()
