"""Write precision and recall on sessions with gold, counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from afterpass.evaluation.files import EvalError
from afterpass.evaluation.rules import rule_of, same_pivot, says
from afterpass.evaluation.sessions import evaluate_sessions, read_gold
from extractors.candidate import Candidate, Kind
from extractors.interface import Extraction
from policy.load import load_policy
from transcripts.session import Session

REPO = "example.org/team/code-1"


@pytest.mark.parametrize(
    ("expected", "topic", "text"),
    [
        (True, "always start variable names with 'v_'", "start variables with 'v_' please"),
        (True, "always start variable names with 'v_'", "always prefix them with v_"),
        (True, "always end method names with '_zz'", "method names end in `_zz`."),
        (True, "always add the '@cache' decorator to all functions", "put @cache on every function"),
        (True, "always use docstrings in functions", "every function gets a docstring"),
        (True, "always include a single digit in class names", "put one digit into class names"),
        (False, "always start variable names with 'v_'", "start functions with 'v_'"),
        (False, "always start variable names with 'v_'", "start variables with 'v2_'"),
        (False, "always end method names with '_zz'", "method names end in '_zzz'"),
        (False, "always add the '@cache' decorator to all functions", "put @cache_all on every function"),
        (False, "always use docstrings in functions", "every method gets a docstring"),
        (False, "always use docstrings in functions", "functions are short"),
    ],
)
def test_says(expected: bool, topic: str, text: str) -> None:
    assert expected == says(text, rule_of(topic))


def test_a_change_of_names_is_a_change_of_the_same_thing() -> None:
    first, later = rule_of("always start variable names with 'v_'"), rule_of("always end variable names with '_q'")
    assert same_pivot(first, later)
    assert not same_pivot(first, rule_of("always end method names with '_q'"))
    assert not same_pivot(
        rule_of("always use docstrings in functions"), rule_of("always start function names with 'f_'")
    )


class Saying:
    """Proposes what it is told to, per session."""

    name = "told"
    model = None

    def __init__(self, said: dict[str, list[Candidate]]) -> None:
        self.said = said

    def propose(self, session: Session, **_options: object) -> Extraction:
        return Extraction(tuple(self.said.get(session.id, ())))


def write(folder: Path, name: str, day: int, *texts: str) -> None:
    header = {
        "afterpass": 1,
        "session": name,
        "repo": REPO,
        "developer": "emma@example.org",
        "ended": f"2026-01-{day:02d}T10:00:00Z",
    }
    turns = [{"speaker": "developer", "text": text} for text in texts]
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in [header, *turns]), encoding="utf-8")


def style(evidence: str, subject: str, value: str | None = None) -> Candidate:
    return Candidate(evidence, "code_style", Kind.STANDING, value or evidence, subject)


GOLD: list[dict[str, Any]] = [
    {"session": "a", "dialogue": 1, "type": "instruction-add", "topic": "always start variable names with 'v_'"},
    {"session": "a", "dialogue": 1, "type": "instruction-add", "topic": "always use docstrings in functions"},
    {"session": "b", "dialogue": 1, "type": "filler-instruction-add", "topic": "use the company phone"},
    {"session": "c", "dialogue": 1, "type": "instruction-update", "topic": "always start variable names with 'w_'"},
]


def test_counts(tmp_path: Path) -> None:
    write(tmp_path, "a", 1, "We always start variable names with 'v_'.", "We always write a docstring for functions.")
    write(tmp_path, "b", 2, "We always use the company phone for calls.")
    write(tmp_path, "c", 3, "From now on we start variable names with 'w_'.")
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps(GOLD), encoding="utf-8")
    said = {
        "a": [style("We always start variable names with 'v_'", "variable names")],
        "b": [style("We always use the company phone for calls", "phone")],
        "c": [
            style(
                "From now on we start variable names with 'w_'", "variable names", "we start variable names with 'w_'"
            )
        ],
    }
    got = evaluate_sessions(tmp_path, read_gold(gold), Saying(said), load_policy()).to_json()
    assert 3 == got["sessions"]
    assert {"recall": 0.6667, "right": 2, "of": 3} == got["proposed"]
    assert (2, 3) == (got["written"]["right"], got["written"]["of"])
    assert (2, 3, 0.6667) == (got["written"]["kept_right"], got["written"]["kept"], got["written"]["precision"])
    assert {"right_slot": 1.0, "right": 1, "of": 1} == got["replacements"]
    assert [("a", "always use docstrings in functions", [])] == [
        (one["session"], one["rule"], one["codes"]) for one in got["missed"]
    ]
    assert ["b"] == [one["session"] for one in got["extra"]]


def test_a_change_that_is_written_beside_the_old_rule_is_not_on_its_slot(tmp_path: Path) -> None:
    write(tmp_path, "a", 1, "We always start variable names with 'v_'.")
    write(tmp_path, "c", 3, "From now on we start variable names with 'w_'.")
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps([GOLD[0], GOLD[3]]), encoding="utf-8")
    said = {
        "a": [style("We always start variable names with 'v_'", "variable names")],
        "c": [style("From now on we start variable names with 'w_'", "prefixes", "we start variable names with 'w_'")],
    }
    got = evaluate_sessions(tmp_path, read_gold(gold), Saying(said), load_policy()).to_json()
    assert {"right_slot": 0.0, "right": 0, "of": 1} == got["replacements"]


def test_what_cannot_be_measured_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvalError, match="cannot be read"):
        read_gold(tmp_path / "gold.json")
    with pytest.raises(EvalError, match="no such folder"):
        evaluate_sessions(tmp_path / "none", {}, Saying({}), load_policy())
    with pytest.raises(EvalError, match="holds no session"):
        evaluate_sessions(tmp_path, {}, Saying({}), load_policy())
