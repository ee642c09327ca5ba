"""Which stored paths a request would touch."""

from __future__ import annotations

import re

from afterpass.recall.wording import fold, names_subject, stem, stems, words

# A word with a slash, with an extension, a dot file, or one of the file names that have neither.
PATH = re.compile(
    r"(?<![\w/.-])(?:\.{0,2}/)?(?:[\w@*.+-]+/)+[\w@*.+-]*"
    r"|(?<![\w/.])[\w@*+-][\w@*.+-]*\.[A-Za-z*][\w*]{0,9}(?![\w/])"
    r"|(?<![\w/.])\.[A-Za-z][\w.-]+"
    r"|\b(?:Makefile|Dockerfile|Jenkinsfile|Procfile|Gemfile|Rakefile|LICENSE|CODEOWNERS)\b"
)
NO_PATH = re.compile(r"v?[\d.*]+|e\.g|i\.e|and/or|n/a|w/o|ci/cd|www\..*", re.IGNORECASE)

LOOKING = (
    "read look show explain see open print cat find search list describe summarise summarize compare check "
    "what where why who when how which does is are tell"
)
LOOKS_ONLY = re.compile(
    r"^\W*(?:(?:please|pls|can you|could you|would you|just|hey|ok|okay|so)\W+)*(?:"
    + "|".join(LOOKING.split())
    + r")\b",
    re.IGNORECASE,
)
CHANGING = (
    "edit chang updat add fix renam remov delet mov refactor format writ regenerat bump rewrit replac put insert "
    "adjust clean touch modif patch drop creat mak set tidy sort split merg convert migrat correct append tweak apply "
    "run extend rework revert turn swap shorten upgrad implement improv "
    "commit rebuild generat strip trim expand allow may"
)
CHANGES = re.compile(r"\b(?:" + "|".join(CHANGING.split()) + r")(?:e|es|ed|ing|s|d|t|ten|ify|ied)?\b", re.IGNORECASE)
CLAUSE_END = re.compile(r"(?<=[.!?;])\s+|\n+")

# Folders that every repository has: their names alone point nowhere.
COMMON = words("src lib libs app apps packages package pkg core api client server web tests test db docs utils common")
GLOB = re.compile(r"[*?\[{]")


def paths_in(text: str) -> list[str]:
    """The paths and file names of a text in their order, without a leading ``./`` or ``/``."""
    found = (match.group(0).rstrip(".,;:!?") for match in PATH.finditer(text))
    return [
        path.removeprefix("./").lstrip("/") for path in found if re.search(r"\w", path) and not NO_PATH.fullmatch(path)
    ]


def touches(request: str, pattern: str) -> bool:
    """Whether doing what ``request`` says may change something at the stored path or glob ``pattern``.

    Clauses that only look ("explain db/schema.sql") touch nothing. Where the request names paths, those decide;
    where it names none, the name of the stored folder or file does ("the generated client", "the schema file").
    """
    clauses = [clause for clause in CLAUSE_END.split(request) if not _only_looks(clause)]
    named = [path for clause in clauses for path in paths_in(clause)]
    if named:
        return any(covers(pattern, path) for path in named)
    return any(_names(clause, pattern) for clause in clauses)


def names_no_path(request: str) -> bool:
    """Whether a request speaks of no path at all."""
    return not paths_in(request)


def covers(pattern: str, path: str) -> bool:
    """Whether a stored path or glob and a path of a request meet: the same, one inside the other, or a glob's hit.

    A request may leave out the leading folders ("schema.sql" for ``db/schema.sql``).
    """
    pattern, path = _plain(pattern), _plain(path)
    if not pattern or not path:
        return False
    if any(_meets(shorter, path) for shorter in _endings(pattern)):
        return True
    return "/" in pattern and not GLOB.search(pattern) and path.endswith("/" + pattern)


def _only_looks(clause: str) -> bool:
    return bool(LOOKS_ONLY.match(clause)) and not CHANGES.search(PATH.sub(" ", clause))


def _plain(path: str) -> str:
    return fold(path).removeprefix("./").strip("/`'\" ")


def _endings(pattern: str) -> list[str]:
    """The pattern, and what is left of it without its leading folders while that still points somewhere."""
    parts = pattern.split("/")
    endings = [pattern]
    for i in range(1, len(parts)):
        first = parts[i]
        if GLOB.search(first) or first in COMMON:
            continue
        endings.append("/".join(parts[i:]))
    return endings


def _meets(pattern: str, path: str) -> bool:
    if not GLOB.search(pattern):
        return _inside(path, pattern) or (_is_folder(path) and _inside(pattern, path))
    base = re.split(r"/?[^/]*[*?\[{]", pattern, maxsplit=1)[0]
    if base and (path == base or (_is_folder(path) and _inside(base, path))):
        return True
    if "/" not in pattern:
        path = path.rsplit("/", 1)[-1]
    return bool(_regex(pattern).fullmatch(path))


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _is_folder(path: str) -> bool:
    return "." not in path.rsplit("/", 1)[-1]


def _regex(pattern: str) -> re.Pattern[str]:
    """A glob as a pattern: ``**`` crosses folders, ``*`` and ``?`` do not, ``{a,b}`` is either."""
    out, i = "", 0
    while i < len(pattern):
        if pattern.startswith("**/", i):
            out, i = out + "(?:.*/)?", i + 3
        elif pattern.startswith("**", i):
            out, i = out + ".*", i + 2
        else:
            char = pattern[i]
            out += {"*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")", ",": "|"}.get(char, re.escape(char))
            i += 1
    try:
        return re.compile(out)
    except re.error:
        return re.compile(re.escape(pattern))


EDITING = frozenset(
    map(stem, words("edit change update fix rename touch modify regenerate rewrite clean patch adjust format reorder"))
)
NEAR = 4  # words between the verb and the file's name


def _names(clause: str, pattern: str) -> bool:
    """Whether a clause without paths speaks of the stored path by its name.

    A folder's name is enough ("the generated client"); a file's name has to be called a file, edited by hand, or be
    what an editing verb takes ("update the schema").
    """
    parts = [part for part in _plain(pattern).split("/") if not GLOB.search(part)]
    if not parts:
        return False
    name, spoken = parts[-1], clause.replace("-", " ").replace("_", " ")
    if "." in name.strip("."):
        return _is_edited(stems(name.strip(".").split(".")[0].replace("-", " ").replace("_", " ")), spoken)
    if name in COMMON:
        if len(parts) < 2:
            return False
        name = " ".join(parts[-2:])
    return names_subject(name.replace("-", " ").replace("_", " "), spoken)


def _is_edited(name: list[str], clause: str) -> bool:
    said = stems(clause)
    for i in range(len(said) - len(name) + 1):
        if name and said[i : i + len(name)] == name:
            after = said[i + len(name) : i + len(name) + 1]
            by_hand = re.search(r"\b(?:by hand|directly|manually)\b", clause, re.IGNORECASE)
            if after == [stem("file")] or by_hand or EDITING & set(said[max(i - NEAR, 0) : i]):
                return True
    return False
