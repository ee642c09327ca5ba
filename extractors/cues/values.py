"""Where a value ends: a pattern finds its beginning, these functions cut it down to what is surely part of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

QUOTED = re.compile(r"`+([^`\n]+)`+|\"([^\"\n]+)\"|“([^”\n]+)”|(?<!\w)'([^'\n]+)'(?!\w)")
TOKEN = re.compile(r"\S+")
ARGUMENT = re.compile(r"-{1,2}\w|.*[/=*:@$\\<>|&]|.*\w[._-]\w|\.{1,3}/?$|.*\d")
CLOSING = ".,;:!?)]}\"'”’…"
ARTICLE = re.compile(r"^(?:the|our|my|your|a|an|this|all|any|every)\s+", re.I)


def unquoted(text: str) -> str | None:
    """What stands between the quotes or back-ticks that ``text`` starts with, or None where it starts with none."""
    found = QUOTED.match(text)
    return next(group for group in found.groups() if group is not None).strip() if found else None


def command(text: str, heads: Mapping[str, int], stops: frozenset[str]) -> tuple[str, int]:
    """The shell command at the start of ``text``, and how many characters of ``text`` it takes.

    Quoted, it is taken whole. Bare, it begins with one of ``heads`` (with the number of plain words that may follow
    as sub-commands) and goes on while the words look like arguments. Empty where there is none.
    """
    if quoted := QUOTED.match(text):
        return unquoted(text) or "", quoted.end()
    plain, end, parts = -1, 0, []
    for token in TOKEN.finditer(text):
        word = token[0].rstrip(CLOSING)
        closed = len(word) < len(token[0].rstrip("\"'”’"))
        if plain < 0:
            if word.casefold() not in heads and not word.startswith(("./", "scripts/", "bin/")):
                return "", 0
            plain = heads.get(word.casefold(), 1)
        elif word.casefold() in stops or not word:
            break
        elif not ARGUMENT.match(token[0].rstrip(",;:!?")):
            if plain == 0:
                break
            plain -= 1
        elif token[0].endswith("..."):
            word, closed = token[0], False
        parts.append(word)
        end = token.start() + len(word)
        if closed:
            break
    return " ".join(parts), end


def bare(text: str) -> str:
    """A one-word value without its quotes and the punctuation after it."""
    if quoted := unquoted(text):
        return quoted
    return text.strip().strip("`\"'“”‘’").rstrip(".,;:!?)…")


def phrase(text: str) -> str:
    """A noun phrase without articles, quotes and outer punctuation, in lower case: how a subject is named."""
    text = " ".join(text.strip(" \t`\"'“”‘’*.,;:!?()").split()).casefold()
    while (cut := ARTICLE.sub("", text)) != text:
        text = cut
    return re.sub(r"[’']s$", "", text)


def path_like(value: str, tables: Mapping[str, Any]) -> bool:
    """Whether a quoted or bare word can be a path or glob: a call, a sentence or an address cannot."""
    if re.search(r"[\s(){};]|://", value) or not re.search(r"\w", value):
        return False
    return bool(re.search(r"[/.*]", value)) or value.casefold() in tables.get("file_names", ())


def quoted_command(value: str, head: re.Pattern[str]) -> bool:
    """Whether quoted text is a shell command: it begins with a known program, a path to one, or it has arguments."""
    bare_words = re.sub(r"^(?:[A-Z_][A-Z0-9_]*=\S*\s+)+", "", value).split()
    if not bare_words or not re.fullmatch(r"[a-z0-9.~/][\w./@:+-]*", bare_words[0]):
        return False
    return len(bare_words) > 1 or "/" in bare_words[0] or bool(head.fullmatch(bare_words[0]))


def command_kind(value: str, tables: Mapping[str, Any]) -> str:
    """The type of a command by its own words (``pytest`` tests, ``ruff`` lints), or empty where they do not tell."""
    for type_name, pattern in tables.get("command_kinds", ()):
        if re.search(pattern, value, re.IGNORECASE):
            return str(type_name)
    return ""


def singular(text: str) -> str:
    """English nouns in the singular, well enough for subjects to agree: branches, classes, handlers."""
    return re.sub(r"(?:(?<=ch)es|(?<=sh)es|(?<=ss)es|(?<=x)es|(?<=[^s\W])s)$", "", text)
