"""From a session to candidates with a model: windows, prompts, replies."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from extractors.candidate import Candidate, Malformed, parse_candidate
from extractors.conversation import LEAST_ROOM, Conversation, ModelClient
from extractors.errors import ContextTooLong, ExtractorError
from extractors.interface import Extraction
from extractors.prompt import VERSION, messages, schema
from extractors.replies import Items, parse_reply
from extractors.retrying import RetryPolicy
from extractors.windows import Window, windows
from transcripts.secrets import redact

if TYPE_CHECKING:
    from policy.model import Policy
    from transcripts.session import Session

log = logging.getLogger(__name__)

REPLY_TOKENS = 1500  # what is kept free for the reply: about a dozen candidates with their reasoning
EMPTY_WORDS = {"", "null", "none", "n/a", "-"}


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
        if not windows(session, tokens=LEAST_ROOM, first_turn=first_turn):
            return Extraction(())  # no typed word: nothing to ask about
        run = _Run(self, session, policy, tuple(known_slots))
        try:
            candidates = run.all(windows(session, tokens=run.room(), first_turn=first_turn))
        except ExtractorError as error:
            error.calls = tuple(run.asking.calls)
            raise
        return Extraction(tuple(candidates), tuple(run.asking.calls))


class _Run:
    """One session's questions."""

    def __init__(
        self, extractor: ModelExtractor, session: Session, policy: Policy, known: tuple[tuple[str, str], ...]
    ) -> None:
        self.client = extractor.client
        self.asking = Conversation(
            extractor.client, extractor.retry, VERSION, schema(policy), REPLY_TOKENS, "list of candidates"
        )
        self.session = session
        self.policy = policy
        self.known = known

    def room(self) -> int:
        """The tokens that a window may have: the context without the fixed prompt and the reply."""
        return self.asking.room(messages(Window(()), self.session, self.policy, self.known))

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
        return self._candidates(self.asking.answer(asked, parse_reply), window)

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
