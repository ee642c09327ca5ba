"""Bare answers: "pnpm", "preview, as always". No extractor makes a fact of one, and the store held it all the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from store.scrub import Scrub
from store.sql import Sql, columns
from transcripts.session import Origin, Speaker

if TYPE_CHECKING:
    from transcripts.session import Session

LONGEST = 80  # characters of an answer that may be bare
ASKED_WITHIN = 600  # characters of the end of the agent's turn
AROUND = frozenset(
    "a an and always as at branch by course from here i in is it it's its just of on only please should still that"
    " that's the there they this to us use uses using via we with yeah yep yes".split()
)
"""Words that may stand around the value; anything else makes an answer more than bare."""


class Answer(NamedTuple):
    """What a developer typed after a question, and the question."""

    session: Session
    text: str
    question: str
    said_at: datetime


def mark_answered(sql: Sql, sessions: Iterable[Session]) -> None:
    """Put on record which of the facts held by then these sessions' bare answers name. Inside a transaction."""
    answers = [answer for session in sessions for answer in _answers(session)]
    if not answers:
        return
    owners = {owner for answer in answers for owner in (answer.session.repo, answer.session.developer) if owner}
    held = sql.rows("held_values", owners=sorted(owners))
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for answer in answers:
        mine = {answer.session.repo, answer.session.developer}
        for fact in _meant(answer, [fact for fact in held if fact["owner"] in mine]):
            key = (answer.session.id, fact["id"])
            rows.setdefault(key, {"session": key[0], "fact_id": key[1], "said_at": answer.said_at})
    if rows:
        sql.change("add_answered", **columns(rows.values()))


def _answers(session: Session) -> Iterator[Answer]:
    question = ""
    for turn in session.turns:
        if turn.speaker is Speaker.AGENT:
            question = turn.text[-ASKED_WITHIN:]
        elif turn.speaker is Speaker.DEVELOPER and not turn.withdrawn:
            text = " ".join(part.text for part in turn.segments if part.origin is not Origin.INJECTED).strip()
            said_at = turn.time or session.ended
            if "?" in question and 0 < len(text) <= LONGEST and said_at is not None:
                yield Answer(session, text, question, said_at)
            question = ""


def _meant(answer: Answer, held: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The facts that the answer names; of several with this value, those whose subject the question names."""
    named = [fact for fact in held if fact["recorded_at"] < answer.said_at and _is_bare(answer.text, fact["value"])]
    if len(named) < 2:
        return named
    return [fact for fact in named if Scrub.of([fact["subject"]]).finds(answer.question)]


def _is_bare(text: str, value: str) -> bool:
    """Whether an answer is this value and nothing else that means anything."""
    scrub = Scrub.of([value])
    if not scrub.finds(text):
        return False
    return AROUND.issuperset(re.findall(r"[^\W_]+(?:'[a-z]+)?", scrub.take_out(text).casefold().replace("’", "'")))
