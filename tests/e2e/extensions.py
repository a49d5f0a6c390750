"""What the tests share that build extensions of PyTorch by our `ninja`."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from torch.utils import cpp_extension


def use(ninja: str) -> None:
    """Builds by the program in that folder from now on, as in a build's jail."""
    os.environ["PATH"] = f"{Path(ninja).resolve()}:{os.environ['PATH']}"
    os.environ["TORCH_NO_COMPILER_WRAPPER"] = "1"
    os.environ.pop("KB_BINDINGS", None)


def built(place: Path, *sources: Path, **more: Any) -> ModuleType:
    """The module of an extension, built in a new folder of its name."""
    place.mkdir()
    files = [str(file) for file in sources]
    made: ModuleType = cpp_extension.load(place.name, files, build_directory=str(place), **more)
    return made


def headers_used(place: Path) -> list[str]:
    """Lines such as "slim main.o", in the order of the alphabet."""
    return sorted((place / "kernelbench_build").read_text().splitlines()[1:])


def module_of(lines: Iterable[str]) -> str:
    """What defines an extension's module."""
    return "\n".join(["PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {", *lines, "}"])


def bound(declared: str, names: Iterable[str]) -> str:
    """A source that hands declared functions to Python, as PyTorch's load_inline writes it."""
    lines = [f'm.def("{name}", torch::wrap_pybind_function({name}), "of {name}");' for name in names]
    return f"#include <torch/extension.h>\n{declared}\n{module_of(lines)}"


def plainly_bound(declared: str, names: Iterable[str]) -> str:
    """The same as candidates write it."""
    lines = [f'  m.def("{name}", &{name}, "of {name}");' for name in names]
    return f"#include <torch/extension.h>\n{declared}\n{module_of(lines)}"


def answer(call: Callable[[Any], Any], module: ModuleType) -> str:
    """What it returns or raises."""
    try:
        return repr(call(module))
    except Exception as error:  # of whichever type
        return f"{type(error).__name__}: {error}"
