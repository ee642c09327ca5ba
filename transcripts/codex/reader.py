"""Codex's rollout files, in both schemas and in the bare old one, record by record."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import orjson

from transcripts.claude_code.asked import questions_of
from transcripts.codex import words
from transcripts.codex.shape import Line
from transcripts.jsonl import Records
from transcripts.owner import developer_of, repository_of
from transcripts.session import Session, Skipped, Speaker
from transcripts.turnlog import TurnLog, content_id, parse_time

if TYPE_CHECKING:
    from transcripts.file import TranscriptFile

name = "codex"
Record = dict[str, Any]

_ENVELOPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_BURST = timedelta(seconds=2)  # a copied history is written in one go


def identify(file: TranscriptFile) -> bool:
    """Enveloped records with a ``payload``, or the bare first line of builds before September 2025."""
    first = file.objects.first(3)
    if any(str(record.get("type")) in _ENVELOPES and isinstance(record.get("payload"), dict) for record in first):
        return True
    return bool(first) and "type" not in first[0] and {"id", "timestamp", "instructions"} <= first[0].keys()


def read(file: TranscriptFile, *, automation: bool = False) -> Session | Skipped:
    """The session of one file. ``automation`` counts prompts of ``codex exec`` as the developer's."""
    return _Reading(file, automation=automation).session()


_SKIPPED = tuple(
    f'"{envelope}","payload":{{"type":"{kind}'.encode()
    for envelope, kind in (
        ("event_msg", "token_count"),
        ("event_msg", "agent_reasoning"),
        ("event_msg", "exec_command"),
        ("event_msg", "patch_apply"),
        ("event_msg", "web_search"),
        ("response_item", "reasoning"),
        ("response_item", 'function_call"'),
        ("response_item", 'custom_tool_call"'),
        ("response_item", "web_search_call"),
        ("response_item", "local_shell_call"),
        ("response_item", "ghost_snapshot"),
    )
)


_CALL = b'"response_item","payload":{"type":"function_call"'


def _wanted(line: bytes) -> bool:
    """Keep lines that hold nobody's words from being parsed. A second payload is that of another record on the line."""
    at = line.find(b'"type":') + 7
    if at < 7 or not line.startswith(_SKIPPED, at) or line.rfind(b'"payload":', at + 20) >= 0:
        return True
    return line.startswith(_CALL, at) and b"request_user_input" in line


class _Reading:
    """One file being read."""

    def __init__(self, file: TranscriptFile, *, automation: bool) -> None:
        self.file = file
        self.automation = automation
        self.log = TurnLog()
        self.meta: Record = {}
        self.ident = ""
        self.cwd: str | None = None
        self.turn_id = ""
        self.ordinals: Counter[str] = Counter()
        self.told: dict[str, Counter[str]] = {}  # text -> how often each kind of record has told it in this turn
        self.waiting: list[tuple[str, datetime | None]] = []  # user items that no event has confirmed
        self.fallen_back: Counter[str] = Counter()
        self.events = False
        self.agent_said: list[str] = []
        self.replayed = ""  # the session whose history is being copied
        self.copied_from = ""  # the first of them: a fork of a fork holds the histories of both, its own parent's first
        self.replay_began: datetime | None = None
        self.said_then: datetime | None = None
        self.questions: dict[str, str] = {}
        self.labels: frozenset[str] = frozenset()
        self.asked: set[str] = set()

    def session(self) -> Session | Skipped:
        """Read everything, then say what it is."""
        records = Records(self.file, _wanted, Line)
        handlers = {
            "session_meta": self.session_meta,
            "turn_context": self.turn_context,
            "response_item": self.response_item,
            "event_msg": self.event,
        }
        for _, record in records:
            payload = record.get("payload")
            kind = record.get("type")
            time = parse_time(record.get("timestamp"))
            if isinstance(payload, dict) and isinstance(kind, str):
                if kind in handlers:
                    self.watch_replay(time)
                    handlers[kind](payload, time)
            elif "payload" not in record:
                self.bare(record, kind, time)
        source = self.meta.get("source")
        if isinstance(source, dict) or self.meta.get("thread_source") == "subagent":
            return Skipped(self.file.path, "sub_agent", f"every prompt of this {name} file was written by an agent")
        by_program = source in ("exec", "mcp") or self.meta.get("originator") in ("codex_exec", "codex_sdk_ts")
        if by_program and not self.automation:
            return Skipped(self.file.path, "automation", f"{name} {source or 'exec'}: a program sent the prompts")
        git = self.meta.get("git")
        git = git if isinstance(git, dict) else {}
        cwd = next((turn.cwd for turn in self.log.turns if turn.cwd), None) or self.cwd
        return self.log.finish(
            self.file.path,
            agent=name,
            ident=self.ident or self.file.path.name.split(".")[0],
            repo=repository_of(cwd, _word(git.get("repository_url"))),
            bad=records.bad,
            incomplete=records.incomplete,
            developer=developer_of(cwd),
            cwd=cwd,
            branch=_word(git.get("branch")),
            started=parse_time(self.meta.get("timestamp")),
            parent=_word(self.meta.get("forked_from_id") or self.meta.get("parent_thread_id"))
            or self.copied_from
            or None,
            automation=by_program,
        )

    # -- records ------------------------------------------------------------------------------------------------------

    def session_meta(self, payload: Record, time: datetime | None) -> None:
        """The first one names the session. One with another id begins a copy of that session's history."""
        ident = str(payload.get("id") or payload.get("session_id") or "")
        if not self.meta:
            self.meta = payload
            self.ident = ident
            self.cwd = payload.get("cwd") if isinstance(payload.get("cwd"), str) else None
            self.log.at(parse_time(payload.get("timestamp")))
            if payload.get("forked_from_id"):
                self.copy_begins(str(payload["forked_from_id"]), time, None)
        elif ident and ident != self.ident:
            self.copy_begins(ident, time, parse_time(payload.get("timestamp")))

    def copy_begins(self, ident: str, time: datetime | None, said: datetime | None) -> None:
        """What follows at once was said in another session, not now."""
        self.replayed, self.replay_began = ident, time
        self.copied_from = self.copied_from or ident
        self.said_then = said or self.said_then
        self.ordinals.clear()

    def watch_replay(self, time: datetime | None) -> None:
        """A copied history ends where time passes between two records."""
        if self.replay_began is None or time is None or time - self.replay_began <= _BURST:
            return
        self.replay_began = None
        self.ordinals.clear()

    def turn_context(self, payload: Record, time: datetime | None) -> None:
        """Where the next turn runs."""
        cwd = payload.get("cwd")
        if isinstance(cwd, str) and cwd:
            self.cwd = cwd
        self.new_turn(payload.get("turn_id"))

    def new_turn(self, turn_id: Any) -> None:
        """Another turn begins: equal words in it are new words."""
        if isinstance(turn_id, str) and turn_id and turn_id != self.turn_id:
            if self.turn_id:
                self.told.clear()
            self.turn_id = turn_id

    def response_item(self, payload: Record, time: datetime | None) -> None:
        """What went to and came from the model."""
        kind = payload.get("type")
        if kind == "message":
            text = _text(payload.get("content"))
            role = payload.get("role")
            if role == "assistant":
                self.agent(text, time)
            elif role == "user" and text:
                if words.written_by_program(text):
                    self.log.system(content_id(self.ident, "fragment", text), text, time)
                else:
                    self.waiting.append((text, time))
        elif kind in ("function_call_output", "custom_tool_call_output"):
            self.tool_output(payload, time)
        elif kind == "function_call" and payload.get("name") == "request_user_input":
            self.question(payload, time)

    def event(self, payload: Record, time: datetime | None) -> None:
        """What the developer and the agent said, as the screen showed it."""
        kind = payload.get("type")
        if kind == "user_message":
            if payload.get("kind") not in (None, "plain"):
                return  # an older build's word for what it put there itself
            self.user(str(payload.get("message") or ""), "", "user_message", time)
        elif kind == "item_completed":
            self.new_turn(payload.get("turn_id"))
            item = payload.get("item")
            if isinstance(item, dict) and item.get("type") == "UserMessage":
                self.user(_text(item.get("content")), str(item.get("id") or ""), "item", time)
            elif isinstance(item, dict) and item.get("type") == "AgentMessage":
                self.agent(_text(item.get("content")), time)
        elif kind == "agent_message":
            self.agent(str(payload.get("message") or ""), time)
        elif kind in ("task_started", "turn_started"):
            self.new_turn(payload.get("turn_id"))
        elif kind == "thread_rolled_back":
            self.roll_back(payload.get("num_turns"))

    def bare(self, record: Record, kind: Any, time: datetime | None) -> None:
        """A line of the old schema, which has no envelope."""
        if kind is None and "instructions" in record:
            self.session_meta(record, time)
        elif isinstance(kind, str) and "record_type" not in record:
            self.response_item(record, time)

    # -- turns --------------------------------------------------------------------------------------------------------

    def user(self, text: str, item_id: str, kind: str, time: datetime | None) -> None:
        """The developer's words, told by one kind of event or by both."""
        self.events = True
        self.waiting.clear()
        if not text.strip():
            return
        counts = self.told.setdefault(text, Counter())
        counts[kind] += 1
        if any(count >= counts[kind] for other, count in counts.items() if other != kind):
            return
        if self.fallen_back[text] > 0:
            self.fallen_back[text] -= 1
            return
        self.developer(text, item_id, time, human=True)

    def fall_back(self) -> None:
        """The agent answers, and no event has told what it answers: then the user items are the words."""
        if not self.events:
            for text, time in self.waiting:
                self.fallen_back[text] += 1
                self.developer(text, "", time, human=False)
        self.waiting.clear()

    def developer(self, text: str, item_id: str, time: datetime | None, *, human: bool) -> None:
        """Add one developer turn."""
        segments, channel = words.segments_of(text, lambda part: self.log.cut(part, human=human), self.cwd)
        copied = self.replay_began is not None
        owner = self.replayed if copied else self.ident
        place = f"{owner}:{self.turn_id}" if self.turn_id else owner
        self.ordinals[place] += 1
        ident = item_id or content_id(place, str(self.ordinals[place]), text)
        if ident in self.log.seen and item_id:
            ident = content_id(place, item_id, str(self.ordinals[place]), text)
        self.log.developer(
            ident,
            segments,
            (self.said_then or parse_time(self.meta.get("timestamp")) or time) if copied else time,
            cwd=self.cwd,
            developer=developer_of(self.cwd),
            channel=channel,
        )

    def agent(self, text: str, time: datetime | None) -> None:
        """What the agent said; an event and an item tell the same words."""
        self.log.spoke = True
        if self.waiting:
            self.fall_back()
        if not text or text in self.agent_said:
            return
        self.agent_said = [*self.agent_said[-5:], text]
        self.log.agent(f"{self.ident}#{len(self.log.turns)}", text, time)

    def tool_output(self, payload: Record, time: datetime | None) -> None:
        """What a tool gave back, or what the developer answered to a question."""
        self.log.spoke = True
        if self.waiting:
            self.fall_back()
        output = payload.get("output")
        decoded = _decoded(output)
        call = str(payload.get("call_id") or "")
        if call in self.asked:
            segments = words.answers_of(decoded, self.labels, self.questions, self.log.cut)
            if segments:
                self.log.developer(
                    f"{call}#answer", segments, time, cwd=self.cwd, developer=developer_of(self.cwd), channel="answer"
                )
                return
        text = _text(decoded.get("output", decoded.get("content"))) if isinstance(decoded, dict) else _text(output)
        self.log.tool(call or f"{self.ident}#{len(self.log.turns)}", text or str(output or ""), time)

    def question(self, payload: Record, time: datetime | None) -> None:
        """What the agent asks the developer, with the answers that it offers."""
        given = _decoded(payload.get("arguments"))
        text, self.labels = questions_of(given)
        listed = given.get("questions") if isinstance(given, dict) else None
        for question in listed if isinstance(listed, list) else ():
            if isinstance(question, dict):
                self.questions[str(question.get("id"))] = str(question.get("question") or "")
        call = str(payload.get("call_id") or "")
        self.asked.add(call)
        if self.waiting:
            self.fall_back()
        self.log.agent(f"{call}#question", text, time)

    def roll_back(self, count: Any) -> None:
        """The last developer turns were taken back."""
        left = count if isinstance(count, int) and not isinstance(count, bool) else 1
        turns = self.log.turns
        for index in range(len(turns) - 1, -1, -1):
            if left <= 0:
                return
            turn = turns[index]
            if turn.speaker is Speaker.DEVELOPER and not turn.withdrawn:
                turns[index] = turn.taken_back()
                left -= 1


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _text(content: Any) -> str:
    """The text of a content that is a string or a list of parts, without pictures."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part.get("text") if isinstance(part, dict) else part for part in content]
    return "\n".join(part for part in parts if isinstance(part, str))


def _decoded(output: Any) -> Any:
    """A tool's output, which may be JSON in a string."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            return orjson.loads(output)
        except ValueError:
            return None
    return output
