"""From a session to candidates with a model: windows, prompts, replies, one corrective re-ask, calls on record."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from extractors.candidate import Candidate, Malformed, parse_candidate
from extractors.errors import ContextTooLong, ExtractorError, Terminal, Transient
from extractors.interface import Call, Extraction, ReplyFormat
from extractors.prompt import VERSION, Message, again, messages, schema
from extractors.replies import Items, UnusableReply, parse_reply
from extractors.retrying import RetryPolicy, ask_with_retries
from extractors.windows import Window, estimate_tokens, windows
from transcripts.secrets import redact

if TYPE_CHECKING:
    from policy.model import Policy
    from transcripts.session import Session

log = logging.getLogger(__name__)

REPLY_TOKENS = 1500  # what is kept free for the reply: about a dozen candidates with their reasoning
LEAST_WINDOW = 256  # tokens; a model with less room than this for a session cannot be used
EMPTY_WORDS = {"", "null", "none", "n/a", "-"}


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


class ModelExtractor:
    """Proposes with a language model behind any :class:`ModelClient`."""

    def __init__(self, client: ModelClient, retry: RetryPolicy | None = None) -> None:
        self.client = client
        self.retry = retry or RetryPolicy()
        self.name = client.name
        self.model: str | None = client.model

    def propose(
        self,
        session: Session,
        *,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]] = (),
        first_turn: int = 0,
    ) -> Extraction:
        """The candidates of every window. An error of one window is the session's: nothing half-read is reported."""
        if not windows(session, tokens=LEAST_WINDOW, first_turn=first_turn):
            return Extraction(())  # no typed word: nothing to ask about
        run = _Run(self, session, policy, tuple(known_slots))
        try:
            candidates = run.all(windows(session, tokens=run.room(), first_turn=first_turn))
        except ExtractorError as error:
            error.calls = tuple(run.calls)
            raise
        return Extraction(tuple(candidates), tuple(run.calls))


class _Run:
    """One session's questions. Keeps the calls, whatever comes of them."""

    def __init__(
        self, extractor: ModelExtractor, session: Session, policy: Policy, known: tuple[tuple[str, str], ...]
    ) -> None:
        self.client = extractor.client
        self.retry = extractor.retry
        self.session = session
        self.policy = policy
        self.known = known
        self.shape = schema(policy)
        self.calls: list[Call] = []

    def room(self) -> int:
        """The tokens that a window may have: the context without the fixed prompt and the reply."""
        context = ask_with_retries(self.client.context_tokens, self.retry)[0]
        fixed = messages(Window(()), self.session, self.policy, self.known)
        room = context - sum(estimate_tokens(part["content"]) + 8 for part in fixed) - min(REPLY_TOKENS, context // 4)
        if room < LEAST_WINDOW:
            raise Terminal(
                "windows",
                f"{self.client.model} has room for {context} tokens, which the instructions alone fill",
                "choose a model with a larger context",
            )
        return room

    def all(self, cut: Sequence[Window]) -> list[Candidate | Malformed]:
        """The candidates of all windows, smaller ones where one does not fit after all."""
        found: list[Candidate | Malformed] = []
        waiting = list(cut)
        while waiting:
            window = waiting.pop(0)
            try:
                found += self._window(window)
            except ContextTooLong:
                halves = window.halves()
                if halves is None:
                    raise
                log.info("session %s: a window did not fit %s, asked in two", self.session.id, self.client.model)
                waiting[:0] = halves
        return found

    def _window(self, window: Window) -> list[Candidate | Malformed]:
        asked = messages(window, self.session, self.policy, self.known)
        reply = self._ask(asked)
        try:
            items = parse_reply(reply.text)
        except UnusableReply as problem:
            log.info("session %s: asked again, because %s", self.session.id, problem)
            reply = self._ask([*asked, *again(redact(reply.text), str(problem))])
            try:
                items = parse_reply(reply.text)
            except UnusableReply as twice:
                raise Transient(
                    "reply",
                    redact(f"{self.client.model} gave no usable list of candidates, asked twice: {twice}"),
                    "the session stays pending; try a larger model, or --extractor cues",
                ) from None
        return self._candidates(items, window)

    def _ask(self, asked: list[Message]) -> Reply:
        started = time.monotonic()
        reply, attempts = ask_with_retries(lambda: self.client.ask(asked, self.shape, REPLY_TOKENS), self.retry)
        self.calls.append(
            Call(
                model=self.client.model,
                prompt_version=VERSION,
                tokens_in=reply.tokens_in,
                tokens_out=reply.tokens_out,
                seconds=round(time.monotonic() - started, 3),
                attempts=attempts,
                format=reply.format,
                raw_reply=redact(reply.text),
            )
        )
        return reply

    def _candidates(self, items: Items, window: Window) -> list[Candidate | Malformed]:
        name = self.client.name
        found: list[Candidate | Malformed] = []
        seen: list[Any] = []
        for item in items.items:
            if item in seen:
                log.debug("session %s: %s repeated an item", self.session.id, self.client.model)
                continue
            seen.append(item)
            candidate = parse_candidate(_tidied(item), name)
            found.append(self._placed(replace(candidate, raw=item), window))
        found += [Malformed(redact(raw), reason, name) for raw, reason in items.broken]
        return found

    def _placed(self, candidate: Candidate | Malformed, window: Window) -> Candidate | Malformed:
        """The candidate with its turn's own id. A quote decides over the number beside it."""
        if isinstance(candidate, Malformed):
            return candidate
        by_alias = {str(piece.alias): piece for piece in window.pieces}
        named = by_alias.get(re.sub(r"\D", "", candidate.turn or ""))
        quote = _folded(candidate.evidence)
        holding = [piece for piece in window.pieces if quote and quote in _folded(piece.text)]
        if named is not None and (named in holding or not holding):
            turn: str | None = named.turn
        else:
            turn = holding[0].turn if holding else None
            log.info("session %s: turn %s of a quote corrected to %s", self.session.id, candidate.turn, turn)
        if not holding and quote and quote in _folded(window.earlier):
            return Malformed(
                candidate.raw, "quotes words from before the turns that were asked about", candidate.extractor
            )
        return replace(candidate, turn=turn)


def _tidied(item: Any) -> Any:
    """The item with the harmless slips mended: "null" for null, a number in quotes."""
    if not isinstance(item, dict):
        return item
    tidy = dict(item)
    for key in ("until", "turn", "subject", "about"):
        if isinstance(tidy.get(key), str) and tidy[key].strip().casefold() in EMPTY_WORDS:
            tidy[key] = None
    if isinstance(tidy.get("until"), str):
        tidy["until"] = re.sub(r"T.*$", "", tidy["until"].strip())
    if isinstance(tidy.get("importance"), str) and re.fullmatch(
        r"\s*\d+(?:\.\d+)?(?:\s*/\s*10)?\s*", tidy["importance"]
    ):
        tidy["importance"] = float(tidy["importance"].split("/")[0])
    if isinstance(tidy.get("about"), str) and re.fullmatch(r"(?:this|our|the)\s+\w+", tidy["about"].strip(), re.I):
        tidy["about"] = "this" if tidy["about"].casefold().startswith(("this", "our")) else tidy["about"]
    return tidy


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[`*\"'“”‘’]", "", text).casefold().split()).strip(" .,;:!?")
