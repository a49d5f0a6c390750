"""What bench/graph_work.py says a graph of PyTorch keeps of forwards whose shares are known,
and how many operations they have.

graph_work_test.py BENCH
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, sys.argv[1])
import graph_work  # noqa: E402

MODULE = """
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        {}

def get_inputs():
    return [torch.rand(1000, 1000)]
"""
# Each operation reads and writes one tensor of the same size.
KNOWN = {
    "return x.exp()": (1, 1),
    "x.exp(); return x.sin()": (1 / 2, 2),
    "y = x.exp().cos(); return x.t().sin()": (1 / 3, 3),
    "y = x.exp(); torch._dynamo.graph_break(); return x.sin() + y": (1, 3),  # two graphs
    "return x[x > 0]": (1, 0),  # a shape that follows from values
}


def main() -> int:
    """Exit code 0 when all are as they should be."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for body, (share, operations) in KNOWN.items():
            path = Path(folder) / "problem.py"
            path.write_text(MODULE.format(body))
            found = graph_work.kept_share(path), graph_work.operations(path)
            if abs(found[0] - share) > 1e-9 or found[1] != operations:
                print(f"{body}: {found}, not {share}, {operations}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
