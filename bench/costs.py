"""What `outside_cost` and `cost_of_layers` share: how long honest samples are judged in
two ways, in turn.
"""

import argparse
import math
import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path

import judging
import table

SAMPLES = {
    "cpu": [
        "level1_19_relu/loop.cpp",
        "level1_19_relu/torch_clamp.py",
        "level1_23_softmax/row_by_row.cpp",
        "level1_1_matmul/rows_times_rows.cpp",
        "level1_40_layernorm/two_passes.cpp",
        "level1_51_argmax/row_by_row.cpp",
        "level1_95_cross_entropy/log_sum_exp.cpp",
    ],
    "cuda": [
        "level1_19_relu/float4_grid_stride.cu",
        "level1_19_relu/torch_clamp.py",
        "level1_23_softmax/triton_online.py",
        "level1_1_matmul/tiled_128x128.cu",
        "level1_40_layernorm/two_kernels.cu",
        "level1_51_argmax/column_tiles.cu",
        "level1_95_cross_entropy/warp_per_row.cu",
        "level2_12_gemm_leaky_relu/fused_epilogue.cu",
    ],
}
MOST = 1.1


@dataclass
class Way:
    """Of judging."""

    name: str
    flags: list[str]
    kernelbench: Path | None = None
    seconds: dict[str, list[float]] = field(default_factory=dict)  # by sample


def parser(doc: str | None) -> argparse.ArgumentParser:
    """The options of both scripts."""
    made = judging.parser(doc, seconds=200)
    made.add_argument("--rounds", type=int, default=3, help="default %(default)s")
    made.add_argument("--size", default="small", help="default %(default)s")
    return made


def compare(options: argparse.Namespace, title: str, dear: Way, cheap: Way) -> int:
    """Holds when the geometric mean of the ratios of their times, from the build's start to
    the verdict, is at most MOST: how many contexts a process opens until it has a fast one
    is chance, a second of five, which the mean of many tells best. The exit code."""
    kind = "cpu" if options.device == "cpu" else "cuda"
    paths = [judging.samples(options) / name for name in SAMPLES[kind]][: options.limit]

    def call(way: Way, *more: str) -> judging.Call:
        return judging.Call(options.size, paths, [*way.flags, *more], way.kernelbench)

    order = [way for i in range(options.rounds) for way in ([dear, cheap] if i % 2 else [cheap, dear])]
    calls = [call(dear, "--trials", "0"), *(call(way) for way in order)]  # the first one builds
    found = judging.judge(options, calls)
    for i, evaluation in enumerate(found[len(paths) :]):
        seconds = order[i // len(paths)].seconds
        seconds.setdefault(judging.key(evaluation), []).append(evaluation["wall_seconds"])
    logs, lines = [], []
    for name in sorted(dear.seconds.keys() & cheap.seconds.keys()):
        pairs = list(zip(dear.seconds[name], cheap.seconds[name]))
        logs += [math.log(a / b) for a, b in pairs]
        a, b = (statistics.median(seconds) for seconds in zip(*pairs))
        lines.append(f"{name:50} {cheap.name} {b:7.2f} s, {dear.name} {a:7.2f} s, {a / b:.3f}")
    if len(logs) < 2:
        print("too few were judged in both ways: more --seconds", file=sys.stderr)
        return 1
    mean, error = table.mean_with_error(logs)
    text = (
        f"evaluations take {math.exp(mean):.3f} times as long, standard error {error:.1%}, "
        f"{len(logs)} pairs (at most {MOST})"
    )
    wrong = [e for e in found if e["verdict"] != "correct"]
    bounds = [table.Bound(text, math.exp(mean) <= MOST), table.Bound("all correct", not wrong)]
    return table.finish(f"{title} {judging.machine(found)}", lines, bounds, options.out)
