"""Where the program is, and the environment that it is started in."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


class ProgramNotFoundError(RuntimeError):
    """There is no program `kernelbench`; the message says where it was looked for."""


def find_program() -> Path:
    """$KB_PROGRAM, else the one in this package, the one built beside it, the one on PATH."""
    named = os.environ.get("KB_PROGRAM")
    if named:
        path = Path(named)
        if not os.access(path, os.X_OK):
            raise ProgramNotFoundError(f"KB_PROGRAM={named}: there is no such program")
        return path.absolute()  # "./kernelbench" is no name on PATH
    for path in (HERE / "dist/bin/kernelbench", HERE.parents[1] / "build/dist/bin/kernelbench"):
        if os.access(path, os.X_OK):
            return path
    # Our own command on PATH would start itself for ever.
    on_path = shutil.which("kernelbench")
    if on_path and Path(on_path).read_bytes()[:4] == b"\x7fELF":
        return Path(on_path)
    raise ProgramNotFoundError(
        "the program is neither in the package nor on PATH; install the wheel for your system, "
        "or set KB_PROGRAM to build/dist/bin/kernelbench"
    )


def environment() -> dict[str, str]:
    """Ours, with this Python for the program unless another is named or this one has no PyTorch."""
    known = dict(os.environ)
    if "KB_PYTHON" not in known and importlib.util.find_spec("torch") is not None:
        known["KB_PYTHON"] = sys.executable
    return known
