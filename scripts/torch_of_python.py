"""Prints what the running Python offers a host of PyTorch code, on one line:

    <torch version> <CUDA version or "cpu"> <numpy version or "none"> <folder>

where <folder> holds the packages. Fails when torch is missing or older than
2.4. Takes 50 ms, because it reads torch's version file instead of importing
torch, which takes 2 s.
"""

import importlib.metadata
import importlib.util
import os
import runpy
import sys


def main():
    found = importlib.util.find_spec("torch")
    if sys.version_info < (3, 10) or found is None or not found.origin:
        return 1
    folder = os.path.dirname(found.origin)
    version = runpy.run_path(os.path.join(folder, "version.py"))
    number = version["__version__"]
    if tuple(int(part) for part in number.split(".")[:2]) < (2, 4):
        return 1
    try:
        numpy = importlib.metadata.version("numpy")
    except importlib.metadata.PackageNotFoundError:
        numpy = "none"
    print(number, version["cuda"] or "cpu", numpy, os.path.dirname(folder))
    return 0


sys.exit(main())
