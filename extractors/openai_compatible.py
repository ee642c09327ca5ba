"""Any server that speaks OpenAI's chat API, through the official client.

The reply's shape is asked for as strictly as the server can: a JSON schema, else JSON mode, else in words alone. What a
server cannot do is found out once and remembered for as long as the process lives.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from extractors.conversation import Reply
from extractors.deadline import Deadline
from extractors.errors import ContextTooLong, Terminal, Transient
from extractors.interface import ReplyFormat
from extractors.prompt import Message
from extractors.retrying import retry_after
from extractors.status import failure, too_long

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

    from extractors.embedding import Vector

NAME_A_SERVER = "pass --base-url URL or set AFTERPASS_BASE_URL; https://api.openai.com/v1 is OpenAI's own"
CONTEXT = 8192  # assumed: the API does not tell; a server with less says so and gets smaller windows
WEAKER = {ReplyFormat.JSON_SCHEMA: ReplyFormat.JSON_OBJECT, ReplyFormat.JSON_OBJECT: ReplyFormat.TEXT}


@dataclass(frozen=True, slots=True)
class _Manners:
    """What a server accepts."""

    format: ReplyFormat = ReplyFormat.JSON_SCHEMA
    temperature: bool = True
    limit: str | None = "max_tokens"


_learned: dict[tuple[str, str], _Manners] = {}
_lock = threading.Lock()


class OpenAIClient:
    """One model at ``base_url``, else at ``OPENAI_BASE_URL``, else Terminal is raised. ``timeout`` is in seconds."""

    name = "openai"

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        timeout: float = 120.0,
        api_key: str | None = None,
        context: int = CONTEXT,
    ) -> None:
        self.model = model
        self.url = (base_url or os.environ.get("OPENAI_BASE_URL") or "").rstrip("/")
        if not self.url:  # the library's own default would send text to a company that nobody has named
            raise Terminal("extractor", "openai needs a server's address and none is named", NAME_A_SERVER)
        self._deadline = Deadline(timeout)
        self._key = api_key
        self._context = context
        self._client: OpenAI | None = None
        self._opening = threading.Lock()

    def context_tokens(self) -> int:
        """The configured context: the API has no way to ask."""
        return self._context

    def ask(self, asked: list[Message], shape: dict[str, Any], reply_tokens: int) -> Reply:
        """One chat request, repeated at once with less asked for where the server does not know a parameter."""
        while True:
            manners = _learned.get((self.url, self.model), _Manners())
            try:
                return self._complete(asked, shape, reply_tokens, manners)
            except _Unsupported as found:
                with _lock:
                    _learned[self.url, self.model] = found.manners

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One request for vectors, by a client whose model is an embedding model."""
        given: dict[str, Any] = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        answer = self._call("embedding", lambda client: client.embeddings.create(**given))
        return [tuple(found.embedding) for found in sorted(answer.data, key=lambda found: found.index)]

    def check(self) -> None:
        """Raise where the server does not answer, refuses the key, or does not list the model."""
        models = self._call("check", lambda client: list(client.models.list()))
        names = [model.id for model in models]
        if names and self.model not in names:
            raise Terminal("check", f"{self.url} has no model {self.model}", f"it has: {', '.join(names[:8])}")

    def _complete(self, asked: list[Message], shape: dict[str, Any], reply_tokens: int, manners: _Manners) -> Reply:
        given: dict[str, Any] = {"model": self.model, "messages": asked}
        if manners.temperature:
            given["temperature"] = 0
        if manners.limit:
            given[manners.limit] = reply_tokens
        if manners.format is ReplyFormat.JSON_SCHEMA:
            named = {"name": "reply", "schema": shape, "strict": True}
            given["response_format"] = {"type": "json_schema", "json_schema": named}
        elif manners.format is ReplyFormat.JSON_OBJECT:
            given["response_format"] = {"type": "json_object"}
        answer = self._call("ask", lambda client: _post(client, given), manners)
        choices = getattr(answer, "choices", None)
        if not choices:
            raise Transient("ask", f"{self.model} at {self.url} answered without a choice", "check --base-url")
        usage = answer.usage
        return Reply(
            text=choices[0].message.content or choices[0].message.refusal or "",
            tokens_in=usage.prompt_tokens if usage else None,
            tokens_out=usage.completion_tokens if usage else None,
            format=manners.format,
            cut=choices[0].finish_reason == "length",
        )

    def _call(self, step: str, ask: Any, manners: _Manners | None = None) -> Any:
        import openai

        self._deadline.start()
        try:
            return ask(self._open())
        except openai.APIStatusError as error:
            raise self._refused(step, error, manners) from error
        except (openai.APITimeoutError, TimeoutError) as error:
            raise self._late(step) from error
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, TimeoutError):
                raise self._late(step) from error
            down = Transient(step, f"no model server answers at {self.url}", "start it, or correct --base-url")
            down.attempts = 2 if type(error.__cause__).__name__ == "ConnectError" else None
            raise down from error
        except (openai.APIError, json.JSONDecodeError, ValueError) as error:
            raise Transient(
                step,
                f"{self.url} answered something that is not the chat API's",
                "check --base-url: it mostly ends in /v1",
            ) from error

    def _open(self) -> OpenAI:
        from openai import DefaultHttpxClient, OpenAI

        with self._opening:  # threads that begin together would load the certificates once each
            if self._client is None:
                http = DefaultHttpxClient(event_hooks={"response": [self._deadline.watch]})
                self._client = OpenAI(
                    api_key=self._key or "none",  # local servers want none, the client insists on one
                    base_url=self.url,
                    timeout=self._deadline.seconds,
                    max_retries=0,  # attempts are counted and spaced in one place
                    http_client=http,
                )
        return self._client

    def _late(self, step: str) -> Transient:
        return Transient(
            step,
            f"{self.model} at {self.url} gave no answer within {self._deadline.seconds:g} s",
            "raise the limit with --timeout, or use a smaller model",
        )

    def _refused(self, step: str, error: APIStatusError, manners: _Manners | None) -> Exception:
        status, said = error.status_code, _words(error)
        if too_long(status, said):
            return ContextTooLong(
                step, f"{self.model} at {self.url}: {said[:200]}", "use a model with a larger context"
            )
        if manners is not None and status in {400, 422} and (less := _less(manners, said)) is not None:
            return _Unsupported(less)
        return failure(step, self.model, self.url, status, said, retry_after(error.response.headers.get("retry-after")))


class _Unsupported(Exception):  # noqa: N818 - never leaves this file
    """The server does not know a parameter; ``manners`` is what to try instead."""

    def __init__(self, manners: _Manners) -> None:
        super().__init__("unsupported parameter")
        self.manners = manners


def _less(manners: _Manners, said: str) -> _Manners | None:
    """What to leave out after a 400: the parameter that is named, else the strictness of the format."""
    if manners.temperature and re.search(r"temperature", said, re.I):
        return replace(manners, temperature=False)
    if manners.limit == "max_tokens" and "max_completion_tokens" in said:
        return replace(manners, limit="max_completion_tokens")
    if manners.limit and manners.limit in said and not re.search(r"response_format|json_schema", said):
        return replace(manners, limit=None)
    weaker = WEAKER.get(manners.format)
    return None if weaker is None else replace(manners, format=weaker)


def _words(error: APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict):
        return json.dumps(body, ensure_ascii=False)[:2000]
    return str(body or error.message)[:2000]


def forget_learned() -> None:
    """Forget what servers cannot do, as after an upgrade of one."""
    with _lock:
        _learned.clear()


def _post(client: OpenAI, given: dict[str, Any]) -> Any:
    """``client.chat.completions.create(**given)`` at half the processor time: that one goes through every message and
    the whole schema for each call, to find nothing to rename.
    """
    from openai.types.chat import ChatCompletion

    return client.post("/chat/completions", body=given, cast_to=ChatCompletion)
