"""When hosts/candidate_host.py hands outputs over, and where forward has come to by then.

    python copied_answers_test.py HOSTS

The library of this test takes notes. As ours it refuses a chain of which two calls
returned the same memory.
"""

import ctypes
import sys
from collections.abc import Callable
from unittest import mock

import torch
from torch._inductor.cudagraph_trees import CUDAGraphTreeManager

sys.path.insert(0, sys.argv[1])
import candidate_host  # noqa: E402

CALLS = 3
INPUTS = [torch.tensor([float(call)]) for call in range(CALLS)]


class Library:
    """What was handed over: from which call on, of how many, and what was in it."""

    def __init__(self) -> None:
        self.taken: list[tuple[int, int, list[float]]] = []
        self.host: candidate_host.Host
        self.calls = mock.Mock()  # of the functions
        self.calls.kb_candidate_input_count.return_value = 1
        self.calls.kb_candidate_input.side_effect = lambda call, _: call
        self.calls.kb_candidate_seed.return_value = 0
        self.calls.kb_candidate_outputs.side_effect = self.take

    def take(self, first: int, calls: int, pointers: "ctypes.Array[ctypes.c_void_p]", count: int) -> int:
        """As kb_candidate_outputs."""
        assert len(pointers) == calls * count
        answers = [outputs[0] for outputs in self.host.kept[first : first + calls]]
        if len({answer.data_ptr() for answer in answers}) < calls:
            return candidate_host.AGAIN
        self.taken.append((first, calls, [float(answer) for answer in answers]))
        return 0


class Chains:
    """The chains of one model."""

    def __init__(self, model: Callable[..., torch.Tensor]) -> None:
        self.library = Library()
        self.host = candidate_host.Host(self.library.calls, "cpu", ["candidate.py"])
        self.library.host = self.host
        self.host.values, self.host.model = [{"tensor": 0}], model
        self.host.tensor = lambda place: INPUTS[place]  # type: ignore[method-assign]

    def run(self, calls: int, copy: bool) -> list[tuple[int, int, list[float]]]:
        """What was taken of one."""
        self.library.taken.clear()
        self.host.prepare(calls, int(copy), 0, 0)
        self.host.call()
        return list(self.library.taken)


def fresh(x: torch.Tensor) -> torch.Tensor:
    """Memory of its own for each answer."""
    return x + 10


def buffers(number: int) -> Callable[[torch.Tensor], torch.Tensor]:
    """Answers in so many buffers in turn."""
    kept = [torch.empty(1) for _ in range(number)]

    def forward(x: torch.Tensor) -> torch.Tensor:
        kept.append(kept.pop(0))
        return torch.add(x, 10, out=kept[-1])

    return forward


def takes_back(said: str) -> Callable[[torch.Tensor], torch.Tensor]:
    """Whose answer before nobody may read any more, as a new graph of torch.compile has it."""
    kept: list[torch.Tensor] = []

    def forward(x: torch.Tensor) -> torch.Tensor:
        for before in kept:
            torch._C._set_storage_access_error_msg(before, said)
        kept[:] = [x + 10]
        return kept[0]

    return forward


AT_ONCE = [(0, 3, [10.0, 11.0, 12.0])]
ONE_BY_ONE = [(0, 1, [10.0]), (1, 1, [11.0]), (2, 1, [12.0])]


def main() -> int:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.argtypes, pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    plain = Chains(fresh)
    assert plain.run(CALLS, copy=False) == AT_ONCE
    assert plain.run(CALLS, copy=True) == ONE_BY_ONE, "as the other side's"
    assert plain.run(CALLS, copy=False) == AT_ONCE, "only while it is asked for"
    for number in (1, 2):
        again = Chains(buffers(number))
        assert again.run(1, copy=False) == [(0, 1, [10.0])]
        for _ in range(2):
            assert again.run(CALLS, copy=False) == ONE_BY_ONE, number
    said = CUDAGraphTreeManager.format_dealloc_msg("")
    graphs = Chains(takes_back(said))
    assert graphs.run(1, copy=False) == [(0, 1, [10.0])]
    for _ in range(2):
        assert graphs.run(CALLS, copy=False) == ONE_BY_ONE, "graphs"
    try:
        Chains(takes_back("another error")).run(CALLS, copy=False)
    except RuntimeError as error:
        assert "another error" in str(error)
    else:
        raise AssertionError("an error of its own is one")
    assert Chains(buffers(CALLS)).run(CALLS, copy=False) == AT_ONCE, "enough for all"
    return 0


if __name__ == "__main__":
    sys.exit(main())
