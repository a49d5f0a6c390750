"""A problem's model, inputs and native candidates in this process, as
hosts/oracle_host.py and hosts/candidate_host.py make them, and what CUPTI says of
them. Needs PyTorch and a GPU."""

import argparse
import dataclasses
import gc
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import cupti
import judging
import native
import ours
import torch

INCLUDE = judging.ROOT / "share/include"
SEED = 42
COMPARED = 1 << 20  # elements of an output, as a check that we call it rightly
PLACES = 3
PAD = 34 << 20  # bytes between one place and the next

Doubts = Callable[[ours.Ours, cupti.Opinion], bool]


class Subject:
    """One problem at one size."""

    def __init__(self, source: str, entry: str, calls: int, device: str) -> None:
        problem = ModuleType("problem")
        sys.modules["problem"] = problem
        exec(source, problem.__dict__)  # noqa: S102
        torch.manual_seed(SEED)
        self.init = list(getattr(problem, "get_init_inputs", list)())
        self.model = getattr(problem, entry)(*self.init).to(device)
        self.inputs = []  # of every call of a chain
        for call in range(calls):
            torch.manual_seed(SEED + call)
            with torch.device(device):
                self.inputs.append([dense(x) for x in problem.get_inputs()])
        self.stream = 0
        if device != "cpu":
            self.stream = torch.cuda.current_stream().cuda_stream

    def reference(self, call: int) -> list[torch.Tensor]:
        out = self.model(*self.inputs[call])
        outputs = out if isinstance(out, (tuple, list)) else [out]
        return [tensor.detach().contiguous() for tensor in outputs]

    def forward(self, library: Path | None) -> cupti.Forward:
        """The reference, or a native candidate."""
        return self.native(library) if library else self.reference

    def native(self, library: Path) -> cupti.Forward:
        """A candidate with outputs for every call."""
        candidate = native.Candidate(library, self.init, self.model, self.stream)
        expected = self.reference(0)
        outputs = [[torch.full_like(t, 7) for t in expected] for _ in self.inputs]
        calls = [
            candidate.call(*both) for both in zip(self.inputs, outputs, strict=True)
        ]
        candidate.forward(calls[0])
        for output, tensor in zip(outputs[0], expected, strict=True):
            few = [t.flatten()[:COMPARED] for t in (output, tensor)]
            if not torch.allclose(*few, rtol=1e-3, atol=1e-3):
                raise ValueError("it computes something else here")
        return lambda call: candidate.forward(calls[call])


def dense(x: Any) -> Any:
    """An input as the oracle hands it over in fp32."""
    if not isinstance(x, torch.Tensor):
        return x
    dtype = torch.float32 if x.is_floating_point() else x.dtype
    return x.detach().to(dtype=dtype).contiguous()


def give_back() -> None:
    """Device memory that nobody holds any more."""
    gc.collect()
    torch.cuda.empty_cache()


def elsewhere(
    bench: cupti.Bench, what: tuple[str, str, int, str], library: Path | None, calls: int
) -> tuple[float, ...]:
    """Microseconds by events, each with all tensors in other places of memory."""
    found, pads = [], []
    for _ in range(PLACES):
        pads.append(torch.empty(PAD, dtype=torch.uint8, device="cuda"))
        subject = Subject(*what)
        found.append(bench.measure(subject.forward(library), calls).by_events)
        del subject
        give_back()
    return tuple(found)


def opinions(
    options: argparse.Namespace, kernels: ours.Kernels, doubts: Doubts
) -> Iterator[tuple[str, str, str, cupti.Opinion | str]]:
    """Problem, size, file, and what CUPTI says or what went wrong. What it says of a
    kernel that is doubted is looked at in other places of memory, too."""
    home = judging.samples(options)
    paths = {
        (problem, file): next(home.glob(f"{problem.replace('/', '_')}_*")) / file
        for (problem, _), mine in kernels.items()
        for file in mine
        if file != ours.REFERENCE
    }
    with (
        tempfile.TemporaryDirectory() as folder,
        torch.cuda.stream(torch.cuda.Stream()),
        torch.no_grad(),
    ):
        built = native.build(set(paths.values()), INCLUDE, Path(folder))
        bench = cupti.Bench()
        for (problem, size), mine in kernels.items():
            shown = judging.shown(options, problem, size)
            calls = max(kernel.calls for kernel in mine.values())
            what = shown["source"], shown["reference"], calls, "cuda"
            subject: Subject | None = None
            for file, kernel in mine.items():
                said: cupti.Opinion | str
                try:
                    subject = subject or Subject(*what)
                    is_reference = file == ours.REFERENCE
                    library = None if is_reference else built[paths[problem, file]]
                    said = bench.measure(subject.forward(library), kernel.calls)
                    if doubts(kernel, said):
                        subject = None
                        give_back()
                        places = elsewhere(bench, what, library, kernel.calls)
                        said = dataclasses.replace(said, elsewhere=places)
                except (ValueError, RuntimeError, KeyError) as error:
                    said = f"{type(error).__name__}: {error}".split("\n", 1)[0]
                yield problem, size, file, said
            del subject
            give_back()
