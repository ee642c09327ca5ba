"""Which part of a Codex user message the developer typed: editors put a prefix before it, programs send whole ones."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from transcripts.session import Origin, Segment
from transcripts.templates import expanded, with_arguments

if TYPE_CHECKING:
    from collections.abc import Callable

Cut = "Callable[[str], tuple[Segment, ...]]"


@cache
def _fragment() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?:# AGENTS\.md instructions\b"
        r"|<(?:user_instructions|environment_context|INSTRUCTIONS|skill|user_shell_command|turn_aborted"
        r"|subagent_notification|additional_context|recommended_plugins|goal_context|codex_internal_context"
        r"|permissions instructions|collaboration_mode|skills_instructions|plugins_instructions|apps_instructions"
        r"|app-context|personality_spec|model_switch|image)\b"
        r"|Warning: (?:The maximum number of|apply_patch was requested)"
        r"|Another language model started to solve this problem and produced a summary"
        r"|\[bd prime\])"
    )


def written_by_program(text: str) -> bool:
    """Whether a user-role item without a proven human origin is one of Codex's own fragments."""
    return bool(_fragment().match(text))


@cache
def _request() -> re.Pattern[str]:
    return re.compile(r"^#{1,3} My request for Codex:?[ \t]*\n?", re.MULTILINE)


def words_begin(text: str) -> int:
    """Where the words begin behind what an editor puts before them; the end, where it puts nothing else."""
    if not text.lstrip().startswith(("# Context from my IDE setup:", "# Files mentioned by the user:")):
        return 0
    markers = list(_request().finditer(text))
    return markers[-1].end() if markers else len(text)


def segments_of(
    text: str, cut: Callable[[str], tuple[Segment, ...]], cwd: str | None = None
) -> tuple[tuple[Segment, ...], str]:
    """The segments of one message, and the channel that its words came through."""
    begins = words_begin(text)
    words = text[begins:]
    if not words:
        return (Segment(Origin.INJECTED, text),), "prompt"
    before = (Segment(Origin.INJECTED, text[:begins]),) if begins else ()
    arguments = template_arguments(words, cwd)
    if arguments is not None:
        return (*before, *with_arguments(words, arguments, cut)), "command_args"
    command = re.match(r"\s*/(?:prompts:)?[a-z][\w-]*(?:[ \t]+|\s*$)", words)
    if command:
        name = Segment(Origin.INJECTED, words[: command.end()])
        return (*before, name, *cut(words[command.end() :])), "command_args"
    return (*before, *cut(words)), "prompt"


def template_arguments(text: str, cwd: str | None) -> list[tuple[int, int]] | None:
    """Where the developer's arguments stand in an expanded custom prompt; None when the text is no such prompt.

    A prompt is known by its file, where that can be read, and by an argument place that was left unfilled.
    """
    found = expanded(text, "codex", cwd)
    if found is not None or len(text) < 80 or "\n" not in text.strip() or "$ARGUMENTS" not in text:
        return found
    last = text.rstrip().rfind("\n") + 1
    line = text[last:].strip()
    if "$ARGUMENTS" in line or not line or line.startswith(("#", "-", "`", "*", "|", "<")):
        return []
    return [(last, len(text))]


def answers_of(
    output: Any, labels: frozenset[str], questions: dict[str, str], cut: Callable[[str], tuple[Segment, ...]]
) -> tuple[Segment, ...] | None:
    """The developer's turn in the answer to Codex's questions, or None when nothing was answered.

    ``output`` maps question ids to lists of answers; a note begins with ``user_note:``.
    """
    given = output.get("answers") if isinstance(output, dict) else None
    if not isinstance(given, dict):
        return None
    out: list[Segment] = []
    for ident, answer in given.items():
        listed = answer.get("answers") if isinstance(answer, dict) else answer
        said: list[Segment] = []
        for part in listed if isinstance(listed, list) else [listed]:
            if not isinstance(part, str) or not part.strip():
                continue
            note = part.removeprefix("user_note:").lstrip() if part.startswith("user_note:") else None
            chosen = note is None and (not labels or " ".join(part.casefold().split()) in labels)
            said += [Segment(Origin.CHOSEN, part)] if chosen else cut(note if note is not None else part)
            said.append(Segment(Origin.INJECTED, "\n"))
        if said:
            out += [Segment(Origin.INJECTED, f"{questions.get(ident, ident)}\n"), *said]
    return tuple(out) or None
