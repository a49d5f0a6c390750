"""Products of operands with 24, 11 and 8 bits, by each rule that a policy has for float32, on cpu.

precision_rule_test.py KERNELBENCH

TF32 has 11 bits, the hidden one included: who rounds to them is right where the
policy allows TF32 and nowhere else; who rounds to bfloat16's 8 is right nowhere.
"""

import json
import sys
import tempfile
from pathlib import Path

from checks import Checks

PROBLEM = """import torch


class Model(torch.nn.Module):
    def forward(self, a, b):
        return a @ b


def get_inputs():
    return [torch.rand(192, 400), torch.rand(400, 160)]


def get_init_inputs():
    return []
"""
CANDIDATE = """import torch


def rounded(x):
    mantissa, exponent = torch.frexp(x)
    return torch.ldexp(torch.round(mantissa * 2**{bits}) / 2**{bits}, exponent)


class ModelNew(torch.nn.Module):
    def forward(self, a, b):
        return rounded(a) @ rounded(b)
"""
BITS = (24, 11, 8)
RIGHT, WRONG = "correct", "incorrect"
EXPECTED = {
    "as_reference": (RIGHT, WRONG, WRONG),
    "ieee": (RIGHT, WRONG, WRONG),
    "tf32": (RIGHT, RIGHT, WRONG),
}


def main() -> int:
    """The table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        checks = Checks(sys.argv[1], folder)
        (folder / "product.py").write_text(PROBLEM)
        files = [folder / f"bits_{bits}.py" for bits in BITS]
        for bits, file in zip(BITS, files, strict=True):
            file.write_text(CANDIDATE.format(bits=bits))
        words = ["eval", "--pack", "product.py", "--problem", "product", "--size", "full"]
        words += ["--device", "cpu", "--trials", "0", "--no-store", "--json"]
        for rule, expected in EXPECTED.items():
            (folder / "rules.json").write_text(json.dumps({"name": "strict", "precision": rule}))
            done = checks.run(*words, "--policy", "rules.json", "--candidate", *map(str, files))
            found = json.loads(done.stdout)["evaluations"]
            checks.expect(rule, tuple(e["verdict"] for e in found), expected)
            checks.expect("the rule in the result", found[0]["policy"]["precision"], rule)
        (folder / "rules.json").write_text(json.dumps({"precision": "fp8"}))
        done = checks.run(*words, "--policy", "rules.json", "--candidate", str(files[0]))
        checks.expect("an unknown rule", (done.returncode, "precision" in done.stderr), (2, True))
        print("not as it should be:", checks.failed)
        return int(checks.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
