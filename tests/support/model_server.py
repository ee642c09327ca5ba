"""A real model server on a local port: it speaks Ollama's and OpenAI's chat API, answers from a script, and misbehaves
on request.

    with ModelServer() as server:
        server.say({"candidates": []})             # the next reply's text; an object is written as JSON
        server.misbehave(Status(429, retry_after=2))  # the next request gets this instead of a reply
        OpenAIClient("m", server.openai_url)
        server.requests                            # what was asked, in order
    server.misbehave_embedding(Status(500))    # the next request for vectors gets this

With an empty script every request gets ``default``. ``respond`` may be set to a function of the request's body.
A vector counts the words of its text in 64 hashed places, so that texts with shared words are near to each other.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from zlib import crc32

EMPTY = {"reasoning": "nothing lasting", "candidates": []}
CONTEXT_ERROR = "This model's maximum context length is 2048 tokens, however you requested 9000 tokens."


@dataclass(frozen=True)
class Status:
    """Answer with an error status."""

    code: int
    message: str = "as asked for"
    retry_after: str | float | None = None


@dataclass(frozen=True)
class Drop:
    """Close the connection without an answer."""


@dataclass(frozen=True)
class Silence:
    """Hold the request until the server is closed: no answer ever comes."""


@dataclass(frozen=True)
class Drip:
    """Send the reply byte by byte, ``pause`` seconds apart, for ever."""

    pause: float = 0.02


@dataclass(frozen=True)
class Garbage:
    """Answer 200 with a body that is no JSON."""

    body: str = "<html>It works!</html>"


@dataclass(frozen=True)
class Say:
    """A reply. ``cut`` says that it ended at the output limit, ``delay`` seconds pass before it."""

    text: str
    cut: bool = False
    delay: float = 0.0
    tokens_in: int = 100
    tokens_out: int = 20


Step = Status | Drop | Silence | Drip | Garbage | Say


@dataclass
class Request:
    """One request as it arrived."""

    path: str
    body: dict[str, Any] = field(default_factory=dict)
    authorization: str | None = None

    @property
    def prompt(self) -> str:
        """The last user message."""
        return str(self.body["messages"][-1]["content"])


class ModelServer:
    """``models`` are the ones that are there; ``refuse`` names request parameters that get a 400."""

    def __init__(self, models: tuple[str, ...] = ("m",), context: int = 8192) -> None:
        self.models = models
        self.context = context
        self.refuse: set[str] = set()
        self.keys: set[str] | None = None
        self.longest_prompt: int | None = None  # characters; longer ones get a context-length error
        self.default: Step = Say(json.dumps(EMPTY))
        self.respond: Callable[[Request], Step] | None = None
        self.requests: list[Request] = []
        self._script: deque[Step] = deque()
        self._embedding_script: deque[Step] = deque()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop answering; the port is free again afterwards."""
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        """Ollama's base URL."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def openai_url(self) -> str:
        """OpenAI's base URL."""
        return f"{self.url}/v1"

    def say(self, *replies: str | dict[str, Any] | list[Any], **how: Any) -> None:
        """Queue replies."""
        for reply in replies:
            self._script.append(Say(reply if isinstance(reply, str) else json.dumps(reply), **how))

    def misbehave(self, *steps: Step) -> None:
        """Queue anything else."""
        self._script.extend(steps)

    def misbehave_embedding(self, *steps: Step) -> None:
        """Queue anything else than vectors."""
        self._embedding_script.extend(steps)

    @property
    def embeddings(self) -> list[Request]:
        """The requests for vectors, in order."""
        return [one for one in self.requests if one.path.endswith(("/api/embed", "/embeddings"))]

    @property
    def chats(self) -> list[Request]:
        """The chat requests, in order."""
        return [one for one in self.requests if one.path.endswith(("/api/chat", "/chat/completions"))]

    def next_embedding(self, request: Request) -> Step | None:
        """What this request for vectors gets instead of them, or None."""
        with self._lock:
            if request.body.get("model") not in self.models:
                return Status(404, f"model '{request.body.get('model')}' not found")
            return self._embedding_script.popleft() if self._embedding_script else None

    def next_step(self, request: Request) -> Step:
        """What this chat request gets."""
        with self._lock:
            if self.keys is not None and request.authorization not in {f"Bearer {key}" for key in self.keys}:
                return Status(401, "Incorrect API key provided")
            if request.body.get("model") not in self.models:
                return Status(404, f"model '{request.body.get('model')}' not found")
            if found := self.refuse & _parameters(request.body):
                return Status(400, f"Unsupported parameter: {min(found)!r} is not supported with this model.")
            if self.longest_prompt is not None and len(request.prompt) > self.longest_prompt:
                return Status(400, CONTEXT_ERROR)
            if self._script:
                return self._script.popleft()
        return self.respond(request) if self.respond else self.default


def _parameters(body: dict[str, Any]) -> set[str]:
    """The names that ``refuse`` may hold: the request's own keys, and the kinds of response format."""
    shape = body.get("response_format") or {}
    return set(body) | {str(shape.get("type"))}


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            server.requests.append(Request(self.path, authorization=self.headers.get("Authorization")))
            if self.path == "/api/tags":
                self._json({"models": [{"name": name, "model": name} for name in server.models]})
            elif self.path == "/v1/models":
                self._json({"object": "list", "data": [{"id": name, "object": "model"} for name in server.models]})
            else:
                self._json({"error": "no such path"}, 404)

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            request = Request(self.path, body, self.headers.get("Authorization"))
            server.requests.append(request)
            if self.path == "/api/show":
                self._show(body)
            elif self.path in {"/api/chat", "/v1/chat/completions"}:
                self._chat(request)
            elif self.path in {"/api/embed", "/v1/embeddings"}:
                self._embed(request)
            else:
                self._json({"error": "no such path"}, 404)

        def _embed(self, request: Request) -> None:
            step = server.next_embedding(request)
            if step is not None:
                self._misbehave(step)
                return
            vectors = [vector_of(text) for text in request.body["input"]]
            model = request.body["model"]
            if self.path == "/api/embed":
                self._json({"model": model, "embeddings": vectors})
            else:
                data = [{"object": "embedding", "index": n, "embedding": each} for n, each in enumerate(vectors)]
                usage = {"prompt_tokens": 1, "total_tokens": 1}
                self._json({"object": "list", "model": model, "data": data, "usage": usage})

        def _show(self, body: dict[str, Any]) -> None:
            if body.get("model") in server.models:
                self._json({"details": {"family": "x"}, "model_info": {"x.context_length": server.context}})
            else:
                self._json({"error": f"model '{body.get('model')}' not found"}, 404)

        def _chat(self, request: Request) -> None:
            step = server.next_step(request)
            if isinstance(step, Say):
                if step.delay:
                    time.sleep(step.delay)  # a benchmark's thinking time; tests use none
                self._json(_ollama(request, step) if self.path == "/api/chat" else _openai(request, step))
            else:
                self._misbehave(step)

        def _misbehave(self, step: Step) -> None:
            if isinstance(step, Status):
                self._error(step)
            elif isinstance(step, Garbage):
                self._send(step.body.encode(), "text/html")
            elif isinstance(step, Drip):
                self._drip(step)
            else:
                if isinstance(step, Silence):
                    server._closing.wait()
                self.close_connection = True

        def _error(self, step: Status) -> None:
            said: Any = step.message if self.path.startswith("/api/") else {"message": step.message, "type": "error"}
            headers = {} if step.retry_after is None else {"Retry-After": str(step.retry_after)}
            self._json({"error": said}, step.code, headers)

        def _drip(self, step: Drip) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            while not server._closing.wait(step.pause):
                try:
                    self.wfile.write(b" ")
                    self.wfile.flush()
                except OSError:
                    break
            self.close_connection = True

        def _json(self, value: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
            self._send(json.dumps(value).encode(), "application/json", status, headers)

        def _send(self, body: bytes, kind: str, status: int = 200, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the standard library's name
            """Quiet."""

    return Handler


def vector_of(text: str) -> list[float]:
    """How often the text has a word of each of 64 hashed places."""
    places = [crc32(word.encode()) % 64 for word in re.findall(r"\w+", text.casefold())]
    return [float(places.count(place)) for place in range(64)]


def _ollama(request: Request, step: Say) -> dict[str, Any]:
    return {
        "model": request.body["model"],
        "created_at": "2026-05-04T09:30:00Z",
        "message": {"role": "assistant", "content": step.text},
        "done": True,
        "done_reason": "length" if step.cut else "stop",
        "prompt_eval_count": step.tokens_in,
        "eval_count": step.tokens_out,
    }


def _openai(request: Request, step: Say) -> dict[str, Any]:
    message = {"role": "assistant", "content": step.text}
    return {
        "id": "chat-1",
        "object": "chat.completion",
        "created": 1777887000,
        "model": request.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "length" if step.cut else "stop"}],
        "usage": {
            "prompt_tokens": step.tokens_in,
            "completion_tokens": step.tokens_out,
            "total_tokens": step.tokens_in + step.tokens_out,
        },
    }
