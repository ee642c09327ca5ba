"""Words that stand in tool results: refusals with a reason, and answers to the agent's questions."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from transcripts.session import Origin, Segment

if TYPE_CHECKING:
    from collections.abc import Callable

Cut = "Callable[[str], tuple[Segment, ...]]"

_REFUSED = ("The user doesn't want to proceed with this tool use", "The user doesn't want to take this action")
_SAID = re.compile(r"\b(?:the user|The user) said:\n?")
_TEMPLATE = "The user wants to clarify these questions."
_ANSWERED = (
    "User has answered your questions",
    "Your questions have been answered",
    "User answered Claude's questions",
)


def refusal(text: str, cut: Callable[[str], tuple[Segment, ...]]) -> tuple[Segment, ...] | None:
    """The developer's turn in a refused tool call, or None when nothing was said.

    ``text`` is the result of a call that failed; the rest of it is a template around the words.
    """
    if not text.lstrip().startswith(_REFUSED):
        return None
    said = _SAID.search(text, 0, 1200)
    if said is None:
        return None
    words = text[said.end() :]
    note = re.search(r"\n\n(?:Note: The user's next message|IMPORTANT: )", words)
    after = words[note.start() :] if note else ""
    words = words[: note.start()] if note else words
    if not words.strip() or words.lstrip().startswith(_TEMPLATE):
        return None
    return (
        Segment(Origin.INJECTED, text[: said.end()]),
        *cut(words),
        *((Segment(Origin.INJECTED, after),) if after else ()),
    )


def questions_of(tool_input: Any) -> tuple[str, frozenset[str]]:
    """What an AskUserQuestion call asks: its text as the developer saw it, and the labels of its options."""
    lines: list[str] = []
    labels: set[str] = set()
    questions = tool_input.get("questions") if isinstance(tool_input, dict) else None
    for question in questions if isinstance(questions, list) else ():
        if not isinstance(question, dict):
            continue
        lines.append(str(question.get("question") or ""))
        options = question.get("options")
        for option in options if isinstance(options, list) else ():
            label = option.get("label") if isinstance(option, dict) else option
            if isinstance(label, str):
                labels.add(_folded(label))
                about = option.get("description") if isinstance(option, dict) else None
                lines.append(f"- {label}: {about}" if about else f"- {label}")
    return "\n".join(line for line in lines if line), frozenset(labels)


def answers(
    text: str, result: Any, labels: frozenset[str] | None, cut: Callable[[str], tuple[Segment, ...]]
) -> tuple[Segment, ...] | None:
    """The developer's turn in the answer to a question, or None when this is no such answer.

    ``labels`` are the options of the call that is answered; None when it was not seen. An answer that equals an option
    is ``chosen``; one whose options are unknown counts as chosen too, which is the weaker claim.
    """
    pairs = _structured(result)
    if pairs is None:
        if labels is None or not text.lstrip().startswith(_ANSWERED):
            return None
        pairs = _from_text(text)
    elif labels is None and not text.lstrip().startswith(_ANSWERED):
        return None
    known = (labels or frozenset()) | _labels(result)
    segments: list[Segment] = []
    for question, answer, note in pairs:
        said: list[Segment] = []
        for part in answer if isinstance(answer, list) else [answer]:
            said += _answer(part, known, cut)
        if note and _folded(note) not in {_folded(part.text) for part in said}:
            said += [Segment(Origin.INJECTED, "\n"), *cut(note)] if said else cut(note)
        if said:
            segments += [Segment(Origin.INJECTED, f"{question}\n"), *said, Segment(Origin.INJECTED, "\n")]
    return tuple(segments) or None


def _answer(answer: Any, labels: frozenset[str], cut: Callable[[str], tuple[Segment, ...]]) -> list[Segment]:
    if not isinstance(answer, str) or not answer.strip():
        return []
    folded = _folded(answer)
    if not labels or folded in labels or all(part in labels for part in map(_folded, answer.split(", "))):
        return [Segment(Origin.CHOSEN, answer), Segment(Origin.INJECTED, "\n")]
    return [*cut(answer), Segment(Origin.INJECTED, "\n")]


def _structured(result: Any) -> list[tuple[str, Any, str]] | None:
    given = result.get("answers") if isinstance(result, dict) else None
    if not isinstance(given, dict):
        return None
    annotations = result.get("annotations")
    pairs: list[tuple[str, Any, str]] = []
    for question, answer in given.items():
        about = annotations.get(question) if isinstance(annotations, dict) else None
        note = about.get("notes") if isinstance(about, dict) else None
        pairs.append((question, answer, note.strip() if isinstance(note, str) else ""))
    return pairs


@cache
def _pair() -> re.Pattern[str]:
    return re.compile(
        r"\"(?P<question>[^\"]*)\"=\"(?P<answer>.*?)\"(?P<rest>(?: user notes: (?P<note>.*?))?)"
        r"(?=, \"[^\"]*\"=\"|\. You can now continue|\.?\s*$)",
        re.DOTALL,
    )


def _from_text(text: str) -> list[tuple[str, Any, str]]:
    return [(match["question"], match["answer"], (match["note"] or "").strip()) for match in _pair().finditer(text)]


def _labels(result: Any) -> frozenset[str]:
    return questions_of(result)[1] if isinstance(result, dict) else frozenset()


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).removesuffix(" (recommended)")
