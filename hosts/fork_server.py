"""Parent of a lane's Python programs: imports PyTorch once, and is forked for each of them.

    fork_server.py LIBRARY MODULE...

LIBRARY is libkb_jail.so (src/jail/include/jail/fork_service.h), which forks and
puts the child into its jail; a MODULE that is not installed is left out. A child
runs what `python -I SCRIPT ARGUMENT...` would have run. Requests come on file
descriptor 3. KB_AHEAD in a program's environment names what it will need besides
(AHEAD), which is made before the first such program is forked, for all that follow.
Nothing here may touch a device: a child that is not at its turn has touched none
either.
"""

import contextlib
import ctypes
import functools
import gc
import importlib
import os
import runpy
import signal
import sys
import tempfile
from collections.abc import Iterator

SOCKET = 3
OF_COMPILE = (
    "torch._inductor.compile_fx",
    "torch._dynamo.backends.inductor",
    "torch._dynamo.backends.cudagraphs",
    "torch._inductor.codegen.cpp_wrapper_gpu",
    "torch._inductor.codegen.cuda_combined_scheduling",
    "torch._inductor.fx_passes.efficient_conv_bn_eval",
    "torch._inductor.fx_passes.fuse_attention",
    "torch._inductor.fx_passes.mkldnn_fusion",
    "torch._inductor.fx_passes.pad_mm",
    "torch._inductor.fx_passes.quantization",
    "torch.distributed.tensor.experimental",
    "torch.export._trace",
    "sympy.physics.units",
)


def load_library(path: str) -> ctypes.PyDLL:
    """Our library; its calls keep Python's lock, as a fork must."""
    library = ctypes.PyDLL(path)
    for function in (library.kb_jail_argument, library.kb_jail_environment):
        function.argtypes = [ctypes.c_int]
        function.restype = ctypes.c_char_p
    return library


def texts(function: "ctypes._NamedFuncPointer") -> list[str]:
    """What the function has for 0, 1, ... until it has no more."""
    found: list[str] = []
    while (text := function(len(found))) is not None:
        found.append(os.fsdecode(text))
    return found


@contextlib.contextmanager
def environment(name: str, value: str) -> Iterator[None]:
    """With this variable, which is not set otherwise."""
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]


def prepare_triton() -> None:
    """What every process that runs Triton would make first, 0.6 to 1 s of it: the imports,
    the hash of all of Triton for the keys of its cache, and its module in C, for which it
    starts a compiler."""
    importlib.import_module("triton")
    with tempfile.TemporaryDirectory() as folder, environment("TRITON_CACHE_DIR", folder):
        importlib.import_module("triton.runtime.cache").triton_key()
        driver = importlib.import_module("triton.backends.nvidia.driver").CudaDriver()
        importlib.import_module("triton.runtime.driver").driver.set_active(driver)


def prepare_compile() -> None:
    """What torch.compile imports when it is called, 2 s of it, and what it imports while it
    compiles first, 0.4 s; the hash of all of PyTorch for the keys of its cache. In PyTorch 2.11
    an import asks whether there is a GPU: of NVML, since no child could use one once the driver
    was asked here."""
    with environment("PYTORCH_NVML_BASED_CUDA_CHECK", "1"):
        for module in OF_COMPILE:
            with contextlib.suppress(ImportError):  # in another version of PyTorch
                importlib.import_module(module)
        importlib.import_module("torch._inductor.codecache").torch_key()


def prepare_extension() -> None:
    """Most of what torch.utils.cpp_extension imports, 0.06 to 0.1 s; that itself asks the driver
    for GPUs when it is imported."""
    importlib.import_module("setuptools")


AHEAD = {
    "triton": prepare_triton,
    "compile": prepare_compile,
    "extension": prepare_extension,
}


@functools.cache
def prepare(name: str) -> None:
    """Once. What cannot be made here (no Triton or another version of it, no compiler), each
    program finds out for itself."""
    with contextlib.suppress(Exception):
        AHEAD[name]()


def become(arguments: list[str], environment: list[str]) -> None:
    """Runs the program in this process, which was Python's when it started."""
    gc.enable()
    os.environ.clear()
    os.environ.update(entry.split("=", 1) for entry in environment)
    tempfile.tempdir = None
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = arguments[2:]  # after the interpreter and -I
    runpy.run_path(sys.argv[0], run_name="__main__")


def main() -> int:
    """Forks until nobody asks any more."""
    os.environ.pop("LD_PRELOAD", None)  # for this process alone
    library = load_library(sys.argv[1])
    gc.disable()  # what an import makes stays: looking through it is a seventh of its time
    for module in sys.argv[2:]:
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    while (asked := library.kb_jail_await_fork(SOCKET)) == 1:
        variables = dict(text.split("=", 1) for text in texts(library.kb_jail_environment))
        for name in variables.get("KB_AHEAD", "").split(","):
            prepare(name)
        gc.freeze()  # no child looks through it, which would copy its pages
        ctypes.pythonapi.PyOS_BeforeFork()
        forked = library.kb_jail_fork()
        if forked == 1:
            ctypes.pythonapi.PyOS_AfterFork_Child()
            become(texts(library.kb_jail_argument), texts(library.kb_jail_environment))
            return 0
        ctypes.pythonapi.PyOS_AfterFork_Parent()
        if forked != 0:
            return 1
    return 0 if asked == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
