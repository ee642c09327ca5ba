"""Correct, wrong, unknown; and the step at which a gold fact was lost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from afterpass.evaluation.files import EvalError
from afterpass.evaluation.gold_extractor import GoldExtractor, evidence_of, sentences
from afterpass.evaluation.lifecycle import ARMS, CaseResult, check_arms, evaluate, to_json
from afterpass.evaluation.lifecycle_cases import Expect, Gold, LifecycleCase, read_cases
from afterpass.evaluation.scoring import grade, same_value
from afterpass.recall.memory import Answer, Placement, Source
from extractors.candidate import Candidate, Kind
from extractors.interface import Extraction
from policy.errors import UsageError
from policy.load import load_policy
from policy.model import Policy
from transcripts.session import Origin, Segment, Session, Speaker, Turn

LOADED = Expect("pnpm", "memory", ask_first=False, placement="load", key=None)
ASKED = Expect("preview", "memory", ask_first=True, placement="ask", key=None)
NOTHING = Expect(None, "none", ask_first=True, placement=None, key=None)
FREE = Expect(None, "none", ask_first=False, placement=None, key=None)
KEYED = Expect("the cache runs redis 7", "memory", ask_first=False, placement="load", key="redis 7")


def said(value: str | None, source: str, how: str, placement: str | None = None) -> Answer:
    """An answer that ``acts`` or ``asks``."""
    return Answer(value, Source(source), how == "asks", Placement(placement) if placement else None)


@pytest.mark.parametrize(
    ("expected", "answer", "expect"),
    [
        ("correct", said("pnpm", "memory", "acts", "load"), LOADED),
        ("correct", said("`PNPM`", "memory", "acts", "load"), LOADED),
        ("correct", said(None, "none", "asks"), NOTHING),
        ("correct", said(None, "none", "acts"), FREE),
        ("correct", said("our cache runs redis 7 now", "memory", "acts", "load"), KEYED),
        ("wrong", said("yarn", "memory", "acts", "load"), LOADED),
        ("wrong", said("yarn", "memory", "acts", "flag"), NOTHING),
        ("wrong", said("main", "request", "acts"), ASKED),
        ("wrong", said(None, "none", "acts"), ASKED),  # it goes ahead where it had to ask
        ("wrong", said("our cache runs redis 6", "memory", "acts", "load"), KEYED),
        ("unknown", said("yarn", "memory", "asks", "ask"), LOADED),
        ("unknown", said("pnpm", "memory", "asks", "ask"), LOADED),
        ("unknown", said("pnpm", "memory", "acts", "flag"), LOADED),
        ("unknown", said("pnpm", "repo", "acts"), LOADED),
        ("unknown", said(None, "none", "asks"), LOADED),
        ("unknown", said("preview", "memory", "acts", "load"), ASKED),  # the right value, without the question
        ("unknown", said("yarn", "memory", "asks", "ask"), NOTHING),
    ],
)
def test_grade(expected: str, answer: Answer, expect: Expect) -> None:
    assert expected == grade(answer, expect)


@pytest.mark.parametrize(
    ("expected", "one", "other"),
    [
        (True, "make test", "`make test`"),
        (True, "Sam", "sam."),
        (True, None, None),
        (False, None, ""),
        (False, "make test", "make test-api"),
    ],
)
def test_same_value(expected: bool, one: str | None, other: str | None) -> None:
    assert expected == same_value(one, other)


def case_of(record: dict[str, Any], tmp_path: Path) -> LifecycleCase:
    path = tmp_path / "cases.jsonl"
    path.write_text(json.dumps(record), encoding="utf-8")
    (case,) = read_cases(path)
    return case


class Saying:
    """An extractor that proposes what it is told to, per session: data, no model."""

    name = "told"
    model = None

    def __init__(self, **by_session: Candidate) -> None:
        self.by_session = by_session

    def propose(
        self,
        session: Session,
        *,
        policy: Policy,
        known_slots: Sequence[tuple[str, str]] = (),
        first_turn: int = 0,
    ) -> Extraction:
        one = self.by_session.get(session.id)
        return Extraction((one,) if one else ())


PNPM = Candidate("we use pnpm in this repo", "package_manager", Kind.STANDING, "pnpm")
BUN = Candidate("we use bun in this repo now", "package_manager", Kind.STANDING, "bun")


def result_of(case: LifecycleCase, extractor: Any) -> CaseResult:
    return evaluate([case], lambda _case: extractor, load_policy(), arms=["afterpass"]).results["afterpass"][0]


@pytest.mark.parametrize(
    ("verdict", "lost_at", "proposals", "changed"),
    [
        ("correct", None, {"s1": PNPM, "s2": BUN}, {}),
        ("correct", None, {"s2": BUN}, {}),  # right by its end, although an earlier fact was never proposed
        ("wrong", "proposed", {"s1": PNPM}, {}),
        ("unknown", "proposed", {}, {}),
        (
            "wrong",
            "accepted",
            {"s1": PNPM, "s2": Candidate("we use bun", "package_manager", Kind.ONE_OFF, "bun")},
            {"s2": "just for this we use bun"},
        ),
        ("unknown", "stored", {"s1": PNPM, "s2": BUN}, {"reviews": ["none", "none"]}),
        ("unknown", "answered", {"s1": PNPM, "s2": BUN}, {"placement": "ask"}),
    ],
)
def test_where_a_fact_was_lost(
    verdict: str,
    lost_at: str | None,
    proposals: dict[str, Candidate],
    changed: dict[str, Any],
    record: dict[str, Any],
    tmp_path: Path,
) -> None:
    if "s2" in changed:
        record["sessions"][1]["turns"][0]["text"] = changed["s2"]
    record["reviews"] = changed.get("reviews", record["reviews"])
    record["expect"]["placement"] = changed.get("placement", "load")
    got = result_of(case_of(record, tmp_path), Saying(**proposals))
    assert (verdict, lost_at) == (got.grade, got.lost_at)


def test_what_was_let_in_without_gold_is_named(record: dict[str, Any], tmp_path: Path) -> None:
    record["sessions"][0]["gold"] = []
    got = result_of(case_of(record, tmp_path), Saying(s1=PNPM, s2=BUN))
    assert [("write", "pnpm")] == [(d.disposition, d.value) for d in got.junk]


def test_an_answer_that_was_right_once_is_stale(record: dict[str, Any], tmp_path: Path) -> None:
    assert result_of(case_of(record, tmp_path), Saying(s1=PNPM)).is_stale
    record["sessions"][0]["gold"] = []
    assert not result_of(case_of(record, tmp_path), Saying(s1=PNPM)).is_stale


def test_the_json_of_a_report(record: dict[str, Any], tmp_path: Path) -> None:
    case = case_of(record, tmp_path)
    got = to_json(evaluate([case], GoldExtractor, load_policy(), arms=["none", "naive", "afterpass"]))
    assert {"correct": 1, "wrong": 0, "unknown": 0, "total": 1} == {
        key: got["arms"]["afterpass"][key] for key in ("correct", "wrong", "unknown", "total")
    }
    assert {"update": {"correct": 0, "wrong": 0, "unknown": 1, "total": 1}} == got["arms"]["none"]["by_category"]
    assert (
        dict.fromkeys(["gold", "proposed", "accepted", "stored", "loaded", "answered"], 2)
        == got["arms"]["afterpass"]["steps"]
    )
    assert {"rescued": 1, "regretted": 0, "unchanged": 0, "pairs": 1} == got["against_none"]["afterpass"]
    assert [("one", "none"), ("one", "naive"), ("one", "afterpass")] == [(c["id"], c["arm"]) for c in got["cases"]]
    last = got["cases"][2]
    assert ("bun", "correct", None) == (last["answer"]["value"], last["verdict"], last["lost_at"])
    assert 1 == got["given_gold_store"]["correct"]
    assert 1.0 == got["measures"]["write_precision"]


def test_arms_are_none_naive_afterpass_and_one_per_check() -> None:
    assert ("none", "naive", "afterpass") == ARMS[:3]
    assert "afterpass-without-one_off_cue" in ARMS
    assert "afterpass-without-malformed" not in ARMS
    assert ("naive", "afterpass") == check_arms(["afterpass", "naive"])
    with pytest.raises(UsageError, match="clever"):
        check_arms(["clever"])


def session(*turns: tuple[str, str]) -> Session:
    made = tuple(
        Turn(str(i), Speaker(speaker), (Segment(Origin.TYPED, text),)) for i, (speaker, text) in enumerate(turns, 1)
    )
    return Session("s", "neutral", "github.com/acme/webapp", made)


@pytest.mark.parametrize(
    ("expected", "gold", "turns"),
    [
        (
            ("2", "tests run with `make test`, fyi."),
            Gold("test_command", "", "make test", "standing"),
            [("agent", "make test?"), ("developer", "red again? tests run with `make test`, fyi. fix it")],
        ),
        (
            ("1", "the api is on v2.1 now."),
            Gold("service_fact", "api", "the api is on v2.1", "standing"),
            [("developer", "the api is on v2.1 now. bump the client")],
        ),
        (
            ("2", "forget the e2e command"),
            Gold("test_command", "e2e", "", "forget"),
            [("developer", "e2e is slow"), ("developer", "forget the e2e command")],
        ),
        (
            ("2", "yes, from now on"),
            Gold("test_command", "", "cargo nextest run", "standing"),
            [("agent", "`cargo nextest run` is faster. Use it?"), ("developer", "yes, from now on")],
        ),
        (
            None,
            Gold("test_command", "", "make test", "standing"),
            [("tool", "$ make test"), ("agent", "make test ran")],
        ),
        (None, Gold("test_command", "", "make test", "standing"), [("developer", "make test-api is red")]),
    ],
)
def test_evidence_is_found_in_the_developers_words(
    expected: tuple[str, str] | None, gold: Gold, turns: list[tuple[str, str]]
) -> None:
    assert expected == evidence_of(gold, session(*turns))


def test_a_full_stop_inside_a_name_ends_no_sentence() -> None:
    assert ["edit db/schema.sql at v1.2.", "ok?"] == sentences("edit db/schema.sql at v1.2. ok?\n")


def test_what_tempts_is_proposed_wherever_it_stands(record: dict[str, Any], tmp_path: Path) -> None:
    record["sessions"][0]["turns"].append({"speaker": "tool", "text": "$ yarn add x"})
    record["tempting_wrong"] = ["yarn"]
    case = case_of(record, tmp_path)
    shown = session(("developer", "we use pnpm in this repo"), ("tool", "$ yarn add x"))
    got = GoldExtractor(case, tempted=True).propose(
        Session("s1", "neutral", case.repo, shown.turns), policy=load_policy()
    )
    assert [("gold", "pnpm"), ("tempting", "yarn")] == [(c.extractor, c.value) for c in got.candidates]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("message", "change"),
    [
        ("cases.jsonl:1: repo is missing", {"repo": None}),
        ("cases.jsonl:1: sessions is missing", {"sessions": "s1"}),
        ("cases.jsonl:1: reviews is one of accept, none, reject", {"reviews": "maybe"}),
        ("store_after has 1 entries for 2 sessions", {"store_after": [[]]}),
        ("'soon' is not a date", {"ask": {"on": "soon", "text": "t", "type": "package_manager"}}),
        ("ask_first is missing", {"expect": {"source": "none"}}),
    ],
)
def test_a_broken_case_names_file_line_and_field(
    message: str, change: dict[str, Any], record: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(EvalError, match=message):
        case_of({**record, **change}, tmp_path)


def test_broken_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(EvalError, match="no such file"):
        read_cases(tmp_path / "none.jsonl")
    path = tmp_path / "cases.jsonl"
    path.write_text("{]\n", encoding="utf-8")
    with pytest.raises(EvalError, match="not JSON"):
        read_cases(path)
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(EvalError, match="holds no case"):
        read_cases(path)


def test_what_came_of_telling_each_session_what_was_remembered(record: dict[str, Any], tmp_path: Path) -> None:
    first, second = record["sessions"]
    used = {
        "session": "s3",
        "developer": "dana@acme.example",
        "ended": "2026-03-05T10:00:00Z",
        "turns": [{"speaker": "developer", "text": "add zod"}, {"speaker": "agent", "text": "I ran bun add zod."}],
        "gold": [],
    }
    path = tmp_path / "cases.jsonl"
    after = [*record["store_after"], record["store_after"][1]]
    path.write_text(json.dumps({**record, "sessions": [first, second, used], "store_after": after}), "utf-8")
    report = evaluate(read_cases(path), GoldExtractor, load_policy(), arms=("afterpass",))
    told = to_json(report)["recall"]
    # Session two was told pnpm, loaded without a question, and said bun; session three was told bun and used it.
    assert (3, 2, 2, 1, 0.5) == tuple(told[name] for name in ("sessions", "told", "loaded", "stale", "stale_load_rate"))
    assert (2, 1, 0.5) == tuple(told[name] for name in ("followed", "used", "use_rate"))
    assert (0, 0.0, 0, None) == tuple(
        told[name] for name in ("missed", "missing_memory_rate", "answered", "confirmation_rate")
    )
