"""Stretches of developer text that carry a mark: tags, fences, quotes. Found by their marks alone, in one pass."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import NamedTuple

from transcripts.own_block import MEMORY_TAG, is_in_code, may_be_here, own_spans
from transcripts.session import Origin


class Span(NamedTuple):
    """``text[start:end]`` has this origin."""

    start: int
    end: int
    origin: Origin


# Tags that only programs write. The text between them was never typed, whoever sent the record.
INJECTED_TAGS = frozenset(
    """
    system-reminder system_reminder system-message ide_opened_file ide_selection ide_diagnostics ide_context
    local-command-caveat local-command-stdout local-command-stderr command-name command-message command-args
    command-contents bash-input bash-stdout bash-stderr bash-notification user-prompt-submit-hook
    session-start-hook post-tool-use-hook task-notification agent-notification agent-message teammate-message
    channel-message background-task tool_use_error user_instructions instructions environment_context
    environment_details permissions collaboration_mode skills_instructions plugins_instructions apps_instructions
    app-context personality_spec model_switch skill user_shell_command turn_aborted subagent_notification
    additional_context recommended_plugins goal_context codex_internal_context hook_context session_context
    current_datetime reminder timestamp open_and_recently_viewed_files user_info rules attached_files
    external_links workspace_info editorcontext extra_info explicit_instructions info-msg new-diagnostics
    total_tokens budget fork-boilerplate persisted-output memory auto-memory
    """.split()
)
# Tags around text that a person brought in.
PASTED_TAGS = frozenset(
    {"pasted_content", "pasted-content", "pasted_text", "file_content", "attachment", "document", "user_query"}
)
# Elements of web pages: someone pasted markup. Machine rules judge them, the unknown-tag rule does not.
HTML_TAGS = frozenset(
    """
    a abbr article aside audio b blockquote body br button canvas caption code col dd details div dl dt em fieldset
    figure footer form g h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label legend li link main meta nav
    ol option p path picture pre script section select small source span strong style sub summary sup svg table tbody
    td template textarea tfoot th thead title tr u ul video
    """.split()
)


def has_marks(text: str) -> bool:
    """Cheap: whether :func:`marked_spans` could find anything. Most texts have not even one of the characters."""
    return (
        "<" in text
        or ("`" in text and "```" in text)
        or (">" in text and (text.startswith(">") or "\n>" in text))
        or ("[" in text and ("[Image" in text or "[Pasted" in text))
        or ('"' in text and '"""' in text)
        or ("~" in text and "~~~" in text)
        or may_be_here(text)
    )


@cache
def candidate() -> re.Pattern[str]:
    """Where a mark may begin: a tag, a fence, a quoted line, a program's one-line placeholder."""
    return re.compile(
        r"(?P<tag><(?P<name>[A-Za-z][\w.-]*)(?=[\s>/]))"
        r"|(?P<comment><!--)"
        r"|(?P<fence>`{3,}|~{3,}|(?m:^)\"{3}(?=[ \t]*$))"
        r"|(?P<quote>(?m:^)[ \t]{0,3}>(?=[ \t>]|$))"
        r"|(?P<image>(?m:^)[ \t]*\[Image: (?:source|original)\b[^\]\n]*\][ \t]*$)"
        r"|(?P<placeholder>\[Pasted text #\d+(?: \+\d+ lines)?\])",
        re.MULTILINE,
    )


@cache
def _first_character() -> re.Pattern[str]:
    """What is in each of them. Every branch begins with a letter, so that the search runs from one to the next."""
    return re.compile(r"<(?=[A-Za-z!])|```|~~~|\"\"\"|>(?=[ \t>]|$)|\[(?=Image|Pasted)", re.MULTILINE)


def next_candidate(text: str, at: int) -> re.Match[str] | None:
    """What ``candidate().search(text, at)`` finds, without trying every place.

    Some of the marks count only where nothing but blanks stands before them on the line.
    """
    pattern = candidate()
    line = at if at == 0 or text[at - 1] == "\n" else -1  # where the line begins; -1 once something stood on it
    before = at
    for found in _first_character().finditer(text, at):
        begins = found.start()
        newline = text.rfind("\n", before, begins)
        line = newline + 1 if newline >= 0 else line
        match = None
        if line >= 0 and not text[line:begins].strip(" \t"):
            match = pattern.match(text, line)
        match = match or pattern.match(text, begins)
        if match:
            return match
        line, before = -1, begins
    return None


def marked_spans(text: str, *, human: bool = True) -> list[Span]:
    """Every marked stretch, in order and without overlap.

    ``human`` False means that nothing says a person sent this record: an unknown tag at its very start then makes the
    whole text injected.
    """
    if not human:
        opening = re.match(r"\s*<([A-Za-z][\w.-]*)(?=[\s>/])", text)
        if opening and opening[1].lower() not in INJECTED_TAGS | PASTED_TAGS | HTML_TAGS | {MEMORY_TAG}:
            return [Span(0, len(text), Origin.INJECTED)]
    own = [Span(start, end, Origin.INJECTED) for start, end in own_spans(text)] if may_be_here(text) else []
    spans = list(own)
    tags = _Tags(text)
    at = 0
    while (match := next_candidate(text, at)) is not None:
        inside = next((each.end for each in own if each.start <= match.start() < each.end), None)
        if inside is not None:
            at = inside
            continue
        span = _span_at(tags, match)
        if span is None:
            at = match.end()
            continue
        spans.append(span)
        at = max(span.end, match.end())
    return _apart(spans) if own else spans


def _apart(spans: list[Span]) -> list[Span]:
    """In order; of two that overlap the later one begins where the earlier one ends."""
    apart: list[Span] = []
    for span in sorted(spans):
        start = max(span.start, apart[-1].end if apart else 0)
        if start < span.end:
            apart.append(span._replace(start=start))
    return apart


def _span_at(tags: _Tags, match: re.Match[str]) -> Span | None:
    """The marked stretch that begins here, or None when this is only a mention of the mark."""
    text, start = tags.text, match.start()
    if match["tag"]:
        return _tag_span(tags, start, match["name"])
    if match["comment"]:
        end = text.find("-->", start)
        return Span(start, len(text) if end < 0 else end + 3, Origin.PASTED)
    if match["fence"]:
        return _fence_span(text, start, match["fence"])
    if match["quote"]:
        if text.startswith(">>> ", start):  # Python's prompt: what it printed stands below
            end = text.find("\n\n", start)
            return Span(start, len(text) if end < 0 else end + 1, Origin.PASTED)
        end = start
        for line in re.compile(r"[ \t]{0,3}>[^\n]*(?:\n|$)").finditer(text, start):
            if line.start() != end:
                break
            end = line.end()
        return Span(start, end, Origin.PASTED)
    return Span(start, match.end(), Origin.INJECTED)


def _line_start(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def _tag_span(tags: _Tags, start: int, name: str) -> Span | None:
    """From an opening tag to its closing one. Unclosed: to the end when the tag opens a line, else only a mention."""
    text, lowered = tags.text, name.lower()
    if name == MEMORY_TAG:
        return None  # where it is more than a mention, it was found as our own block
    known = lowered in INJECTED_TAGS
    pasted = lowered in PASTED_TAGS
    opens_line = _line_start(text, start)
    if not (known or pasted) and (not opens_line or lowered in HTML_TAGS):
        return None
    if is_in_code(text, start):
        return None
    end = tags.closing(start, name)
    if known or pasted:
        if end is None and (not opens_line or name.isalpha()):
            return None  # "<timestamp> goes first in each line" is about a placeholder
        origin = Origin.PASTED if pasted else Origin.INJECTED
        return Span(start, len(text) if end is None else end, origin)
    if end is None or "\n" not in text[start:end]:
        return None
    return Span(start, end, Origin.PASTED)  # somebody's own tags around a block that was brought in


class _Tags:
    """Where the tags of each name stand in one text, found once per name."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._found: dict[str, tuple[list[int], list[int], list[bool]]] = {}

    def _of(self, name: str) -> tuple[list[int], list[int], list[bool]]:
        """Starts, ends, and whether each is a closing tag."""
        if name not in self._found:
            pattern = re.compile(rf"<(/?){re.escape(name)}(?=[\s>/])[^<>]*>")
            tags = list(pattern.finditer(self.text)) if f"</{name}" in self.text else []
            self._found[name] = ([t.start() for t in tags], [t.end() for t in tags], [bool(t[1]) for t in tags])
        return self._found[name]

    def closing(self, start: int, name: str) -> int | None:
        """The end of the closing tag that belongs to the one at ``start``; nested ones are counted.

        More closing tags than opening ones means that the content holds one of its own: then the last one counts. So
        it does for what an editor adds, which it adds once: a selected text may hold the editor's own tags.
        """
        text = self.text
        bracket = text.find(">", start)
        if text.startswith("/>", bracket - 1):
            return bracket + 1
        if name.lower() == "pasted_content":
            identity = re.compile(r"<[\w.-]+\s+id=(\"[^\"\n]*\")").match(text, start)
            if identity:
                ending = re.compile(r"</" + re.escape(name) + r"\s+id=" + re.escape(identity[1]) + r"\s*>")
                exact = ending.search(text, start)
                if exact:
                    return exact.end()
        starts, ends, closes = self._of(name)
        first = bisect_left(starts, start)
        closed = sum(closes[first:]) if name.lower() in INJECTED_TAGS else 0
        last = next((index for index in range(len(closes) - 1, first - 1, -1) if closes[index]), None)
        if last is None:
            return None
        if closed * 2 > len(closes) - first or name.lower().startswith("ide_"):
            return ends[last]
        depth = 0
        for index in range(first, len(starts)):
            depth += -1 if closes[index] else 1
            if depth == 0:
                return ends[index]
        return ends[last]


def _fence_span(text: str, start: int, fence: str) -> Span | None:
    """A fenced block, nested fences included. On one line it is inline code, which people type."""
    line_end = text.find("\n", start)
    first_line = text[start + len(fence) : len(text) if line_end < 0 else line_end]
    if fence[0] != '"' and fence[0] in first_line:
        return None  # closed on its own line, or not a fence
    if line_end < 0:
        return Span(start, len(text), Origin.PASTED) if first_line.strip() and _line_start(text, start) else None
    mark, whole = re.escape(fence[0]), re.escape(fence)
    lines = re.compile(rf"\n[ \t]*{whole}{mark}*(?:([^\s{mark}][^\n{mark}]*$)|[ \t]*$|(?=[ \t]))", re.MULTILINE)
    depth = 1
    for line in lines.finditer(text, line_end):
        depth += 1 if line[1] else -1  # a language behind it opens a fence inside the fence
        if depth == 0:
            return Span(start, line.end(), Origin.PASTED)
    ending = re.compile(rf"{whole}{mark}*[ \t]*(?=\n|$)").search(text, line_end + 1)
    if ending and depth == 1:  # closed at the end of a line of content
        return Span(start, ending.end(), Origin.PASTED)
    return Span(start, len(text), Origin.PASTED)
