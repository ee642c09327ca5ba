"""Which stored paths a request would touch."""

from __future__ import annotations

import posixpath
import re

from afterpass.recall.wording import EMPTY, fold, names_subject, stem, stems, words

# A word with a slash, with an extension, a dot file, or one of the file names that have neither.
PATH = re.compile(
    r"(?<![\w/.-])(?:~/|\.{0,2}/)?(?:[\w@*.+-]+/)+[\w@*.+-]*"
    r"|(?<![\w/.])[\w@*+-][\w@*.+-]*\.[A-Za-z*][\w*]{0,9}(?![\w/])"
    r"|(?<![\w/.])\.[A-Za-z][\w.-]+"
    r"|\b(?:Makefile|Dockerfile|Jenkinsfile|Procfile|Gemfile|Rakefile|LICENSE|CODEOWNERS)\b"
)
NO_PATH = re.compile(r"v?[\d.*]+|e\.g|i\.e|and/or|n/a|w/o|ci/cd|www\..*", re.IGNORECASE)

LOOKING = (
    "read look show explain see open print cat find search list describe summarise summarize compare check "
    "what where why who when how which does is are tell review inspect study understand know learn trace follow "
    "analyse analyze investigate count verify confirm answer report give"
)
POLITELY = r"(?:(?:please|pls|can you|could you|would you|just|also|hey|ok|okay|so|then|now|path)\W+)*"
LOOKS_ONLY = re.compile(rf"^\W*{POLITELY}(?:{'|'.join(LOOKING.split())})\b", re.IGNORECASE)
STEP = re.compile(r"[,;:()–—]+|\s-\s|\b(?:and|then|but|so|to|or)\b", re.IGNORECASE)
FIRST_WORDS = re.compile(rf"\W*{POLITELY}(?P<first>[\w'’-]*)\W*(?P<second>[\w'’-]*)", re.IGNORECASE)
# A part of a sentence that begins so asks for no change of its own: looking words, and words that are no verbs.
HARMLESS = (
    EMPTY
    | words(LOOKING)
    | words("path please pls thanks thank cheers not no if because since after before both each some any only there")
)
NO_VERBS_BEFORE = words("in of from at within under inside do does work works is are was were behave")

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

PLACE = r"(?:repo(?:sitory)?|project|code ?base|source tree|tree|checkout|workspace|working copy)"
WHOLE = re.compile(
    rf"\b(?:whole|entire|complete|all of the|all the|across the|throughout the)\s+(?:[\w-]+\s+)?{PLACE}\b"
    rf"|\b{PLACE}[ -]wide\b"
    r"|\bevery\s+(?:single\s+)?(?:file|folder|directory|module)\b(?!\s+(?:in|under|inside|of|from)\b)"
    r"|\ball\s+(?:(?:of\s+)?(?:the|our|its)\s+)?(?:files|folders|directories|modules|code|sources)\b(?!\s+(?:in|under|inside|of|from)\b)"
    rf"|\beverything\s+in\s+(?:the|this|our)\s+{PLACE}\b|\beverywhere\b(?!\s+(?:in|under|inside)\b)"
    r"|\beverything\b(?!\s+(?:in|under|inside|of|from|is|was|works?|else|looks?|passes|seems|should|that|we|you|i|up|about"
    r"|needed|necessary|there|below|above|related)\b)"
    r"|(?:--fix|--write|--in-place|\b(?:prettier|black|ruff|gofmt|rustfmt|eslint|isort|biome|format|rm|sed))\b[^.;\n]{0,60}"
    r"\s[.*](?=[\s`\"']|$)",
    re.IGNORECASE,
)
SPARED = re.compile(
    r"\b(?:except(?:ing)?(?:\s+for)?|but\s+not|other\s+than|apart\s+from|aside\s+from|besides|excluding|without|outside(?:\s+of)?"
    r"|but)\s+(?P<what>[^;!?\n]*)",
    re.IGNORECASE,
)


ALSO = r"(?:[,&]|\b(?:and|also|in|inside|under|within|into|to|from|of))\s+"
"""What stands before a second place that a clause reaches."""


def paths_in(text: str) -> list[str]:
    """The paths and file names of a text in their order, with slashes, without a leading ``./``, ``/`` or ``@``."""
    return [path.lstrip("/") for path in _written(text)]


def _written(text: str) -> list[str]:
    """The paths of a text; a full one keeps its leading slash."""
    found = (match.group(0).rstrip(".,;:!?") for match in PATH.finditer(_with_slashes(text)))
    return [
        path.removeprefix("./").removeprefix("@") if not path.startswith("~/") else path[1:]
        for path in found
        if re.search(r"\w", path) and not NO_PATH.fullmatch(path)
    ]


def _with_slashes(text: str) -> str:
    return re.sub(r"(?<=[\w.:])\\+(?=[\w.*@])", "/", text)


def inside_checkout(request: str, top: str) -> str:
    """A request whose full paths into the checkout ``top`` are written from its top folder on."""
    folders = {top.rstrip("/"), posixpath.realpath(top).rstrip("/")} if top else set()
    home = posixpath.expanduser("~").rstrip("/")
    folders |= {"~" + folder.removeprefix(home) for folder in folders if home and folder.startswith(home + "/")}
    for folder in sorted(filter(None, folders), key=len, reverse=True):
        request = re.sub(rf"(?<![\w./~-]){re.escape(folder)}/", "", request)
    return request


def touches(request: str, pattern: str) -> bool:
    """Whether doing what ``request`` says may change something at the stored path or glob ``pattern``.

    Clauses that only look ("explain db/schema.sql") touch nothing, unless a later one does something that names no path
    of its own. Where the request names paths, those decide; where it names none, the name of the stored folder or file
    does ("the generated client", "the schema file"). The whole repository is touched but for what is spared.
    """
    clauses = _doing(request)
    if any(_reaches_all(clause, pattern) for clause in clauses):
        return True
    named = [path for clause in clauses for path in _written(_without_spared(clause))]
    if named:
        return any(_covers_written(pattern, path) for path in named) or any(
            _calls(_without_spared(each), pattern) for each in clauses
        )
    return any(_names(_without_spared(clause), pattern) for clause in clauses)


def _calls(clause: str, pattern: str) -> bool:
    """Whether a clause that also names paths calls the stored one a folder: "src/a.js and the legacy folder"."""
    name = _plain(pattern).rsplit("/", 1)[-1]
    if not name or GLOB.search(name) or _only_looks(clause):
        return False
    spoken = re.escape(name).replace(r"\-", "[- ]").replace("_", "[_ ]")
    place = rf"{ALSO}(?:(?:the|our|whole|entire)\s+)*[`'\"]?{spoken}[`'\"]?\s+(?:folder|director(?:y|ies)|dir|tree)\b"
    return re.search(place, clause, re.IGNORECASE) is not None


def _doing(request: str) -> list[str]:
    """The clauses that do something, with the paths that were looked at before where they name none themselves."""
    looked: list[str] = []
    doing = []
    for clause in CLAUSE_END.split(request):
        if _only_looks(clause):
            looked += _written(clause)
        elif looked and not _written(clause) and _acts(clause):
            doing.append(f"{clause} {' '.join(looked)}")
        else:
            doing.append(clause)
    return doing


def _reaches_all(clause: str, pattern: str) -> bool:
    if not WHOLE.search(clause):
        return False
    spared = [path for match in SPARED.finditer(clause) for path in paths_in(match.group("what"))]
    named_so = any(_names(match.group("what"), pattern) for match in SPARED.finditer(clause))
    return not named_so and not any(covers(path, pattern) for path in spared)


def _without_spared(clause: str) -> str:
    """A clause about everything, without what it leaves out; any other is as it was."""
    return SPARED.sub(" ", clause) if WHOLE.search(clause) else clause


def _covers_written(pattern: str, path: str) -> bool:
    """Whether a written path meets; of a full one it may be any part: where the checkout begins is not known."""
    if covers(pattern, path):
        return True
    folder = _plain(pattern)
    if not path.startswith("/") or folder in COMMON or GLOB.search(folder):
        return False
    return f"/{folder}/" in f"/{_plain(path)}/"


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
    spoken = PATH.sub(" path ", _with_slashes(clause))
    if not LOOKS_ONLY.match(spoken) or CHANGES.search(spoken):
        return False
    return not any(_begins_with_a_verb(step) for step in STEP.split(spoken)[1:])


def _acts(clause: str) -> bool:
    return bool(CHANGES.search(clause)) or any(_begins_with_a_verb(step) for step in STEP.split(clause))


def _begins_with_a_verb(step: str) -> bool:
    """Whether a part of a sentence may ask for something to be done: what is no verb for sure may be one."""
    match = FIRST_WORDS.match(step)
    first, second = (fold(match.group(name)) for name in ("first", "second")) if match else ("", "")
    return bool(first) and first not in HARMLESS and second not in NO_VERBS_BEFORE


def _plain(path: str) -> str:
    path = fold(path).strip("/`'\" ")
    while "/../" in f"/{path}":
        straight = re.sub(r"(?:^|(?<=/))(?!\.\./)[^/]+/\.\./|^(?:\.\./)+", "", path, count=1)
        if straight == path:
            break
        path = straight
    return path.replace("/./", "/").removeprefix("./").strip("/")


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
