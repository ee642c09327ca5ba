"""The whole way round: the hook has the agent ask, the developer answers, the next pass hears it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest


def answered(desk: Any, words: str) -> dict[str, Any]:
    """A session that is told to ask, asks so, and is answered; what the pass over it comes to."""
    block = desk.prompt("deploy to staging")
    (question,) = re.findall(r"Ask: (I have .*?\?) \[f_", block)
    now = datetime.now(UTC) - timedelta(minutes=5)
    header = {
        "afterpass": 1,
        "session": f"s-{words}",
        "repo": "github.com/acme/webapp",
        "developer": "dana@acme.example",
    }
    turns = [
        {"id": "1", "speaker": "developer", "text": f"deploy to staging\n\n{block}"},
        {"id": "2", "speaker": "agent", "text": f"Before I do: {question}"},
        {"id": "3", "speaker": "developer", "text": words},
    ]
    lines = [header | {"ended": now.isoformat()}, *({**turn, "time": now.isoformat()} for turn in turns)]
    path = desk.user / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    done = desk.run("run", str(path), "--extractor", "cues", "--json")
    assert 0 == done.returncode, done.stderr
    return dict(json.loads(done.stdout))


def facts(desk: Any) -> list[dict[str, Any]]:
    return list(json.loads(desk.run("facts", "--json").stdout))


@pytest.fixture
def asked(desk: Any) -> Any:
    """High stakes, past trust: it has to be asked about."""
    desk.remember("preview", "deploy_target", "staging", days_ago=70)
    return desk


def test_a_yes_moves_the_confirmation_and_the_next_session_is_not_held_back(asked: Any) -> None:
    assert {"same_value": 1} == answered(asked, "yes")["codes"]
    (fact,) = facts(asked)
    assert ("preview", 2) == (fact["value"], fact["times_stated"])
    assert datetime.now(UTC) - datetime.fromisoformat(fact["confirmed_at"]) < timedelta(minutes=30)
    assert (
        "load"
        == json.loads(asked.run("recall", "--type", "deploy_target", "--subject", "staging", "--json").stdout)[
            "placement"
        ]
    )


def test_a_correction_goes_the_way_of_all_replacements(asked: Any) -> None:
    assert {"replacement": 1} == answered(asked, "no, it's develop now")["codes"]
    (item,) = json.loads(asked.run("review", "--json").stdout)
    assert ("replacement", "preview", "develop") == (item["kind"], item["current"], item["proposed"])
    assert ["preview"] == [fact["value"] for fact in facts(asked)]
    assert 'which holds for the deploy target (staging): "preview" or "develop"?' in asked.prompt("deploy to staging")


def test_a_bare_no_puts_the_value_in_question(asked: Any) -> None:
    assert {"correction": 1} == answered(asked, "no")["codes"]
    (item,) = json.loads(asked.run("review", "--json").stdout)
    assert ("correction", "preview", None) == (item["kind"], item["current"], item["proposed"])


def test_a_yes_for_this_once_changes_nothing(asked: Any) -> None:
    (before,) = facts(asked)
    assert {"one_off_cue": 1} == answered(asked, "yes, but only this once")["codes"]
    assert [before["confirmed_at"]] == [fact["confirmed_at"] for fact in facts(asked)]


def test_the_block_itself_is_no_evidence(asked: Any) -> None:
    assert {} == answered(asked, "hm, let me look")["codes"]
