"""What came of reading back: whether what was told was used, still held, and spared the developer a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from store.sql import Sql, transactional

EVER = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
CHANGES = frozenset({"replacement", "correction"})


@dataclass(frozen=True, slots=True)
class TypeMeasures:
    """Counts of one fact type; each fact counts once for each session that was told it.

    ``told``: in how many sessions. ``followed``: of these, whose transcript was read since. ``used``: of these, where
    the agent spoke of the value afterwards. ``loaded``: told without a question. ``stale``: of these, where it did not
    hold any more, by what we know now or by what the developer said in that session. ``asked``: told with a question.
    ``confirmed``, ``changed``: what the developer answered to it. ``missed``: sessions in which the developer answered
    an agent's question with what the store held and had not told.
    """

    told: int = 0
    followed: int = 0
    used: int = 0
    loaded: int = 0
    stale: int = 0
    asked: int = 0
    confirmed: int = 0
    changed: int = 0
    missed: int = 0

    def to_json(self) -> dict[str, Any]:
        """The counts and their rates, each between 0 and 1, or None where there is nothing to divide by."""
        answered = self.confirmed + self.changed
        return {
            "told": self.told,
            "followed": self.followed,
            "used": self.used,
            "ignored": self.followed - self.used,
            "use_rate": _rate(self.used, self.followed),
            "loaded": self.loaded,
            "stale": self.stale,
            "stale_load_rate": _rate(self.stale, self.loaded),
            "asked": self.asked,
            "answered": answered,
            "confirmed": self.confirmed,
            "changed": self.changed,
            "confirmation_rate": _rate(self.confirmed, answered),
            "change_rate": _rate(self.changed, answered),
            "missed": self.missed,
        }


@dataclass(frozen=True, slots=True)
class Measures:
    """``recalls`` has a row for each caller: times, silent ones, tokens, milliseconds. ``sessions``: those read."""

    recalls: tuple[Mapping[str, Any], ...]
    sessions: int
    total: TypeMeasures
    types: Mapping[str, TypeMeasures]

    def to_json(self) -> dict[str, Any]:
        """Everything, with the rate of sessions in which something was asked that the store held."""
        return {
            "recalls": [dict(row) for row in self.recalls],
            "sessions": self.sessions,
            "missing_memory_rate": _rate(self.total.missed, self.sessions),
            **self.total.to_json(),
            "types": {name: counts.to_json() for name, counts in self.types.items()},
        }


def together(several: Iterable[Measures]) -> Measures:
    """The measures of several stores as those of one, without the times of single recalls."""
    sessions, types = 0, dict[str, Counter[str]]()
    total: Counter[str] = Counter()
    for one in several:
        sessions += one.sessions
        total.update(asdict(one.total))
        for name, counts in one.types.items():
            types.setdefault(name, Counter()).update(asdict(counts))
    return Measures((), sessions, TypeMeasures(**total), {name: TypeMeasures(**types[name]) for name in sorted(types)})


class MeasuresOf:
    """The measures' part of an open store; see :class:`store.interface.Keeping`."""

    sql: Sql

    @transactional
    def measures(self, *, since: datetime | None = None, repo: str | None = None) -> Measures:
        narrow = {"since": since or EVER, "repo": repo}
        counts: dict[str, Counter[str]] = {}
        total: Counter[str] = Counter()
        said = _said(self.sql.rows("said_of_facts", **narrow))
        told = {(row["session"], row["fact_id"]): row for row in self.sql.rows("told_facts", **narrow)}
        missed_in = set()
        for key, row in told.items():
            _add(counts, total, row["type"], _of_a_telling(row, said.get(key, [])))
        for key, answers in said.items():
            if _is_missed(answers, told.get(key)):
                counts.setdefault(answers[0]["type"], Counter())["missed"] += 1
                missed_in.add(key[0])
        total["missed"] = len(missed_in)
        return Measures(
            tuple(self.sql.rows("recalls_by_caller", **narrow)),
            int(self.sql.value("sessions_read", **narrow)),
            TypeMeasures(**total),
            {name: TypeMeasures(**counts[name]) for name in sorted(counts)},
        )


def _said(rows: list[dict[str, Any]]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """What was said of a fact in a session, in its order."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["session"], row["fact_id"]), []).append(row)
    return found


def _of_a_telling(row: Mapping[str, Any], said: list[dict[str, Any]]) -> Counter[str]:
    """What one fact, told to one session, adds to the counts."""
    after = {each["code"] for each in said if each["stated_at"] >= row["told_at"]}
    changed = bool(after & CHANGES)
    return Counter(
        told=1,
        followed=int(row["used"] is not None),
        used=row["used"] or 0,
        loaded=row["loaded"],
        stale=int(bool(row["stale"]) or (bool(row["loaded"]) and changed)),
        asked=row["asked"],
        confirmed=int(bool(row["asked"]) and not changed and "same_value" in after),
        changed=int(bool(row["asked"]) and changed),
    )


def _is_missed(answers: list[dict[str, Any]], told: Mapping[str, Any] | None) -> bool:
    """Whether an agent asked for it and the developer answered, before the session was told."""
    return any(each["was_asked"] and (told is None or each["stated_at"] < told["told_at"]) for each in answers)


def _add(counts: dict[str, Counter[str]], total: Counter[str], type_name: str, more: Counter[str]) -> None:
    counts.setdefault(type_name, Counter()).update(more)
    total.update(more)


def _rate(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None
