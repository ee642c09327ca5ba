"""Gemini CLI: ``~/.gemini/tmp/<project>/chats/session-*.json``, one document at first, JSON Lines since."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transcripts.dialogue import Dialogue, listed, text_of
from transcripts.jsonl import Records
from transcripts.programs import REFERENCED, written_by_program
from transcripts.session import Origin, Segment, Skipped
from transcripts.turnlog import parse_time

if TYPE_CHECKING:
    from pathlib import Path

    from transcripts.file import TranscriptFile
    from transcripts.session import BadLine, Session

name = "gemini-cli"


def identify(file: TranscriptFile) -> bool:
    """A header with a session and a start, or a document with messages of type gemini."""
    shape = file.shape
    if shape.opens != "{":
        return False
    header = {"sessionId", "startTime"} <= shape.keys or {"projectHash", "messages"} <= shape.keys
    if header and not {"data", "type", "chatMessages"} & shape.keys:
        return True
    if "messages" in shape.keys and b'"type"' in file.head and b'"gemini"' in file.head and "info" not in shape.keys:
        return True
    return any("$set" in record or "$rewindTo" in record for record in file.objects.first(2))


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """Messages are told several times and changed in place: each id counts once, with what it held last."""
    messages: dict[str, dict[str, Any]] = {}
    gone: set[str] = set()
    header: dict[str, Any] = {}
    bad: list[BadLine] = []
    incomplete = False
    document = None if file.shape.lines else file.document()
    if isinstance(document, dict) and isinstance(document.get("messages"), list):
        header = document
        _merge(messages, document["messages"])
    else:
        records = Records(file)
        for _, record in records:
            changed = record.get("$set")
            if "$rewindTo" in record:
                _rewind(messages, gone, str(record["$rewindTo"]))
            elif isinstance(changed, dict):
                header = {**header, **{key: value for key, value in changed.items() if key != "messages"}}
                if isinstance(changed.get("messages"), list):
                    _merge(messages, changed["messages"])
                    gone -= {str(message.get("id")) for message in changed["messages"] if isinstance(message, dict)}
            elif "sessionId" in record and "content" not in record:
                header = {**header, **record, "sessionId": header.get("sessionId") or record["sessionId"]}
            else:
                _merge(messages, [record], place=len(messages))
        bad, incomplete = records.bad, records.incomplete
    if header.get("kind") == "subagent":
        return Skipped(file.path, "sub_agent", "every prompt of this gemini-cli file was written by an agent")
    talk = Dialogue(name)
    talk.ident = str(header.get("sessionId") or "")
    talk.place = str(header.get("projectHash") or "")
    talk.cwd = _folder(file.path, header)
    for key, message in messages.items():
        _turn(talk, message, withdrawn=key in gone)
    return talk.session(file.path, bad=bad, incomplete=incomplete, started=parse_time(header.get("startTime")))


def _merge(messages: dict[str, dict[str, Any]], told: list[Any], *, place: int = 0) -> None:
    """Take up messages by their ids. One without an id is told by its place: a list begins at the first."""
    for number, message in enumerate(told, place):
        if isinstance(message, dict):
            messages[str(message.get("id") or f"#{number}")] = message


def _rewind(messages: dict[str, dict[str, Any]], gone: set[str], to: str) -> None:
    """A message was taken back into the editor, with all that came after it; one that nobody knows takes all back."""
    idents = list(messages)
    gone.update(idents[idents.index(to) if to in messages else 0 :])


def _turn(talk: Dialogue, message: dict[str, Any], *, withdrawn: bool) -> None:
    ident, kind, content = message.get("id"), message.get("type"), message.get("content")
    time = parse_time(message.get("timestamp"))
    text = text_of(content)
    if kind == "gemini":
        talk.agent(text, time, ident)
        for call in listed(message.get("toolCalls")):
            if isinstance(call, dict):
                talk.tool(_results(call.get("result")), time, call.get("id"))
    elif kind == "user":
        shown = text_of(message.get("displayContent"))
        if shown:
            talk.developer(shown, time, native=ident, withdrawn=withdrawn)
        elif (
            text.lstrip().startswith(("<session_context>", "<hook_context>", "?", "System: Please continue."))
            or not text
            or written_by_program(text)
        ):
            talk.system(text, time, ident)
        else:
            talk.developer(text, time, native=ident, segments=_words(talk, text), withdrawn=withdrawn)
    else:
        talk.system(text, time, ident)


def _words(talk: Dialogue, text: str) -> tuple[Segment, ...]:
    """What stands before the content of files that the message refers to."""
    end = text.find(REFERENCED)
    if end < 0:
        return talk.words(text, human=False)
    return (*talk.words(text[:end], human=False), Segment(Origin.INJECTED, text[end:]))


def _results(result: Any) -> str:
    texts: list[str] = []
    for part in result if isinstance(result, list) else [result]:
        response = part.get("functionResponse") if isinstance(part, dict) else None
        answer = response.get("response") if isinstance(response, dict) else None
        output = answer.get("output") if isinstance(answer, dict) else None
        if isinstance(output, str):
            texts.append(output)
    return "\n".join(texts)


def _folder(path: Path, header: dict[str, Any]) -> str | None:
    """The project's folder: named in the session, or in a file two levels above it."""
    listed = header.get("directories")
    if isinstance(listed, list) and listed and isinstance(listed[0], str):
        return listed[0]
    root = path.parent.parent / ".project_root"
    try:
        return root.read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None
