"""What hosts/fork_server.py makes ahead of programs that name it in KB_AHEAD.

    python fork_server_test.py HOSTS

A Triton of this test says in which order it was asked, and with which cache.
"""

import gc
import importlib
import os
import sys
import tempfile
from pathlib import Path
from unittest import mock

import torch

sys.path.insert(0, sys.argv[1])
import fork_server  # noqa: E402

FILES = {
    "triton/__init__.py": "asked = []\n",
    "triton/runtime/__init__.py": "",
    "triton/runtime/cache.py": "def triton_key():\n    import triton; triton.asked.append('key')\n",
    "triton/runtime/driver.py": (
        "class Config:\n    active = None\n"
        "    def set_active(self, made):\n        self.active = made\n"
        "driver = Config()\n"
    ),
    "triton/backends/__init__.py": "",
    "triton/backends/nvidia/__init__.py": "",
    "triton/backends/nvidia/driver.py": (
        "class CudaDriver:\n    def __init__(self):\n"
        "        import os, triton\n"
        "        triton.asked.append(os.environ['TRITON_CACHE_DIR'])\n"
    ),
}


def write(folder: Path, files: dict[str, str]) -> None:
    """The files, and their folders."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def asked_for(*environment: bytes) -> list[str]:
    """What is made ahead of a program with this environment."""
    library = mock.Mock()
    library.kb_jail_await_fork.side_effect = [1, 0]
    library.kb_jail_environment = [*environment, None].__getitem__
    library.kb_jail_fork.return_value = 0  # we are the server
    with (
        mock.patch.object(fork_server, "load_library", return_value=library),
        mock.patch.object(fork_server, "prepare") as prepare,
        mock.patch.object(sys, "argv", ["fork_server.py", "library"]),
    ):
        assert fork_server.main() == 0
    return [call.args[0] for call in prepare.call_args_list if call.args[0]]


def collects_as_a_program() -> bool:
    """Whether Python collects garbage in a program that a server became, which does not."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ),
        mock.patch.object(fork_server.signal, "signal"),
        mock.patch.object(sys, "argv", []),
    ):
        program = Path(folder) / "program.py"
        program.write_text("import gc\nimport sys\nsys.argv.append(gc.isenabled())\n")
        gc.disable()
        fork_server.become(["python", "-I", str(program)], [])
        return sys.argv[-1] is True


def driver_is_asked(name: str) -> bool:
    """Whether the driver is, by an import of it that asks PyTorch for GPUs."""
    with (
        mock.patch.object(torch._C, "_cuda_getDeviceCount", create=True) as driver,
        mock.patch.object(torch.cuda, "_device_count_nvml", return_value=1) as nvml,
        mock.patch.object(importlib, "import_module") as imported,
    ):
        imported.side_effect = lambda _: (torch.cuda.is_available(), mock.DEFAULT)[1]
        driver.return_value = 1
        fork_server.AHEAD[name]()
    assert driver.called or nvml.called
    return driver.called


def main() -> int:
    assert collects_as_a_program()
    assert not driver_is_asked("compile")
    assert "PYTORCH_NVML_BASED_CUDA_CHECK" not in os.environ, "the children's own affair"
    assert driver_is_asked("extension"), "this test sees it"
    assert asked_for(b"PATH=/bin", b"KB_AHEAD=triton,compile") == ["triton", "compile"]
    assert asked_for(b"PATH=/bin", b"EMPTY=") == []
    assert "torch._inductor.compile_fx" not in sys.modules
    for name in ("", "unknown", "compile"):
        fork_server.prepare(name)
    for module in fork_server.OF_COMPILE:
        assert module in sys.modules, module
    assert not torch.cuda.is_initialized()
    for name in [name for name in sys.modules if name.split(".")[0] == "setuptools"]:
        del sys.modules[name]  # which torch.compile imports as well
    fork_server.prepare("extension")
    assert "setuptools" in sys.modules
    for name in [name for name in sys.modules if name.split(".")[0] == "triton"]:
        del sys.modules[name]  # the real one
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), FILES)
        sys.path.insert(0, folder)
        for _ in range(2):
            fork_server.prepare("triton")
        import triton  # type: ignore[import-not-found]
        from triton.runtime.driver import driver  # type: ignore[import-not-found]
    key, cache = triton.asked  # once
    assert key == "key", triton.asked
    assert cache and not os.path.exists(cache), "its folder is its own, and gone"
    assert type(driver.active).__name__ == "CudaDriver", driver.active
    assert "TRITON_CACHE_DIR" not in os.environ, "each program has a cache of its own"
    return 0


if __name__ == "__main__":
    sys.exit(main())
