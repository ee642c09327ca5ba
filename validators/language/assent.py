"""Whether a turn only says yes to what the agent said before it, and whether it limits its yes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from validators.language.analysis import Analysis, analyse

if TYPE_CHECKING:
    from policy.model import Policy

LOOK = 600  # characters of the turn looked at: a yes stands at its beginning
_SLACK = 2  # words beside its assents that a clause of assent may have


class Assent(NamedTuple):
    """A yes at the beginning of a turn: its words, whether it limits itself, and what the turn says after it."""

    text: str
    limited: bool
    rest: str


def assent(turn_text: str, policy: Policy) -> Assent | None:
    """The assent that the turn begins with, or None.

    ``rest`` holds what follows the yes; where it contains the proposed value, the developer has stated it themself.
    """
    text = turn_text[:LOOK]
    if not text.strip():
        return None
    analysis = analyse(text, policy.folders)
    end = 0
    said = False
    while end < len(analysis.clauses) and _only_assents(analysis, end):
        said = said or any(analysis.clause_of(m) == end for m in analysis.matches("assent"))
        end += 1
    scoped = 0 if end else _scoped(analysis)
    if scoped:
        said, end = True, 1
    if not said or _withdrawn(analysis, end):
        return None
    last = analysis.tokens.ends[(scoped or analysis.clauses[end - 1].end) - 1]
    return Assent(text[:last], _limited(analysis, end), turn_text[last:].lstrip(" \t.,;:!?-—"))


def _only_assents(analysis: Analysis, index: int) -> bool:
    """Whether every word of the clause belongs to a yes, a cue of time, or to talk around them."""
    clause = analysis.clauses[index]
    covered = {
        at
        for m in analysis.matches("assent", "standing", "one_off", "dated", "tag_accept")
        if m.start >= clause.start and m.end <= clause.end and m.gap is None
        for at in range(m.start, m.end)
    }
    rest = [at for at in range(clause.start, clause.end) if at not in covered]
    around = analysis.matcher.words("assent_fillers") | analysis.splitter.fillers
    bare = [at for at in rest if analysis.words[at] not in around]
    return not bare and (bool(covered) or (bool(rest) and index > 0))


def _scoped(analysis: Analysis) -> int:
    """Where the yes of "yes for staging" ends; 0 where the turn does not begin so."""
    clause = analysis.clauses[0]
    for match in analysis.matches("assent"):
        follows = match.end < clause.end and analysis.words[match.end] in analysis.matcher.words("locations")
        if match.start == clause.start and follows and not clause.verb:
            return match.end
    return 0


def _withdrawn(analysis: Analysis, end: int) -> bool:
    """Whether the yes is a question, sarcasm, or taken back by a "but" with something of its own."""
    if any(analysis.clause_of(m) < end for m in analysis.matches("joke")):
        return True
    sentence = analysis.clauses[end - 1].sentence
    if analysis.layout.marks[sentence] == "?" and not any(
        0 < analysis.clause_of(m) < end for m in analysis.matches("tag_accept")
    ):
        return True
    if end >= len(analysis.clauses):
        return False
    following = analysis.clauses[end]
    return following.conj == "contrast" and not any(
        analysis.clause_of(m) == end for m in analysis.matches("one_off", "dated")
    )


def _limited(analysis: Analysis, end: int) -> bool:
    """Whether the yes holds for this occasion only: "just this once", "for now"."""
    sentence = analysis.clauses[end - 1].sentence
    for match in analysis.matches("one_off"):
        clause = analysis.clause_of(match)
        if match.name.startswith("weak-") or analysis.clauses[clause].sentence > sentence:
            continue
        if clause < end or analysis.cue_only(clause) or analysis.clauses[clause].conj == "contrast":
            return True
    return False
