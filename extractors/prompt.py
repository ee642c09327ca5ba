"""Rendering the prompt: a versioned file, the policy's types, the known slots without their values, one window."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from extractors.candidate import Kind
from extractors.windows import Window
from policy.model import FactType, Policy
from transcripts.session import Session

VERSION = "v1"
FOLDER = Path(__file__).parent / "prompts"
SECTION = re.compile(r"^# (system|example user|example assistant|user|again)\s*$", re.M)
MOST_SLOTS = 40  # known slots help to name the same thing alike; a long list of them only costs tokens
TAG = re.compile(r"<(/?)(session)\b", re.I)
RENAMED = r"<\1\2_"  # nothing that was typed can close the tag around it

VALUE_HINTS = {
    "manager": "; value: a tool such as npm, pnpm, uv, poetry, cargo",
    "command": "; value: what is typed into a shell",
    "ref": "; value: the branch, tag or host alone",
    "person": "; value: the name alone",
    "path": "; value: the path alone",
    "identifier": "; value: the prefix or key alone",
}

Message = dict[str, str]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The parts of a prompt file, in the order in which they are sent."""

    version: str
    system: str
    examples: tuple[tuple[str, str], ...]
    user: str
    again: str | None  # None where an unusable reply is not asked for again


@cache
def load_prompt(version: str = VERSION) -> Prompt:
    """The prompt file of a version. Its parts stand under headings of one ``#``."""
    pieces = SECTION.split((FOLDER / f"{version}.md").read_text(encoding="utf-8"))
    parts = [(name, text.strip()) for name, text in zip(pieces[1::2], pieces[2::2], strict=True)]
    single = dict(parts)
    asked = [text for name, text in parts if name == "example user"]
    answered = [text for name, text in parts if name == "example assistant"]
    return Prompt(
        version, single["system"], tuple(zip(asked, answered, strict=True)), single["user"], single.get("again")
    )


def _shots(prompt: Prompt, system: str) -> list[Message]:
    """The part of a conversation that is the same for every session: the instructions, and how others were answered."""
    asked: list[Message] = [{"role": "system", "content": system}]
    for user, assistant in prompt.examples:
        asked += [{"role": "user", "content": user}, {"role": "assistant", "content": assistant}]
    return asked


def messages(
    window: Window,
    session: Session,
    policy: Policy,
    known_slots: Sequence[tuple[str, str]] = (),
    version: str = VERSION,
) -> list[Message]:
    """The chat messages that ask about one window. All but the last are the same for every session of a policy."""
    prompt = load_prompt(version)
    types = "\n".join(_type(kind) for kind in policy.types.values())
    asked = _shots(prompt, Template(prompt.system).safe_substitute(types=types))
    return [*asked, _last(prompt, session, window.rendered, known=_known(known_slots))]


def note_messages(said: str, session: Session, earlier: str, version: str) -> list[Message]:
    """The chat messages that ask for the note of a session of which ``said`` is shown, after an ``earlier`` one."""
    prompt = load_prompt(version)
    before = f"\nThe session began earlier. Of that its note says: {TAG.sub(RENAMED, earlier)}" if earlier else ""
    return [*_shots(prompt, prompt.system), _last(prompt, session, said, earlier=before)]


def _last(prompt: Prompt, session: Session, shown: str, **more: str) -> Message:
    """The question itself: what is shown of a session, with its day and repository."""
    said = session.ended or session.started
    content = Template(prompt.user).safe_substitute(
        date=said.date().isoformat() if said else "unknown",
        repository=_attribute(session.repo.rsplit("/", 1)[-1]),
        session=TAG.sub(RENAMED, shown),
        **more,
    )
    return {"role": "user", "content": content}


def again(reply: str, problem: str, version: str = VERSION) -> list[Message]:
    """The messages that follow an unusable reply: the reply, and what was wrong with it."""
    text = Template(load_prompt(version).again or "").safe_substitute(problem=problem)
    return [{"role": "assistant", "content": reply[:2000]}, {"role": "user", "content": text}]


def schema(policy: Policy) -> dict[str, Any]:
    """The JSON schema of a reply: reasoning first, then the list."""
    fields: dict[str, Any] = {
        "turn": {"type": "integer"},
        "evidence": {"type": "string"},
        "type": {"type": "string", "enum": list(policy.types)},
        "subject": {"type": "string"},
        "value": {"type": "string"},
        "kind": {"type": "string", "enum": [kind.value for kind in Kind]},
        "about": {"type": "string"},
        "until": {"type": ["string", "null"]},
        "importance": {"type": "integer"},
    }
    item = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {
        "type": "object",
        "properties": {"reasoning": {"type": "string"}, "candidates": {"type": "array", "items": item}},
        "required": ["reasoning", "candidates"],
        "additionalProperties": False,
    }


def _type(kind: FactType) -> str:
    """One line: what the type holds, and what its value looks like where the description does not show it."""
    hint = VALUE_HINTS.get(kind.value, "")
    return f"- {kind.name}: {kind.describes or kind.name.replace('_', ' ')}{hint}"


def _known(slots: Sequence[tuple[str, str]]) -> str:
    """The slots that hold a fact already, so that a change is given the same subject."""
    names = sorted({f"{type_name}({_attribute(subject)})" for type_name, subject in slots})[:MOST_SLOTS]
    return f"\nUse the same subject where one of these is meant: {', '.join(names)}." if names else ""


def _attribute(text: str) -> str:
    return re.sub(r"[\"<>&\n]+", " ", text).strip()
