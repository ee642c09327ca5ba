"""``afterpass read SESSION``: what a reader makes of a transcript, so that a person sees at a glance who said what."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

from afterpass import output
from afterpass.exits import Exit
from afterpass.sessions import load_session
from transcripts.session import Origin, Session, Speaker, Turn

STYLES = {
    Origin.TYPED: "bold",
    Origin.PASTED: "dim cyan",
    Origin.INJECTED: "dim magenta",
    Origin.CHOSEN: "yellow",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The session, and what of it to show."""
    parser.add_argument("session", help="a transcript's path, or a session id of the store")
    parser.add_argument(
        "--only", choices=[origin.value for origin in Origin], help="show the developer's segments of this origin only"
    )
    parser.add_argument("--stats", action="store_true", help="counts instead of text")


def run(args: argparse.Namespace) -> Exit:
    """Print the session, its statistics, or its neutral form."""
    session = load_session(args.session, args)
    if args.stats:
        _write_stats(session, as_json=getattr(args, "json", False))
    elif getattr(args, "json", False):
        output.write_json(neutral_form(session, Origin(args.only) if args.only else None))
    else:
        _write_turns(session, Origin(args.only) if args.only else None)
    return Exit.OK


def neutral_form(session: Session, only: Origin | None = None) -> dict[str, Any]:
    """The session as ``{"header", "turns"}``, the header and the turns being those of a neutral session file."""
    header = {
        "afterpass": 1,
        "session": session.id,
        "agent": session.agent,
        "repo": session.repo,
        "developer": session.developer,
        "cwd": session.cwd,
        "branch": session.branch,
        "started": _iso(session.started),
        "ended": _iso(session.ended),
        "parent": session.parent,
        "automation": session.automation,
    }
    turns = [_neutral_turn(turn, only) for turn in session.turns if only is None or _holds(turn, only)]
    bad = [{"line": line.line, "reason": line.reason} for line in session.bad_lines]
    return {"header": header, "turns": turns, "bad_lines": bad}


def statistics(session: Session) -> dict[str, Any]:
    """Turns per speaker, characters per origin of the developer's turns, withdrawn turns, lines that were skipped."""
    developer = session.developer_turns()
    characters: Counter[str] = Counter()
    for turn in developer:
        for segment in turn.segments:
            characters[segment.origin.value] += len(segment.text)
    total = sum(characters.values())
    return {
        "session": session.id,
        "turns": dict(Counter(turn.speaker.value for turn in session.turns)),
        "withdrawn": sum(turn.withdrawn for turn in session.turns),
        "characters": dict(characters),
        "injected_share": round(characters["injected"] / total, 3) if total else 0.0,
        "bad_lines": dict(Counter(line.reason for line in session.bad_lines)),
    }


def _neutral_turn(turn: Turn, only: Origin | None) -> dict[str, Any]:
    segments = [
        {"origin": segment.origin.value, "text": segment.text}
        for segment in turn.segments
        if only is None or segment.origin is only
    ]
    shape: dict[str, Any] = {"id": turn.id, "speaker": turn.speaker.value, "time": _iso(turn.time), "text": turn.text}
    shape["segments"] = segments
    shape["channel"] = turn.channel
    for key in ("cwd", "branch", "developer"):
        if getattr(turn, key) is not None:
            shape[key] = getattr(turn, key)
    if turn.withdrawn:
        shape["withdrawn"] = True
    return shape


def _holds(turn: Turn, only: Origin) -> bool:
    return turn.speaker is Speaker.DEVELOPER and any(segment.origin is only for segment in turn.segments)


def _iso(moment: Any) -> str | None:
    return moment.isoformat().replace("+00:00", "Z") if moment else None


def _write_turns(session: Session, only: Origin | None) -> None:
    from rich.text import Text

    console = output.console()
    console.print(Text(f"{session.agent}  {session.id}  {session.repo}  {session.developer or 'developer unknown'}"))
    for turn in session.turns:
        if only is not None and not _holds(turn, only):
            continue
        when = turn.time.strftime("%Y-%m-%d %H:%M") if turn.time else ""
        mark = "  (withdrawn)" if turn.withdrawn else ""
        console.print(Text(f"\n{turn.speaker.value}  {when}  {turn.id}  {turn.channel}{mark}", style="bold blue"))
        for segment in turn.segments:
            if only is None or segment.origin is only:
                _write_segment(console, turn, segment.origin, segment.text)
    for line in session.bad_lines:
        output.say(f"line {line.line}: {line.reason}")


def _write_segment(console: Any, turn: Turn, origin: Origin, text: str) -> None:
    from rich.text import Text

    text = output.visible(text)
    if turn.speaker is not Speaker.DEVELOPER:
        console.print(Text(text, style="dim"))
        return
    console.print(Text(f"[{origin.value}] ", style=STYLES[origin]) + Text(text.strip("\n"), style=STYLES[origin]))


def _write_stats(session: Session, *, as_json: bool) -> None:
    numbers = statistics(session)
    if as_json:
        output.write_json(numbers)
        return
    rows = []
    for key, value in numbers.items():
        shown = ", ".join(f"{name} {count}" for name, count in value.items()) if isinstance(value, dict) else str(value)
        rows.append((key, shown))
    output.write_table("", ("what", "how much"), rows)
