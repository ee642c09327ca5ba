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
    "a again an and always as at before branch by course ever i i've last no nope ok okay same said thanks thank thx"
    " told ty yesterday you from here i in is it it's its just of on only please should still that"
    " that's the there they this to us use uses using via we with yeah yep yes".split()
)
"""Words that may stand around the value; anything else makes an answer more than bare."""
SPOKEN = {
    "package_manager": ("package manager", "install", "dependenc"),
    "test_command": ("test",),
    "build_command": ("build",),
    "lint_command": ("lint", "format"),
    "run_command": ("run", "start"),
    "deploy_target": ("deploy", "ship", "release"),
    "reviewer": ("review", "approve", "sign"),
    "do_not_edit": ("edit", "touch", "change"),
}
"""What a question about a type speaks of. About any other type, it names the subject."""
ANOTHER = re.compile(r"\bthe\s+[\w-]+\s+(?:repo|repository|project)\b")
FIRST_PART = re.compile(r"[^\n.;!(]*(?:\.\w[^\n.;!(]*)*")


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
        elif turn.speaker is Speaker.DEVELOPER and not turn.withdrawn and "?" in question:
            typed = " ".join(part.text for part in turn.segments if part.origin is not Origin.INJECTED)
            text = FIRST_PART.match(typed.strip())[0].partition(" - ")[0]  # type: ignore[index]  # it matches anything
            said_at = turn.time or session.ended
            if "?" not in text and 0 < len(text) <= LONGEST and said_at is not None:
                yield Answer(session, text, question[: question.rfind("?")].casefold(), said_at)
            question = ""  # one answer to a question


def _meant(answer: Answer, held: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The facts that the answer names and the question is about."""
    return [
        fact
        for fact in held
        if fact["recorded_at"] < answer.said_at
        and _is_bare(answer.text, fact["value"])
        and _is_about(answer.question, fact["type"], fact["subject"])
    ]


def _is_about(question: str, type_name: str, subject: str) -> bool:
    """Whether a question speaks of what the type is, and names the subject where the fact has one."""
    ends = (question.rfind(mark) for mark in ("\n", ". ", "? ", "! "))
    last, spoken = question[max(ends) + 1 :], SPOKEN.get(type_name)
    if ANOTHER.search(last) or not (spoken or subject):
        return False
    return (spoken is None or any(word in last for word in spoken)) and (not subject or Scrub.of([subject]).finds(last))


def _is_bare(text: str, value: str) -> bool:
    """Whether an answer is this value and nothing else that means anything."""
    if value.casefold().split()[0] not in text.casefold():  # most are told so, before a pattern is made
        return False
    scrub = Scrub.of([value])
    if not scrub.finds(text):
        return False
    return AROUND.issuperset(re.findall(r"[^\W_]+(?:'[a-z]+)?", scrub.take_out(text).casefold().replace("’", "'")))
