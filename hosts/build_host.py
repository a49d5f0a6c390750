"""Builds the torch extensions of one candidate by importing it.

Run in a jail as ``python3 -I build_host.py CANDIDATE.py``, or forked from
fork_server.py, with TORCH_EXTENSIONS_DIR and the compilers in the environment.
Importing executes the module's top level, which is where load_inline and load are
called; what they build stays in TORCH_EXTENSIONS_DIR. There is no GPU here. The
compilers take only the options that compiler_options.py lists.

Exit code, read by src/compile/extension_build.cc:
0  the module was imported
3  torch's extension builder failed: the compiler, or an option that is not allowed
4  the module's own code failed, which says nothing about what was built
The text of the failure goes to stdout, without a traceback.
"""

import importlib.util
import logging
import os
import sys
import traceback
from types import ModuleType

logging.disable(logging.WARNING)  # it says that there is no GPU
from torch.utils import cpp_extension  # noqa: E402

logging.disable(logging.NOTSET)

EXIT_BUILD_FAILED = 3
EXIT_MODULE_FAILED = 4


def import_file(name: str, path: str) -> ModuleType:
    """The module in the file `path`, imported under that name."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# By its path: isolation reduced lets nobody list the folder that it lies in.
HERE = os.path.dirname(os.path.abspath(__file__))
compiler_options = import_file("compiler_options", f"{HERE}/compiler_options.py")


def in_extension_builder(error: BaseException) -> bool:
    """Whether torch's builder raised it; not the loading of what was built."""
    if isinstance(error, compiler_options.OptionRefused):
        return True
    frames = traceback.extract_tb(error.__traceback__)
    return not isinstance(error, ImportError) and any(
        frame.filename.endswith("torch/utils/cpp_extension.py") for frame in frames
    )


def main() -> int:
    compiler_options.guard(cpp_extension)
    try:
        import_file("candidate", sys.argv[1])
    except BaseException as error:  # SystemExit of a candidate is its failure
        print(f"{type(error).__name__}: {error}", flush=True)
        return EXIT_BUILD_FAILED if in_extension_builder(error) else EXIT_MODULE_FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())
