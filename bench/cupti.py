"""What a call of a chain takes by CUPTI (torch.profiler) and by CUDA events.

A chain is queued behind a gate after the cache was evicted and after another process
had the device, like the ruler's (docs/timing.md), with a mark at both ends: a kernel
of torch.cuda._sleep.
"""

import ctypes
import functools
import json
import multiprocessing
import statistics
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch

REPEATS = 7
CACHE_BYTES = 256 << 20  # more than twice any L2
MARK, MARK_CYCLES = "spin_kernel", 1000
PATIENCE_SECONDS = 2
ON_DEVICE = ("kernel", "gpu_memcpy", "gpu_memset")

Forward = Callable[[int], Any]  # enqueues call i; what it returns is kept
Event = tuple[float, float, str]  # start and end in microseconds, name


@dataclass
class Opinion:
    """Microseconds of one call, medians."""

    micros: float  # from first kernel to first kernel, or of a call alone
    by_ends: float  # from last kernel to last kernel
    by_events: float  # CUDA events, nothing traced
    spread: float  # (largest - smallest) / median
    forced: bool  # the gate had to be opened before all was queued
    elsewhere: tuple[float, ...] = ()  # events, with tensors in other places


class Gate:
    """Makes the stream wait for a word that the host writes. Opens by itself when
    that takes long: a forward that waits for the device would wait for ever."""

    def __init__(self) -> None:
        self.memory = torch.zeros(1, dtype=torch.int32).pin_memory()
        self.word = ctypes.c_uint32.from_address(self.memory.data_ptr())
        self.turn, self.forced = 0, False
        self.enqueue = ctypes.CDLL("libcuda.so.1").cuStreamWaitValue32_v2
        number, address = ctypes.c_uint32, ctypes.c_uint64
        self.enqueue.argtypes = [ctypes.c_void_p, address, number, number]

    def shut(self) -> None:
        self.turn += 1
        stream = torch.cuda.current_stream().cuda_stream
        code = self.enqueue(stream, self.memory.data_ptr(), self.turn, 0)  # >=
        if code != 0:
            raise RuntimeError(f"cuStreamWaitValue32: {code}")
        self.timer = threading.Timer(PATIENCE_SECONDS, self.force)
        self.timer.start()

    def open(self) -> None:
        self.timer.cancel()
        self.word.value = self.turn

    def force(self) -> None:
        self.forced = True
        self.word.value = self.turn


def serve_neighbour(device: int, asked: Connection) -> None:
    """The neighbour's process: a kernel for every word."""
    torch.cuda.set_device(device)
    while True:
        torch.cuda._sleep(MARK_CYCLES)
        torch.cuda.synchronize()
        asked.send(None)
        asked.recv()


@functools.cache
def neighbour(device: int) -> Connection:
    """Another process with a context of its own. In a context of which two streams were
    used, a kernel starts up to 0.7 us later after the one before, until another process
    has had the device (bench/many_kernels): in every process in which torch.compile captured
    a graph, and in none of the ruler's, whose oracle has the device before each reading."""
    here, there = multiprocessing.Pipe()
    spawn = multiprocessing.get_context("spawn")
    spawn.Process(target=serve_neighbour, args=(device, there), daemon=True).start()
    here.recv()
    return here


class Bench:
    """Runs chains on the current stream. `alone`: no other process has the device before."""

    def __init__(self, alone: bool = False) -> None:
        self.alone = alone
        self.gate = Gate()
        self.cache = torch.empty(CACHE_BYTES // 4, device="cuda")
        self.begin, self.end = (torch.cuda.Event(enable_timing=True) for _ in "ab")

    def chain(self, forward: Forward, calls: int) -> float:
        """Microseconds of cold calls by CUDA events."""
        # In the judge's order: a cache left to be written back costs up to 2 %.
        self.cache.sum()
        self.cache.zero_()
        if not self.alone:
            self.let_neighbour()
        torch.cuda._sleep(MARK_CYCLES)
        self.gate.shut()
        try:
            self.begin.record()
            kept = [forward(i) for i in range(calls)]
            self.end.record()
            torch.cuda._sleep(MARK_CYCLES)
        finally:
            self.gate.open()
        torch.cuda.synchronize()
        del kept  # not before
        return 1000 * float(self.begin.elapsed_time(self.end))

    def let_neighbour(self) -> None:
        """Has the other process use the device, when this one's work is done."""
        other = neighbour(torch.cuda.current_device())
        torch.cuda.synchronize()
        other.send(None)
        other.recv()

    def measure(self, forward: Forward, calls: int) -> Opinion:
        """A call of a chain; of one call: its time alone."""
        self.gate.forced = False
        for _ in range(2):  # loads modules, fills the allocator's pools
            len([forward(i) for i in range(calls)])  # all held at once
            torch.cuda.synchronize()
        few, many = (
            statistics.median([self.chain(forward, n) for _ in range(REPEATS)])
            for n in (int(calls > 1), calls)
        )
        cuda = [torch.profiler.ProfilerActivity.CUDA]
        with torch.profiler.profile(activities=cuda) as profile:
            forward(0)  # what tracing does first, it does without a gate
            torch.cuda.synchronize()
            for _ in range(REPEATS):
                self.chain(forward, calls)
        found = [times(chain, calls) for chain in chains(device_events(profile))]
        starts, ends = zip(*found, strict=True)
        micros, by_ends = statistics.median(starts), statistics.median(ends)
        by_events = (many - few) / max(1, calls - 1)
        spread = (max(starts) - min(starts)) / micros
        return Opinion(micros, by_ends, by_events, spread, self.gate.forced)


def device_events(profile: Any) -> list[Event]:
    """What ran on the device, by its start."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        profile.export_chrome_trace(str(path))
        events = json.loads(path.read_text())["traceEvents"]
    mine = [e for e in events if e.get("cat") in ON_DEVICE]
    return sorted((e["ts"], e["ts"] + e["dur"], e["name"]) for e in mine)


def chains(events: list[Event]) -> list[list[Event]]:
    """What ran between the first mark of a chain and its second."""
    parts: list[list[Event]] = [[]]
    for event in events:
        if MARK in event[2]:
            parts.append([])
        else:
            parts[-1].append(event)
    return parts[1::2]


def times(chain: list[Event], calls: int) -> tuple[float, float]:
    """Microseconds of a call: between the starts of the first and the last call,
    and between their ends."""
    each, odd = divmod(len(chain), calls)
    if odd or not each:
        raise ValueError(f"{len(chain)} kernels in {calls} calls")
    first, last = chain[:each], chain[-each:]
    end = max(event[1] for event in last)
    if calls == 1:
        return (end - chain[0][0],) * 2
    ends = end - max(event[1] for event in first)
    return (last[0][0] - first[0][0]) / (calls - 1), ends / (calls - 1)
