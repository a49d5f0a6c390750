"""tools/sizes of a folder whose sizes are known.

Run as ``sizes_test.py REPOSITORY``.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

HEADER = """#pragma once
// A comment.

#include <string>

namespace a {
struct Point {
  int x = 0;
  int Twice() const { return 2 * x; }
};
}  // namespace a
"""
SOURCE = """#include "a.h"
#include <map>
/* { of a comment
   { */
namespace a {
namespace {
constexpr const char* kBraces = "{{{";
const std::map<int, int> kMap{
    {1, 2},
};
enum class Kind {
  kOne,
};
}  // namespace
int Five(int x) {
  if (x > 0) {
    return 5;
  }
  return 1;
}
Point::Point(int x)
    : x(x) {
  const auto later = [x](int y) {
    return x + y;
  };
  later(1);
}
#define MACRO { {
}  // namespace a
"""
TEST = """int main() {
  return 0;
}
"""
EXPECTED = {
    "lines of product": "35",
    "functions": "3",
    "lines of a function, median": "6",
    "lines of a function, most": "6",
    "lines of a header, most": "8",
    "includes of a file, most": "2",
    "unit tests to product": "0.09",
}


def main() -> int:
    """The exit code."""
    tool = Path(sys.argv[1]) / "tools" / "sizes"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "src").mkdir()
        for file, text in (("a.h", HEADER), ("a.cc", SOURCE), ("a_test.cc", TEST)):
            (folder / "src" / file).write_text(text)
        said = subprocess.run([sys.executable, tool, folder], capture_output=True, text=True).stdout
    found = {line[:32].strip(): line[32:].strip() for line in said.splitlines()[1:]}
    wrong = [f"{n}: {found.get(n)}, not {v}" for n, v in EXPECTED.items() if found.get(n) != v]
    print("\n".join(wrong) or "as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
