"""Trusted host of one lane's PyTorch references.

Loads problem files, draws inputs on the device and runs the reference when our
library asks. The loop, the comparison and the clocks are in the library
(src/oracle/include/oracle/python_host.h).

    oracle_host.py LIBRARY DEVICE

The socket to the orchestrator is file descriptor 3.
"""

import contextlib
import copy
import ctypes
import functools
import gc
import json
import linecache
import os
import random
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

# Ends with its orchestrator, also while PyTorch is imported: PR_SET_PDEATHSIG, SIGKILL.
ctypes.CDLL(None).prctl(1, 9)

gc.disable()  # what an import makes stays: looking through it is a seventh of its time
import torch  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
import candidate_host  # noqa: E402
import input_nature  # noqa: E402
import kept_state  # noqa: E402
import mutants  # noqa: E402
import operators  # noqa: E402
import products  # noqa: E402
import refusals  # noqa: E402
import tf32_setting  # noqa: E402
import widened  # noqa: E402
from candidate_host import outputs_of, seed_all, seed_generators, tensors_of  # noqa: E402
from input_nature import is_float8, plain  # noqa: E402
from weights import flat_weights, redraw_flat  # noqa: E402

gc.freeze()
gc.enable()

SOCKET = 3
EARLIER_OUTPUTS = 2  # kept for mutants; more would not fit for the largest problems
DOES_NOT_APPLY = 2
# oracle::TensorList (oracle/python_host.h), in its order.
STATE, INPUTS, OUTPUTS, PRECISE, TF32, NUDGED, EXACT, MUTANT = range(8)

CALLBACK_TEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)
CALLBACK_SEED = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64)
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int)

# Of record::Precision: what floating tensors become. None: what they are.
PRECISIONS = {
    "fp32": torch.float32,
    "fp16": torch.float16,
    "bf16": torch.bfloat16,
    "as_given": None,
}

# Of record::Ceilings: the dtype of a matrix product, and whether TF32 is allowed.
RATES = {
    "fp32_tflops": (torch.float32, False),
    "tf32_tflops": (torch.float32, True),
    "fp16_tflops": (torch.float16, False),
    "bf16_tflops": (torch.bfloat16, False),
}


PUBLIC_SEEDS = (42, 123, 456, 789, 1337)  # record::PublicSeeds
# Of the inputs by which a problem is learnt: one that no file is likely to set itself.
LEARNING_SEED = 0x6B65726E656C

# What a file may say to PyTorch for good: how it is said and asked.
SETTINGS = (
    (torch.set_default_dtype, torch.get_default_dtype),
    (torch.set_grad_enabled, torch.is_grad_enabled),
    (torch.set_deterministic_debug_mode, torch.get_deterministic_debug_mode),
    (torch.backends.cuda.enable_flash_sdp, torch.backends.cuda.flash_sdp_enabled),
    (torch.backends.cuda.enable_mem_efficient_sdp, torch.backends.cuda.mem_efficient_sdp_enabled),
    (torch.backends.cuda.enable_math_sdp, torch.backends.cuda.math_sdp_enabled),
    (torch.backends.cuda.enable_cudnn_sdp, torch.backends.cuda.cudnn_sdp_enabled),
)
SETTINGS_OF_PYTORCH = [ask() for _, ask in SETTINGS]
FLAGS = [
    (torch.backends.cudnn, "benchmark"),
    (torch.backends.cudnn, "benchmark_limit"),
    (torch.backends.cudnn, "deterministic"),
    (torch.backends.cudnn, "enabled"),
    (torch.backends.cuda.matmul, "allow_fp16_reduced_precision_reduction"),
    (torch.backends.cuda.matmul, "allow_bf16_reduced_precision_reduction"),
]
if hasattr(torch.backends.cuda.matmul, "allow_fp16_accumulation"):  # PyTorch 2.7
    FLAGS.append((torch.backends.cuda.matmul, "allow_fp16_accumulation"))
FLAGS_OF_PYTORCH = [getattr(backend, name) for backend, name in FLAGS]
TF32_OF_PYTORCH = tf32_setting.said()


def forget_settings() -> None:
    """PyTorch is set as it was before the first problem. What is so already is not said again:
    to say one of these makes others explicit that were left open."""
    torch.set_default_device(None)
    for (say, ask), value in zip(SETTINGS, SETTINGS_OF_PYTORCH):
        if ask() != value:
            say(value)
    for (backend, name), value in zip(FLAGS, FLAGS_OF_PYTORCH):
        if getattr(backend, name) != value:
            setattr(backend, name, value)
    tf32_setting.say(TF32_OF_PYTORCH)


class HostTable(ctypes.Structure):
    """kb_oracle_host."""

    _fields_ = [
        ("open", CALLBACK_TEXT),
        ("state", CALLBACK),
        ("draw", CALLBACK_SEED),
        ("keep", CALLBACK_SEED),
        ("take_kept", CALLBACK_SEED),
        ("forward", CALLBACK_SEED),
        ("forward_precise", CALLBACK),
        ("forward_tf32", CALLBACK),
        ("forward_nudged", CALLBACK_SEED),
        ("forward_double", CALLBACK),
        ("inspect", CALLBACK),
        ("mutate", CALLBACK_TEXT),
        ("rates", CALLBACK),
    ]


def spec(tensor: torch.Tensor) -> dict[str, Any]:
    """A tensor's record::TensorSpec."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    return {"dtype": dtype, "shape": list(tensor.shape)}


def encode(value: Any) -> dict[str, Any]:
    """A Python argument as a record::Value."""
    if value is None:
        return {"none": True}
    if isinstance(value, torch.Tensor):
        return {"tensor": spec(value)}
    if isinstance(value, (tuple, list)):
        tag = "tuple" if isinstance(value, tuple) else "list"
        return {tag: [encode(item) for item in value]}
    if hasattr(value, "_fields"):
        raise TypeError("a namedtuple argument cannot travel: use a tuple, or a dict")
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("a dict argument whose keys are not all texts cannot travel")
        return {"dict": [[key, encode(item)] for key, item in value.items()]}
    for kind, tag in ((bool, "bool"), (int, "int"), (float, "float"), (str, "str")):
        if isinstance(value, kind):
            finite = not isinstance(value, float) or value - value == 0
            return {tag: value if finite else str(value)}
    raise TypeError(f"an argument of type {type(value).__name__} cannot travel")


def convert(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The same structure with every tensor changed."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, (tuple, list)):
        items = [convert(item, change) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if isinstance(value, dict):
        return {key: convert(item, change) for key, item in value.items()}
    return value


def load_module(source: str, name: str) -> ModuleType:
    """Executes a problem's source, with its lines known to tracebacks."""
    module = ModuleType("problem")
    filename = f"<{name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    sys.modules["problem"] = module
    exec(compile(source, filename, "exec"), module.__dict__)
    return module


def constants(module: ModuleType) -> dict[str, Any]:
    """The module's own numbers and strings, and tuples of them."""

    def plain(value: Any) -> bool:
        if type(value) is tuple:
            return all(plain(item) for item in value)
        if type(value) is int and abs(value) >= 1 << 63:
            return False  # nobody who reads the facts has such numbers
        return type(value) in (bool, int, float, str)

    return {n: v for n, v in vars(module).items() if not n.startswith("_") and plain(v)}


def initial_seeds(cuda: bool) -> set[int]:
    """What PyTorch's random generators were seeded with last."""
    return {torch.initial_seed(), *([torch.cuda.initial_seed()] if cuda else [])}


def other_states() -> str:
    """Of Python's generator, and of NumPy's where somebody has imported it."""
    numpy = sys.modules.get("numpy")
    legacy = numpy.random.get_state(legacy=False)["state"] if numpy else {}
    return f"{random.getstate()} {[(k, bytes(v) if k == 'key' else v) for k, v in legacy.items()]}"


def same_bits(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Of dense tensors."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    bits = [tensor.reshape(-1).view(torch.uint8) for tensor in (one, other)]
    return torch.equal(*bits)


def content_of(tensor: torch.Tensor) -> tuple[int, int]:
    """What a change of the tensor changes: PyTorch's count of those that it sees, and the sum of
    its bytes, for what writes through .data or .numpy()."""
    content = tensor.detach().reshape(-1).view(torch.uint8)
    return tensor._version, int(content.sum(dtype=torch.int64))


def generator_states(cuda: bool) -> list[torch.Tensor]:
    """Where PyTorch's random generators stand."""
    return [torch.get_rng_state()] + ([torch.cuda.get_rng_state()] if cuda else [])


@contextlib.contextmanager
def said_to_wait(cuda: bool) -> Iterator[list[str]]:
    """The waits for the device of what PyTorch does meanwhile, as PyTorch tells them
    (torch.cuda.set_sync_debug_mode), known at the end."""
    waits: list[str] = []
    if not cuda:
        yield waits
        return
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        try:
            yield waits
        finally:
            torch.cuda.set_sync_debug_mode("default")
    texts = [str(warning.message) for warning in said]
    waits += [text for text in texts if "synchronizing CUDA operation" in text]


@contextlib.contextmanager
def without_tf32() -> Iterator[None]:
    """PyTorch computes in float32 where that is asked for."""
    with tf32_setting.kept():
        candidate_host.allow_tf32(False)
        yield


def nudged(tensor: torch.Tensor) -> torch.Tensor:
    """Each floating element a little up or down, by its type's last bit or so. Of 8 bits that
    would be another input, and nobody rounds what comes in them."""
    if not tensor.is_floating_point() or is_float8(tensor):
        return tensor
    step = torch.finfo(tensor.dtype).eps
    return tensor * (1 + step * (2 * torch.randint_like(tensor, 2) - 1))


def product_millis(a: torch.Tensor, b: torch.Tensor) -> float:
    """How long the device takes for a @ b."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    a @ b
    end.record()
    end.synchronize()
    return begin.elapsed_time(end)


class RefusalError(Exception):
    """A problem that cannot be judged; its text says why and needs no traceback."""


def has_numbers(out: Any) -> bool:
    """Whether a floating number stands among the tensors that forward returned."""
    if isinstance(out, dict):
        out = list(out.values())
    if isinstance(out, (tuple, list)):
        return any(has_numbers(item) for item in out)
    return isinstance(out, (float, complex))


def some_outputs_of(out: Any) -> list[torch.Tensor]:
    """The tensors that the reference returned; an error where there is none to compare."""
    try:
        outputs = outputs_of(out)
    except candidate_host.StructureError as error:
        raise RefusalError(f"the reference's {error}") from None
    if not outputs:
        kind = type(out).__name__
        raise RefusalError(f"the reference's forward returned {kind} without a tensor in it")
    return outputs


class Functional(torch.nn.Module):
    """A reference that is written as a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs: Any) -> Any:
        return self.function(*inputs)


def build(problem: ModuleType, name: str, init_args: list[Any]) -> torch.nn.Module:
    """The reference that the problem defines: a class, or a function."""
    reference = getattr(problem, name)
    if isinstance(reference, type):
        return reference(*init_args)
    return Functional(reference)


class Host:
    """The callbacks of one lane."""

    def __init__(self, library: ctypes.CDLL, device: str) -> None:
        self.library = library
        self.device = torch.device(device)
        self.dtype: torch.dtype | None = torch.float32  # None: as given
        self.problem = ModuleType("none")
        self.model: torch.nn.Module = torch.nn.Identity()
        self.exact_model: torch.nn.Module | None = None
        self.inputs: list[Any] = []
        self.numbers: list[dict[str, Any]] = []  # besides_tensors of the first ones
        self.specs: list[dict[str, Any]] = []  # of the first outputs
        self.cpu_seeds: list[int] = []  # whose inputs are drawn on the CPU
        self.changed: list[int] = []  # tensors among them that forward writes to
        self.generator_seed = 0  # of the last forward
        self.kept: dict[int, list[torch.Tensor]] = {}
        self.earlier: list[list[torch.Tensor]] | None = None  # when audited
        self.init_args: list[Any] = []
        self.same_inputs = False  # for every seed
        self.widens = True  # no widened.InDouble has failed
        self.flat: dict[str, float] = {}  # weights drawn anew, or looked at by an audit
        self.seed = 0  # of the inputs
        self.places: dict[int, list[torch.Tensor]] = {}  # the library's memory, by slot
        self.slots: dict[int, tuple[int, list[Any]]] = {}  # seed and inputs kept there

    def stream(self) -> int | None:
        """The current stream of PyTorch as a number, None on cpu."""
        if self.device.type == "cpu":
            return None
        return torch.cuda.current_stream().cuda_stream

    def cast(self, tensor: torch.Tensor) -> torch.Tensor:
        """On the device, floating ones in the run's precision."""
        dtype = (self.dtype if tensor.is_floating_point() else None) or tensor.dtype
        return tensor.detach().to(device=self.device, dtype=dtype).contiguous()

    def hand_over(self, kind: int, tensors: Iterable[torch.Tensor]) -> None:
        """Shows dense tensors to the library and keeps them alive."""
        self.kept[kind] = [t.detach().contiguous() for t in tensors]
        for tensor in self.kept[kind]:
            capsule = torch.utils.dlpack.to_dlpack(tensor)
            pointer = ctypes.pythonapi.PyCapsule_GetPointer(capsule, b"dltensor")
            if self.library.kb_oracle_tensor(kind, pointer):
                raise TypeError(f"dtype {tensor.dtype} is not supported")

    def open(self, request_text: bytes) -> None:
        """Opens a problem; what was held for the one before is given back. Until it is known
        what a forward takes, memory is as fragmented as in the processes that are timed,
        whose pools know no expandable segments. From then on as little as possible is held
        beside them."""
        self.inputs, self.kept, self.exact_model, self.widens = [], {}, None, True
        self.places, self.slots = {}, {}
        self.earlier = None
        self.model = torch.nn.Identity()
        self.hold_memory(expandable=False)
        reply = self.learn(json.loads(request_text))
        self.hold_memory(expandable=True)
        self.library.kb_oracle_reply(json.dumps(reply).encode())

    def hold_memory(self, *, expandable: bool) -> None:
        """Gives back what is not in use; segments of one kind or the other from now on."""
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
            # PyTorch 2.9 and later warn of the older name.
            change = getattr(torch._C, "_accelerator_setAllocatorSettings", None)
            change = change or torch.cuda.memory._set_allocator_settings
            change(f"expandable_segments:{expandable}")

    def learn(self, request: dict[str, Any]) -> dict[str, Any]:
        """Builds the model; draws and runs once to learn the shapes."""
        self.dtype, self.same_inputs = PRECISIONS[request["precision"]], False
        forget_settings()
        seed_all(request["construction_seed"])
        self.problem = load_module(request["source"], request["id"])
        self.cpu_seeds = request["cpu_seeds"]
        self.init_args = list(getattr(self.problem, "get_init_inputs", list)())
        seed_all(request["construction_seed"])
        model = build(self.problem, request["reference"], self.init_args)
        if request["precision_rule"] != "as_reference":
            tf32 = request["precision_rule"] == "tf32"
            candidate_host.allow_tf32(tf32)
        cast = self.dtype if self.dtype != torch.float32 else None
        self.model = model.to(device=self.device, dtype=cast)
        self.flat = {}
        if request["redraw_flat_parameters"]:
            self.flat = flat_weights(self.model, self.init_args)
            redraw_flat(self.model, self.flat, request["redraw_seed"])
        self.make_inputs(LEARNING_SEED)
        inputs = [encode(i) for i in self.inputs]
        self.numbers = self.besides_tensors()
        constant = [] if request["cpu_seeds"] else self.constant_inputs()
        known = [t for t in constant if not (request["mixed_inputs"] and t.is_floating_point())]
        if any(not input_nature.is_in_order(t) or t.is_floating_point() for t in known):
            raise RefusalError(refusals.CONSTANT_INPUTS)
        natures = [input_nature.describe(t) for t in tensors_of(self.inputs)]
        self.changed = []
        before = [content_of(t) for t in tensors_of(self.inputs)]
        kept = kept_state.state_of(self.model)
        out, nature = self.first_forward()
        outputs = some_outputs_of(out)
        after = [content_of(t) for t in tensors_of(self.inputs)]
        self.changed = [i for i, content in enumerate(before) if after[i] != content]
        self.specs = [spec(t) for t in outputs]
        structure, left_out = type(out).__name__.lower(), has_numbers(out)
        part = kept_state.part_of(outputs)
        del out, outputs
        self.refuse_memory(kept_state.changed(kept, kept_state.state_of(self.model)))
        self.refuse_other_answers(None if nature["random"] else part)
        count, operator_us = 0, 0.0
        if self.device.type == "cuda":
            forward = functools.partial(self.run, self.model, self.inputs)
            count, operator_us = operators.count_and_micros(self.model, forward)
        state = self.model.state_dict()
        facts = {
            "init_args": [encode(a) for a in self.init_args],
            "inputs": inputs,
            "outputs": self.specs,
            "output_structure": structure,
            "state": [{"name": k, **spec(v)} for k, v in state.items()],
            "constants": encode(constants(self.problem)),
        }
        reply = {"facts": facts, **nature, "constant": bool(constant), "changed_inputs": self.changed, "inputs": natures}
        reply.update(operators=count, operator_us=operator_us)
        reply["convolves"] = operators.convolves(self.model)
        reply["by_place"] = operators.moves_with_place(self.model)
        mixed = request["mixed_inputs"] and any(
            t.is_floating_point() and not described["kept"]
            for t, described in zip(tensors_of(self.inputs), natures)
        )
        reply["remarks"] = [
            *([refusals.LEFT_OUT] if left_out else []),
            *([refusals.SAME_INPUTS] if self.same_inputs and not mixed else []),
        ]
        return reply

    def constant_inputs(self) -> list[torch.Tensor]:
        """Those that were drawn, or look so, where all are the same for another seed: a candidate
        knows them beforehand. The inputs are those of LEARNING_SEED; most draw from PyTorch's
        generator as we seeded it, so that nothing has to be drawn again."""
        first, self.same_inputs = self.inputs, False
        cuda = self.device.type == "cuda"
        seeded = initial_seeds(cuda) == {LEARNING_SEED}
        after, after_others = generator_states(cuda), other_states()
        seed_all(LEARNING_SEED)
        before, before_others = generator_states(cuda), other_states()
        moved = any(not torch.equal(a, b) for a, b in zip(before, after))
        if seeded and moved:
            return []
        drew = moved or not seeded or before_others != after_others
        self.make_inputs(LEARNING_SEED + 1)
        pairs = list(zip(tensors_of(first), tensors_of(self.inputs)))
        self.inputs = first
        self.same_inputs = all(same_bits(*pair) for pair in pairs)
        if not self.same_inputs:
            return []
        return [tensor for tensor, _ in pairs if drew or input_nature.looks_drawn(tensor)]

    def refuse_memory(self, changed: list[str]) -> None:
        """An error when outputs depend on what a call before left in the model."""
        if not changed:
            return
        self.make_inputs(LEARNING_SEED)
        if kept_state.remembers(lambda: self.run(self.model, self.inputs)):
            names = ", ".join(f"self.{name}" for name in changed)
            raise RefusalError(refusals.REMEMBERS.format(names=names))

    def refuse_other_answers(self, first: list[torch.Tensor] | None) -> None:
        """An error when the same inputs give other outputs than the first ones, of which this is
        a part (None: of a random model), or when other inputs give another shape."""
        if first is not None:
            if self.changed:
                self.make_inputs(LEARNING_SEED)
            again = kept_state.part_of(self.run(self.model, self.inputs))
            if kept_state.is_another(first, again):
                raise RefusalError(refusals.OTHER_ANSWERS)
        self.inputs = []
        self.make_inputs(LEARNING_SEED + 1)
        self.refuse_other_shapes(self.run(self.model, self.inputs))

    def refuse_other_shapes(self, outputs: list[torch.Tensor]) -> None:
        """An error when they are none that a candidate has memory for."""
        if [spec(t) for t in outputs] != self.specs:
            raise RefusalError(refusals.OTHER_SHAPES)

    def first_forward(self) -> tuple[Any, dict[str, Any]]:
        """Runs the model once: its output, whether it drew random numbers, how much
        memory it took, where PyTorch allows TF32, and whether it waits for the device."""
        cuda = self.device.type == "cuda"
        if cuda:
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
        held = torch.cuda.memory_reserved() if cuda else 0
        before = generator_states(cuda)
        with torch.no_grad(), said_to_wait(cuda) as waits:
            out = self.model(*self.arguments(self.inputs))
        drew = any(not torch.equal(a, b) for a, b in zip(before, generator_states(cuda)))
        taken = torch.cuda.max_memory_reserved() - held if cuda else 0
        allowed = zip(("cudnn", "matmul"), tf32_setting.allowed())
        tf32 = "+".join(name for name, on in allowed if on) or "none"
        nature = {"random": drew, "forward_bytes": taken, "tf32": tf32}
        return out, {**nature, "waits": bool(waits)}

    def state(self) -> None:
        """Hands parameters and buffers over."""
        self.hand_over(STATE, self.model.state_dict().values())

    def make_inputs(self, seed: int) -> None:
        """get_inputs() with its factory functions on our device."""
        seed_all(seed)
        with torch.device("cpu" if seed in self.cpu_seeds else self.device):
            drawn = self.problem.get_inputs()
        self.inputs = [convert(value, self.cast) for value in drawn]

    def draw(self, seed: int) -> None:
        """Fresh inputs, handed over."""
        self.kept.pop(INPUTS, None)
        self.inputs = []
        self.seed = seed
        self.make_inputs(seed % (1 << 63))
        if self.besides_tensors() != self.numbers:
            raise RefusalError(refusals.OTHER_NUMBERS)
        self.hand_over(INPUTS, tensors_of(self.inputs))

    def besides_tensors(self) -> list[dict[str, Any]]:
        """What the inputs hold besides tensors: a candidate is told it once."""
        return [encode(convert(value, lambda _: None)) for value in self.inputs]

    def place(self, index: int) -> torch.Tensor:
        """Where the library has copied an input to."""
        capsule = ctypes.pythonapi.PyCapsule_New(
            self.library.kb_oracle_place(index), b"dltensor", None
        )
        return torch.utils.dlpack.from_dlpack(capsule)

    def keep(self, slot: int) -> None:
        """The inputs drawn last, as they are copied in a slot."""
        if slot not in self.places:
            number = len(tensors_of(self.inputs))
            self.places[slot] = [self.place(i) for i in range(number)]
        places = iter(self.places[slot])
        copied = [convert(value, lambda _: next(places)) for value in self.inputs]
        self.slots[slot] = self.seed, copied

    def take_kept(self, slot: int) -> None:
        """Makes them the current ones."""
        self.seed, self.inputs = self.slots[slot]

    def arguments(self, inputs: list[Any]) -> list[Any]:
        """Of one forward, which may write to tensors and to lists; the inputs stay as drawn."""
        each = torch.clone if self.changed else lambda tensor: tensor
        return [convert(value, each) for value in inputs]

    def forget_answers(self) -> None:
        """The next ones take their memory, unless an audit still wants them."""
        before = self.kept.pop(OUTPUTS, None)
        for kind in (PRECISE, TF32, NUDGED, EXACT):
            self.kept.pop(kind, None)
        if self.earlier is not None and before is not None:
            self.earlier = [*self.earlier, before][-EARLIER_OUTPUTS:]

    def forward(self, generator_seed: int) -> None:
        """One marked run of the reference."""
        self.generator_seed = generator_seed
        self.forget_answers()
        arguments = self.arguments(self.inputs)
        seed_generators(generator_seed)
        self.library.kb_oracle_mark(0, self.stream())
        with torch.no_grad():
            out = self.model(*arguments)
        self.library.kb_oracle_mark(1, self.stream())
        outputs = outputs_of(out)
        self.refuse_other_shapes(outputs)
        self.hand_over(OUTPUTS, outputs)

    def forward_precise(self) -> None:
        """The reference without TF32, which PyTorch uses for convolutions."""
        self.kept.pop(PRECISE, None)
        with without_tf32():
            self.hand_over(PRECISE, self.run(self.model, self.inputs))

    def forward_tf32(self) -> None:
        """The reference with the operands of its products rounded to TF32."""
        self.kept.pop(TF32, None)
        with without_tf32(), products.in_tf32():
            self.hand_over(TF32, self.run(self.model, self.inputs))

    def forward_nudged(self, seed: int) -> None:
        """The same on inputs of which every element is another one in its last bit, up or down
        as the seed says."""
        self.kept.pop(NUDGED, None)
        seed_generators(seed)
        with without_tf32():
            nudged_inputs = [convert(value, nudged) for value in self.inputs]
            self.hand_over(NUDGED, self.run(self.model, nudged_inputs))

    def forward_double(self) -> None:
        """The reference in float64 on the same inputs, also where it casts to float32."""
        self.kept.pop(EXACT, None)
        if self.exact_model is None:
            self.exact_model = copy.deepcopy(self.model).double()
        wide = [
            convert(value, lambda t: t.double() if t.is_floating_point() else t)
            for value in self.inputs
        ]
        exact = None
        if self.widens:
            try:
                with widened.InDouble():
                    exact = self.run(self.exact_model, wide)
            except torch.cuda.OutOfMemoryError:
                pass
            except Exception:  # some functions take float32 alone, and will the next time
                self.widens = False
        self.hand_over(EXACT, self.run(self.exact_model, wide) if exact is None else exact)

    def run(self, model: torch.nn.Module, inputs: list[Any]) -> list[torch.Tensor]:
        """The dense tensors that the model returns, as random as the last forward."""
        seed_generators(self.generator_seed)
        with torch.no_grad():
            out = model(*self.arguments(inputs))
            return [t.detach().contiguous() for t in outputs_of(out)]

    def inspect(self) -> None:
        """Cost and dead ends of the reference, and what mutants there are."""
        # 80 ms, which only an audit has to pay.
        from torch.utils.flop_counter import FlopCounterMode

        self.earlier = []
        if not self.flat:  # nor drawn anew
            self.flat = flat_weights(self.model, self.init_args)
        cuda = self.device.type == "cuda"
        if cuda:
            torch.cuda.reset_peak_memory_stats()
        with FlopCounterMode(display=False) as counter:
            self.run(self.model, self.inputs)
        found = {
            "mutants": list(mutants.MUTANTS),
            "flops": float(counter.get_total_flops()),
            "peak_bytes": torch.cuda.max_memory_allocated() if cuda else 0,
            **self.dead_ends(),
        }
        self.library.kb_oracle_reply(json.dumps(found).encode())

    def rates(self) -> None:
        """How fast large matrix products are, in 10^12 operations a second."""
        side, products = 8192, 8
        found = {}
        with tf32_setting.kept():
            for name, (dtype, allowed) in RATES.items():
                candidate_host.allow_tf32(allowed)
                a = torch.rand(side, side, dtype=dtype, device=self.device)
                b = torch.rand(side, side, dtype=dtype, device=self.device)
                best = min(product_millis(a, b) for _ in range(products))
                found[name] = 2 * side**3 / best / 1e9
        torch.cuda.empty_cache()
        self.library.kb_oracle_reply(json.dumps(found).encode())

    def dead_ends(self) -> dict[str, list[str]]:
        """Parameters and floating inputs on which no output depends."""
        names, leaves, inputs = [], [], []
        for name, parameter in self.model.named_parameters():
            names.append(("unused_parameters", name))
            leaves.append(parameter)
        for i, value in enumerate(self.inputs):
            if isinstance(value, torch.Tensor) and value.is_floating_point():
                value = value.detach().clone().requires_grad_()
                names.append(("ignored_inputs", str(i)))
                leaves.append(value)
            inputs.append(value)
        found: dict[str, list[str]] = {"unused_parameters": [], "ignored_inputs": []}
        try:
            results = tensors_of(self.model(*self.arguments(inputs)))
            outputs = [o for o in results if o.requires_grad]
            if not outputs:
                return found
            weights = [torch.rand_like(o) for o in outputs]
            grads = torch.autograd.grad(outputs, leaves, weights, allow_unused=True)
        except Exception:  # out of memory, or not made for gradients
            return found
        for (kind, name), grad in zip(names, grads):
            if grad is None or not bool(grad.any()):
                found[kind].append(name)
        return found

    def mutate(self, name: bytes) -> int:
        """A standard wrong answer, handed over; 2: it does not apply."""
        self.kept.pop(MUTANT, None)
        if name == b"again":
            made = self.run(self.model, self.inputs)
        else:
            public = self.seed in PUBLIC_SEEDS
            earlier = self.earlier or []
            outputs = self.kept[OUTPUTS]
            case = mutants.Case(
                self.model, self.inputs, outputs, earlier, self.run, public, self.flat
            )
            made = mutants.MUTANTS[name.decode()](case)
        if made is None:
            return DOES_NOT_APPLY
        self.hand_over(MUTANT, made)
        return 0

    def guarded(self, function: Callable[..., int | None], *arguments: Any) -> int:
        """Runs a callback; what it raises becomes a text."""
        try:
            return function(*arguments) or 0
        except RefusalError as error:
            self.library.kb_oracle_fail(str(error).encode(errors="replace"))
        except BaseException as error:  # SystemExit of a problem file included
            lines = traceback.format_exception(error, limit=-3)
            self.library.kb_oracle_fail("".join(lines).encode(errors="replace"))
        if self.device.type == "cuda":
            torch.cuda.empty_cache()  # of what did not fit, which the error no longer holds
        return 1


def load_library(path: str) -> ctypes.CDLL:
    """Our library with the types that ctypes cannot guess."""
    library = ctypes.CDLL(path)
    library.kb_oracle_reply.argtypes = [ctypes.c_char_p]
    library.kb_oracle_fail.argtypes = [ctypes.c_char_p]
    library.kb_oracle_tensor.argtypes = [ctypes.c_int, ctypes.c_void_p]
    library.kb_oracle_mark.argtypes = [ctypes.c_int, ctypes.c_void_p]
    library.kb_oracle_place.argtypes = [ctypes.c_int]
    library.kb_oracle_place.restype = ctypes.c_void_p
    api = ctypes.pythonapi
    api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    api.PyCapsule_New.restype = ctypes.py_object
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    return library


def main() -> int:
    """Serves one lane until the orchestrator hangs up."""
    path, device = sys.argv[1:3]
    library = load_library(path)
    if device != "cpu":
        torch.cuda.set_device(device)
        torch.zeros(1, device=device)
    host = Host(library, device)
    table = HostTable(
        CALLBACK_TEXT(lambda text: host.guarded(host.open, text)),
        CALLBACK(lambda: host.guarded(host.state)),
        CALLBACK_SEED(lambda seed: host.guarded(host.draw, seed)),
        CALLBACK_SEED(lambda slot: host.guarded(host.keep, slot)),
        CALLBACK_SEED(lambda slot: host.guarded(host.take_kept, slot)),
        CALLBACK_SEED(lambda seed: host.guarded(host.forward, seed)),
        CALLBACK(lambda: host.guarded(host.forward_precise)),
        CALLBACK(lambda: host.guarded(host.forward_tf32)),
        CALLBACK_SEED(lambda seed: host.guarded(host.forward_nudged, seed)),
        CALLBACK(lambda: host.guarded(host.forward_double)),
        CALLBACK(lambda: host.guarded(host.inspect)),
        CALLBACK_TEXT(lambda name: host.guarded(host.mutate, name)),
        CALLBACK(lambda: host.guarded(host.rates)),
    )
    version = torch.__version__.encode()
    return library.kb_oracle_main(
        SOCKET, device.encode(), version, ctypes.byref(table)
    )


if __name__ == "__main__":
    sys.exit(main())
