"""What would be believed, in memory: a dry run's stand-in for landing, so that later sessions see earlier decisions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from flows.steps import Believed
from validators.verdict import Decision, Disposition, KnownFact, Tombstone

if TYPE_CHECKING:
    from transcripts.session import Session


@dataclass(slots=True)
class Shadow:
    """Decisions by owner, laid over what the store holds."""

    _decided: dict[str, list[Decision]] = field(default_factory=dict)

    def over(self, stored: Believed, session: Session) -> Believed:
        """What the store holds, with the dry run's own decisions about the session's owners applied."""
        view = Believed(list(stored.known), list(stored.tombstones), list(stored.refusals))
        for owner in {session.repo, session.developer}:
            for decision in self._decided.get(owner or "", ()):
                _apply(view, decision)
        return view

    def apply(self, decisions: Iterable[Decision], session: Session) -> None:
        """Remember what a session's decisions would have changed."""
        for decision in decisions:
            if decision.disposition in {Disposition.WRITE, Disposition.RECONFIRM, Disposition.FORGET}:
                self._decided.setdefault(decision.owner or session.repo, []).append(decision)


def _apply(view: Believed, decision: Decision) -> None:
    at = decision.stated_at
    if at is None:
        return
    slot = (decision.type, decision.subject)
    if decision.disposition is Disposition.WRITE:
        view.known.append(KnownFact(*slot, decision.value, at, until=decision.until))
    elif decision.disposition is Disposition.RECONFIRM:
        for position, fact in enumerate(view.known):
            if (fact.type, fact.subject) == slot and fact.value == decision.value and fact.stated < at:
                view.known[position] = replace(fact, stated=at)
    else:
        gone = {(fact.type, fact.subject, fact.value) for fact in decision.targets}
        view.known[:] = [fact for fact in view.known if (fact.type, fact.subject, fact.value) not in gone]
        view.tombstones.append(Tombstone(*slot, at))
