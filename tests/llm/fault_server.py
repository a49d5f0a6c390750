"""An OpenAI-compatible server that misbehaves as it is told, for tests.

    fault_server.py PORTFILE [--seed N] [--log FILE] [--answers FOLDER]
                    [--schedule FAULT,FAULT,...] [--key KEY]

Listens on 127.0.0.1 and writes its port to PORTFILE. The model's name in a
request chooses the behaviour (FAULTS below); "schedule" goes through the faults
of --schedule, one for each new question, in an order that --seed shuffles.
"X-then-ok" misbehaves at the first request of a question and answers the
second.

The log has one JSON object for each request: model, problem and sample (from
"problem: level1/23" and "sample: 0" in the prompt), count (requests of this
question so far), fault, and key_ok. It never has the key.

An answer is the file of --answers whose path names the problem
("level1_23..."), in a fence, else a small candidate.
"""

import argparse
import json
import os
import random
import re
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

CANDIDATE = """```python
import torch


class ModelNew(torch.nn.Module):
    def forward(self, *inputs):
        return torch.relu(inputs[0])
```
"""
HUGE_BYTES = 200 << 20
LONG = 7200  # seconds; no test takes so long


class State:
    """What the requests share."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Shuffles the schedule by the seed."""
        self.options = options
        self.lock = threading.Lock()
        self.counts: Counter[str] = Counter()
        self.schedule = [name for name in options.schedule.split(",") if name]
        random.Random(options.seed).shuffle(self.schedule)
        self.scheduled: dict[str, str] = {}

    def count(self, question: str) -> int:
        """How often the question was asked, this time included."""
        with self.lock:
            self.counts[question] += 1
            return self.counts[question]

    def fault_for(self, model: str, question: str) -> str:
        """The name of the behaviour."""
        if model != "schedule" or not self.schedule:
            return model
        with self.lock:
            position = len(self.scheduled) % len(self.schedule)
            return self.scheduled.setdefault(question, self.schedule[position])

    def log(self, entry: dict[str, Any]) -> None:
        """Appends a line to the log."""
        if not self.options.log:
            return
        with self.lock, open(self.options.log, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def answer(self, problem: str) -> str:
        """A text with a candidate for the problem in a fence."""
        wanted = problem.replace("/", "_")
        if self.options.answers and wanted:
            for path in sorted(Path(self.options.answers).rglob("*")):
                below = path.relative_to(self.options.answers).as_posix()
                named = re.search(rf"(?:^|/){re.escape(wanted)}(?![0-9])", below)
                if named and path.suffix in (".py", ".cu", ".cpp"):
                    language = {".py": "python", ".cu": "cuda"}.get(path.suffix, "cpp")
                    return f"Here:\n\n```{language}\n{path.read_text()}```\n"
        return CANDIDATE


class Server(ThreadingHTTPServer):
    """Takes many connections at once."""

    daemon_threads = True
    request_queue_size = 256


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    state: State

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Says nothing: requests go to the log."""

    def do_GET(self) -> None:  # noqa: N802
        """The price list, and nothing else."""
        pricing = {"prompt": "0.000001", "completion": "0.000002"}
        if self.path == "/v1/models":
            return self.send_json(200, {"data": [{"id": "test/ok", "pricing": pricing}]})
        return self.send_json(404, {"error": {"message": "no such page"}})

    def do_POST(self) -> None:  # noqa: N802
        """A question."""
        length = int(self.headers.get("Content-Length", "0"))
        self.request_json = json.loads(self.rfile.read(length))
        model = str(self.request_json.get("model", ""))
        prompt = "\n".join(m["content"] for m in self.request_json.get("messages", []))
        self.problem = found(r"problem:\s*([\w/]+)", prompt)
        sample = found(r"sample:\s*(\d+)", prompt)
        question = f"{model} {self.problem} {sample}"
        self.number = self.state.count(question)
        fault = self.state.fault_for(model, question)
        expected = f"Bearer {self.state.options.key}"
        entry = {"model": model, "problem": self.problem, "sample": sample}
        entry |= {"count": self.number, "fault": fault}
        entry["key_ok"] = self.headers.get("Authorization") == expected
        self.state.log(entry)
        if fault.endswith("-then-ok"):
            fault = "ok" if self.number > 1 else fault.removesuffix("-then-ok")
        try:
            FAULTS.get(fault, unknown)(self)
        except (BrokenPipeError, ConnectionResetError):
            pass
        self.close_connection = True

    def send_json(self, status: int, body: object, headers: dict[str, str] | None = None) -> None:
        """A whole answer."""
        self.send_bytes(status, "application/json", json.dumps(body).encode(), headers)

    def send_bytes(
        self, status: int, kind: str, body: bytes, headers: dict[str, str] | None = None
    ) -> None:
        """A whole answer of any type."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def send_error_json(self, status: int, text: str, **headers: str) -> None:
        """An error as OpenAI writes it."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.send_json(status, {"error": {"message": text, "type": "test"}}, named)

    def begin_stream(self, kind: str = "text/event-stream") -> None:
        """The head of a stream without a length."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        self.end_headers()

    def send_event(self, data: object) -> None:
        """One event."""
        text = data if isinstance(data, str) else json.dumps(data)
        self.wfile.write(f"data: {text}\n\n".encode())
        self.wfile.flush()

    def send_delta(self, text: str, finish: str | None = None) -> None:
        """A piece of the answer."""
        delta = {"content": text} if text else {}
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self.send_event({"model": "served", "choices": [choice]})

    def send_answer(self, text: str, pause: float = 0, kind: str = "text/event-stream") -> None:
        """A whole stream."""
        self.begin_stream(kind)
        for start in range(0, len(text), 20):
            self.send_delta(text[start : start + 20])
            time.sleep(pause)
        self.send_delta("", "stop")
        usage = {"prompt_tokens": 100, "completion_tokens": 50, "cost": 0.25}
        self.send_event({"model": "served", "choices": [], "usage": usage})
        self.send_event("[DONE]")

    def reset(self) -> None:
        """Ends the connection with a TCP reset."""
        linger = struct.pack("ii", 1, 0)
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()
        self.wfile = open(os.devnull, "wb")  # noqa: SIM115
        self.close_connection = True


def found(pattern: str, text: str) -> str:
    """The first group of the first match, or nothing."""
    match = re.search(pattern, text)
    return match[1] if match else ""


def ok(handler: Handler) -> None:
    """Answers."""
    handler.send_answer(handler.state.answer(handler.problem))


def echo(handler: Handler) -> None:
    """Answers with what it was sent, the key among it."""
    key = handler.headers.get("Authorization", "")
    handler.send_answer(f"You sent {key}.\n{handler.state.answer(handler.problem)}")


def whole(handler: Handler) -> None:
    """Answers in one piece, though a stream was asked for."""
    message = {"content": handler.state.answer(handler.problem)}
    choice = {"message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 50}
    handler.send_json(200, {"model": "served", "choices": [choice], "usage": usage})


def limited(handler: Handler) -> None:
    """Asks to come back soon."""
    handler.send_error_json(429, "slow down", Retry_After_Ms="30")


def limited_long(handler: Handler) -> None:
    """Asks to come back in a quarter of an hour, the most that anybody waits."""
    handler.send_error_json(429, "slow down", Retry_After="900")


def broken(handler: Handler) -> None:
    """Fails inside."""
    handler.send_error_json(500, "internal trouble")


def reset_mid_stream(handler: Handler) -> None:
    """Breaks off within the answer."""
    handler.begin_stream()
    handler.send_delta("```python\nimport to")
    time.sleep(0.05)
    handler.reset()


def ends_early(handler: Handler) -> None:
    """Closes in an orderly way before the end mark."""
    handler.begin_stream()
    handler.send_delta("```python\nimport to")


def slow(handler: Handler) -> None:
    """Takes four seconds, but is never silent for long."""
    handler.send_answer(CANDIDATE + "#" * 620, pause=0.1)


def drips(handler: Handler) -> None:
    """Sends a comment now and then and never an answer."""
    handler.begin_stream()
    for _ in range(20 * LONG):
        handler.wfile.write(b": keep-alive\n\n")
        handler.wfile.flush()
        time.sleep(0.05)


def truncated_json(handler: Handler) -> None:
    """An answer that is cut off in its JSON."""
    handler.send_bytes(200, "application/json", b'{"choices": [{"message": {"cont')


def truncated_event(handler: Handler) -> None:
    """A stream with an event that is cut off in its JSON."""
    handler.begin_stream()
    handler.send_event('{"choices": [{"delta": {"cont')


def web_page(handler: Handler) -> None:
    """A login page of some proxy, with the key in it for good measure."""
    key = handler.headers.get("Authorization", "")
    handler.send_bytes(200, "text/html", f"<html>Please log in {key}</html>".encode())


def huge(handler: Handler) -> None:
    """An answer of 200 MB."""
    handler.begin_stream()
    piece = "x" * 65536
    for _ in range(HUGE_BYTES // len(piece)):
        handler.send_delta(piece)


def redirect(handler: Handler) -> None:
    """Sends the client round in a circle."""
    host = handler.headers.get("Host", "")
    location = f"http://{host}{handler.path}"
    handler.send_bytes(307, "text/plain", b"", {"Location": location})


def hang(handler: Handler) -> None:
    """Says nothing for a long time."""
    time.sleep(LONG)


def hang_after_answer(handler: Handler) -> None:
    """A whole answer without an end mark, and a connection that stays open."""
    handler.begin_stream()
    handler.send_delta(handler.state.answer(handler.problem), "stop")
    time.sleep(LONG)


def long_header(handler: Handler) -> None:
    """A header that no client takes."""
    handler.send_json(200, {}, {"X-Long": "x" * 400000})


def unauthorized(handler: Handler) -> None:
    """Refuses the key, and repeats it as some servers do."""
    key = handler.headers.get("Authorization", "")
    handler.send_error_json(401, f"wrong key: {key}")


def rejected(handler: Handler) -> None:
    """Refuses the question."""
    handler.send_error_json(400, "the prompt is too long")


def empty(handler: Handler) -> None:
    """Answers nothing."""
    handler.send_answer("")


def error_in_stream(handler: Handler) -> None:
    """Begins to answer, then reports trouble within the stream."""
    handler.begin_stream()
    handler.send_delta("```py")
    handler.send_event({"error": {"message": "lost the GPU", "code": 502}})


def error_in_choice(handler: Handler) -> None:
    """Begins to answer, then reports in its choice that its own server failed."""
    handler.begin_stream()
    handler.send_delta("```py")
    error = {"code": 502, "message": "upstream died"}
    choice = {"delta": {"content": ""}, "finish_reason": "error", "error": error}
    handler.send_event({"model": "served", "choices": [choice]})
    handler.send_event("[DONE]")


def loud_type(handler: Handler) -> None:
    """Writes the type of its stream in capitals."""
    text = handler.state.answer(handler.problem)
    handler.send_answer(text, kind="Text/Event-Stream; charset=UTF-8")


def moderated(handler: Handler) -> None:
    """Refuses the question as OpenRouter's moderation does."""
    about = {"reasons": ["violence"], "flagged_input": "x"}
    error = {"code": 403, "message": "flagged", "metadata": about}
    handler.send_json(403, {"error": error})


def no_credit(handler: Handler) -> None:
    """429 that no waiting changes."""
    error = {"message": "check your plan", "code": "insufficient_quota"}
    handler.send_json(429, {"error": error})


def unknown(handler: Handler) -> None:
    """A model that is not there."""
    handler.send_error_json(404, "no such model")


FAULTS: dict[str, Callable[[Handler], None]] = {
    "ok": ok,
    "echo": echo,
    "whole": whole,
    "429": limited,
    "429-long": limited_long,
    "500": broken,
    "reset": reset_mid_stream,
    "ends-early": ends_early,
    "slow": slow,
    "drips": drips,
    "truncated-json": truncated_json,
    "truncated-event": truncated_event,
    "web-page": web_page,
    "huge": huge,
    "redirect": redirect,
    "hang": hang,
    "hang-after-answer": hang_after_answer,
    "long-header": long_header,
    "401": unauthorized,
    "400": rejected,
    "empty": empty,
    "error-in-stream": error_in_stream,
    "error-in-choice": error_in_choice,
    "loud-type": loud_type,
    "moderated": moderated,
    "no-credit": no_credit,
}


def main() -> None:
    """Serves until it is killed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("portfile")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--log", default="")
    parser.add_argument("--answers", default="")
    parser.add_argument("--schedule", default="ok,429-then-ok,500-then-ok,reset-then-ok")
    parser.add_argument("--key", default="test-key")
    options = parser.parse_args()
    Handler.state = State(options)
    server = Server(("127.0.0.1", 0), Handler)
    partial = Path(options.portfile + ".new")
    partial.write_text(str(server.server_address[1]))
    partial.rename(options.portfile)
    server.serve_forever()


if __name__ == "__main__":
    main()
