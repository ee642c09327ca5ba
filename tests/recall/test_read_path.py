"""The read path by itself, on one fixed memory: all that is eligible, nothing of others, nothing stale unasked."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import pytest

from afterpass.recall.answer import answer
from afterpass.recall.block import Selection, select
from afterpass.recall.memory import Memory, Pending, Placement, Question, Remembered
from policy.load import load_policy

ON = date(2026, 9, 1)
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
POLICY = load_policy()
WEB, API, DANA, SAM = "github.com/acme/webapp", "github.com/acme/api", "dana@acme.example", "sam@acme.example"
ALL = 10**9  # tokens: no budget


class Row(NamedTuple):
    """A fact, so many days old, and where it has to be placed by its type's trust window; None: not in force."""

    owner: str
    type: str
    subject: str
    value: str
    days: int
    placement: Placement | None
    confirmed: bool = False
    until: date | None = None

    @property
    def id(self) -> str:
        return f"{self.owner}/{self.type}/{self.subject}/{self.value}"


LOAD, FLAG, ASK = Placement.LOAD, Placement.FLAG, Placement.ASK
ROWS = [
    Row(WEB, "package_manager", "", "pnpm", 365, LOAD),
    Row(API, "package_manager", "", "uv", 366, FLAG),
    Row(WEB, "test_command", "", "make test", 180, LOAD),
    Row(WEB, "test_command", "e2e", "make e2e", 181, FLAG),
    Row(API, "test_command", "", "tox", 10, LOAD),
    Row(WEB, "build_command", "", "make image", 400, FLAG),
    Row(WEB, "lint_command", "", "ruff check", 3, LOAD),
    Row(WEB, "run_command", "", "make serve", 0, LOAD),
    Row(WEB, "deploy_target", "staging", "preview", 60, LOAD, confirmed=True),
    Row(WEB, "deploy_target", "production", "release", 61, ASK, confirmed=True),
    Row(WEB, "deploy_target", "qa", "qa", 1, ASK),
    Row(API, "deploy_target", "staging", "main", 61, ASK),
    Row(WEB, "reviewer", "payments", "Sam", 180, LOAD, confirmed=True),
    Row(WEB, "reviewer", "search", "Kim", 181, FLAG, confirmed=True),
    Row(WEB, "do_not_edit", "", "legacy/", 5, ASK),
    Row(WEB, "do_not_edit", "", "gen/", 91, FLAG, confirmed=True),
    Row(WEB, "code_style", "quotes", "double quotes in TypeScript", 2000, LOAD),
    Row(API, "decision", "retries", "no retries in handlers", 2000, LOAD),
    Row(WEB, "service_fact", "search", "the search service runs on port 9200", 181, FLAG),
    Row(WEB, "service_fact", "cache", "the cache is redis 7", 12, LOAD),
    Row(WEB, "identifier", "sentry project", "webapp-eu", 366, FLAG),
    Row(WEB, "lint_command", "docs", "vale docs", 2, LOAD, until=ON),
    Row(WEB, "build_command", "docs", "make old-docs", 2, None, until=ON - timedelta(days=1)),
    Row(DANA, "preference", "summaries", "summaries as bullet points", 900, LOAD),
    Row(SAM, "preference", "language", "answers in German", 900, LOAD),
]
PENDING = Pending("replacement", WEB, "test_command", "", "make test", "just test")
PLACES = [(WEB, DANA), (WEB, SAM), (WEB, None), (API, DANA), (API, None), ("github.com/acme/other", DANA)]


def memory(*pending: Pending) -> Memory:
    """Everybody's facts at once: whose they are is for the read path to tell."""
    facts = (
        Remembered(
            row.owner,
            row.type,
            row.subject,
            row.value,
            NOON - timedelta(days=row.days),
            NOON - timedelta(days=row.days) if row.confirmed else None,
            row.until,
            row.id,
        )
        for row in ROWS
    )
    return Memory(tuple(facts), pending)


def told(repo: str, developer: str | None, task: str = "", *pending: Pending) -> Selection:
    return select(Question("", None, task, repo, developer, ON), memory(*pending), policy=POLICY, budget=ALL)


def placed(selection: Selection) -> dict[str, Placement | None]:
    return {fact.id or "": slot.placement for slot in selection.shown for fact in slot.facts}


@pytest.mark.parametrize(("repo", "developer"), PLACES)
def test_all_that_is_eligible_is_told_and_placed_and_nothing_else(repo: str, developer: str | None) -> None:
    """Eligible recall 1.0, scope violations 0, stale loads 0."""
    mine = {row.id: row.placement for row in ROWS if row.owner in (repo, developer) and row.placement is not None}
    assert mine == placed(told(repo, developer))


@pytest.mark.parametrize("row", [row for row in ROWS if row.owner == WEB and row.placement is not None], ids=str)
def test_a_question_gets_the_fact_that_the_slot_holds(row: Row) -> None:
    if row.type == "do_not_edit":
        request = f"edit {row.value}main.py"
        found = answer(Question(row.type, None, request, WEB, DANA, ON), memory(), policy=POLICY)
    else:
        found = answer(Question(row.type, row.subject, "", WEB, DANA, ON), memory(), policy=POLICY)
    assert (row.value, row.id, row.placement) == (found.value, found.fact, found.placement)
    stakes = POLICY.types[row.type].stakes
    assert (row.placement is ASK or stakes == "high") == found.ask_first


@pytest.mark.parametrize("row", [row for row in ROWS if row.placement is not None], ids=str)
def test_no_other_place_is_answered_with_it(row: Row) -> None:
    for repo, developer in PLACES:
        if row.owner in (repo, developer):
            continue
        found = answer(Question(row.type, row.subject, row.value, repo, developer, ON), memory(), policy=POLICY)
        assert row.id not in found.facts
        assert row.id not in placed(told(repo, developer, f"about {row.value}"))


def test_a_slot_in_question_is_not_loaded() -> None:
    assert ASK is placed(told(WEB, DANA, "", PENDING))[f"{WEB}/test_command//make test"]
    found = answer(Question("test_command", "", "", WEB, DANA, ON), memory(PENDING), policy=POLICY)
    assert ("make test", True) == (found.value, found.ask_first)


def test_a_dated_rule_that_is_over_is_no_answer() -> None:
    found = answer(Question("build_command", "docs", "", WEB, DANA, ON), memory(), policy=POLICY)
    assert "make image" == found.value
