"""Amp: ``~/.local/share/amp/threads/T-<id>.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from transcripts.dialogue import Dialogue, text_of
from transcripts.session import Skipped
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile
    from transcripts.session import Session

name = "amp"


def identify(file: TranscriptFile) -> bool:
    """A thread whose id begins with ``T-``."""
    return {"v", "id", "messages"} <= file.shape.keys and b'"T-' in file.head[:4096]


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """Text blocks of role user are typed; tool results of the same role are not."""
    document = file.document()
    if not isinstance(document, dict):
        return Skipped(file.path, "empty", "the document is not complete; it may still be being written")
    talk = Dialogue(name)
    talk.ident = str(document.get("id") or "")
    _where(talk, document.get("env"))
    messages = document.get("messages")
    for message in messages if isinstance(messages, list) else ():
        if not isinstance(message, dict):
            continue
        meta, content = message.get("meta"), message.get("content")
        time = parse_time(meta.get("sentAt")) if isinstance(meta, dict) else None
        ident = message.get("messageId")
        native = f"{talk.ident}:{ident}" if ident is not None else None
        text = text_of(content, "text")
        if message.get("role") == "user":
            talk.developer(text, time, native=native, human=False)
        elif message.get("role") == "assistant":
            talk.agent(text, time, native)
    return talk.session(file.path, started=parse_time(document.get("created")))


def _where(talk: Dialogue, env: Any) -> None:
    """The first tree of the thread's environment: its folder, and the repository's URL."""
    initial = env.get("initial") if isinstance(env, dict) else None
    trees = initial.get("trees") if isinstance(initial, dict) else None
    tree = trees[0] if isinstance(trees, list) and trees and isinstance(trees[0], dict) else {}
    if isinstance(tree.get("uri"), str):
        talk.cwd = unquote(urlsplit(tree["uri"]).path) or None
    repository = tree.get("repository")
    if isinstance(repository, dict):
        talk.remote = repository.get("url")
        talk.branch = str(repository.get("ref") or "").removeprefix("refs/heads/") or None
