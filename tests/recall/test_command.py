"""``afterpass recall`` over a real store: one answer, or the block for the next session."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from afterpass.cli import run
from afterpass.exits import Exit

REPO = "github.com/acme/webapp"
SAID = (
    ("s1", "2026-03-01", "dana@acme.example", "we use pnpm in this repo"),
    ("s2", "2026-03-02", "dana@acme.example", "staging deploys from the preview branch here"),
    ("s3", "2026-03-03", "dana@acme.example", "I prefer my summaries as one short paragraph"),
    ("s4", "2026-03-04", "lee@acme.example", "we run the tests with `make test` in this repo"),
    ("s5", "2026-03-05", "lee@acme.example", "we run the tests with `just test` in this repo now"),
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which the five sessions were read by the pass, with nothing decided."""
    sessions, home = tmp_path_factory.mktemp("sessions"), tmp_path_factory.mktemp("home")
    for name, day, developer, text in SAID:
        header = {"afterpass": 1, "session": name, "repo": REPO, "developer": developer, "ended": f"{day}T10:00:00Z"}
        lines = [header, {"id": "1", "speaker": "developer", "text": text}]
        (sessions / f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    assert Exit.OK == run(["run", str(sessions), "--extractor", "cues", "--home", str(home), "--json"])
    return home


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is no repository, and no git settings of the machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")


def ask(home: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    capsys.readouterr()
    base = ["recall", "--home", str(home), "--json", "--on", "2026-03-20"]
    given = arguments if "--repo" in arguments else ("--repo", REPO, *arguments)
    assert Exit.OK == run([*base, *given])
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("expected", "arguments"),
    [
        (("pnpm", "memory", False, "load", 19), ["--type", "package_manager", "--request", "add zod"]),
        (("yarn", "request", False, None, None), ["--type", "package_manager", "--request", "add zod with yarn"]),
        (("preview", "memory", True, "ask", 18), ["--type", "deploy_target", "--subject", "stage"]),
        (("preview", "memory", True, "ask", 18), ["--type", "deploy_target", "--request", "deploy to staging"]),
        ((None, "none", True, None, None), ["--type", "deploy_target", "--subject", "production"]),
        (("make test", "memory", True, "ask", 16), ["--type", "test_command"]),
        (("pnpm", "memory", False, "flag", 366), ["--type", "package_manager", "--on", "2027-03-02"]),
        (("pnpm", "memory", False, "load", 0), ["--type", "package_manager", "--on", "2026-03-01"]),
        ((None, "none", True, None, None), ["--type", "package_manager", "--on", "2026-02-28"]),  # not said yet
        (
            ("make test", "memory", False, "load", 0),
            ["--type", "test_command", "--on", "2026-03-04"],
        ),  # not in doubt yet
        ((None, "none", False, None, None), ["--type", "do_not_edit", "--request", "edit a.txt"]),
        ((None, "none", True, None, None), ["--type", "package_manager", "--repo", "github.com/acme/infra"]),
        (
            ("pnpm", "memory", False, "load", 19),
            ["--type", "package_manager", "--repo", "git@github.com:acme/webapp.git"],
        ),
    ],
)
def test_one_answer(expected: object, arguments: list[str], home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    got = ask(home, capsys, *arguments)
    assert expected == tuple(got[key] for key in ("value", "source", "ask_first", "placement", "age_days"))
    assert (got["fact"] is None) == (got["source"] != "memory")


def test_the_undecided_change_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    note = ask(home, capsys, "--type", "test_command")["note"]
    assert '"make test"' in str(note)
    assert '"just test"' in str(note)


def test_preferences_follow_the_developer(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = ["--type", "preference", "--subject", "summaries"]
    assert ask(home, capsys, *question)["value"] is None
    assert ask(home, capsys, *question, "--developer", "lee@acme.example")["value"] is None
    assert "one short paragraph" in str(ask(home, capsys, *question, "--developer", "dana@acme.example")["value"])


def test_the_repository_comes_before_memory(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "yarn.lock").write_text("# yarn lockfile v1\n", encoding="utf-8")
    got = ask(home, capsys, "--type", "package_manager", "--repo-dir", str(tmp_path))
    assert ("yarn", "repo", False) == (got["value"], got["source"], got["ask_first"])
    assert '"pnpm"' in str(got["note"])


def test_a_contradiction_is_queued_once_when_it_is_met_today(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, base = tmp_path / "home", ["--home", str(tmp_path / "home")]
    for words in (["init", "-q", "."], ["remote", "add", "origin", f"https://{REPO}.git"]):
        subprocess.run(["git", *words], check=True)
    said = ["facts", "add", *base, "--repo", REPO, "--type", "package_manager", "--value", "pnpm"]
    assert Exit.OK == run(said)
    (tmp_path / "yarn.lock").touch()
    question = ["recall", *base, "--repo", REPO, "--repo-dir", str(tmp_path), "--type", "package_manager"]
    assert Exit.OK == run([*question, "--on", "2026-03-20"])
    assert [] == queued(home, capsys)
    assert Exit.OK == run(question)
    (item,) = queued(home, capsys)
    assert ("correction", "pnpm", "yarn") == (item["kind"], item["current"], item["proposed"])
    assert Exit.OK == run(question)
    assert "accept" not in capsys.readouterr().err
    assert [item] == queued(home, capsys)
    assert Exit.OK == run(["recall", *base, "--repo", "github.com/acme/other", *question[5:]])
    assert [item] == queued(home, capsys)  # the checkout is none of that one


def queued(home: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    """What waits for a person."""
    capsys.readouterr()
    assert Exit.OK == run(["review", "--home", str(home), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, list)
    return found


def test_the_block(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    got = ask(home, capsys, "--developer", "dana@acme.example")
    block = str(got["block"])
    assert block.startswith(f'<afterpass-memory repo="{REPO}" date="2026-03-20">')
    assert block.endswith("</afterpass-memory>")
    assert "by dana@acme.example, 19 days ago" in block
    facts = got["facts"]
    assert isinstance(facts, list)
    assert {"package_manager", "deploy_target", "preference", "test_command"} == {fact["type"] for fact in facts}


def test_the_block_of_a_day_holds_what_had_been_said_by_then(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = ask(home, capsys, "--on", "2026-03-01")["facts"]
    assert isinstance(facts, list)
    assert ["pnpm"] == [fact["value"] for fact in facts]
    assert "" == ask(home, capsys, "--on", "2026-02-28")["block"]


@pytest.mark.parametrize(
    ("note", "arguments"),
    [
        ("no subject is named; deploy_target is stored for: staging", []),
        ("nothing is stored about production; deploy_target is stored for: staging", ["--subject", "production"]),
        ("nothing is stored", ["--on", "2026-03-01"]),
    ],
)
def test_the_subjects_to_choose_from_are_named(
    note: str, arguments: list[str], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert note == ask(home, capsys, "--type", "deploy_target", *arguments)["note"]


def test_a_budget_that_nothing_fits_into_is_named_with_the_least_that_would_do(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = ["recall", "--home", str(home), "--repo", REPO, "--on", "2026-03-20"]
    assert Exit.OK == run([*base, "--budget", "20"])
    said = capsys.readouterr()
    assert "" == said.out
    assert "3 facts matter here and none fits: --budget 20 is too small, the least is " in said.err
    least = said.err.split()[-1]
    assert Exit.OK == run([*base, "--budget", least])
    assert "</afterpass-memory>" in capsys.readouterr().out
    assert Exit.OK == run([*base, "--budget", str(int(least) - 1)])
    assert "" == capsys.readouterr().out


def test_the_block_for_a_task(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = ask(home, capsys, "--task", "deploy the banner to staging")["facts"]
    assert isinstance(facts, list)
    assert ["preview"] == [fact["value"] for fact in facts]


def test_without_a_store_there_is_nothing_and_none_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fresh = tmp_path / "fresh"
    assert ask(fresh, capsys, "--type", "package_manager")["value"] is None
    assert "" == ask(fresh, capsys)["block"]
    assert not fresh.exists()


def test_a_repository_is_found_under_the_name_that_its_transcript_gave(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header = {"afterpass": 1, "session": "s", "repo": "github.com/Acme/Webapp", "ended": "2026-03-01T10:00:00Z"}
    lines = [header, {"speaker": "developer", "text": "we use pnpm in this repo"}]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    home = tmp_path / "home"
    assert Exit.OK == run(["run", str(tmp_path / "s.jsonl"), "--extractor", "cues", "--home", str(home), "--json"])
    named = ["--repo", "github.com/Acme/Webapp", "--type", "package_manager"]
    assert "pnpm" == ask(home, capsys, *named)["value"]


def test_inside_a_repository_nothing_needs_to_be_named(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path / "checkout"
    (checkout / "src").mkdir(parents=True)
    for command in (
        ["init", "-q"],
        ["remote", "add", "origin", "https://github.com/acme/webapp.git"],
        ["config", "user.email", "dana@acme.example"],
    ):
        subprocess.run(["git", "-C", str(checkout), *command], check=True)
    (checkout / "pnpm-lock.yaml").write_text("lockfileVersion: '9.0'\n", encoding="utf-8")
    monkeypatch.chdir(checkout / "src")
    base = ["recall", "--home", str(home), "--json", "--on", "2026-03-20"]
    capsys.readouterr()
    assert Exit.OK == run([*base, "--type", "preference", "--subject", "summaries"])
    assert "one short paragraph" in json.loads(capsys.readouterr().out)["value"]
    assert Exit.OK == run([*base, "--type", "package_manager"])
    assert "repo" == json.loads(capsys.readouterr().out)["source"]


def test_text_for_people(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    base = ["recall", "--home", str(home), "--repo", REPO, "--on", "2026-03-20"]
    assert Exit.OK == run([*base, "--type", "deploy_target", "--subject", "staging"])
    assert ["preview", "  from memory"] == capsys.readouterr().out.splitlines()[:2]
    assert Exit.OK == run([*base, "--type", "deploy_target", "--subject", "production"])
    assert ["(nothing settles it)", "  ask before acting"] == capsys.readouterr().out.splitlines()[:2]


@pytest.mark.parametrize(
    ("code", "message", "arguments"),
    [
        (Exit.USAGE, "did you mean deploy_target?", ["--type", "deploy_targt"]),
        (Exit.USAGE, "--on 'soon' is not a date", ["--on", "soon"]),
        (Exit.USAGE, "belong to a question", ["--subject", "staging"]),
        (Exit.USAGE, "give one of them", ["--type", "reviewer", "--task", "x"]),
        (Exit.USAGE, "--repo is empty", ["--repo", " "]),
        (Exit.USAGE, "--budget 0", ["--budget", "0"]),
        (Exit.FAILED, "no such folder", ["--repo-dir", "nowhere"]),
    ],
)
def test_wrong_use(code: Exit, message: str, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert code == run(["recall", *arguments])
    said = capsys.readouterr()
    assert message in said.err
    assert "" == said.out
