"""Is a GPU kernel correct, and how much faster is it than PyTorch?

    from kernelbench import Judge

    with Judge(device="cuda:0") as judge:
        result = judge.score("level1/23", source)
        print(result.verdict, result.speedup)

The program `kernelbench` does the work; this package starts it, sends it tasks as JSON lines, and
keeps it, so that PyTorch and the references stay loaded between calls.
"""

from kernelbench._program import ProgramNotFoundError, find_program
from kernelbench.judge import Judge, JudgeError, Task, TaskError
from kernelbench.results import Device, Evaluation, Interval, Mismatch, TimeSummary, Verdict

__all__ = [
    "Device",
    "Evaluation",
    "Interval",
    "Judge",
    "JudgeError",
    "Mismatch",
    "ProgramNotFoundError",
    "Task",
    "TaskError",
    "TimeSummary",
    "Verdict",
    "find_program",
]
