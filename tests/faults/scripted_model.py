"""A model that answers every question in the same way each time, with tokens and a price.

It listens on 127.0.0.1 as an OpenAI-compatible server. Which sample a question is about
it knows by the seed that the request carries. An answer is one of the samples of the
problem with a first line of its own, so that nobody can take one answer for another.
"""

import hashlib
import json
import re
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

# One verdict each, the same every time and soon.
KERNELS = {
    "level1/19": [
        "level1_19_relu/loop.cpp",
        "level1_19_relu/misses_tail.cpp",
        "level1_19_relu/compile_error.cpp",
        "level1_19_relu/exits_in_forward.cpp",
        "level1_19_relu/setup_fails.cpp",
        "level1_19_relu/forward_returns_3.cpp",
    ],
    "level1/23": ["level1_23_softmax/row_by_row.cpp", "level1_23_softmax/sum_not_reset.cpp"],
    "level1/47": ["level1_47_sum/off_by_one.cpp"],
}
PROMPT = """description = "what the scripted model looks for"
examples = 0
system = "You write kernels."
user = "problem: {{problem.id}}\\n{{problem.source}}"
"""


def mark(problem: str, sample: int) -> str:
    """The first line of an answer's code."""
    return f"// answer to {problem}, sample {sample}\n"


def source(samples: Path, problem: str, sample: int) -> str:
    """The code of an answer."""
    kernels = KERNELS[problem]
    return mark(problem, sample) + (samples / kernels[sample % len(kernels)]).read_text()


def usage(problem: str, sample: int) -> dict[str, Any]:
    """What an answer takes and costs."""
    number = int(hashlib.sha256(f"{problem} {sample}".encode()).hexdigest()[:4], 16)
    return {
        "prompt_tokens": 500 + number % 100,
        "completion_tokens": 100 + number % 1000,
        "cost": (1 + number % 7) / 1024,  # exact in binary: sums are equal in any order
    }


class ScriptedModel:
    """The server, for as long as the object is entered."""

    def __init__(self, samples: Path) -> None:
        """`samples`: the folder of samples in this repository."""
        self.asked: list[tuple[str, int]] = []
        # How many different questions may have an answer by now; the others wait.
        self.answers: Callable[[], int] | None = None
        model = self

        class Handler(BaseHTTPRequestHandler):
            """One question."""

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Says nothing."""

            def do_POST(self) -> None:  # noqa: N802
                """Answers it."""
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                text = "\n".join(message["content"] for message in body["messages"])
                found = re.search(r"problem: (\S+)", text)
                problem, sample = found[1] if found else "", int(body["seed"])
                model.asked.append((problem, sample))
                model.wait_for_turn((problem, sample))
                code = source(samples, problem, sample)
                answer = {
                    "model": "scripted-1",
                    "choices": [
                        {
                            "message": {"content": f"Here:\n\n```cpp\n{code}```\n"},
                            "finish_reason": "stop",
                        }
                    ],
                    "usage": usage(problem, sample),
                }
                reply = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                try:
                    self.wfile.write(reply)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # killed while it was answered

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    def wait_for_turn(self, question: tuple[str, int]) -> None:
        """Until it is among those that may be answered, in the order in which they were asked."""
        turn = list(dict.fromkeys(self.asked)).index(question)
        while self.answers is not None and turn >= self.answers():
            time.sleep(0.02)

    def __enter__(self) -> "ScriptedModel":
        """Begins to answer."""
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *unused: object) -> None:
        """Hangs up."""
        self.server.shutdown()
        self.server.server_close()

    def write_files(self, folder: Path) -> list[str]:
        """The options of `kernelbench run` that ask this model."""
        (folder / "prompt.toml").write_text(PROMPT)
        (folder / "models.toml").write_text(
            "[models.scripted]\n"
            'provider = "openai"\n'
            f'base_url = "http://127.0.0.1:{self.server.server_port}/v1"\n'
            'model = "scripted"\nseed = 0\nconcurrency = 2\nattempts = 2\n'
        )
        return [
            *["--model", "scripted", "--models", str(folder / "models.toml")],
            *["--prompt", str(folder / "prompt.toml"), "--backend", "cpp"],
        ]
