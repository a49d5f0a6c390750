"""One program, kept, that judges what it is sent."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import shutil
import subprocess
import threading
import weakref
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any

from kernelbench._program import environment, find_program
from kernelbench.results import Evaluation

RESULT = "kernelbench/evaluation/1"
LINES_KEPT = 40  # of what the program says on its standard error
LOG = logging.getLogger(__name__)
GRACE_SECONDS = 5.0  # to end by itself, when it owes nothing any more


class JudgeError(RuntimeError):
    """The program ended, or could not be started; its own words are in the message."""


class TaskError(ValueError):
    """A task cannot be judged: no such problem, no code in the text. Others go on."""


@dataclass(frozen=True)
class Task:
    """One candidate for one problem."""

    problem: str
    code: str  # a file's text, or a model's answer with the code in a fence
    name: str | None = None  # with its ending: "softmax.cu"; None: told from the text
    precision: str | None = None
    policy: str | None = None

    def line(self, number: int) -> str:
        """As `eval --json-lines -` reads it. TaskError: a text that is none in UTF-8."""
        fields: dict[str, Any] = {"id": number, "problem": self.problem, "source": self.code}
        for key in ("name", "precision", "policy"):
            if getattr(self, key) is not None:
                fields[key] = getattr(self, key)
        try:
            for value in fields.values():
                str(value).encode()
        except UnicodeEncodeError as error:
            raise TaskError(f"{self.problem}: the text is not Unicode: {error}") from None
        return json.dumps(fields) + "\n"


def _answer(future: Future[Evaluation], said: Evaluation | Exception) -> None:
    """Ends a wait. A callback that ends its own thread shall not end the reader."""
    try:
        if isinstance(said, Exception):
            future.set_exception(said)
        else:
            future.set_result(said)
    except BaseException as error:  # noqa: BLE001 (what a callback raises)
        LOG.error("a callback raised %r", error)


class _Process:
    """The running program, and the answers that it still owes. Used by any thread."""

    def __init__(self, command: list[str]) -> None:
        self._lock = threading.Condition()  # notified of answers
        self._waiting: dict[int, Future[Evaluation]] = {}
        self._said: deque[str] = deque(maxlen=LINES_KEPT)
        self._numbers = itertools.count()
        # Written by a thread: a submit never waits for the program to read.
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._fault = ""  # of its answers, for which it was ended
        self.over = False
        try:
            self._program = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment(),
                text=True,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            raise JudgeError(f"{command[0]}: {error}") from error
        self._listeners = [
            threading.Thread(target=target, daemon=True)
            for target in (self._read, self._listen, self._write)
        ]
        for listener in self._listeners:
            listener.start()

    @property
    def pid(self) -> int:
        """Of the program."""
        return self._program.pid

    def send(self, task: Task) -> Future[Evaluation]:
        """Hands a task over."""
        answer: Future[Evaluation] = Future()
        answer.set_running_or_notify_cancel()
        with self._lock:
            if self.over:
                raise JudgeError(self._why())
            number = next(self._numbers)
            try:
                line = task.line(number)
            except TaskError as error:
                answer.set_exception(error)
                return answer
            self._waiting[number] = answer
            self._lines.put(line)
        return answer

    def abandon(self) -> None:
        """Ends it at once; what it owes fails."""
        self._program.terminate()

    def close(self) -> bool:
        """Lets it finish what it was sent, and ends it. False: a callback of an answer cannot
        wait for the others."""
        self._lines.put(None)
        if threading.current_thread() in self._listeners:
            return False
        with self._lock:
            self._lock.wait_for(lambda: not self._waiting)
        try:
            self._program.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            # A process that was forked from this one holds its standard input open.
            self._program.terminate()
            self._program.wait()
        for listener in self._listeners:
            listener.join()
        return True

    def _write(self) -> None:
        assert self._program.stdin is not None
        # When it has ended, _read says so to all that wait.
        with contextlib.suppress(OSError), self._program.stdin as stdin:
            while (line := self._lines.get()) is not None:
                stdin.write(line)
                stdin.flush()

    def _read(self) -> None:
        assert self._program.stdout is not None
        try:
            for line in self._program.stdout:
                self._take(json.loads(line))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            # It was killed in the middle of a line, or is no program of ours.
            self._fault = f", after an answer that cannot be read ({error!r})"
            self._program.kill()
        self._program.wait()
        self._listeners[1].join()
        self._lines.put(None)
        with self._lock:
            self.over = True
            left, self._waiting = self._waiting, {}
            self._lock.notify_all()
        for answer in left.values():
            _answer(answer, JudgeError(self._why()))

    def _take(self, line: dict[str, Any]) -> None:
        schema = line["schema"]
        with self._lock:
            answer = self._waiting.pop(line["id"])
            self._lock.notify_all()
        said: Evaluation | Exception
        if schema == RESULT:
            try:
                said = Evaluation.read(line)
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                said = JudgeError(f"an evaluation that cannot be read: {error!r}")
        else:
            said = TaskError(line.get("error", f"unexpected: {schema}"))
        _answer(answer, said)

    def _listen(self) -> None:
        assert self._program.stderr is not None
        for line in self._program.stderr:
            self._said.append(line.rstrip())

    def _why(self) -> str:
        words = "\n".join(self._said) or "it said nothing"
        return f"kernelbench ended with code {self._program.returncode}{self._fault}: {words}"


def _place(program: str | Path) -> Path:
    """A name is looked for on PATH; "./kernelbench" is none."""
    found = None if os.sep in str(program) else shutil.which(str(program))
    return Path(found or program).absolute()


class Judge:
    """Judges candidates on one device. Methods may be called from any thread.

    The program is started by the first call and kept until `close`, or until the Judge and all
    that it owes are forgotten. When it has ended, the next call starts a new one. What is owed
    when the interpreter exits is abandoned.
    """

    def __init__(
        self,
        device: str | None = None,
        *,
        size: str | None = None,
        precision: str | None = None,
        policy: str | Path | None = None,
        pack: str | Path | None = None,
        isolation: str | None = None,
        trials: int | None = None,
        store: str | Path | None = None,
        program: str | Path | None = None,
    ) -> None:
        """As the options of `kernelbench eval`. Without `store` nothing is kept."""
        options = {
            "--device": device,
            "--size": size,
            "--precision": precision,
            "--policy": policy,
            "--pack": pack,
            "--isolation": isolation,
            "--trials": trials,
            "--store": store,
        }
        path = _place(program) if program is not None else find_program()
        self._command = [str(path), "eval", "--json-lines", "-", "--quiet"]
        for name, value in options.items():
            if value is not None:
                self._command += [name, str(value)]
        if store is None:
            self._command.append("--no-store")
        self._lock = threading.Lock()
        self._process: _Process | None = None
        self._ending: _Process | None = None  # that close waits for
        self._forgotten: dict[_Process, Any] = {}  # what ends one when this is forgotten

    def submit(self, problem: str | Task, code: str = "") -> Future[Evaluation]:
        """Hands a candidate over; its evaluation comes in a future."""
        task = problem if isinstance(problem, Task) else Task(problem, code)
        with self._lock:
            if self._ending is not None and not self._ending.over:
                raise JudgeError("the judge is being closed")
            self._ending = None
            if self._process is None or self._process.over:
                self._detach(self._process)
                self._process = _Process(self._command)
                self._forgotten[self._process] = weakref.finalize(self, self._process.abandon)
            answer = self._process.send(task)
        # Who waits for an answer has not forgotten who gives it.
        if not answer.done():
            answer.judge = self  # type: ignore[attr-defined]
        return answer

    def score(self, problem: str | Task, code: str = "") -> Evaluation:
        """Judges one candidate, and waits for it."""
        return self.submit(problem, code).result()

    def score_batch(self, tasks: Iterable[Task | tuple[str, str]]) -> list[Evaluation]:
        """Judges many; results come in the order of the tasks.

        They are built in parallel and timed one after the other, those of a problem together. The
        first that cannot be judged raises its TaskError; use `submit` to have each by itself.
        """
        return [answer.result() for answer in self._submit_all(tasks)]

    async def score_async(self, problem: str | Task, code: str = "") -> Evaluation:
        """`score` for a program with an event loop."""
        return await asyncio.wrap_future(self.submit(problem, code))

    async def score_batch_async(self, tasks: Iterable[Task | tuple[str, str]]) -> list[Evaluation]:
        """`score_batch` for a program with an event loop."""
        answers = [asyncio.wrap_future(answer) for answer in self._submit_all(tasks)]
        return list(await asyncio.gather(*answers))

    def _submit_all(self, tasks: Iterable[Task | tuple[str, str]]) -> list[Future[Evaluation]]:
        return [self.submit(task if isinstance(task, Task) else Task(*task)) for task in tasks]

    @property
    def pid(self) -> int | None:
        """Of the program; None: it does not run."""
        process = self._process
        return None if process is None or process.over else process.pid

    def close(self, abandon: bool = False) -> None:
        """Waits for what was handed over, unless it is abandoned, and ends the program.

        May be called with `abandon` while another call waits. Until the program has ended,
        `submit` raises JudgeError. Called from an answer's callback it does not wait.
        """
        with self._lock:
            process = self._ending or self._process
            if process is None:
                return
            self._process, self._ending = None, process
        if abandon:
            process.abandon()
        ended = False
        try:
            ended = process.close()
        except BaseException:
            process.abandon()  # whoever is interrupted does not wait for it
            ended = True
            raise
        finally:
            with self._lock:
                if ended:
                    self._detach(process)
                if ended and self._ending is process:
                    self._ending = None

    def _detach(self, process: _Process | None) -> None:
        """Of one that has ended."""
        if process is not None and process in self._forgotten:
            self._forgotten.pop(process).detach()

    def __enter__(self) -> Judge:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close(abandon=kind is not None)
