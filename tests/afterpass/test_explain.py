"""``afterpass explain``: what spoke against each candidate, under every name that a session goes by."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.person import Person, line


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Person:
    """Three sessions, two of whose names begin alike; one refusal."""
    person = Person(tmp_path_factory.mktemp("settled"))
    person.has("alpha-1")
    person.has("alpha-2", "thank you")
    person.has("beta", "just this once use npm")
    assert 0 == person.runs().returncode
    return person


def test_what_spoke_against_a_candidate_is_shown_and_the_rest_counted(settled: Person) -> None:
    shown = settled.says("explain", "beta").stdout
    assert "discard: one_off_cue" in shown
    assert ["one_off_cue"] == [each.split()[1] for each in shown.splitlines() if each.startswith("    FAIL")]
    verdicts = settled.gets("explain", "beta")["candidates"][0]["verdicts"]
    held = sum(verdict["outcome"] != "fail" for verdict in verdicts)
    assert f"    {held} of {len(verdicts)} checks had nothing against it (-v names them)" in shown
    assert "    ok  " not in shown


def test_verbose_shows_every_check(settled: Person) -> None:
    shown = settled.says("explain", "beta", "-v").stdout
    verdicts = settled.gets("explain", "beta")["candidates"][0]["verdicts"]
    assert [verdict["check"] for verdict in verdicts] == [
        each.split()[1] for each in shown.splitlines() if each.startswith(("    ok  ", "    FAIL", "    n/a "))
    ]


def test_every_name_of_a_session_finds_it(settled: Person) -> None:
    refused = settled.gets("rejected")[0]
    names = ["beta", "neutral:beta", "neutral:b", "be", str(settled.sessions / "beta.jsonl"), refused["id"]]
    for name in (*names, refused["id"][:8], refused["session"]):
        assert "neutral:beta" == settled.gets("explain", name)["session"]["key"]


def test_a_beginning_of_several_names_them(settled: Person) -> None:
    told = line(settled.says("explain", "alpha"), 1)
    assert "'alpha' begins the names of 2 sessions" in told
    assert "neutral:alpha-1" in told
    assert "neutral:alpha-2" in told


def test_a_fact_is_explained_by_its_history(settled: Person) -> None:
    fact = settled.gets("facts")[0]["id"]
    assert f"`afterpass facts --history {fact}`" in line(settled.says("explain", fact), 1)


def test_a_beginning_serves_the_commands_that_read_a_transcript(settled: Person) -> None:
    assert "beta" == settled.gets("read", "bet")["header"]["session"]


def test_a_transcript_that_was_not_read_is_no_session_yet(settled: Person, tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    path.write_text("{}", "utf-8")
    assert "`afterpass run PATH` reads it" in line(settled.says("explain", str(path)), 1)
