"""Claude Code's session files, record by record, in file order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transcripts.claude_code import asked, origin
from transcripts.claude_code.origin import Record, Sender
from transcripts.claude_code.queue import Queue, command_words, text_of
from transcripts.claude_code.shape import Line
from transcripts.claude_code.sieve import Sieve
from transcripts.jsonl import Records
from transcripts.owner import developer_of, repository_of
from transcripts.programs import of_sub_agent, written_by_program
from transcripts.session import Origin, Segment, Session, Skipped
from transcripts.turnlog import TurnLog, content_id, parse_time

if TYPE_CHECKING:
    from datetime import datetime

    from transcripts.file import TranscriptFile

name = "claude-code"

_OWN_TYPES = frozenset(
    {"file-history-snapshot", "queue-operation", "permission-mode", "last-prompt", "ai-title", "custom-title"}
)


def identify(file: TranscriptFile) -> bool:
    """Records with a session id and a ``message``, or one of the types that only Claude Code writes."""
    objects = file.objects
    messages = [record.get("message") for record in objects.first(4)]
    if any(isinstance(message, dict) and "parts" in message for message in messages):
        return False  # the same envelope around another agent's messages
    return any(_is_ours(record) for record in objects)


def _is_ours(record: Record) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str):
        return False
    if kind in ("user", "assistant"):
        enveloped = any(key in record for key in ("sessionId", "parentUuid", "uuid", "isSidechain", "userType"))
        return "message" in record and enveloped and "data" not in record
    if kind == "summary":
        return "leafUuid" in record
    if kind == "attachment":
        return "sessionId" in record and isinstance(record.get("attachment"), dict)
    if kind in ("progress", "system"):
        return "sessionId" in record and ("parentUuid" in record or "isSidechain" in record)
    return kind in _OWN_TYPES and ("sessionId" in record or "messageId" in record)


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The session of one file. ``automation`` counts prompts that came through the SDK as the developer's."""
    if of_sub_agent(file.path):
        return Skipped(file.path, "sub_agent", f"every prompt of this {name} file was written by an agent")
    return _Reading(file, automation=automation).session()


class _Reading:
    """One file being read."""

    def __init__(self, file: TranscriptFile, *, automation: bool) -> None:
        self.file = file
        self.automation = automation
        self.log = TurnLog()
        self.queue = Queue()
        self.labels: dict[str, frozenset[str]] = {}
        self.sessions: dict[str, int] = {}
        self.developers: dict[str, str | None] = {}
        self.prompts: dict[str, int] = {}  # parentUuid of a prompt -> its place among the turns
        self.cwd: str | None = None
        self.branch: str | None = None
        self.first_cwd: str | None = None
        self.parent: str | None = None
        self.origin_known = False
        self.people = self.programs = self.sub_agent = 0

    def session(self) -> Session | Skipped:
        """Read everything, then say what it is."""
        sieve = Sieve()
        records = Records(self.file, sieve.wanted, Line)
        handlers = {
            "user": self.user,
            "assistant": self.assistant,
            "attachment": self.attachment,
            "queue-operation": self.queue_operation,
        }
        for _, record in records:
            kind = record.get("type")
            handler = handlers.get(kind) if isinstance(kind, str) else None
            if handler is not None:
                handler(record)
        self.log.spoke = self.log.spoke or sieve.agent_seen
        ident = self.session_id()
        if self.sub_agent and not self.people and not self.log.automated:
            return Skipped(self.file.path, "sub_agent", f"every prompt of this {name} file was written by an agent")
        first = next((turn for turn in self.log.turns if turn.cwd), None)
        cwd = first.cwd if first else self.first_cwd
        return self.log.finish(
            self.file.path,
            agent=name,
            ident=ident,
            repo=repository_of(cwd),
            bad=records.bad,
            incomplete=records.incomplete,
            developer=first.developer if first else None,
            cwd=cwd,
            branch=first.branch if first else self.branch,
            parent=self.parent or next((other for other in self.sessions if other != ident), None),
            automation=self.programs > 0 and self.programs == self.people,
        )

    def session_id(self) -> str:
        """The id that most records carry; in a file that copies another session, the one it is named after."""
        named = self.file.path.name.split(".")[0]
        if named in self.sessions:
            return named
        return max(self.sessions, key=self.sessions.__getitem__, default="") or named

    # -- records ------------------------------------------------------------------------------------------------------

    def user(self, record: Record) -> None:
        """Typed text, tool results, and everything that programs write in the user's name."""
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else message
        time = self.place(record)
        ident = self.ident(record, content)
        if isinstance(content, list) and len(content) == 1 and self.plain_result(record, content[0], ident, time):
            return
        if record.get("isSidechain") or record.get("agentId"):
            self.sub_agent += 1
            self.log.tool(ident, _flat(content), time)
            return
        if isinstance(content, str):
            self.prompt(record, ident, [content], time)
            return
        texts: list[str] = []
        results: list[Record] = []
        for block in content if isinstance(content, list) else ():
            if isinstance(block, str):
                texts.append(block)
            elif isinstance(block, dict):
                if block.get("type") == "tool_result":
                    results.append(block)
                elif block.get("type") == "text" and isinstance(block.get("text"), str):
                    texts.append(block["text"])
        for index, block in enumerate(results):
            self.tool_result(record, block, ident if not texts and index == 0 else f"{ident}#answer{index}", time)
        if texts:
            self.prompt(record, ident, texts, time, beside_tool=bool(results))

    def plain_result(self, record: Record, block: Any, ident: str, time: datetime | None) -> bool:
        """Take up the most frequent record at once: one tool result that holds no words of the developer's."""
        if block.__class__ is not dict or block.get("type") != "tool_result" or block.get("is_error"):
            return False
        result = record.get("toolUseResult")
        answered = isinstance(result, dict) and "answers" in result
        text = block.get("content")
        if answered or self.labels or text.__class__ is not str or record.get("isSidechain") or record.get("agentId"):
            return False
        self.log.tool(f"{ident}#tool", text, time)
        return True

    def assistant(self, record: Record) -> None:
        """What the agent said and asked. Its text is never taken apart into turns; most records hold no word of it."""
        self.log.spoke = True
        time = self.place(record)
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else message
        if isinstance(content, str):
            said = [(0, content)] if content else []
        else:
            blocks = enumerate(content if isinstance(content, list) else ())
            said = [(index, text) for index, block in blocks if isinstance(block, dict) and (text := self.said(block))]
        if not said:
            return
        ident = self.ident(record, content)
        tell = self.log.tool if record.get("isSidechain") or record.get("agentId") else self.log.agent
        for index, text in said:
            tell(f"{ident}#{index}" if index else ident, text, time)

    def said(self, block: Record) -> str:
        """The words of one block that the developer could read and answer."""
        if block.get("type") == "text":
            text = block.get("text")
            return text if isinstance(text, str) else ""
        if block.get("type") != "tool_use":
            return ""
        given = block.get("input")
        if block.get("name") == "AskUserQuestion":
            text, self.labels[str(block.get("id"))] = asked.questions_of(given)
            return text
        plan = given.get("plan") if block.get("name") == "ExitPlanMode" and isinstance(given, dict) else None
        return plan if isinstance(plan, str) else ""

    def attachment(self, record: Record) -> None:
        """A queued message that the agent took up while it worked; all other attachments are context."""
        attachment = record.get("attachment")
        if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
            return
        time = self.place(record)
        text = text_of(attachment.get("prompt"))
        ident = str(attachment.get("source_uuid") or self.ident(record, text))
        self.queue.arrived(text)
        if self.queue.already_told(text):
            self.log.seen.add(ident)
            return
        merged = {**record, **{key: attachment[key] for key in ("origin", "isMeta") if attachment.get(key) is not None}}
        if attachment.get("commandMode", "prompt") != "prompt" or attachment.get("humanTurn") is False:
            merged["isMeta"] = True
        self.prompt(merged, ident, [text], time, channel="queued")

    def queue_operation(self, record: Record) -> None:
        """Words that stand nowhere else in older builds, and words that were taken back."""
        entries, withdrawn = self.queue.operate(record)
        session = str(record.get("sessionId") or "")
        for entry in entries:
            if withdrawn or not written_by_program(entry.text):
                ident = content_id(session, entry.stamp, entry.text)
                segments = self.words(entry.text, Sender.LIKELY)
                self.developer(ident, segments, parse_time(entry.stamp), "queued", withdrawn=withdrawn)

    # -- developer turns ----------------------------------------------------------------------------------------------

    def prompt(
        self,
        record: Record,
        ident: str,
        texts: list[str],
        time: datetime | None,
        *,
        beside_tool: bool = False,
        channel: str = "prompt",
    ) -> None:
        """One user-role message: whose it is, and which of its words are the developer's."""
        sender = origin.sender_of(record, origin_known=self.origin_known and not beside_tool)
        queued = record.get("promptSource") == "queued"
        for text in texts:
            self.queue.arrived(text)
        if queued and self.queue.already_told("\n".join(texts)):
            return
        if sender is Sender.AUTOMATION and not self.automation:
            self.log.automated += 1
            self.log.system(ident, "\n".join(texts), time)
            return
        if record.get("origin") or record.get("promptSource"):
            self.origin_known = True
        segments: list[Segment] = []
        for text in texts:
            if segments:
                segments.append(Segment(Origin.INJECTED, "\n"))
            segments += self.words(text, sender)
        if beside_tool:
            channel = "beside_tool"
        elif queued:
            channel = "queued"
        elif channel == "prompt" and (origin.unwrapped(texts[0]) or command_words(texts[0])):
            channel = "command_args"
        if any(part.origin is not Origin.INJECTED for part in segments):
            self.rewind(record)
        before = len(self.log.turns)
        self.developer(ident, tuple(segments), time, channel)
        if sender is Sender.AUTOMATION and len(self.log.turns) > before:
            self.programs += 1

    def words(self, text: str, sender: Sender) -> tuple[Segment, ...]:
        """The segments of one text of a user-role message."""
        if sender is Sender.PROGRAM:
            return (Segment(Origin.INJECTED, text),)
        inside = origin.unwrapped(text)
        if inside is not None:
            start, end = inside
            return (
                Segment(Origin.INJECTED, text[:start]),
                *self.log.cut(text[start:end]),
                Segment(Origin.INJECTED, text[end:]),
            )
        if sender is Sender.CHOSEN:
            return (Segment(Origin.CHOSEN, text),)
        if sender is Sender.LIKELY and written_by_program(text):
            return (Segment(Origin.INJECTED, text),)
        begins = command_words(text) if text.lstrip().startswith("/") else None
        if begins is not None:
            return (Segment(Origin.INJECTED, text[:begins]), *self.log.cut(text[begins:]))
        return self.log.cut(text, human=sender is not Sender.LIKELY)

    def tool_result(self, record: Record, block: Record, ident: str, time: datetime | None) -> None:
        """Keep a tool's output, and take the developer's words out of a refusal or an answer."""
        text = _flat(block.get("content"))
        segments = None
        channel = "rejection"
        if block.get("is_error"):
            segments = asked.refusal(text, self.log.cut)
        else:
            labels = self.labels.get(str(block.get("tool_use_id")))
            result = record.get("toolUseResult")
            if labels is not None or isinstance(result, dict):
                segments = asked.answers(text, result, labels, self.log.cut)
                channel = "answer"
        if not segments:
            self.log.tool(f"{ident}#tool", text, time)
            return
        if origin.sender_of(record, origin_known=False) is Sender.AUTOMATION and not self.automation:
            self.log.automated += 1
            self.log.tool(f"{ident}#tool", text, time)
            return
        self.developer(ident, segments, time, channel)

    def developer(
        self, ident: str, segments: tuple[Segment, ...], time: datetime | None, channel: str, *, withdrawn: bool = False
    ) -> None:
        """Add a developer turn at the present place."""
        cwd = self.cwd or ""
        if cwd not in self.developers:
            self.developers[cwd] = developer_of(self.cwd)
        turn = self.log.developer(
            ident,
            segments,
            time,
            withdrawn=withdrawn,
            cwd=self.cwd,
            branch=self.branch,
            developer=self.developers[cwd],
            channel=channel,
        )
        if turn is not None:
            self.people += 1

    def rewind(self, record: Record) -> None:
        """Two prompts with one parent: the developer went back, so what was said on the way not taken is withdrawn."""
        parent = record.get("parentUuid")
        if not isinstance(parent, str) or str(record.get("uuid")) in self.log.seen:
            return
        place = self.prompts.get(parent)
        self.prompts[parent] = len(self.log.turns)
        if place is None:
            return
        for index in range(place, len(self.log.turns)):
            turn = self.log.turns[index]
            if turn.cwd is not None and not turn.withdrawn:
                self.log.turns[index] = turn.taken_back()

    # -- places and identities ----------------------------------------------------------------------------------------

    def place(self, record: Record) -> datetime | None:
        """Remember where the session stands; the record's time."""
        get = record.get
        cwd = get("cwd")
        if cwd != self.cwd and isinstance(cwd, str) and cwd:
            self.cwd = cwd
            self.first_cwd = self.first_cwd or cwd
        branch = get("gitBranch")
        if branch != self.branch and isinstance(branch, str):
            self.branch = branch or None
        session = get("sessionId")
        if isinstance(session, str) and session:
            self.sessions[session] = self.sessions.get(session, 0) + 1
        forked = get("forkedFrom")
        if forked and self.parent is None:
            self.parent = str(forked.get("sessionId") if isinstance(forked, dict) else forked)
        return parse_time(get("timestamp"))

    def ident(self, record: Record, content: Any) -> str:
        """The record's own id, else one made of its session, time and text."""
        uuid = record.get("uuid")
        if isinstance(uuid, str) and uuid:
            return uuid
        return content_id(str(record.get("sessionId")), str(record.get("timestamp")), _flat(content))


def _flat(content: Any) -> str:
    """The text of a content that is a string or a list of blocks and strings."""
    return content if isinstance(content, str) else text_of(content)
