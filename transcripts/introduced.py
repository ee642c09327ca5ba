"""Sentences that announce what is pasted below them: "here is the log:", "the reviewer said:"."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from transcripts.lines import listed
from transcripts.machine import Kind, own_voice

if TYPE_CHECKING:
    from transcripts.lines import Line


@cache
def _output_words() -> re.Pattern[str]:
    return re.compile(
        r"(?:\b(?:logs?|outputs?|stack ?traces?|tracebacks?|stderr|stdout|console|terminal|dump|exception|responses?"
        r"|payload|screen|error messages?|errors?|warnings?|message)\b"
        r"|\b(?:throws?|throwing|prints?|printed|printing|shows?|showing|returns?|outputs?|logs?|fails with"
        r"|failing with|i get|i got|getting|i see|gives?(?: me)?|says?|saying|said|wrote|writes)\b)[^.!?\n]{0,60}:\s*$",
        re.IGNORECASE,
    )


@cache
def _review_words() -> re.Pattern[str]:
    return re.compile(
        r"(?:\b(?:here'?s|here is|here are|this is|these are|below (?:is|are)|see|following|got|received|from|left"
        r"|posted)\b[^\n]{0,60}"
        r"\b(?:reviews?|feedback|comments?|findings|report|suggestions|e-?mail|ticket|message|reply)\b"
        r"|\b(?:reviewer|copilot|coderabbit|codex|gemini|gpt|chatgpt|claude|bugbot|greptile|sonar\w*|bot|docs?|readme|ticket"
        r"|article|colleague|customer|client)\b[^\n]{0,30}"
        r"\b(?:says?|said|wrote|writes|commented|reported|suggests?|suggested|found|flagged|replied|answered)\b)"
        r"[^.!?\n]{0,60}:\s*$",
        re.IGNORECASE,
    )


@cache
def _their_words() -> re.Pattern[str]:
    """Words of another: "PR 154's comments:", "what the reviewer's findings were:"."""
    return re.compile(
        r"\b(?:PR|MR|pull request|review(?:er)?|copilot|codex|coderabbit|bugbot|bot|colleague|customer|client"
        r"|his|her|their|\w+'s)\b[^\n:]{0,24}\b(?:comments?|feedback|reviews?|findings|suggestions|report)\b[^.!?\n:]{0,40}:$",
        re.IGNORECASE,
    )


@cache
def _possession() -> re.Pattern[str]:
    return re.compile(r"\b(?:my|mine|our|ours)\b", re.IGNORECASE)


@cache
def _error_word() -> re.Pattern[str]:
    return re.compile(r"\b(?:errors?|output|log|says|this|is|gets?|got|with)\s*$", re.IGNORECASE)


@cache
def _mine() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:my|mine|our|should|must|want|need|rules?|requirements?|tasks?|todo|steps?|plan|fix|address)\b", re.I
    )


def introduced(lines: list[Line], at: int) -> str:
    """Whether the line before says that what follows was brought in: "output", "review", or "" for no."""
    if lines[at].kind is Kind.BLANK:
        return ""
    before = at - 1
    while before >= 0 and lines[before].kind is Kind.BLANK and at - before <= 3:
        before -= 1
    if before < 0 or lines[before].kind is not Kind.OTHER:
        return ""
    said = lines[before].text.rstrip()[-160:]
    first = lines[at].text
    if not said.endswith(":"):
        named = lines[at].kind is Kind.WEAK and at - before == 1 and _error_word().search(said)
        return "output" if named and first.lower().startswith(("error", "warning", "fail", "exception")) else ""
    if _their_words().search(said) and not _possession().search(said):
        return "review"
    if _mine().search(said) or listed(first):
        return ""
    if _review_words().search(said):
        return "review"
    if not _output_words().search(said):
        return ""
    near = any(line.kind is Kind.STRONG for line in lines[at : at + 6]) and not first[:1].islower()
    return "output" if near or not own_voice(first) else ""
