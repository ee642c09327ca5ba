"""The whole way round: the hook has the agent ask, the developer answers, the next pass hears it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest


def answered(desk: Any, words: str, *, task: str = "deploy to staging", asks: str = "{question}") -> dict[str, Any]:
    """A session that is told to ask, asks so (or in other words), and is answered; what the pass over it comes to."""
    block = desk.prompt(task)
    question = re.findall(r"Ask: (I have .*?\?) \[f_", block)[0]  # of several the first: legacy/, not vendor/
    now = datetime.now(UTC) - timedelta(minutes=5)
    header = {
        "afterpass": 1,
        "session": f"s-{words}",
        "repo": "github.com/acme/webapp",
        "developer": "dana@acme.example",
    }
    turns = [
        {"id": "1", "speaker": "developer", "text": f"{task}\n\n{block}"},
        {"id": "2", "speaker": "agent", "text": "Before I do: " + asks.format(question=question)},
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


TOUCH = "rename the function in legacy/config.py"


@pytest.fixture
def banned(desk: Any) -> Any:
    """Two paths that are off limits, said longer ago than they are trusted."""
    desk.remember("legacy/", "do_not_edit", days_ago=100)
    desk.remember("vendor/", "do_not_edit", days_ago=100)
    return desk


def told(desk: Any, request: str = TOUCH) -> dict[str, Any]:
    """What recall answers to whoever would touch a banned path."""
    done = desk.run("recall", "--type", "do_not_edit", "--request", request, "--json")
    return dict(json.loads(done.stdout))


def test_a_yes_keeps_a_ban_and_moves_its_date(banned: Any) -> None:
    assert ("legacy/", "flag", 100) == tuple(told(banned)[key] for key in ("value", "placement", "age_days"))
    assert {"same_value": 1} == answered(banned, "yes", task=TOUCH)["codes"]
    assert ("legacy/", "load", 0) == tuple(told(banned)[key] for key in ("value", "placement", "age_days"))
    assert [("legacy/", 2), ("vendor/", 1)] == sorted((fact["value"], fact["times_stated"]) for fact in facts(banned))
    assert [] == json.loads(banned.run("review", "--json").stdout)


def test_a_no_puts_that_ban_into_the_queue_and_takes_nothing_away(banned: Any) -> None:
    assert {"correction": 1} == answered(banned, "no", task=TOUCH)["codes"]
    (item,) = json.loads(banned.run("review", "--json").stdout)
    assert ("correction", "legacy/", None) == (item["kind"], item["current"], item["proposed"])
    assert ("legacy/", "ask", True) == tuple(told(banned)[key] for key in ("value", "placement", "ask_first"))
    assert "flag" == told(banned, "rename it in vendor/a.js")["placement"]  # the other one is not in question
    listed = banned.run("review").stdout
    assert "nothing ('legacy/' would no longer hold)" in " ".join(listed.split())
    assert "(before" not in listed
    shown = banned.run("review", "show", item["id"]).stdout
    assert "Does the stored value no longer hold? Accepting takes it away and puts nothing in its place." in shown
    assert "proposed: nothing ('legacy/' would no longer hold), today" in shown
    accepted = banned.run("review", "accept", item["id"]).stdout
    assert f"{item['id']} accepted: do_not_edit was 'legacy/', which no longer holds\n" == accepted
    assert (None, False) == (told(banned)["value"], told(banned)["ask_first"])
    assert ["vendor/"] == [fact["value"] for fact in facts(banned)]
    assert "legacy/" not in banned.prompt(TOUCH, session_id="s-2")
    banned.run("review", "undo", item["id"])
    assert "legacy/" == told(banned)["value"]


def test_another_path_takes_the_place_of_the_one_that_was_asked_about(banned: Any) -> None:
    assert {"replacement": 1} == answered(banned, "no, only legacy/v1/", task=TOUCH)["codes"]
    (item,) = json.loads(banned.run("review", "--json").stdout)
    assert ("replacement", "legacy/", "legacy/v1/") == (item["kind"], item["current"], item["proposed"])
    assert ["legacy/", "vendor/"] == sorted(fact["value"] for fact in facts(banned))
    assert 'which is not to be edited: "legacy/" or "legacy/v1/"?' in banned.prompt(TOUCH, session_id="s-2")
    banned.run("review", "accept", item["id"])
    assert ["legacy/v1/", "vendor/"] == sorted(fact["value"] for fact in facts(banned))
    assert None is told(banned)["value"]
    assert "legacy/v1/" == told(banned, "rename it in legacy/v1/a.py")["value"]
    assert 0 == banned.run("store", "verify").returncode
    banned.run("review", "undo", item["id"])
    assert ["legacy/", "vendor/"] == sorted(fact["value"] for fact in facts(banned))


@pytest.mark.parametrize(
    "asks",
    [
        "Shall I edit legacy/config.py for you?",
        "`legacy/` was not to be edited. May I edit `legacy/config.py`?",
        "{question} Then shall I go ahead?",
    ],
)
def test_leave_for_a_task_is_no_end_of_a_ban(banned: Any, asks: str) -> None:
    assert {} == answered(banned, "yes", task=TOUCH, asks=asks)["codes"]
    assert ("legacy/", "flag", 100) == tuple(told(banned)[key] for key in ("value", "placement", "age_days"))


def test_the_question_may_be_in_the_agents_own_words(banned: Any) -> None:
    asks = "`legacy/` was not to be edited (said in summer). Does this still hold?"
    assert {"correction": 1} == answered(banned, "no", task=TOUCH, asks=asks)["codes"]
