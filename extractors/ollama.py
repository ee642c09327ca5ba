"""Ollama, through its official client: the schema goes into ``format``, the context size is always set."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from extractors.conversation import Reply
from extractors.deadline import Deadline
from extractors.errors import ContextTooLong, Terminal, Transient
from extractors.interface import ReplyFormat
from extractors.prompt import Message
from extractors.retrying import retry_after
from extractors.status import failure, too_long

if TYPE_CHECKING:
    from ollama import Client

    from extractors.embedding import Vector

LOCAL = "http://127.0.0.1:11434"
CONTEXT = 8192  # asked for where the model can do more: memory grows with it
Answer = TypeVar("Answer")


class OllamaClient:
    """One model on one Ollama server: at ``base_url``, else ``OLLAMA_HOST``, else here. ``timeout`` is in seconds."""

    name = "ollama"

    def __init__(self, model: str, base_url: str | None = None, timeout: float = 120.0, context: int = CONTEXT) -> None:
        self.model = model
        self.url = (base_url or os.environ.get("OLLAMA_HOST") or LOCAL).rstrip("/")
        self._deadline = Deadline(timeout)
        self._context = context
        self._known_context: int | None = None
        self._client: Client | None = None

    def context_tokens(self) -> int:
        """What is asked for in ``num_ctx``: the model's own context, at most the configured one."""
        if self._known_context is None:
            shown = self._call("model", lambda client: client.show(self.model))
            sizes = [v for k, v in (shown.modelinfo or {}).items() if k.endswith(".context_length") and type(v) is int]
            self._known_context = min([self._context, *sizes])
        return self._known_context

    def ask(self, asked: list[Message], shape: dict[str, Any], reply_tokens: int) -> Reply:
        """One chat request. A prompt that Ollama had to shorten is refused: it drops the beginning without a word."""
        context = self.context_tokens()
        options = {"num_ctx": context, "num_predict": reply_tokens, "temperature": 0}
        answer = self._call(
            "ask", lambda client: client.chat(self.model, messages=asked, format=shape, options=options)
        )
        if (answer.prompt_eval_count or 0) >= context - 1:
            raise ContextTooLong("ask", f"the prompt fills the context of {context} tokens", "use a larger context")
        return Reply(
            text=answer.message.content or "",
            tokens_in=answer.prompt_eval_count,
            tokens_out=answer.eval_count,
            format=ReplyFormat.JSON_SCHEMA,
            cut=answer.done_reason == "length",
        )

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One request for vectors, by a client whose model is an embedding model."""
        answer = self._call("embedding", lambda client: client.embed(self.model, input=list(texts)))
        return [tuple(vector) for vector in answer.embeddings]

    def check(self) -> None:
        """Raise where the server does not answer or does not have the model."""
        self._call("check", lambda client: client.show(self.model))

    def _call(self, step: str, ask: Callable[[Client], Answer]) -> Answer:
        import httpx
        from ollama import Client, ResponseError

        if self._client is None:
            limits = httpx.Timeout(self._deadline.seconds, connect=min(10.0, self._deadline.seconds))
            self._client = Client(self.url, timeout=limits, event_hooks={"response": [self._deadline.watch]})
        self._deadline.start()
        try:
            return ask(self._client)
        except ResponseError as error:
            raise self._refused(step, error.status_code, str(error.error)) from error
        except (httpx.TimeoutException, TimeoutError) as error:
            raise Transient(
                step,
                f"{self.model} at {self.url} gave no answer within {self._deadline.seconds:g} s",
                "raise the limit with --timeout, or use a smaller model",
            ) from error
        except (httpx.TransportError, OSError) as error:
            down = Transient(step, f"no Ollama answers at {self.url}", "start it with: ollama serve")
            down.attempts = 2 if isinstance(error, OSError) else None
            raise down from error
        except (json.JSONDecodeError, ValueError) as error:
            raise Transient(
                step, f"{self.url} answered something that is not Ollama's", "check --base-url and what runs there"
            ) from error

    def _refused(self, step: str, status: int, said: str) -> Transient | Terminal:
        if status == 404 and ("not found" in said or "pull" in said):
            return Terminal(step, f"{self.model} is not on {self.url}", f"get it with: ollama pull {self.model}")
        if too_long(status, said):
            return ContextTooLong(step, f"{self.model} at {self.url}: {said[:200]}", "use a larger context")
        return failure(step, self.model, self.url, status, said, retry_after(self._deadline.retry_after))
