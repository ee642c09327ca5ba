"""What was recorded is said again, word for word; what was not recorded is an error."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from msgspec import structs

from afterpass.evaluation.files import EvalError
from afterpass.evaluation.recording import Player, Recorder, key_of
from extractors.candidate import Candidate, Kind, Malformed
from extractors.interface import Call, Extraction, ReplyFormat
from extractors.prompt import VERSION
from policy.load import load_policy
from transcripts.session import Origin, Segment, Session, Speaker, Turn

SESSION = Session(
    "s1",
    "neutral",
    "github.com/acme/webapp",
    (Turn("1", Speaker.DEVELOPER, (Segment(Origin.TYPED, "we use pnpm"),)),),
)
CANDIDATE = Candidate(
    "we use pnpm",
    "package_manager",
    Kind.STANDING,
    "pnpm",
    turn="1",
    until=date(2026, 7, 1),
    importance=8.0,
    extractor="openai",
)
CALL = Call("qwen", VERSION, 120, 30, 1.5, 1, ReplyFormat.JSON_SCHEMA, '{"facts": []}')


class Saying:
    """An extractor that says the same about every session."""

    name = "openai"

    def __init__(self, said: Extraction, model: str = "qwen") -> None:
        self.said, self.model = said, model
        self.asked = 0

    def propose(self, session: Session, **_options: object) -> Extraction:
        self.asked += 1
        return self.said


def test_a_reply_is_said_again(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    said = Extraction(
        (CANDIDATE, Malformed({"type": 3}, "type is not a string", "openai"), Malformed("so", "no object")), (CALL,)
    )
    Recorder(Saying(said), path).propose(SESSION, policy=load_policy())
    player = Player(path)
    again = player.propose(SESSION, policy=load_policy())
    assert ("openai", "qwen") == (player.name, player.model)
    first, second, third = again.candidates
    assert replace(CANDIDATE, raw=None) == replace(first, raw=None)
    assert isinstance(second, Malformed)
    assert isinstance(third, Malformed)
    assert (CALL,) == again.calls


def test_a_session_that_changed_was_not_recorded(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    Recorder(Saying(Extraction((CANDIDATE,))), path).propose(SESSION, policy=load_policy())
    other = structs.replace(
        SESSION, turns=(structs.replace(SESSION.turns[0], segments=(Segment(Origin.TYPED, "we use bun"),)),)
    )
    assert key_of(SESSION) != key_of(other)
    with pytest.raises(EvalError, match="no reply for session s1"):
        Player(path).propose(other, policy=load_policy())


def test_a_rerun_asks_for_what_is_missing(tmp_path: Path) -> None:
    """Nothing twice of the same model and prompt; another model, or another prompt, is asked anew."""
    path = tmp_path / "replies.jsonl"
    model = Saying(Extraction((CANDIDATE,), (CALL,)))
    for _ in range(2):
        Recorder(model, path).propose(SESSION, policy=load_policy())
    assert 1 == model.asked
    other = Saying(Extraction((CANDIDATE,), (replace(CALL, model="llama", prompt_version="before"),)), "llama")
    for _ in range(2):
        Recorder(other, path).propose(SESSION, policy=load_policy())
    assert 2 == other.asked
    assert "llama" == Player(path).model


@pytest.mark.parametrize("content", ["", '{"session": "s1"}\n'])
def test_a_file_that_is_no_recording(content: str, tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(EvalError):
        Player(path)
