"""Each rule of scripts/deploy_rules.py fires on what it is for.

    deploy_rules_test.py SCRIPTS
"""

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, sys.argv[1])

import deploy_rules  # noqa: E402

DOCKERFILE = """FROM base:1.2
COPY here.txt /there/
RUN echo "$HOME"
CMD ["doctor"]
"""
WORKFLOW = """name: kernels
on: [push]
permissions:
  contents: read
jobs:
  judge:
    steps:
      - uses: actions/checkout@v4
      - run: |
          echo "$HOME"
"""
NOTEBOOK = json.dumps(
    {"cells": [{"cell_type": "code", "source": ["x = 1"], "outputs": [], "execution_count": None}]}
)
# What is changed in each, and what must be said then.
CASES = [
    (deploy_rules.check_dockerfile, DOCKERFILE, "base:1.2", "base", "has no version"),
    (deploy_rules.check_dockerfile, DOCKERFILE, "here.txt", "gone.txt", "there is no gone.txt"),
    (deploy_rules.check_dockerfile, DOCKERFILE, '"$HOME"', "$HOME", "SC2086"),
    (deploy_rules.check_dockerfile, DOCKERFILE, '["doctor"]', "doctor", "not a JSON array"),
    (deploy_rules.check_dockerfile, DOCKERFILE, "RUN", "RUM", "no instruction RUM"),
    (deploy_rules.check_workflow, WORKFLOW, "@v4", "", "has no version"),
    (deploy_rules.check_workflow, WORKFLOW, "permissions:", "permission:", "no permissions"),
    (deploy_rules.check_workflow, WORKFLOW, '"$HOME"', "$HOME", "SC2086"),
    (deploy_rules.check_workflow, WORKFLOW, "  judge", "   judge", "odd number"),
    (deploy_rules.check_notebook, NOTEBOOK, "x = 1", "x =", "cell 0, line 1"),
    (deploy_rules.check_notebook, NOTEBOOK, "null", "3", "holds what it printed"),
]


def main() -> int:
    """1 when a rule is silent, or speaks without a reason."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "here.txt").touch()
        path = Path(folder) / "file"
        for check, good, old, new, said in CASES:
            path.write_text(good)
            silent = check(path)
            path.write_text(good.replace(old, new))
            complaints = check(path)
            if silent or not any(said in complaint for complaint in complaints):
                print(f"{check.__name__}, {old!r} as {new!r}: {silent} {complaints}")
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
