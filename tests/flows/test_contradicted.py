"""A repository whose own files say otherwise than a stored fact: a pass asks a person, once."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows.contradicted import ask_about
from flows.run import run
from policy.load import load_policy
from policy.settings import Settings
from store.records import Fact, FactState, Review
from store.store import Store
from tests.flows.conftest import REPO, Write
from transcripts.owner import top_of

NOW = datetime(2026, 6, 12, tzinfo=UTC)
Say = Callable[..., dict[str, dict[str, int]]]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of the sessions' repository, without any files of its own."""
    place = tmp_path / "webapp"
    for words in (["init", "-q", str(place)], ["-C", str(place), "remote", "add", "origin", f"https://{REPO}.git"]):
        subprocess.run(["git", *words], check=True)
    return place


@pytest.fixture
def say(settings: Settings, write: Write, checkout: Path) -> Say:
    """Has one finished session, in which the developer says this, read by a pass; gives the pass's counts."""
    count = iter(range(100))

    def pass_with(text: str, *, where: Path = checkout, dry_run: bool = False) -> dict[str, dict[str, int]]:
        number = next(count)
        ended = f"2026-06-11T10:{number:02d}:00Z"
        path = write(f"s{number}", [("developer", text)], cwd=str(where), ended=ended)
        result = run(settings, [path], dry_run=dry_run)
        return {"decisions": result.decisions, "codes": result.codes, "sessions": result.sessions}

    return pass_with


def queue(settings: Settings, *, everything: bool = False) -> list[Review]:
    with Store(settings.home).connect() as db:
        return db.reviews(all=everything)


def decide(settings: Settings, *, accept: bool) -> None:
    """Accept or reject the only question that waits."""
    (item,) = queue(settings)
    with Store(settings.home).connect() as db:
        (db.accept if accept else db.reject)(item.id, actor="dana", now=NOW)


def facts(settings: Settings, *, everything: bool = False) -> list[Fact]:
    with Store(settings.home).connect() as db:
        return db.facts(all=everything)


def test_a_lock_file_that_says_otherwise_is_asked_about_once(settings: Settings, say: Say, checkout: Path) -> None:
    say("we use pnpm here")
    assert [] == queue(settings)
    (checkout / "yarn.lock").touch()
    told = say("the page is broken, fix it")
    assert ({"queue": 1}, {"correction": 1}) == (told["decisions"], told["codes"])
    (item,) = queue(settings)
    assert ("correction", "package_manager", "pnpm", "yarn") == (item.kind, item.type, item.current, item.proposed)
    assert "the repository's files say 'yarn'" == item.detail
    assert item.evidence is not None
    assert "packageManager and lock files: yarn" == item.evidence.text
    assert "files" == item.to_json()["raised_by"]
    assert {} == say("and now the footer")["decisions"]
    assert ["pnpm"] == [fact.value for fact in facts(settings)]
    with Store(settings.home).connect() as db:
        assert ([], {"done": 3}) == (db.verify(), dict(db.status().sessions))


def test_a_dry_run_says_so_and_asks_nobody(settings: Settings, say: Say, checkout: Path) -> None:
    say("we use pnpm here")
    (checkout / "yarn.lock").touch()
    assert {"correction": 1} == say("the page is broken", dry_run=True)["codes"]
    assert [] == queue(settings)


def test_accepting_lets_the_old_value_have_been_true_and_is_the_end_of_it(
    settings: Settings, say: Say, checkout: Path
) -> None:
    say("we use pnpm here")
    (checkout / "yarn.lock").touch()
    say("the page is broken, fix it")
    decide(settings, accept=True)
    assert [("pnpm", FactState.SUPERSEDED), ("yarn", FactState.ACTIVE)] == sorted(
        (fact.value, fact.state) for fact in facts(settings, everything=True)
    )
    assert {} == say("and now the footer")["decisions"]


def test_a_refused_value_is_not_asked_about_again_another_one_is(settings: Settings, say: Say, checkout: Path) -> None:
    say("we use pnpm here")
    (checkout / "yarn.lock").touch()
    say("the page is broken, fix it")
    decide(settings, accept=False)
    assert {} == say("and now the footer")["decisions"]
    (checkout / "yarn.lock").unlink()
    (checkout / "bun.lock").touch()
    say("and the header")
    assert [("pnpm", "bun")] == [(item.current, item.proposed) for item in queue(settings)]


def test_a_fact_that_was_confirmed_by_hand_is_not_asked_about_again(
    settings: Settings, say: Say, checkout: Path
) -> None:
    say("we use pnpm here")
    (checkout / "yarn.lock").touch()
    say("the page is broken, fix it")
    (fact,) = facts(settings)
    with Store(settings.home).connect() as db:
        db.confirm_fact(fact.id, actor="dana", now=datetime.now(UTC))
    assert ([], {}) == (queue(settings), say("and now the footer")["decisions"])
    (checkout / "yarn.lock").unlink()
    (checkout / "bun.lock").touch()
    say("and the header")
    assert [("pnpm", "bun")] == [(item.current, item.proposed) for item in queue(settings)]


def test_a_person_who_chose_the_fact_over_the_files_is_not_asked_again(
    settings: Settings, say: Say, checkout: Path
) -> None:
    (checkout / "yarn.lock").touch()
    say("we use pnpm here")
    (item,) = queue(settings)
    assert "contradicts_repo" == item.kind
    decide(settings, accept=True)
    assert {} == say("the page is broken, fix it")["decisions"]
    (checkout / "yarn.lock").unlink()
    (checkout / "bun.lock").touch()
    say("and the header")
    assert [("pnpm", "bun")] == [(item.current, item.proposed) for item in queue(settings)]


def test_the_checkouts_top_answers_wherever_in_it_the_session_ran(settings: Settings, say: Say, checkout: Path) -> None:
    say("we use pnpm here")
    inside = checkout / "docs" / "site"
    inside.mkdir(parents=True)
    (checkout / "pnpm-lock.yaml").touch()
    (inside / "yarn.lock").touch()
    say("the page is broken, fix it", where=inside)
    assert (checkout.resolve(), []) == (top_of(inside), queue(settings))


def test_only_a_checkout_of_the_repository_is_asked(settings: Settings, say: Say, tmp_path: Path) -> None:
    say("we use pnpm here")
    other = tmp_path / "other"
    other.mkdir()
    (other / "yarn.lock").touch()
    say("the page is broken, fix it", where=other)
    say("the page is broken, fix it", where=tmp_path / "gone")
    assert [] == queue(settings)


def test_dated_rules_and_types_of_many_values_and_of_persons_are_left_alone(
    settings: Settings, say: Say, checkout: Path
) -> None:
    policy = load_policy()
    with Store(settings.home).connect() as db:
        for name, owner, subject, value, until in (
            ("package_manager", REPO, "", "pnpm", datetime(2027, 1, 1, tzinfo=UTC).date()),
            ("do_not_edit", REPO, "", "legacy/", None),
            ("preference", "dana@acme.example", "", "short commits", None),
        ):
            db.add_fact(
                policy.types[name], owner=owner, subject=subject, value=value, actor="dana", now=NOW, until=until
            )
    (checkout / "yarn.lock").touch()
    (checkout / ".gitattributes").write_text("legacy/ linguist-generated\n", encoding="utf-8")
    say("the page is broken, fix it")
    assert [] == queue(settings)


def test_owners_and_ci_lines_contradict_too(settings: Settings, say: Say, checkout: Path) -> None:
    say("Sam reviews anything in payments. We run the tests with `make test` in this repo.")
    (checkout / ".github" / "workflows").mkdir(parents=True)
    (checkout / ".github" / "CODEOWNERS").write_text("/payments/ @kim\n", encoding="utf-8")
    (checkout / ".github" / "workflows" / "ci.yml").write_text(
        "on: push\njobs:\n  test:\n    steps:\n      - run: npx vitest run\n", encoding="utf-8"
    )
    say("the page is broken, fix it")
    assert {
        ("reviewer", "payments", "Sam", "@kim", "CODEOWNERS: @kim"),
        ("test_command", "", "make test", "npx vitest run", "CI run lines: npx vitest run"),
    } == {
        (item.type, item.subject, item.current, item.proposed, item.evidence.text if item.evidence else "")
        for item in queue(settings)
    }


def test_what_the_files_do_not_say_any_more_is_not_asked_any_more(settings: Settings, say: Say, checkout: Path) -> None:
    say("we use pnpm here")
    (checkout / "yarn.lock").touch()
    say("the page is broken, fix it")
    (checkout / "yarn.lock").unlink()
    say("and now the footer")
    assert [] == queue(settings)
    (checkout / "pnpm-lock.yaml").touch()
    say("and the header")
    (item,) = queue(settings, everything=True)
    assert ("expired", "the repository's files do not say so any more") == (item.state, item.reason)
    (checkout / "pnpm-lock.yaml").unlink()
    (checkout / "yarn.lock").touch()
    say("and the sidebar")
    assert ["yarn"] == [item.proposed for item in queue(settings)]


def test_files_that_change_twice_in_a_second_are_asked_about_twice(
    settings: Settings, say: Say, checkout: Path
) -> None:
    say("we use pnpm here")
    states = []
    for lock in (True, False, True):
        (checkout / "yarn.lock").touch() if lock else (checkout / "yarn.lock").unlink()
        with Store(settings.home).connect() as db:
            ask_about(db, REPO, checkout, load_policy(), NOW)
        states.append([item.proposed for item in queue(settings)])
    assert [["yarn"], [], ["yarn"]] == states


def test_a_refusal_is_about_the_fact_that_it_was_made_of(settings: Settings, say: Say, checkout: Path) -> None:
    say("we use npm here")
    (checkout / "pnpm-lock.yaml").touch()
    say("the page is broken, fix it")
    decide(settings, accept=False)
    (checkout / "pnpm-lock.yaml").unlink()
    (checkout / "yarn.lock").touch()
    say("and now the footer")
    decide(settings, accept=True)
    (checkout / "yarn.lock").unlink()
    (checkout / "pnpm-lock.yaml").touch()
    say("and the header")
    assert [("yarn", "pnpm")] == [(item.current, item.proposed) for item in queue(settings)]


def test_several_owners_are_a_set_and_a_handle_is_a_name(settings: Settings, say: Say, checkout: Path) -> None:
    say("Sam reviews anything in payments. Lena reviews anything in search.")
    (checkout / "CODEOWNERS").write_text("/payments/ @maria @joe\n/search/ @lena\n", encoding="utf-8")
    say("the page is broken, fix it")
    (item,) = queue(settings)
    assert ("Sam", "@maria @joe") == (item.current, item.proposed)
    decide(settings, accept=True)
    (checkout / "CODEOWNERS").write_text("/payments/ @joe @maria\n/search/ @lena\n", encoding="utf-8")
    say("and now the footer")
    assert [] == queue(settings)
