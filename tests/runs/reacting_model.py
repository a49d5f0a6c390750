"""A model that knows nothing but what it is told of its last answer.

It answers first with a syntax error, then with a program that leaves the tail out,
then with a slow one, then with a fast one, and goes on only where the feedback names
what is wrong. As a program it is a `command` with conversation = "episode". As a
server it speaks Anthropic's, Gemini's and OpenAI's dialects, each as the APIs stream,
and writes down what it is asked.

    reacting_model.py [FILE]     answers no more turns than the number in the file
"""

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

LOOP = "  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];\n"
PROGRAM = """#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {{
  const float* x = kb::input<float>(call, 0){semicolon}
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]){tail};
{loop}  return 0;
}}
"""
# Far more work than a busy machine could hide.
SLOW = """  for (int64_t i = 0; i < n; ++i) {
    volatile float v = x[i];
    for (int k = 0; k < 20; ++k) v = v + 0.0f;
    y[i] = v < 0.0f ? 0.0f : static_cast<float>(v);
  }
"""
SYNTAX_ERROR = PROGRAM.format(semicolon="", tail="", loop=LOOP)
WRONG_TAIL = PROGRAM.format(semicolon=";", tail=" / 8 * 8 - 8", loop=LOOP)
SLOW_ONE = PROGRAM.format(semicolon=";", tail="", loop=SLOW)
FAST_ONE = PROGRAM.format(semicolon=";", tail="", loop=LOOP)


def react(feedback: str | None) -> str:
    """The next program, by the last message alone."""
    if feedback is None:
        return SYNTAX_ERROR
    if "does not compile" in feedback and "float* y" in feedback:
        return WRONG_TAIL
    if "wrong result" in feedback and "Where: " in feedback:
        return SLOW_ONE
    if "Your program is correct" in feedback:
        return FAST_ONE
    return "// what is wrong?\n"


def answer(messages: list[str]) -> str:
    """A fenced program. `messages`: all of them, the task first."""
    return f"Here:\n\n```cpp\n{react(messages[-1] if len(messages) > 1 else None)}```\n"


def usage(turn: int) -> dict[str, int]:
    """Tokens of an answer."""
    return {"input": 1000 * turn, "output": 100 + turn}


def thought(turn: int) -> str:
    """What proves to an API that it thought so itself."""
    return f"signature-{turn}"


class Server:
    """All dialects, while it is entered."""

    def __init__(self) -> None:
        """Listens on 127.0.0.1."""
        self.asked: list[dict[str, Any]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            """One question."""

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Says nothing."""

            def do_POST(self) -> None:  # noqa: N802
                """Answers it."""
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.asked.append(body)
                speak = next(s for word, s in DIALECTS.items() if word in self.path)
                events = "".join(f"data: {json.dumps(e)}\n\n" for e in speak(body))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Content-Length", str(len(events.encode())))
                self.end_headers()
                self.wfile.write(events.encode())

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True

    def __enter__(self) -> "Server":
        """Begins to answer."""
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *unused: object) -> None:
        """Hangs up."""
        self.http.shutdown()
        self.http.server_close()

    def address(self) -> str:
        """Up to the port."""
        return f"http://127.0.0.1:{self.http.server_port}"


def text_of(content: Any) -> str:
    """Of a message, however it is written."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def anthropic(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of /v1/messages."""
    messages = [text_of(m["content"]) for m in body["messages"]]
    turn = len(messages) // 2 + 1
    used = usage(turn)
    return [
        {"type": "message_start", "message": {"model": "claude-x", "usage": {
            "input_tokens": used["input"], "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {
            "type": "thinking", "thinking": "", "signature": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {
            "type": "thinking_delta", "thinking": "Hm."}},
        {"type": "content_block_delta", "index": 0, "delta": {
            "type": "signature_delta", "signature": thought(turn)}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {
            "type": "text_delta", "text": answer(messages)}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"},
         "usage": {"output_tokens": used["output"]}},
        {"type": "message_stop"},
    ]


def gemini(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of :streamGenerateContent."""
    messages = [text_of(c["parts"]) for c in body["contents"]]
    turn = len(messages) // 2 + 1
    used = usage(turn)
    return [
        {"candidates": [{"content": {"parts": [{"text": "Hm.", "thought": True}]}}]},
        {"candidates": [{"content": {"parts": [{"text": answer(messages)}]}}]},
        {"candidates": [{"content": {"parts": [
            {"text": "", "thoughtSignature": thought(turn)}]}, "finishReason": "STOP"}],
         "usageMetadata": {"promptTokenCount": used["input"],
                           "candidatesTokenCount": used["output"]}},
    ]


def openai(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of /chat/completions."""
    messages = [text_of(m["content"]) for m in body["messages"] if m["role"] != "system"]
    used = usage(len(messages) // 2 + 1)
    return [
        {"choices": [{"delta": {"content": answer(messages)}, "finish_reason": "stop"}]},
        {"choices": [], "usage": {"prompt_tokens": used["input"],
                                  "completion_tokens": used["output"]}},
    ]


DIALECTS = {"/messages": anthropic, ":streamGenerateContent": gemini,
            "/chat/completions": openai}


def main() -> None:
    """Answers line by line."""
    for line in sys.stdin:
        said = json.loads(line)
        while len(sys.argv) > 1 and int(Path(sys.argv[1]).read_text()) < said["turn"]:
            time.sleep(0.02)
        text = answer([m["content"] for m in said["messages"]])
        reply = {"answer": text, "usage": usage(said["turn"]), "usd": said["turn"] / 8}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
