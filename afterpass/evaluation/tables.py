"""The reports as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from afterpass.evaluation.funnel import Step

Table = tuple[str, list[str], list[list[str]]]
GRADES = ("correct", "wrong", "unknown")


def tables(what: str, report: dict[str, Any]) -> Iterator[Table]:
    """``(title, columns, rows)`` for every table of a report."""
    return {"lifecycle": _lifecycle, "sessions": _sessions, "cases": _cases, "importance": _importance}[what](report)


def _lifecycle(report: dict[str, Any]) -> Iterator[Table]:
    base = report["against_none"]
    rows = []
    for arm, counts in report["arms"].items():
        against = base.get(arm)
        paired = [str(against[key]) for key in ("rescued", "regretted", "unchanged")] if against else ["", "", ""]
        rows.append([arm, *(str(counts[key]) for key in (*GRADES, "total", "stale", "let_in")), *paired])
    yield "arms", ["arm", *GRADES, "of", "stale", "let in", "rescued", "regretted", "unchanged"], rows
    if "afterpass" in report["arms"]:
        mine = report["arms"]["afterpass"]
        rows = [
            [name, *(str(counts[key]) for key in (*GRADES, "total"))] for name, counts in mine["by_category"].items()
        ]
        yield "afterpass, by category", ["category", *GRADES, "of"], rows
        steps = mine["steps"]
        yield "the way of the gold facts", ["gold", *map(str, Step)], [[str(steps[key]) for key in ("gold", *Step)]]
        yield "what came of reading back", ["measure", "share", "counted", "of"], _of_recall(report["recall"])
    lost = [
        [c["id"], c["verdict"], c["lost_at"] or "", str(c["answer"]["value"]), str(c["expect"]["value"])]
        for c in report["cases"]
        if c["arm"] == "afterpass" and c["verdict"] != "correct"
    ]
    if lost:
        yield "not correct", ["case", "verdict", "lost at", "answer", "expected"], lost
    given = report["given_gold_store"]
    rows = [["answers given the gold store", f"{given['correct']} of {given['total']}"]]
    rows += [[key.replace("_", " "), _share(value)] for key, value in report["measures"].items()]
    rows += [[key.replace("_", " "), _plain(value)] for key, value in report["cost"].items()]
    yield "measures", ["measure", "value"], rows


def _of_recall(recall: dict[str, Any]) -> list[list[str]]:
    """One row for each measure; no share where nothing was there to be counted."""
    rows = (
        ("asked for what the store held", "missing_memory_rate", "missed", "sessions"),
        ("told and used", "use_rate", "used", "followed"),
        ("loaded although stale", "stale_load_rate", "stale", "loaded"),
        ("asked about and confirmed", "confirmation_rate", "confirmed", "answered"),
        ("asked about and changed", "change_rate", "changed", "answered"),
    )
    return [[name, _share(recall[rate]), str(recall[part]), str(recall[whole])] for name, rate, part, whole in rows]


def _sessions(report: dict[str, Any]) -> Iterator[Table]:
    written, proposed, slots = report["written"], report["proposed"], report["replacements"]
    yield (
        f"{report['sessions']} sessions",
        ["measure", "share", "right", "of"],
        [
            ["proposed: recall", _share(proposed["recall"]), str(proposed["right"]), str(proposed["of"])],
            ["written: recall", _share(written["recall"]), str(written["right"]), str(written["of"])],
            ["written: precision", _share(written["precision"]), str(written["kept_right"]), str(written["kept"])],
            ["replacements on the right slot", _share(slots["right_slot"]), str(slots["right"]), str(slots["of"])],
        ],
    )
    if report["missed"]:
        rows = [[one["session"], one["rule"], ", ".join(one["codes"]) or "not proposed"] for one in report["missed"]]
        yield "missed", ["session", "rule", "why"], rows
    if report["extra"]:
        rows = [[one["session"], one["type"], one["subject"], one["value"]] for one in report["extra"]]
        yield "written beside the gold", ["session", "type", "subject", "value"], rows


def _cases(report: dict[str, Any]) -> Iterator[Table]:
    columns = ["group", "right", "of"]
    rows = [[name, str(count["right"]), str(count["total"])] for name, count in sorted(report["groups"].items())]
    rows.append(["all", str(report["right"]), str(report["total"])])
    through = [count["through_without"] for _, count in sorted(report["groups"].items())]
    if any(through):
        columns.append("comes through without its check")
        rows = [[*row, str(count)] for row, count in zip(rows, [*through, sum(through)], strict=True)]
    yield "judgements", columns, rows
    if report["not_right"]:
        rows = [[one["id"], _pairs(one["expected"]), _pairs(one["got"]), one["why"]] for one in report["not_right"]]
        yield "not right", ["case", "expected", "got", "why"], rows


def _importance(report: dict[str, Any]) -> Iterator[Table]:
    rows = [
        [name, str(told["labelled"]), str(told["worth_keeping"]), _plain(told["gate"]), _plain(told["best"] or "–")]
        for name, told in report["types"].items()
    ]
    yield "cut-offs", ["type", "labelled", "worth keeping", "gate now", "best"], rows
    columns = ["gate", "kept", "right", "precision", "recall", "F0.5"]
    for name, told in report["types"].items():
        rows = [
            [*(str(point[key]) for key in columns[:3]), *(_share(point[key]) for key in ("precision", "recall", "f"))]
            for point in told["curve"]
        ]
        yield name, columns, rows


def _pairs(found: list[dict[str, Any]]) -> str:
    return "; ".join(f"{_plain(one['disposition'])}/{_plain(one['code'])}" for one in found)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _plain(value: Any) -> str:
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)
