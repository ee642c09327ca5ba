"""Whose statement ``about`` says it is, and the names that this repository and this developer go by."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from policy.model import Scope
from validators.language.reading import LOOK, Cue

if TYPE_CHECKING:
    from transcripts.session import Session
    from validators.view import View

_SPLIT = re.compile(r"[\s/\\:@._-]+")
_OPEN = re.compile(r"\bor\b|\beither\b|\boder\b|\bou\b|[|]")
_WORDY = re.compile(
    r"^(?:the |this |our |in )*|'s$| (?:repo|repository|project|codebase|monorepo|package|app|service)$", re.IGNORECASE
)
_THIS = frozenset(
    {
        "", "this", "here", "self", "current", "repo", "repository", "project", "codebase", "monorepo", "us", "we",
        "ours", "our", "our team", "team", "workspace", "same", "a", "an", "the",
        "it", "that", "any", "every", "all",
    }
)  # fmt: skip
_UNCLEAR = frozenset(
    {
        "unknown", "unclear", "?", "??", "not sure", "unsure", "ambiguous", "undecided", "uncertain", "either", "both",
        "not clear", "n/a", "none", "null", "unspecified", "not specified", "undetermined",
    }
)  # fmt: skip
_ME = frozenset({"me", "i", "myself", "user", "the user", "developer", "the developer", "the speaker", "speaker", "my"})
_PLAIN_HOSTS = frozenset({"github", "gitlab", "bitbucket", "com", "org", "https", "http", "git", "www", "ssh", "src"})


class About(StrEnum):
    """Whom ``about`` names."""

    THIS = "this"
    OTHER = "other"
    UNCLEAR = "unclear"


def about(view: View) -> About:
    """Whom the candidate's ``about`` names: this repository (or this developer), another owner, or nobody clearly."""
    said = " ".join(view.candidate.about.casefold().split()).strip(" .\"'`")
    if said in _UNCLEAR:
        return About.UNCLEAR
    if said in _THIS or _WORDY.sub("", _WORDY.sub("", said)) in _THIS or names_this_repo(view.session, said):
        return About.THIS
    developer_scope = view.fact_type is not None and view.fact_type.scope is Scope.DEVELOPER
    if names_developer(view, said) and (developer_scope or said in _ME):
        return About.THIS
    if _OPEN.search(said):
        parts = [part.strip() for part in _OPEN.split(said) if part.strip()]
        return About.UNCLEAR if any(p in _THIS or names_this_repo(view.session, p) for p in parts) else About.OTHER
    if _is_value_or_part(view, said) or (view.turn is not None and view.reading.here):
        return About.THIS
    return About.OTHER


def names_this_repo(session: Session, name: str) -> bool:
    """Whether a name is one of this repository's: its name or a word of it, owner/name, a URL, the directory's name."""
    said = name.casefold().strip(" .\"'`").removesuffix(".git").rstrip("/")
    said = _WORDY.sub("", _WORDY.sub("", said)).strip()
    if not said:
        return False
    repo = session.repo.casefold().removesuffix(".git").rstrip("/")
    last = repo.rsplit("/", 1)[-1].rsplit(":", 1)[-1]
    directory = (session.cwd or "").casefold().replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    if "/" in said or ":" in said:
        path = [p for p in _SPLIT.split(said) if p and p not in _PLAIN_HOSTS]
        ours = [p for p in _SPLIT.split(repo) if p and p not in _PLAIN_HOSTS]
        tail = path[-len(ours) :] if ours else path
        cwd = (session.cwd or "").casefold().rstrip("/")
        return bool(path) and (tail == ours or said == cwd or path == ours[-len(path) :])
    if said in (repo, last, directory):
        return True
    words = [w for w in _SPLIT.split(said) if w]
    return any(_within(words, [w for w in _SPLIT.split(own) if w]) for own in (last, directory) if own)


def is_sibling(session: Session, slug: str) -> bool:
    """Whether owner/name has this repository's owner."""
    parts = [p for p in session.repo.casefold().replace(":", "/").split("/") if p]
    return len(parts) > 1 and slug.casefold().partition("/")[0] == parts[-2]


def _within(words: list[str], own: list[str]) -> bool:
    """Whether the words are the repository's name or consecutive words of it, a plural aside."""
    flat = "".join(words)
    if flat == "".join(own):
        return True
    size = len(words)
    return any(own[i : i + size] == words for i in range(len(own) - size + 1)) or flat.rstrip("s") in [
        o.rstrip("s") for o in own if len(o) > 2
    ]


def names_developer(view: View, name: str) -> bool:
    """Whether a name is the session's developer: "me", the e-mail address, or its local part or a word of it."""
    said = name.casefold().strip()
    if said in _ME:
        return True
    developer = (view.session.developer or "").casefold()
    local = developer.split("@", 1)[0]
    return bool(developer) and (said in (developer, local) or said in [w for w in _SPLIT.split(local) if len(w) > 1])


def _is_value_or_part(view: View, said: str) -> bool:
    """Whether ``about`` repeats the reviewer, or a part of this repository that the sentence names as a part."""
    if view.fact_type and view.fact_type.value == "person" and said == view.value.casefold():
        return True
    subject = " ".join(view.candidate.subject.casefold().split())
    if subject not in (said, _WORDY.sub("", said)) or view.turn is None:
        return False
    sentence = view.sentence.casefold()
    said = _WORDY.sub("", said)
    part = r"(?:package|module|folder|workspace|app|service|part|crate|directory|reviews?)"
    return bool(re.search(rf"\b{re.escape(said)}\b\s+{part}\b|{part}\s+{re.escape(said)}\b", sentence))


def left_open(view: View) -> Cue | None:
    """The words that name this repository and another as alternatives: "webapp or admin"."""
    start, end = view.focus or (0, 0)
    sentence = view.sentence[max(0, start - LOOK) : end + LOOK]
    for found in re.finditer(r"([\w./-]{2,60})\s+(?:or|oder)\s+([\w./-]{2,60})", sentence):
        names = (found[1], found[2])
        ours = [n for n in names if _is_this_by_name(view.session, n)]
        others = [n for n in names if n not in ours]
        value = view.value.casefold()
        if len(ours) == 1 and others[0].casefold() not in value.split() and ours[0].casefold() not in value.split():
            return Cue(found.group(), "open_owner.named")
    return None


def _is_this_by_name(session: Session, name: str) -> bool:
    said = name.casefold()
    return said in (session.repo.casefold().rsplit("/", 1)[-1], session.repo.casefold())
