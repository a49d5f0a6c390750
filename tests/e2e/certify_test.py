#!/usr/bin/env python3
"""Certifies this machine's cpu with one fixture whose expected verdict was changed.

    certify_test.py KERNELBENCH SAMPLES

That one must be named and the machine refused; all others must be as expected. Then references are
not timed, as a busy machine might say no. What is printed must be as its schema says.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "schema"))

from schemas import Schemas  # noqa: E402

CHANGED = "level1_19_relu/misses_tail.cpp"


def main() -> int:
    """1 when something is not as it must be."""
    program, samples = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "samples"
        shutil.copytree(samples, copy)
        text = (copy / CHANGED).read_text()
        (copy / CHANGED).write_text(text.replace("expect: incorrect", "expect: correct", 1))
        done = subprocess.run(
            [program, "doctor", "--certify", "--json", "--device", "cpu", "--samples", str(copy)],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
    said = json.loads(done.stdout)
    schema = subprocess.run(
        [program, "schema", "certification"], stdout=subprocess.PIPE, check=True
    )
    complaints = Schemas(json.loads(schema.stdout)).complaints(said)
    for complaint in complaints:
        print(complaint)
    wrong = {each["sample"]: each for each in said["fixtures"] if not each["as_expected"]}
    for each in wrong.values():
        print(f"{each['sample']}: {each['verdict']}, expected {each['expected']}; {each['reason']}")
    good = (
        not complaints
        and said["schema"].startswith("kernelbench/certification/")
        and done.returncode == 1
        and said["certified"] is False
        and list(wrong) == [CHANGED]
        and wrong[CHANGED]["verdict"] == "incorrect"
        and wrong[CHANGED]["expected"] == "correct"
        and len(said["fixtures"]) >= 15
        and said["ruler"] is None
    )
    print(f"code {done.returncode}, {len(said['fixtures'])} fixtures")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
