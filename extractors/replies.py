"""What a model wrote, as a list of items. Small models break JSON in a dozen ways; one bad item costs that item.

No usable list is a failure with a name. "Nothing found" is only what says so: an empty list.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.S | re.I)
THOUGHTS_END = re.compile(r"^.*?</(?:think|thinking|reasoning)>", re.S | re.I)
THOUGHTS_ONLY = re.compile(r"<(?:think|thinking|reasoning)>.*\Z", re.S | re.I)
FENCE = re.compile(r"```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)", re.S)
LIST_KEY = re.compile(r"[\"'](?:candidates|facts|items)[\"']\s*:\s*\[")
TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
KEYS = ("candidates", "facts", "items")
ITEM_KEYS = {"evidence", "type", "value"}
LOGIN = r"\b(?:log ?in|sign ?in|authenticate|api key|unauthori[sz]ed)\b|/login\b"
QUOTA = r"\b(?:quota|rate.?limit|usage limit|limit reached|credits?|billing|overloaded|too many requests)\b"
REFUSAL = r"\b(?:can(?:no|')t|unable to|won't) (?:help|assist|comply|do|process|provide|fulfil)|\bi(?:'m| am) sorry\b"
NO_LIST = (("asks for a login", LOGIN), ("says that a quota is used up", QUOTA), ("refuses", REFUSAL))


class UnusableReply(Exception):  # noqa: N818 - it is the reply that is unusable, and the re-ask quotes that
    """A reply that holds no answer to what was asked; the message says what it holds instead."""


@dataclass(frozen=True, slots=True)
class Items:
    """The items of a reply as the model wrote them, and the stretches that are no item, each with the reason."""

    items: tuple[Any, ...]
    broken: tuple[tuple[str, str], ...] = ()


def parse_reply(text: str) -> Items:
    """The candidates in a reply. Raises :class:`UnusableReply` where there is no list at all."""
    said = _without_thoughts(text, LIST_KEY)
    for body in (*FENCE.findall(said), said):
        found = _items_in(body.strip())
        if found is not None and (found.items or not found.broken):
            return found
        if found is not None:
            raise UnusableReply(f"no item of its list is complete ({found.broken[0][1]})")
    raise UnusableReply(_why(said))


def parse_object(text: str, key: str) -> dict[str, Any]:
    """The object in a reply that has this key. Raises :class:`UnusableReply` where there is none."""
    said = _without_thoughts(text, re.compile(rf"[\"']{key}[\"']\s*:"))
    for body in (*FENCE.findall(said), said):
        for piece, complete in _objects(body, 0):
            found = _object(piece) if complete else None
            if found is not None and key in found:
                return found
    raise UnusableReply(_why(said, "object"))


def _without_thoughts(text: str, answer: re.Pattern[str]) -> str:
    """What a reply says beside its thoughts; ``answer`` is how an answer begins. Raises UnusableReply for nothing."""
    said = THINKING.sub("", text)
    said = THOUGHTS_ONLY.sub("", said if answer.search(said.split("</think>")[0]) else THOUGHTS_END.sub("", said))
    if not said.strip():
        raise UnusableReply("it is empty" if not text.strip() else "it holds thoughts and no answer")
    return said


def _items_in(body: str) -> Items | None:
    value = _loads(body)
    if value is not None:
        items = _items(value)
        return None if items is None else Items(tuple(items))
    for key in LIST_KEY.finditer(body):
        if (found := _list_at(body, key.end() - 1)) is not None:
            return found
    for bracket in re.finditer(r"\[\s*(?=\{)", body):
        if (found := _list_at(body, bracket.start())) is not None:
            return found
    if item := re.search(r"\{\s*[\"'](?:turn|evidence|type)[\"']\s*:", body):
        return _piecewise(body, item.start())
    return None


def _items(value: Any) -> list[Any] | None:
    """The items of a value that parses as a whole, or None where it is no answer."""
    if isinstance(value, dict):
        if isinstance(value.get("error"), (str, dict)):
            raise UnusableReply(f"it reports an error: {str(value['error'])[:120]}")
        for key in KEYS:
            if isinstance(value.get(key), list):
                return list(value[key])
        return [value] if value.keys() >= ITEM_KEYS else None
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return value
    return None


def _list_at(body: str, start: int) -> Items | None:
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(body, start)
    except (ValueError, RecursionError):
        return _piecewise(body, start + 1)
    return Items(tuple(value))


def _piecewise(body: str, start: int) -> Items | None:
    """Item by item from a list that does not parse as a whole: cut off, with stray commas or single quotes."""
    items: list[Any] = []
    broken: list[tuple[str, str]] = []
    for piece, complete in _objects(body, start):
        if not complete:
            broken.append((piece, "the reply was cut off inside this item"))
        elif (item := _object(piece)) is not None:
            items.append(item)
        else:
            broken.append((piece, "this item is not valid JSON"))
    return Items(tuple(items), tuple(broken)) if items or broken else None


def _loads(text: str) -> Any:
    for candidate in (text, TRAILING_COMMA.sub("", text)):
        try:
            return json.loads(candidate, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _objects(body: str, start: int) -> Iterator[tuple[str, bool]]:
    """The ``{…}`` of a list, and whether each is closed; ends with the list."""
    depth, begin, quote, escaped = 0, start, "", False
    for at in range(start, len(body)):
        char = body[at]
        if quote:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == quote and (quote == '"' or re.match(r"\s*[,:}\]]", body[at + 1 :])):
                quote = ""
        elif char == '"' or (char == "'" and re.search(r"[\[{,:]\s*$", body[max(0, at - 20) : at])):
            quote = char
        elif char == "{":
            begin = at if depth == 0 else begin
            depth += 1
        elif char == "}" and depth:
            depth -= 1
            if depth == 0:
                yield body[begin : at + 1], True
        elif char == "]" and depth == 0:
            return
    if depth:
        yield body[begin:], False


def _object(piece: str) -> dict[str, Any] | None:
    """One item, mended where that is safe: trailing commas, Python's quotes and words."""
    if (value := _loads(piece)) is not None:
        return value if isinstance(value, dict) else None
    plain = re.sub(r"(:\s*)(null|true|false)\b", lambda m: m[1] + {"null": "None"}.get(m[2], m[2].title()), piece)
    try:
        value = ast.literal_eval(plain)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return value if isinstance(value, dict) and all(isinstance(key, str) for key in value) else None


def _why(said: str, wanted: str = "list of candidates") -> str:
    for reason, pattern in NO_LIST:
        if len(said) < 2000 and re.search(pattern, said, re.I):
            return f"it {reason}: {' '.join(said.split())[:120]}"
    return f"it holds no {wanted}" if re.search(r"[\[{]", said) else "it is prose without JSON"
