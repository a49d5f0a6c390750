"""Host of one Python model in a jail: a candidate's, or the reference's when it is timed.

Loads a file, builds the model as the problem's facts say, and calls it when our
library asks. All protocol, timing and copying is in the library
(src/candidate/include/candidate/python_host.h).

    candidate_host.py LIBRARY DEVICE FILE [ENTRY [MODE]]

ENTRY is the class or function in FILE (default ModelNew), MODE one of
torch.compile's modes, "cudagraphs" (its backend), or "eager" (the default). The
socket to the oracle is file descriptor 3.
"""

import contextlib
import ctypes
import importlib.util
import inspect
import json
import os
import random
import resource
import sys
import traceback
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import torch

SOCKET = 3
FAILED, OUT_OF_MEMORY, STRUCTURE = 1, 2, 3  # wire::CallStatus
AGAIN = 2  # kb_candidate_outputs: make them again, one by one
# What PyTorch says of them (torch/_inductor/cudagraph_trees.py).
OVERWRITTEN = "output of CUDAGraphs that has been overwritten by a subsequent run"
MOST_MEMORY = 1 << 30
DTYPES = {"fp32": None, "fp16": torch.float16, "bf16": torch.bfloat16, "as_given": None}

CALLBACK_TEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)
CALLBACK_COUNTS = ctypes.CFUNCTYPE(ctypes.c_int, *4 * [ctypes.c_int64])
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int)


class HostTable(ctypes.Structure):
    """kb_candidate_host."""

    _fields_ = [("load", CALLBACK_TEXT), ("prepare", CALLBACK_COUNTS), ("call", CALLBACK)]


class StructureError(TypeError):
    """What forward returned is not tensors."""


def decode(value: dict[str, Any], tensors: Iterator[torch.Tensor]) -> Any:
    """A record::Value as the Python object it stands for."""
    ((tag, body),) = value.items()
    if tag == "none":
        return None
    if tag == "float":
        return float(body)
    if tag == "tensor":
        return next(tensors)
    if tag in ("list", "tuple"):
        items = [decode(item, tensors) for item in body]
        return tuple(items) if tag == "tuple" else items
    if tag == "dict":
        return {key: decode(item, tensors) for key, item in body}
    return body


def load_module(path: str, constants: dict[str, Any]) -> ModuleType:
    """Executes the file, in which the problem's constants are known."""
    spec = importlib.util.spec_from_file_location("candidate", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(constants)
    sys.modules["candidate"] = module
    spec.loader.exec_module(module)
    return module


def use_built_extensions() -> None:
    """Takes an extension as it was built where its folder is a copy: ninja would
    build it again, because its files name the folder of the build."""
    if os.environ.get("KB_BUILT_ELSEWHERE") != "1":
        return
    from torch.utils import cpp_extension

    build = cpp_extension._write_ninja_file_and_build_library

    def build_what_is_missing(*arguments: Any, **named: Any) -> None:
        given = inspect.signature(build).bind(*arguments, **named).arguments
        if not os.path.exists(f"{given['build_directory']}/{given['name']}.so"):
            build(*arguments, **named)

    cpp_extension._write_ninja_file_and_build_library = build_what_is_missing


def prepare_mode(model: Callable[..., Any], mode: str) -> Callable[..., Any]:
    """The model as torch.compile's mode makes it."""
    if mode == "eager":
        return model
    if mode == "cudagraphs":
        return torch.compile(model, backend="cudagraphs")
    compile_in_workers()
    return torch.compile(model, mode=mode)


def compile_in_workers() -> None:
    """Has Triton compile in TORCHINDUCTOR_COMPILE_THREADS processes at once. They are forked,
    as to import PyTorch would take them longer than most kernels take. PyTorch names its
    ptxas to Triton in the workers and where there are none, not in the parent of workers;
    the name is part of the key of Triton's cache, so that without it the parent would find
    nothing of what they compiled (PyTorch 2.11, torch/_inductor/async_compile.py)."""
    from torch._inductor import config

    config.worker_start_method = "fork"
    config.compile_threads = int(os.environ.get("TORCHINDUCTOR_COMPILE_THREADS", "1"))
    ptxas = os.path.join(os.path.dirname(torch.__file__), "bin", "ptxas")
    if os.path.exists(ptxas):
        os.environ.setdefault("TRITON_PTXAS_PATH", ptxas)


def end_workers() -> None:
    """Nobody shall be at work beside calls that are timed. What workers still compile
    after a call is of no use (kernels that were to be tried and are not needed), and to
    wait for it may take longer than a call may."""
    from torch._inductor import async_compile

    for pool in async_compile._pool_set:
        for worker in list(pool._processes.values()):
            worker.kill()
        pool.shutdown(cancel_futures=True)
    async_compile.shutdown_compile_workers()


def leave_running_statistics(model: torch.nn.Module) -> None:
    """Batch norms that train update statistics which change no output. Who is compared by
    outputs alone would gain by leaving them, so that neither side has them updated."""
    for module in model.modules():
        if isinstance(module, torch.nn.modules.batchnorm._NormBase) and module.training:
            module.track_running_stats = False


def operators_of(backend: Any) -> list[Any]:
    """Those of a backend of PyTorch that have an fp32_precision (2.9)."""
    named = [getattr(backend, name, None) for name in ("matmul", "conv", "rnn")]
    return [operator for operator in named if hasattr(operator, "fp32_precision")]


def allow_tf32(allowed: bool) -> None:
    """Whether cuDNN and matrix products may take it from now on. What a file has said of all of
    PyTorch (torch.backends.fp32_precision) outlives an allow_tf32 that is false."""
    torch.backends.cudnn.allow_tf32 = allowed
    torch.backends.cuda.matmul.allow_tf32 = allowed
    for operator in operators_of(torch.backends.cudnn) + operators_of(torch.backends.cuda):
        if (operator.fp32_precision == "tf32") != allowed:
            operator.fp32_precision = "tf32" if allowed else "ieee"


def keep_precision() -> None:
    """What the policy says of TF32, of reference and candidate alike. A candidate that says
    otherwise later is judged by its answers."""
    rule = os.environ.get("KB_PRECISION", "as_reference")
    if rule != "as_reference":
        allow_tf32(rule == "tf32")


def seed_generators(seed: int) -> None:
    """torch.manual_seed for the devices that we use. That one takes 120 us, nearly all of
    it for notes of where it was called, and a chain's calls are timed."""
    torch.default_generator.manual_seed(seed)
    if torch.cuda.is_initialized():
        torch.cuda.default_generators[torch.cuda.current_device()].manual_seed(seed)


def seed_all(seed: int) -> None:
    """The same of Python's and NumPy's generators as well, for what no call waits for. NumPy
    takes 32 bits, as PyTorch's on the CPU does."""
    seed_generators(seed)
    random.seed(seed)
    if "numpy" in sys.modules:  # which PyTorch imports where it is there
        import numpy.random

        numpy.random.seed(seed % (1 << 32))


def tensors_of(value: Any, by_key: bool = False) -> list[torch.Tensor]:
    """The tensors of what forward takes, or returned, in order: those of tuples, lists and
    dicts, and of such in these. None, numbers and texts among them are left out; what else there
    is, is an error. `by_key`: those of a dict in the order of its keys, however it was made."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = [value[key] for key in (sorted(value, key=str) if by_key else value)]
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in tensors_of(item, by_key)]
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return []
    raise StructureError(f"forward returned {type(value).__name__}, not a tensor")


def outputs_of(returned: Any) -> list[torch.Tensor]:
    """As outputs of reference and candidate are laid side by side."""
    return tensors_of(returned, by_key=True)


class Host:
    """The callbacks of one model."""

    def __init__(self, library: ctypes.CDLL, device: str, arguments: list[str]) -> None:
        self.library = library
        self.device = device
        defaults = ["ModelNew", "eager"]
        self.path, self.entry, self.mode = arguments + defaults[len(arguments) - 1 :]
        self.model: Callable[..., Any] = lambda: None
        self.values: list[dict[str, Any]] = []
        self.arguments: list[list[Any]] = []
        self.seeds: list[int] = []
        self.kept: list[list[torch.Tensor]] = []  # until the next chain
        self.returns_again = False  # the memory of a call before
        self.copies = False  # this chain's outputs, call by call
        self.graph: torch.cuda.CUDAGraph | None = None  # of a captured chain
        self.side: Any = None  # the stream of captured chains
        self.allocator: Any = None
        self.pool: Any = None
        self.memory = 0  # bytes that chains so far had to ask the system for

    def tensor(self, pointer: int) -> torch.Tensor:
        """Takes a DLManagedTensor over."""
        capsule = ctypes.pythonapi.PyCapsule_New(pointer, b"dltensor", None)
        return torch.utils.dlpack.from_dlpack(capsule)

    def stream(self) -> int | None:
        """The current stream of PyTorch as a number, None on cpu."""
        if self.device == "cpu":
            return None
        stream = torch.cuda.current_stream() if self.graph is None else self.side
        return stream.cuda_stream

    def make_pool(self) -> None:
        """What forward allocates shall lie in memory that the oracle can read."""
        if not self.library.kb_candidate_has_pool():
            return
        self.allocator = torch.cuda.memory.CUDAPluggableAllocator(
            sys.argv[1], "kb_candidate_malloc", "kb_candidate_free"
        )
        self.pool = torch.cuda.MemPool(self.allocator.allocator())

    def renew_pool(self) -> None:
        """The old one gives back what nobody holds."""
        if self.pool is not None:
            self.pool = torch.cuda.MemPool(self.allocator.allocator())

    def in_pool(self) -> contextlib.AbstractContextManager[Any]:
        """The context of a chain's calls."""
        if self.pool is None:
            return contextlib.nullcontext()
        return torch.cuda.use_mem_pool(self.pool)

    def load(self, setup_text: bytes) -> None:
        """Builds the model and gives it the reference's weights."""
        setup = json.loads(setup_text)
        facts = setup["facts"]
        self.values = facts["inputs"]
        if self.device != "cpu":
            torch.cuda.set_device(self.device)
            torch.zeros(1, device=self.device)
            self.make_pool()
        use_built_extensions()
        keep_precision()
        seed_all(setup["construction_seed"])
        module = load_module(self.path, decode(facts["constants"], iter(())))
        if not hasattr(module, self.entry):
            raise AttributeError(f"the candidate defines no class {self.entry}")
        model = getattr(module, self.entry)
        if isinstance(model, type):
            model = self.build(model, setup)
        keep_precision()
        self.model = prepare_mode(model, self.mode)

    def build(self, entry: type, setup: dict[str, Any]) -> torch.nn.Module:
        """Constructs the model as the oracle constructed the reference."""
        facts = setup["facts"]
        seed_all(setup["construction_seed"])
        none = iter(())
        model = entry(*[decode(v, none) for v in facts["init_args"]])
        model = model.to(device=self.device, dtype=DTYPES[setup["precision"]])
        if not setup["own_weights"]:
            self.give_weights(model, facts["state"])
        if not setup["running_statistics"]:
            leave_running_statistics(model)
        return model

    def give_weights(self, model: torch.nn.Module, state: list[dict[str, Any]]) -> None:
        """Loads the reference's state_dict when it has all its names in the same shapes. What
        else the candidate keeps (an extra state, a parameter without a shape yet) stays."""
        if not state:
            return
        tensors = {
            name: value
            for name, value in model.state_dict().items()
            if isinstance(value, torch.Tensor)
            and not isinstance(value, torch.nn.parameter.UninitializedTensorMixin)
        }
        own = {name: list(tensor.shape) for name, tensor in tensors.items()}
        wanted = {s["name"]: s["shape"] for s in state}
        if any(own.get(name) != shape for name, shape in wanted.items()):
            self.library.kb_candidate_remark(differences(own, wanted).encode())
            return
        shared = {
            s["name"]: self.tensor(self.library.kb_candidate_state(i))
            for i, s in enumerate(state)
        }
        if not all(are_equal(tensors[name], value) for name, value in shared.items()):
            self.library.kb_candidate_remark(
                b"it was given weights of other values than its constructor drew: a copy made "
                b"there would be out of date"
            )
        model.load_state_dict(shared, strict=False)

    def prepare(self, calls: int, copy: int, move: int, captured: int) -> None:
        """Wraps the inputs of the next chain; their bytes are not there yet."""
        if self.mode not in ("eager", "cudagraphs"):
            end_workers()
        self.kept, self.graph = [], None
        self.copies = bool(copy or captured) or self.returns_again
        if move:
            self.renew_pool()
        count = self.library.kb_candidate_input_count()
        self.arguments = []
        for call in range(calls):
            tensors = iter(
                [self.tensor(self.library.kb_candidate_input(call, i)) for i in range(count)]
            )
            self.arguments.append([decode(value, tensors) for value in self.values])
        self.seeds = [self.library.kb_candidate_seed(call) for call in range(calls)]
        if self.device == "cpu":
            bytearray(self.memory)  # written and freed: forward finds its pages here
        if captured:
            self.capture()
        self.library.kb_candidate_stream(self.stream())

    def capture(self) -> None:
        """The chain's calls as one CUDA graph, in a stream of its own: PyTorch's default
        one cannot be captured. Its random numbers follow from one seed, set when it is
        launched. It has memory of its own (a MemPool that two graphs used fails an
        assertion of PyTorch 2.11), so that outputs are copied, in the graph as well."""
        if len(self.seeds) > 1 and any(self.seeds):
            raise RuntimeError("calls that begin with seeds of their own are one graph each")
        self.side = self.side or torch.cuda.Stream()
        torch.cuda.synchronize()
        torch.cuda.empty_cache()  # what earlier graphs held
        graph = torch.cuda.CUDAGraph()
        self.library.kb_candidate_stream(self.side.cuda_stream)
        with torch.cuda.stream(self.side):
            try:
                # A forward may ask for memory, also of the system.
                graph.capture_begin(capture_error_mode="relaxed")
                self.answer([0] * len(self.arguments))
            except BaseException:
                with contextlib.suppress(RuntimeError):
                    graph.capture_end()
                raise
            graph.capture_end()
        handles = graph.raw_cuda_graph_exec(), self.side.cuda_stream
        if self.library.kb_candidate_upload_graph(*handles):
            raise RuntimeError("the device did not take the graph")
        self.graph = graph

    def call(self) -> None:
        """The calls of forward of one chain; their tensors are handed over."""
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        if self.graph is not None:
            self.launch(self.graph)
        else:
            self.forward()
        self.remember(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults)

    def forward(self) -> None:
        """The chain's calls. Where one returns the memory of another, as a graph of the
        candidate's own does, its answer is copied before the next one is made: all are read
        at the end. So are the other side's then, from the next chain on."""
        with self.in_pool():
            self.answer(self.seeds)
            if not self.copies and self.hand_over_all() == AGAIN:
                self.returns_again = self.copies = True
                self.answer(self.seeds)

    def answer(self, seeds: list[int]) -> None:
        """Makes the chain's answers, which are kept, and hands over what is copied."""
        self.kept = []
        with torch.no_grad():
            for call, (arguments, seed) in enumerate(zip(self.arguments, seeds)):
                if seed:
                    seed_generators(seed)
                self.kept.append(dense(self.model(*arguments)))
                if self.copies:
                    self.hand_over(call, self.kept[-1:])

    def hand_over_all(self) -> int:
        """Those of a chain. Where the graphs of torch.compile find a shape that they do not know,
        they take the memory of answers before, which nobody may read then."""
        try:
            return self.hand_over(0, self.kept)
        except RuntimeError as error:
            if len(self.kept) > 1 and OVERWRITTEN in str(error):
                return AGAIN
            raise

    def hand_over(self, first: int, results: list[list[torch.Tensor]]) -> int:
        """The outputs of calls from the first on; what the library says to them."""
        counts = {len(result) for result in results}
        if len(counts) != 1:
            raise StructureError("forward returned different numbers of tensors")
        # The capsules keep what the pointers point to.
        capsules = [torch.utils.dlpack.to_dlpack(t) for result in results for t in result]
        pointers = (ctypes.c_void_p * len(capsules))(
            *[ctypes.pythonapi.PyCapsule_GetPointer(c, b"dltensor") for c in capsules]
        )
        taken: int = self.library.kb_candidate_outputs(
            first, len(results), pointers, counts.pop()
        )
        return taken

    def launch(self, graph: torch.cuda.CUDAGraph) -> None:
        """The chain's calls at once."""
        if any(self.seeds):
            seed_generators(self.seeds[0])
        with torch.cuda.stream(self.side):
            graph.replay()

    def remember(self, faults: int) -> None:
        """The next chain shall find the pages that this one had to ask for: the
        system takes 2 or 20 us for each, which is no part of forward."""
        self.memory = min(self.memory + faults * resource.getpagesize(), MOST_MEMORY)

    def guarded(self, function: Callable[..., None], *arguments: Any) -> int:
        """Runs a callback; what it raises becomes a status and a text."""
        try:
            function(*arguments)
            return 0
        except StructureError as error:
            status, text = STRUCTURE, words_of(error)
        except (torch.cuda.OutOfMemoryError, MemoryError) as error:
            status, text = OUT_OF_MEMORY, words_of(error) or type(error).__name__
        except BaseException:  # SystemExit and KeyboardInterrupt included
            text = traceback.format_exc()
            # PyTorch's words for it on cpu, with no type of its own.
            status = OUT_OF_MEMORY if "can't allocate memory" in text else FAILED
        self.library.kb_candidate_fail(status, text.encode(errors="replace"))
        return 1


def words_of(error: BaseException) -> str:
    """What it says; empty where that is an error itself, by a type of the candidate's own."""
    try:
        return str(error)
    except BaseException:
        return ""


def are_equal(one: torch.Tensor, other: torch.Tensor) -> bool:
    """In type and device as well: PyTorch compares others with an error, if at all."""
    alike = one.dtype == other.dtype and one.device == other.device
    return alike and torch.equal(one, other)


def differences(own: dict[str, list[int]], wanted: dict[str, list[int]]) -> str:
    """Why a candidate got none of the reference's weights: by names and shapes."""
    most = 3
    kinds = {
        "lacks": sorted(wanted.keys() - own.keys()),
        "has besides": sorted(own.keys() - wanted.keys()),
        "has in another shape": sorted(
            name for name in own.keys() & wanted.keys() if own[name] != wanted[name]
        ),
    }
    said = [
        f"{words} {', '.join(names[:most])}{' and more' if len(names) > most else ''}"
        for words, names in kinds.items()
        if names
    ]
    return (
        "none of the reference's weights were given to the candidate: its state_dict "
        + "; ".join(said)
    )


def dense(out: Any) -> list[torch.Tensor]:
    """The tensors that forward returned, each dense. Most return one or a tuple of them, and to
    walk through that would be host time of every call."""
    outputs = list(out) if isinstance(out, (tuple, list)) else [out]
    for item in outputs:
        if not isinstance(item, torch.Tensor):
            outputs = outputs_of(out)
            break
    if not outputs:
        raise StructureError(f"forward returned {type(out).__name__}, not a tensor")
    return [dense_one(item) for item in outputs]


def dense_one(item: torch.Tensor) -> torch.Tensor:
    """Most are dense already: to ask takes a tenth of what it takes to make sure, which
    would be host time of every call."""
    if item.layout is not torch.strided:
        raise StructureError(f"forward returned a tensor of layout {item.layout}")
    if item.is_contiguous() and not item.requires_grad and not item.is_neg():
        return item
    return item.detach().resolve_neg().contiguous()


def load_library(path: str) -> ctypes.CDLL:
    """Our library with the types that ctypes cannot guess."""
    library = ctypes.CDLL(path)
    pointer, integer = ctypes.c_void_p, ctypes.c_int64
    library.kb_candidate_state.argtypes = [integer]
    library.kb_candidate_state.restype = pointer
    library.kb_candidate_input.argtypes = [integer, integer]
    library.kb_candidate_input.restype = pointer
    library.kb_candidate_input_count.restype = integer
    library.kb_candidate_seed.argtypes = [integer]
    library.kb_candidate_seed.restype = ctypes.c_uint64
    library.kb_candidate_stream.argtypes = [pointer]
    library.kb_candidate_upload_graph.argtypes = [pointer, pointer]
    library.kb_candidate_outputs.argtypes = [integer, integer, pointer, integer]
    library.kb_candidate_fail.argtypes = [ctypes.c_int, ctypes.c_char_p]
    library.kb_candidate_remark.argtypes = [ctypes.c_char_p]
    api = ctypes.pythonapi
    api.PyCapsule_New.argtypes = [pointer, ctypes.c_char_p, pointer]
    api.PyCapsule_New.restype = ctypes.py_object
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    api.PyCapsule_GetPointer.restype = pointer
    return library


def main() -> int:
    """Serves one model until the oracle hangs up. The device is not touched
    before the oracle has sent the set-up: somebody else may be timed."""
    path, device = sys.argv[1:3]
    library = load_library(path)
    host = Host(library, device, sys.argv[3:])
    table = HostTable(
        CALLBACK_TEXT(lambda text: host.guarded(host.load, text)),
        CALLBACK_COUNTS(lambda *counts: host.guarded(host.prepare, *counts)),
        CALLBACK(lambda: host.guarded(host.call)),
    )
    return library.kb_candidate_main(SOCKET, device.encode(), ctypes.byref(table))


if __name__ == "__main__":
    sys.exit(main())
