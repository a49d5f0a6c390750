"""Native candidates called through ctypes, as share/include/kernelbench/candidate.h
says. Needs PyTorch, and nvcc for .cu files."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch

ABI = 1
CUDA_NVCC = "/usr/local/cuda/bin/nvcc"
CPU, CUDA = 1, 2
BOOL, INT, FLOAT, TENSOR, LIST = 1, 2, 3, 5, 6  # enum kb_kind
DTYPES = {
    torch.float32: (2, 32),
    torch.int64: (0, 64),
    torch.int32: (0, 32),
    torch.bool: (6, 8),
}


I64, Pointer = ctypes.c_int64, ctypes.c_void_p
OURS: dict[str, Any] = {}


def structure(name: str, fields: str, base: type = ctypes.Structure) -> Any:
    """A type of the interface, from "field:type ...", a type being one of ctypes
    without its c_ or one of OURS."""
    pairs = [field.split(":") for field in fields.split()]
    types = [
        (field, OURS.get(kind) or getattr(ctypes, f"c_{kind}")) for field, kind in pairs
    ]
    return OURS.setdefault(name, type(name, (base,), {"_fields_": types}))


Device = structure("Device", "type:int32 id:int32")
DType = structure("DType", "code:uint8 bits:uint8 lanes:uint16")
DLTensor = structure(
    "DLTensor",
    "data:void_p device:Device ndim:int32 dtype:DType "
    "shape:void_p strides:void_p byte_offset:uint64",
)
Items = structure("Items", "items:void_p count:int64")
Payload = structure("Payload", "i:int64 f:double t:void_p list:Items", ctypes.Union)
Value = structure("Value", "kind:int32 reserved:int32 u:Payload")
NamedTensor = structure("NamedTensor", "name:char_p tensor:void_p")
Model = structure(
    "Model",
    "abi:uint32 device:Device init:void_p init_count:int64 "
    "state:void_p state_count:int64 stream:void_p",
)
Call = structure(
    "Call",
    "abi:uint32 model:void_p state:void_p inputs:void_p input_count:int64 "
    "outputs:void_p output_count:int64 stream:void_p",
)


class Candidate:
    """A built library with the arguments and weights of one model."""

    def __init__(
        self, library: Path, init: Sequence[Any], model: torch.nn.Module, stream: int
    ) -> None:
        self.library = ctypes.CDLL(str(library))
        self.stream = stream
        self.kept: list[Any] = []  # what pointers in our structures point to
        weights = model.state_dict()
        named = [NamedTensor(k.encode(), self.tensor(t)) for k, t in weights.items()]
        device = Device(CUDA if stream else CPU, 0)
        state = self.array(NamedTensor, named)
        values = self.array(Value, [self.value(x) for x in init])
        self.model = Model(
            ABI, device, values, len(init), state, len(named), stream or None
        )
        self.state = Pointer()
        if hasattr(self.library, "kb_setup"):
            made = ctypes.byref(self.state)
            must(self.library.kb_setup(ctypes.byref(self.model), made))

    def call(self, inputs: Sequence[Any], outputs: Sequence[torch.Tensor]) -> Any:
        """What `forward` takes for one call on these tensors."""
        values = self.array(Value, [self.value(x) for x in inputs])
        results = self.array(DLTensor, [self.dense(t) for t in outputs])
        model, stream = ctypes.addressof(self.model), self.stream or None
        counts = len(inputs), len(outputs)
        return Call(
            ABI, model, self.state, values, counts[0], results, counts[1], stream
        )

    def forward(self, call: Any) -> None:
        """Enqueues one call."""
        must(self.library.kb_forward(ctypes.byref(call)))

    def array(self, kind: Any, items: Sequence[Any]) -> int:
        """The address of an array that lives as long as this does."""
        self.kept += [(kind * len(items))(*items), *items]
        return ctypes.addressof(self.kept[-1 - len(items)])

    def dense(self, t: torch.Tensor) -> Any:
        """A DLTensor."""
        device = Device(CUDA if t.is_cuda else CPU, 0)
        shape = self.array(I64, list(t.shape))
        self.kept.append(t)
        dtype = DType(*DTYPES[t.dtype], 1)
        return DLTensor(t.data_ptr(), device, t.ndim, dtype, shape, None, 0)

    def tensor(self, t: torch.Tensor) -> int:
        return self.array(DLTensor, [self.dense(t)])

    def value(self, x: Any) -> Any:
        """A kb_value."""
        if isinstance(x, torch.Tensor):
            return Value(TENSOR, 0, Payload(t=self.tensor(x)))
        if isinstance(x, (tuple, list)):
            items = self.array(Value, [self.value(item) for item in x])
            return Value(LIST, 0, Payload(list=Items(items, len(x))))
        if isinstance(x, float):
            return Value(FLOAT, 0, Payload(f=x))
        return Value(BOOL if isinstance(x, bool) else INT, 0, Payload(i=int(x)))


def must(code: int) -> None:
    """Zero is success."""
    if code != 0:
        raise RuntimeError(f"the candidate returned {code}")


def build(sources: Iterable[Path], include: Path, folder: Path) -> dict[Path, Path]:
    """Libraries of all that compile, with the flags of src/compile/native_build.cc,
    built at the same time."""
    nvcc = os.environ.get("KB_NVCC") or shutil.which("nvcc") or CUDA_NVCC
    common = ["-O3", "-std=c++17", "--shared", "-I", include]
    jobs = {}
    for source in sources:
        library = folder / f"{source.parent.name}-{source.name}.so"
        command: list[Any] = ["g++", "-fPIC", *common]
        if source.suffix == ".cu":
            major, minor = torch.cuda.get_device_capability()
            arch = f"{major}{minor}{'a' if major >= 9 else ''}"
            arch = f"-gencode=arch=compute_{arch},code=sm_{arch}"
            command = [nvcc, "-Xcompiler", "-fPIC", "-cudart", "static", arch, *common]
        jobs[source] = library, subprocess.Popen([*command, "-o", library, source])
    return {
        source: library for source, (library, job) in jobs.items() if not job.wait()
    }
