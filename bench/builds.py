"""Builds at work on the same machine: who times has to hold beside them."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

# As a sample of torch.utils.cpp_extension: all of PyTorch's headers for one line.
SOURCE = """#include <torch/extension.h>
torch::Tensor f(torch::Tensor x) { return x.relu().add(1).mul(2); }
PYBIND11_MODULE(m, m) { m.def("f", &f); }
"""
FAILS_WITHIN_S = 5
FIND_HEADERS = """
import os, sysconfig, torch
include = os.path.join(os.path.dirname(torch.__file__), "include")
for folder in include, f"{include}/torch/csrc/api/include", sysconfig.get_paths()["include"]:
    print(folder)
"""


def torch_headers() -> list[str]:
    """The folders of PyTorch's headers and of its Python's."""
    python = os.environ.get("KB_PYTHON", sys.executable)
    found = subprocess.run([python, "-c", FIND_HEADERS], stdout=subprocess.PIPE, text=True)
    if found.returncode != 0:
        sys.exit(f"builds need PyTorch's headers, and {python} has none: name another one with KB_PYTHON")
    return found.stdout.splitlines()


@contextlib.contextmanager
def at_work(count: int) -> Iterator[None]:
    """So many compilers, each again and again until the end."""
    if count <= 0:
        yield
        return
    compiler = shutil.which("g++") or sys.exit("builds need g++")
    flags = " ".join(f"-I{folder}" for folder in torch_headers())
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "extension.cpp"
        source.write_text(SOURCE)
        started = []
        try:
            for number in range(count):
                command = f"{compiler} -std=c++20 -O2 -fPIC {flags} -c {source} -o {folder}/{number}.o"
                loop = f"while {command}; do :; done"
                started.append(subprocess.Popen(["sh", "-c", loop], start_new_session=True))
            time.sleep(FAILS_WITHIN_S)
            failed = sum(process.poll() is not None for process in started)
            if failed:
                sys.exit(f"{failed} of {count} builds failed: nobody would be at work")
            yield
        finally:
            for process in started:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
