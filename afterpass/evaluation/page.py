"""The reports as one self-contained page: the tables, and bars drawn as inline SVG."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from afterpass.evaluation.files import EvalError
from afterpass.evaluation.tables import GRADES, Table, tables

COLOURS = {"correct": "#3a7d44", "unknown": "#b8b8b8", "wrong": "#b3261e"}
STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1b1b1b}"
    "table{border-collapse:collapse;margin:0 0 2rem}th{font-weight:600}"
    "th,td{text-align:left;padding:.25rem .8rem;border-bottom:1px solid #ddd;vertical-align:top}"
    "h2{font-size:1.1rem;margin:1.5rem 0 .5rem}svg text{font:12px system-ui,sans-serif}"
)
BAR, GAP, LABEL, WIDTH = 18, 8, 260, 560


def write_page(path: Path, what: str, report: dict[str, Any]) -> None:
    """Write the page. Raises EvalError where the file cannot be written."""
    try:
        path.write_text(page(what, report), encoding="utf-8")
    except OSError as error:
        raise EvalError(f"{path}: cannot be written: {error.strerror or error}") from error


def page(what: str, report: dict[str, Any]) -> str:
    """The report as HTML: no script, nothing loaded from elsewhere."""
    title = f"afterpass eval {what}"
    parts = [f"<h1>{escape(title)}</h1>"]
    if what == "lifecycle":
        parts += [_bars("answers per arm", report["arms"])]
        mine = report["arms"].get("afterpass")
        if mine:
            parts += [_bars("afterpass, per category", mine["by_category"]), _funnel(mine["steps"])]
    if what == "importance":
        parts += [_curve(name, told["curve"]) for name, told in report["types"].items()]
    parts += [_table(table) for table in tables(what, report)]
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def _table(table: Table) -> str:
    title, columns, rows = table
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<h2>{escape(title)}</h2><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _bars(title: str, counted: dict[str, dict[str, int]]) -> str:
    """One stacked bar per name: correct, unknown, wrong."""
    lines, y = [], 0
    for name, counts in counted.items():
        lines.append(f'<text x="0" y="{y + 13}">{escape(name)}</text>')
        x = float(LABEL)
        for grade in ("correct", "unknown", "wrong"):
            width = WIDTH * counts[grade] / max(counts["total"], 1)
            if width:
                label = f"{escape(name)}: {counts[grade]} {grade} of {counts['total']}"
                lines.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}" fill="{COLOURS[grade]}">'
                    f"<title>{label}</title></rect>"
                )
                x += width
        lines.append(f'<text x="{LABEL + WIDTH + 8}" y="{y + 13}">{counts["correct"]}/{counts["total"]}</text>')
        y += BAR + GAP
    legend = ", ".join(f'<span style="color:{COLOURS[grade]}">■</span> {grade}' for grade in GRADES)
    return f"<h2>{escape(title)}</h2><p>{legend}</p>{_svg(y, lines)}"


def _funnel(steps: dict[str, int]) -> str:
    """How many gold facts reached each step."""
    lines, y = [], 0
    for name, count in steps.items():
        width = WIDTH * count / max(steps["gold"], 1)
        lines.append(f'<text x="0" y="{y + 13}">{escape(name)}</text>')
        lines.append(f'<rect x="{LABEL}" y="{y}" width="{width:.1f}" height="{BAR}" fill="#4a6fa5"/>')
        lines.append(f'<text x="{LABEL + WIDTH + 8}" y="{y + 13}">{count}</text>')
        y += BAR + GAP
    return f"<h2>the way of the gold facts</h2>{_svg(y, lines)}"


def _curve(name: str, curve: list[dict[str, Any]]) -> str:
    """Precision and recall over the gates from 1 to 10."""
    height, lines = 120, []
    for key, colour in (("precision", COLOURS["correct"]), ("recall", COLOURS["unknown"])):
        at = [(60 * point["gate"], height - 100 * point[key]) for point in curve if point[key] is not None]
        dots = " ".join(f"{x},{y:.1f}" for x, y in at)
        lines.append(f'<polyline points="{dots}" fill="none" stroke="{colour}" stroke-width="2"/>')
    lines += [f'<text x="{60 * point["gate"]}" y="{height + 14}">{point["gate"]}</text>' for point in curve]
    legend = ", ".join(
        f'<span style="color:{COLOURS[key]}">■</span> {label}'
        for key, label in (("correct", "precision"), ("unknown", "recall"))
    )
    return f"<h2>{escape(name)}</h2><p>{legend}, by gate</p>{_svg(height + 20, lines)}"


def _svg(height: int, lines: list[str]) -> str:
    return f'<svg width="{LABEL + WIDTH + 80}" height="{height}" role="img">{"".join(lines)}</svg>'
