"""A managed block in an agent's instruction file: what the developers of a repository said, between two markers.

Only what needs no question is in it: active facts of the repository that are low in stakes or confirmed by a person,
inside their trust window, with nothing undecided against them and no dated rule in front of them, and that the
repository's own files do not answer. Preferences are a person's and are not in it: the file is everybody's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from afterpass.recall.block import select
from afterpass.recall.memory import Placement, Question
from afterpass.recall.render import ABOUT, TAG, plain, quoted
from policy.errors import AfterpassError
from policy.model import Scope
from policy.places import read_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from afterpass.recall.block import Shown
    from afterpass.recall.memory import Memory
    from policy.model import Policy
    from validators.context import RepoAnswers

VERSION = 1
LARGEST = 6000
"""Bytes of a block: an agent reads it at the start of every session."""

FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
BEGIN = (
    f"<!-- afterpass:begin v{VERSION}: `afterpass export` writes what stands between these two lines anew and touches "
    "nothing else -->"
)
END = f"<!-- afterpass:end v{VERSION} -->"
MARK = re.compile(rb"<!--\s*afterpass:(?:begin|end)\b")  # in a value it cannot be: its < is escaped
BEGINNING = re.compile(rb"(?<![^\r\n])<!-- afterpass:begin v(\d+)\b[^\r\n]*-->[ \t]*(?=[\r\n]|\Z)")
ENDING = re.compile(rb"(?<![^\r\n])<!-- afterpass:end v(\d+) -->[ \t]*(?=[\r\n]|\Z)")
LINE_END = re.compile(rb"\r\n|\n|\r")
FENCED = re.compile(
    rb"(?<![^\r\n]) {0,3}(```+|~~~+)[^\r\n]*[\r\n].*?(?<![^\r\n]) {0,3}\1[`~]*[ \t]*(?=[\r\n]|\Z)", re.DOTALL
)
MARKDOWN = frozenset({".md", ".markdown", ".mdx", ".mdc"})
ALL = 10**9  # tokens: the block's own cap decides


class ExportError(AfterpassError):
    """A file that cannot be read or written, or whose markers are not as they were left. It was left untouched."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A block, how many facts are in it, and how many there was no room for. Empty where there is nothing to tell."""

    text: str
    facts: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Written:
    """What became of one file, or in a dry run would. ``before`` and ``after`` are None where there is no file."""

    path: Path
    before: bytes | None
    after: bytes | None

    @property
    def changed(self) -> bool:
        """Whether the file's content changes."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff; empty where there is none."""
        from difflib import unified_diff

        before, after = (
            (side or b"").decode("utf-8", "replace").splitlines(keepends=True) for side in (self.before, self.after)
        )
        lines = unified_diff(before, after, str(self.path), str(self.path))
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def block_for(repo: str, memory: Memory, *, policy: Policy, files: RepoAnswers | None, on: date) -> Exported:
    """The block of a repository on a day. The same facts give the same block, whenever it is made."""
    everything = select(Question("", None, "", repo, None, on), memory, policy=policy, repo=files, budget=ALL)
    slots = [slot for slot in everything.shown if _needs_no_question(slot, files)]
    order = list(policy.types)
    slots.sort(key=lambda slot: (slot.ask_first, order.index(slot.fact_type.name), _subject(slot), slot.facts[0].value))
    lines = [(slot, _line(slot)) for slot in slots]
    for count in range(len(lines), 0, -1):
        text = _text(repo, lines[:count], len(lines) - count)
        if len(text.encode("utf-8", "surrogatepass")) <= LARGEST:
            return Exported(text, count, len(lines) - count)
    return Exported("", 0, len(lines))


def _needs_no_question(slot: Shown, files: RepoAnswers | None) -> bool:
    first = slot.facts[0]
    if slot.fact_type.scope is not Scope.REPO or slot.placement is not Placement.LOAD or slot.pending:
        return False
    if first.until is not None or len({fact.value for fact in slot.facts}) > 1:
        return False
    return files is None or slot.fact_type.multi or files.answer(slot.fact_type.name, _subject(slot)) is None


def _subject(slot: Shown) -> str:
    return slot.fact_type.canonical_subject(slot.facts[0].subject)


def _line(slot: Shown) -> str:
    """One fact: what it is about, its value, when it was last said, and for how long that is good."""
    first, subject = slot.facts[0], plain(_subject(slot))
    name = slot.fact_type.name.replace("_", " ") + (f" ({subject})" if subject else "")
    confirmed = first.confirmed is not None and first.confirmed > first.stated
    known = [f"{'confirmed' if confirmed else 'said'} {first.last_seen.isoformat()}"]
    if slot.fact_type.trust_days is not None:
        known.append(f"good until {(first.last_seen + timedelta(days=slot.fact_type.trust_days)).isoformat()}")
    return f"- {name}: {quoted(first.value)} ({', '.join(known)})"


def _text(repo: str, lines: Sequence[tuple[Shown, str]], left_out: int) -> str:
    newest = max(slot.facts[0].last_seen for slot, _ in lines)
    asked = [line for slot, line in lines if slot.ask_first]
    return "\n".join(
        [
            BEGIN,
            f'<{TAG} repo="{plain(repo)}" date="{newest.isoformat()}">',
            ABOUT,
            *(line for slot, line in lines if not slot.ask_first),
            *(["Ask the developer before acting on these:", *asked] if asked else []),
            *([f"({left_out} more did not fit: `afterpass facts` lists all)"] if left_out else []),
            f"</{TAG}>",
            END,
        ]
    )


def put_into(path: Path, text: str, *, dry_run: bool = False) -> Written:
    """Put the block into a file, in the place of the one that is there; an empty text takes it out.

    What stands outside the markers stays as it is, byte for byte. A file that holds nothing else goes with its block.
    Raises ExportError.
    """
    before = _read(path)
    after = _replaced(path, before, text)
    written = Written(path, before, after)
    if written.changed and not dry_run:
        _write(path, after)
    return written


def _read(path: Path) -> bytes | None:
    try:
        return read_bytes(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ExportError(f"{path} cannot be read: {error.strerror}", "it was left untouched") from error


def _replaced(path: Path, before: bytes | None, text: str) -> bytes | None:
    content = before or b""
    span = _span(path, content)
    if span is None:
        return _appended(content, text) if text else before
    head, tail = content[: span[0]], content[span[1] :]
    line_end: bytes = (LINE_END.findall(content, *span) or [b"\n"])[0]
    if text:
        return head + _bytes(text, line_end) + tail
    if not (head + tail).strip():
        return None
    if not tail:
        return head.removesuffix(line_end * 2)
    return head.removesuffix(line_end) + tail.removeprefix(line_end) if head.endswith(line_end * 2) else head + tail


def _appended(content: bytes, text: str) -> bytes:
    """Behind an empty line, with the last line end of the content, and one at the end where the content has one: so it
    can be taken out again to the byte.
    """
    line_end: bytes = (LINE_END.findall(content) or [b"\n"])[-1]
    block = _bytes(text, line_end)
    if not content:
        return block + line_end
    return content + line_end + block + line_end if content.endswith(line_end) else content + line_end * 2 + block


def _bytes(text: str, line_end: bytes) -> bytes:
    return text.encode("utf-8", "replace").replace(b"\n", line_end)


def _span(path: Path, content: bytes) -> tuple[int, int] | None:
    """Where the block stands, markers included; None where there is none. Raises ExportError for damaged markers.

    Markers in a code fence are an example of the file's author.
    """
    content = FENCED.sub(lambda fence: b" " * len(fence[0]), content)
    if not MARK.search(content):
        return None
    beginnings, endings = list(BEGINNING.finditer(content)), list(ENDING.finditer(content))
    whole = len(beginnings) == len(endings) == 1 and len(MARK.findall(content)) == 2
    if not whole or beginnings[0].end() > endings[0].start() or beginnings[0][1] != endings[0][1]:
        raise ExportError(
            f"{path}: its afterpass:begin and afterpass:end lines are not as they were left",
            "make them one whole pair again, or delete both; the file was left untouched",
        )
    if int(beginnings[0][1]) > VERSION:
        raise ExportError(f"{path} was written by a newer Afterpass", "upgrade; the file was left untouched")
    return beginnings[0].start(), endings[0].start() + len(endings[0][0].rstrip(b" \t\r"))


def _write(path: Path, content: bytes | None) -> None:
    """Whole or not at all, through a link, with the rights that the file has."""
    import os

    target = path.resolve()
    temporary = target.with_name(f".{target.name}.afterpass-{os.getpid()}")
    try:
        if content is None:
            target.unlink()
            return
        mode = target.stat().st_mode & 0o777 if target.exists() else None
        temporary.write_bytes(content)
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise ExportError(f"{path} cannot be written: {error.strerror}", "check its rights and the disk") from error


def chosen_files(directory: Path, given: Sequence[str]) -> list[Path]:
    """The files to write: the given ones, else those of FILES that are there, else AGENTS.md. Each file once, by
    whichever name; of the ones that are there by themselves not one that takes another one in.
    """
    if given:
        paths = [directory / name for name in given]
    else:
        paths = [directory / name for name in FILES if (directory / name).exists()] or [directory / FILES[0]]
        paths = [path for path in paths if not _takes_in(path, paths)]
    return list({path.resolve(): path for path in reversed(paths)}.values())[::-1]


def kept_from(path: Path, top: Path) -> str | None:
    """Why a file is not written, or None for Markdown of the checkout, through links too: never git's own files, never
    code or settings.
    """
    real, folder = path.resolve(), top.resolve()
    if not real.is_relative_to(folder):
        return f"outside {top}"
    gits = ".git" in {part.casefold() for part in real.relative_to(folder).parts}
    if gits or not {path.suffix.casefold(), real.suffix.casefold()} <= MARKDOWN:
        return f"no Markdown file of {top}"
    return None


def _takes_in(path: Path, others: Sequence[Path]) -> bool:
    """Whether a file says ``@AGENTS.md``, in a line of its own, of another one that is written."""
    lines = {line.strip() for line in (_read(path) or b"").decode("utf-8", "replace").splitlines()}
    return any({f"@{other.name}", f"@./{other.name}"} & lines for other in others if other != path)
