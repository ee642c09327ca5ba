"""``eval importance``: do the extractor's scores tell what is worth keeping from what is not, as a person sees it?

For each fact type, every gate from 1 to 10 is tried on the labelled candidates. The best one is that of the highest
F0.5, which counts a wrong fact that is kept for more than a right one that is lost; of several, the lowest.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterpass.evaluation.files import EvalError, need, read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from policy.model import Policy
    from store.records import CandidateRow

GATES = range(1, 11)
BETA = 0.5  # precision weighs 1 / BETA times as much as recall
QUESTION = "worth keeping? [y]es  [n]o  [s]kip  [q]uit: "


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate's fact type and the importance (1 to 10) that its extractor gave it."""

    type: str
    importance: float


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says of a scored candidate."""

    scored: Scored
    keep: bool


def scored(rows: Sequence[CandidateRow]) -> dict[str, Scored]:
    """The stored candidates that have a score, by id."""
    found = {}
    for row in rows:
        score = _score(row.raw) if isinstance(row.raw, dict) else None
        if score is not None:
            found[row.id] = Scored(row.type, score)
    return found


def _score(record: dict[str, Any]) -> float | None:
    score = record.get("importance")
    if not isinstance(score, int | float) or isinstance(score, bool):
        return None
    return float(min(max(score, 1), 10))


def read_labels(path: Path, stored: Mapping[str, Scored]) -> list[Label]:
    """Lines of ``{"id", "keep"}`` for a stored candidate, or ``{"type", "importance", "keep"}`` for any; the last line
    about an id counts. Raises EvalError for a line that is neither, and for an id that the store does not hold.
    """
    by_id: dict[str, Label] = {}
    others: list[Label] = []
    for where, record in read_lines(path):
        keep = need(record, "keep", bool, where)
        if record.get("id") is None:
            score = _score(record)
            if score is None:
                raise EvalError(f"{where}: importance is missing or not a number")
            others.append(Label(Scored(need(record, "type", str, where), score), keep))
        elif record["id"] in stored:
            by_id[record["id"]] = Label(stored[record["id"]], keep)
        else:
            raise EvalError(f"{where}: the store holds no scored candidate {record['id']!r}")
    return [*by_id.values(), *others]


def evaluate_importance(labels: Sequence[Label], policy: Policy) -> dict[str, Any]:
    """``{"labelled", "types": {TYPE: {"labelled", "worth_keeping", "gate", "best", "curve"}}}``.

    ``curve`` has ``{"gate", "kept", "right", "precision", "recall", "f"}`` for each gate; a share of nothing is None.
    ``best`` is None where all labels of the type are the same: then no gate tells anything apart.
    """
    names = sorted({label.scored.type for label in labels})
    types = {name: _type([label for label in labels if label.scored.type == name]) for name in names}
    for name, told in types.items():
        told["gate"] = policy.types[name].gate if name in policy.types else None
    return {"labelled": len(labels), "types": types}


def _type(labels: Sequence[Label]) -> dict[str, Any]:
    worth = sum(label.keep for label in labels)
    curve = [_point(gate, labels, worth) for gate in GATES]
    best = max(curve, key=lambda point: (point["f"] or 0.0, -point["gate"]))
    told_apart = 0 < worth < len(labels)
    return {
        "labelled": len(labels),
        "worth_keeping": worth,
        "gate": None,
        "best": best["gate"] if told_apart else None,
        "curve": curve,
    }


def _point(gate: int, labels: Sequence[Label], worth: int) -> dict[str, Any]:
    kept = [label for label in labels if label.scored.importance >= gate]
    right = sum(label.keep for label in kept)
    precision = right / len(kept) if kept else None
    recall = right / worth if worth else None
    f = None
    if precision and recall:
        f = (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)
    return {"gate": gate, "kept": len(kept), "right": right, "precision": precision, "recall": recall, "f": f}


def ask(
    rows: Sequence[CandidateRow],
    path: Path,
    most: int,
    *,
    say: Callable[[str], None],
    answer: Callable[[str], str],
) -> int:
    """Have a person label up to ``most`` scored candidates that ``path`` does not know yet; how many they did.

    The score is not shown, so that it cannot lead. Each label is in the file as soon as it is given.
    """
    known = {record.get("id") for _, record in read_lines(path)} if path.exists() else set()
    with_score = scored(rows)
    open_rows = [row for row in _in_turns(rows) if row.id in with_score and row.id not in known]
    done = 0
    for row in open_rows[:most]:
        say(f"\n{row.type} [{row.subject}] {row.value!r}\n  «{row.quote}»")
        choice = ""
        while choice not in {"y", "n", "s", "q"}:
            choice = answer(QUESTION).strip().lower()[:1]
        if choice == "q":
            break
        if choice == "s":
            continue
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"id": row.id, "keep": choice == "y"}) + "\n")
        done += 1
    return done


def _in_turns(rows: Sequence[CandidateRow]) -> Iterator[CandidateRow]:
    """One of each type in turn, so that a few answers tell something about every type."""
    queues: dict[str, list[CandidateRow]] = {}
    for row in rows:
        queues.setdefault(row.type, []).append(row)
    for place in range(max(map(len, queues.values()), default=0)):
        yield from (queue[place] for queue in queues.values() if place < len(queue))
