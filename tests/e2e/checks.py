"""What tests share that call the program and compare what it says."""

import subprocess
from pathlib import Path


class Checks:
    """Calls of one program in one folder, and what was wrong."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program = program
        self.folder = folder
        self.failed = 0

    def expect(self, what: str, found: object, wanted: object) -> None:
        """Counts and prints what is not as it should be."""
        if found != wanted:
            self.failed += 1
            print(f"FAILED {what}: {found!r}, wanted {wanted!r}")

    def run(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """A whole call; `given` is its standard input."""
        return subprocess.run(
            [self.program, *words],
            input=given,
            capture_output=True,
            text=True,
            cwd=self.folder,
            check=False,
        )
