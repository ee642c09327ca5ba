"""A shell command on one line."""

from __future__ import annotations

import re
import unicodedata

from transcripts.lazy import lazy
from validators.fold import fold_value
from validators.values.words import DETERMINERS, FUNCTION_WORDS, begins_name, unwrap

MOST = 300
ASSIGNMENT = lazy(r"[A-Za-z_][A-Za-z0-9_]*=\S*")
PROGRAM = lazy(r"(?:\.{0,2}/)?[A-Za-z0-9_@.][A-Za-z0-9_@.+/:-]*")
QUOTED = lazy(r"\"[^\"]{0,300}\"|'[^']{0,300}'")
NO_PROGRAM = FUNCTION_WORDS - {"make", "run", "just", "check", "at", "who"} | {
    "yes",
    "no",
    "ok",
    "none",
    "tests",
    "feel",
    "keep",
    "remember",
    "ensure",
    "focus",
    "consider",
    "please",
    "thanks",
}
WORDS_OF_A_SENTENCE = 2
PREDICATES = frozenset(
    "is are was were has have does do takes needs uses goes gets says fails works runs wants looks seems breaks hangs "
    "crashes shows gives keeps makes stays comes messes".split()
)
"""What a thing does in a sentence, right after its name: no program has a sub-command like it."""
SHELL_WORDS = frozenset(
    {
        "if",
        "then",
        "do",
        "in",
        "for",
        "while",
        "all",
        "check",
        "run",
        "make",
        "and",
        "each",
        "on",
        "use",
        "to",
        "from",
        "with",
    }
)
TICKS = lazy(r"`([^`\n]{1,400})`")
SEPARATOR = lazy(r"(?:&&|\|\||[;|&])")


def clean(value: str) -> str:
    """The command without outer marks and without a prompt in front."""
    bare = unwrap(unicodedata.normalize("NFKC", value.replace("…", "\0")).replace("\0", "…"))
    bare = re.sub(r"^\$\s+", "", bare)
    bare = bare[:-1] if bare[-1:] in ".,;" and not (bare[-2:-1].isspace() or bare[-2:-1] in "./") else bare
    return re.sub(r"\s*\\\n\s*", " ", bare).strip()


def check(value: str) -> str | None:
    """A problem unless the value has the shape of a shell command: a program first, no sentence."""
    if not value:
        return "empty"
    if len(value) > MOST:
        return f"longer than {MOST} characters"
    if "\n" in value or "…" in value:
        return "not one whole line"
    words = value.split()
    program = next((w for w in words if not ASSIGNMENT.fullmatch(w)), "")
    if not PROGRAM.fullmatch(program.strip("\"'")) or program.casefold() in NO_PROGRAM:
        return f"{program[:30]!r} is no program"
    bare = [w.casefold().strip(",.") for w in QUOTED.sub(" ", value).split()[1:]]
    prose = [w for w in bare if w in FUNCTION_WORDS - SHELL_WORDS]
    if len(prose) >= WORDS_OF_A_SENTENCE or (bare and bare[0] in DETERMINERS | PREDICATES):
        return "a sentence, not a command"
    return None


def normalise(value: str) -> str:
    """Commands are compared with their white space collapsed and one form of quotes; their case matters."""
    return " ".join(clean(value).replace('"', "'").split())


def supported(value: str, text: str) -> bool:
    """Whether the text holds the whole command.

    A command in back-ticks is taken as a whole: a value that leaves out its options or its first word is another
    command.
    """
    wanted = fold_value(value)
    if not wanted:
        return False
    ticked = [fold_value(match.group(1)) for match in TICKS.finditer(text)]
    if any(_is_part(wanted, command) for command in ticked):
        return True
    return _stands_bare(wanted, fold_value(TICKS.sub(" \x00 ", text)))


def _is_part(wanted: str, command: str) -> bool:
    """Whether a value is a ticked command or one of the commands chained in it."""
    command = re.sub(r"^\$\s+", "", command)
    return wanted == command or any(wanted == part.strip() for part in SEPARATOR.split(command))


def _stands_bare(wanted: str, folded: str) -> bool:
    """Whether a value stands in prose, and no option follows that it leaves out."""
    at = folded.find(wanted)
    while at >= 0:
        rest = folded[at + len(wanted) : at + len(wanted) + 80]
        if begins_name(folded, at) and not re.match(r"[\w/-]|\.(?=\w)|\s-{1,2}[a-z]|:(?=\w)", rest):
            return True
        at = folded.find(wanted, at + 1)
    return False
