"""One model's answers to what it is asked about one session: retried, asked again where unusable, on record."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from extractors.errors import Terminal, Transient
from extractors.interface import Call, ReplyFormat
from extractors.prompt import Message, again
from extractors.replies import UnusableReply
from extractors.retrying import RetryPolicy, ask_with_retries
from extractors.windows import estimate_tokens
from transcripts.secrets import redact

log = logging.getLogger(__name__)

Answer = TypeVar("Answer")
LEAST_ROOM = 256  # tokens; a model with less room than this for a session cannot be used


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered. ``cut`` says that it stopped at the output limit."""

    text: str
    tokens_in: int | None
    tokens_out: int | None
    format: ReplyFormat
    cut: bool = False


class ModelClient(Protocol):
    """One kind of model server."""

    name: str
    model: str
    url: str

    def context_tokens(self) -> int:
        """How many tokens prompt and reply may have together."""

    def ask(self, asked: list[Message], shape: dict[str, Any], reply_tokens: int) -> Reply:
        """One request. Raises Transient, Terminal or ContextTooLong; waits at most the client's timeout."""

    def check(self) -> None:
        """Raise what stands in the way: server down, credentials refused, model not there."""


@dataclass(slots=True)
class Conversation:
    """Asks ``client`` for replies of one ``shape``; ``version`` names the prompt, ``wanted`` the reply in messages.

    ``asks`` is how often one question is worth asking until its reply is usable, once or twice. ``calls`` are the
    answered questions, whatever came of them.
    """

    client: ModelClient
    retry: RetryPolicy
    version: str
    shape: dict[str, Any]
    reply_tokens: int
    wanted: str
    asks: int = 2
    calls: list[Call] = field(default_factory=list)

    def room(self, fixed: list[Message]) -> int:
        """The tokens that the context leaves beside the fixed part of the prompt and the reply.

        Raises ExtractorError: Terminal where they are fewer than LEAST_ROOM.
        """
        context = ask_with_retries(self.client.context_tokens, self.retry)[0]
        prompt = sum(estimate_tokens(part["content"]) + 8 for part in fixed)
        room = context - prompt - min(self.reply_tokens, context // 4)
        if room < LEAST_ROOM:
            raise Terminal(
                "windows",
                f"{self.client.model} has room for {context} tokens, which the instructions alone fill",
                "choose a model with a larger context",
            )
        return room

    def answer(self, asked: list[Message], parse: Callable[[str], Answer]) -> Answer:
        """The reply as ``parse`` reads it (it raises UnusableReply). Raises Transient where none was usable."""
        words = asked
        for ask in range(1, self.asks + 1):
            reply = self._ask(words)
            try:
                return parse(reply.text)
            except UnusableReply as found:
                problem = found
            if ask < self.asks:
                log.info("%s was asked again, because %s", self.client.model, problem)
                words = [*asked, *again(redact(reply.text), str(problem), self.version)]
        often = "" if self.asks == 1 else ", asked twice"
        raise Transient(
            "reply",
            redact(f"{self.client.model} gave no usable {self.wanted}{often}: {problem}"),
            "the session stays pending; try a larger model, or --extractor cues",
        )

    def _ask(self, asked: list[Message]) -> Reply:
        started = time.monotonic()
        reply, attempts = ask_with_retries(lambda: self.client.ask(asked, self.shape, self.reply_tokens), self.retry)
        self.calls.append(
            Call(
                model=self.client.model,
                prompt_version=self.version,
                tokens_in=reply.tokens_in,
                tokens_out=reply.tokens_out,
                seconds=round(time.monotonic() - started, 3),
                attempts=attempts,
                format=reply.format,
                raw_reply=redact(reply.text),
            )
        )
        return reply
