"""That torch.compile has workers for its first call, and nobody at work beside the next,
which does not wait for what they have left.

    python compile_workers_test.py HOSTS
"""

import contextlib
import os
import sys
import time
from pathlib import Path
from unittest import mock

import torch
from torch._inductor import async_compile

sys.path.insert(0, sys.argv[1])
import candidate_host  # noqa: E402


def parent(pid: int) -> int:
    """Whose child a process is; 0 when there is none of that number."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return 0


def main() -> None:
    """One worker of a compiled model, before and after its next chain."""
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "2"
    os.environ.pop("TRITON_PTXAS_PATH", None)
    host = candidate_host.Host(mock.Mock(), "cpu", ["candidate.py", "Model", "default"])
    host.model = candidate_host.prepare_mode(torch.relu, host.mode)

    worker = async_compile.AsyncCompile.process_pool().submit(os.getpid).result()
    assert parent(worker) == os.getpid(), "no worker was forked"
    ptxas = os.path.join(os.path.dirname(torch.__file__), "bin", "ptxas")
    named = os.environ.get("TRITON_PTXAS_PATH")
    assert named == (ptxas if os.path.exists(ptxas) else None), named

    for _ in range(9):  # of what nobody waits for
        async_compile.AsyncCompile.process_pool().submit(time.sleep, 1e6)
    host.prepare(0, 0, 0, 0)
    assert parent(worker) == 0, "the worker is there while calls are timed"


if __name__ == "__main__":
    main()
