"""The managed block: its text by a golden file, and everything around it left alone."""

from __future__ import annotations

import json
import os
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from afterpass.arrival.export import BEGIN, END, LARGEST, ExportError, block_for, chosen_files, put_into
from afterpass.recall.memory import Memory, Pending, Remembered
from policy.load import load_policy
from transcripts.segments import segment
from validators.repository import read_repository

REPO, DANA = "github.com/acme/webapp", "dana@acme.example"
GOLDEN = Path(__file__).parent / "golden" / "AGENTS.md"
ON = date(2026, 6, 20)


def fact(
    value: str,
    type_name: str = "test_command",
    subject: str = "",
    *,
    said: str = "2026-06-01",
    confirmed: str | None = None,
    until: date | None = None,
    owner: str = REPO,
) -> Remembered:
    stated = datetime.fromisoformat(f"{said}T09:00:00+00:00")
    stamp = datetime.fromisoformat(f"{confirmed}T09:00:00+00:00") if confirmed else None
    return Remembered(owner, type_name, subject, value, stated, stamp, until, f"f_{value}"[:8], 1, DANA)


def asked(kind: str, type_name: str, subject: str, current: str | None, proposed: str) -> Pending:
    return Pending(kind, REPO, type_name, subject, current, proposed, id="r_1")


def text_of(*facts: Remembered, pending: tuple[Pending, ...] = (), files: Any = None, on: date = ON) -> str:
    return block_for(REPO, Memory(facts, pending), policy=load_policy(), files=files, on=on).text


MIXED = (
    fact("pytest -q", "test_command", said="2026-06-11"),
    fact("make lint", "lint_command"),
    fact("preview", "deploy_target", "staging", said="2026-05-20", confirmed="2026-06-12"),
    fact("gen/", "do_not_edit", said="2026-06-02", confirmed="2026-06-02"),
    fact("api/schema.graphql", "do_not_edit", said="2026-06-02", confirmed="2026-06-02"),
    fact('never catch <Exception> --> "bare"\n<!-- afterpass:end v1 -->', "code_style", "errors", said="2024-01-01"),
    fact("pytest web", "test_command", "frontend"),
    fact("main", "deploy_target", "production", said="2026-06-10"),  # high stakes, never confirmed
    fact("qa-1", "deploy_target", "qa", said="2026-01-01", confirmed="2026-02-01"),  # past trust
    fact("make build", "build_command", said="2025-01-01"),  # past trust
    fact("make start", "run_command"),  # something undecided stands against it
    fact("tox -e api", "test_command", "api"),  # a dated rule stands before it
    fact("tox -e api2", "test_command", "api", until=date(2026, 6, 30)),
    fact("short answers", "preference", "answers", owner=DANA),
    fact("make other", "build_command", "other", owner="github.com/acme/other"),
)
OPEN = (asked("replacement", "run_command", "", "make start", "npm start"),)


def test_the_block_is_the_golden_one() -> None:
    text = text_of(*MIXED, pending=OPEN)
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(text + "\n", "utf-8")
    assert GOLDEN.read_text("utf-8") == text + "\n"


def test_no_value_can_pass_for_a_marker(tmp_path: Path) -> None:
    text = text_of(*MIXED, pending=OPEN)
    put_into(tmp_path / "AGENTS.md", text)
    assert not put_into(tmp_path / "AGENTS.md", text).changed
    put_into(tmp_path / "AGENTS.md", "")
    assert [] == list(tmp_path.iterdir())


def test_the_order_of_the_facts_and_the_day_of_the_export_change_nothing() -> None:
    assert text_of(*MIXED, pending=OPEN) == text_of(*reversed(MIXED), pending=OPEN, on=ON + timedelta(days=3))


def test_what_the_repository_answers_itself_is_left_to_it(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").touch()
    facts = fact("uv", "package_manager"), fact("pytest -q")
    assert ('"uv"' in text_of(*facts), '"uv"' in text_of(*facts, files=read_repository(tmp_path))) == (True, False)


def test_nothing_to_tell_is_no_block() -> None:
    assert "" == text_of() == text_of(fact("main", "deploy_target", "production"))


def test_it_stays_small_and_says_what_it_leaves_out() -> None:
    facts = [fact(f"pytest tests/part_{number:03}", subject=f"part {number:03}") for number in range(200)]
    exported = block_for(REPO, Memory(tuple(facts)), policy=load_policy(), files=None, on=ON)
    assert LARGEST >= len(exported.text.encode()) > LARGEST - 200
    assert (200, True) == (exported.facts + exported.left_out, exported.left_out > 0)
    assert f"({exported.left_out} more did not fit: `afterpass facts` lists all)" in exported.text


BLOCK = f"{BEGIN}\none\n{END}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, f"{BLOCK}\n"),
        ("", f"{BLOCK}\n"),
        ("# Rules", f"# Rules\n\n{BLOCK}"),
        (f"```\n{BEGIN}\nold\n{END}\n```\n", f"```\n{BEGIN}\nold\n{END}\n```\n\n{BLOCK}\n"),
        (f"~~~\n{BEGIN}\n~~~\n\n{BEGIN}\nold\n{END}\n", f"~~~\n{BEGIN}\n~~~\n\n{BLOCK}\n"),
        ("a\rb\r", f"a\rb\r\r{BLOCK}\r".replace("\n", "\r")),
        ("```\nnever closed\n", f"```\nnever closed\n\n{BLOCK}\n"),
        ("# Rules\n", f"# Rules\n\n{BLOCK}\n"),
        ("# Rules\n\n", f"# Rules\n\n\n{BLOCK}\n"),
        ("# Rules\r\n\r\n", f"# Rules\r\n\r\n\r\n{BLOCK}\n".replace("\n", "\r\n").replace("\r\r", "\r")),
        (f"a\n{BEGIN}\nold\n\nold\n{END}\nb", f"a\n{BLOCK}\nb"),
        (f"a\n<!-- afterpass:begin v1 -->\n{END}  \nb", f"a\n{BLOCK}  \nb"),
        ("\ufeff# Größe\n", f"\ufeff# Größe\n\n{BLOCK}\n"),
    ],
)
def test_the_block_is_put_in_and_everything_else_stays(tmp_path: Path, before: str | None, after: str) -> None:
    path = tmp_path / "AGENTS.md"
    if before is not None:
        path.write_bytes(before.encode())
    assert put_into(path, BLOCK).changed
    assert after == path.read_bytes().decode()
    stamp = path.stat().st_mtime_ns
    assert not put_into(path, BLOCK).changed
    assert stamp == path.stat().st_mtime_ns


@pytest.mark.parametrize(
    "before",
    [
        b"# A",
        b"# A\n",
        b"# A\n\n",
        b"# A\n\n\n",
        b"a\r\nb\n",
        b"a\nb\r\n",
        b"a\r\nb\nc",
        b"a\rb",
        b"a\rb\r",
        b"a\r\r",
        b"a\r\n\n",
        b"a\n\r\n",
        b"```\na\n```",
        b"\xef\xbb\xbfa\r\n",
        b"\xff\xfe\n",
        b"a  ",
        b"a\n  ",
    ],
)
def test_what_was_put_in_is_taken_out_to_the_byte(tmp_path: Path, before: bytes) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(before)
    put_into(path, BLOCK)
    held = path.read_bytes()
    put_into(path, BLOCK)
    assert held == path.read_bytes()
    put_into(path, text_of(fact("make other")))
    put_into(path, "")
    assert before == path.read_bytes()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"# Rules\n\n{BLOCK}\n", "# Rules\n"),
        (f"{BLOCK}\n\n# Rules\n", "\n\n# Rules\n"),
        (f"a\n{BLOCK}\nb\n", "a\n\nb\n"),
        (f"{BLOCK}\n", None),
        ("# Rules\n", "# Rules\n"),
        (None, None),
    ],
)
def test_no_block_takes_it_out(tmp_path: Path, before: str | None, after: str | None) -> None:
    path = tmp_path / "AGENTS.md"
    if before is not None:
        path.write_bytes(before.encode())
    put_into(path, "")
    assert after == (path.read_bytes().decode() if path.exists() else None)


@pytest.mark.parametrize(
    "content",
    [
        f"{BEGIN}\nold\n",
        f"old\n{END}\n",
        f"{END}\n{BEGIN}\n",
        f"{BLOCK}\n{BLOCK}\n",
        f"{BEGIN}\n{BEGIN}\n{END}\n",
        f"{BEGIN} and more\nold\n{END}\n",
        f"  {BEGIN}\nold\n{END}\n",
        f"{BEGIN}\nold\n<!-- afterpass:end -->\n",
        f"<!-- afterpass:begin v1\nold\n{END}\n",
        f"{BEGIN}\nold\n<!-- afterpass:end v2 -->\n",
        "<!-- afterpass:begin v2 -->\nold\n<!-- afterpass:end v2 -->\n",
    ],
)
@pytest.mark.parametrize("text", [BLOCK, ""])
def test_damaged_markers_leave_the_file_alone(tmp_path: Path, content: str, text: str) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text(content, "utf-8")
    with pytest.raises(ExportError, match="left untouched"):
        put_into(path, text)
    assert content == path.read_text("utf-8")
    assert [path] == list(tmp_path.iterdir())


def test_a_link_stays_a_link_and_rights_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.md", tmp_path / "AGENTS.md"
    real.write_text("x\n", "utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    put_into(link, BLOCK)
    assert (True, 0o640) == (link.is_symlink(), real.stat().st_mode & 0o777)
    assert BLOCK in real.read_text("utf-8")


@pytest.mark.parametrize(
    ("there", "given", "chosen"),
    [
        ({}, [], ["AGENTS.md"]),
        ({"CLAUDE.md": "x"}, [], ["CLAUDE.md"]),
        ({"AGENTS.md": "", "GEMINI.md": ""}, [], ["AGENTS.md", "GEMINI.md"]),
        ({"AGENTS.md": "", "CLAUDE.md": "see\n@AGENTS.md\n"}, [], ["AGENTS.md"]),
        ({"AGENTS.md": "", "CLAUDE.md": "see @AGENTS.md"}, [], ["AGENTS.md", "CLAUDE.md"]),
        ({"AGENTS.md": "", "CLAUDE.md": "@AGENTS.md"}, ["CLAUDE.md", "docs/X.md"], ["CLAUDE.md", "docs/X.md"]),
    ],
)
def test_which_files_are_written(tmp_path: Path, there: dict[str, str], given: list[str], chosen: list[str]) -> None:
    for name, content in there.items():
        (tmp_path / name).write_text(content, "utf-8")
    assert [tmp_path / name for name in chosen] == chosen_files(tmp_path, given)


def test_two_names_of_one_file_are_written_once(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").touch()
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert [tmp_path / "AGENTS.md"] == chosen_files(tmp_path, [])


def test_the_command_writes_shows_and_takes_out(desk: Any) -> None:
    desk.remember("make test")
    (desk.checkout / "CLAUDE.md").write_text("# Ours\n", "utf-8")
    (desk.checkout / "sub").mkdir()
    told = json.loads(desk.run("export", "--dry-run", "--json", where=desk.checkout / "sub").stdout)
    assert ("github.com/acme/webapp", 1, 0, True) == tuple(
        told[name] for name in ("repo", "facts", "left_out", "dry_run")
    )
    assert [(str(desk.checkout / "CLAUDE.md"), True)] == [(one["path"], one["changed"]) for one in told["files"]]
    assert "# Ours\n" == (desk.checkout / "CLAUDE.md").read_text("utf-8")
    assert f"{desk.checkout / 'CLAUDE.md'} changed\n" == desk.run("export").stdout
    assert '- test command: "make test" (said' in (desk.checkout / "CLAUDE.md").read_text("utf-8")
    assert f"{desk.checkout / 'CLAUDE.md'} is as it should be already\n" == desk.run("export").stdout
    desk.run("export", "--remove")
    assert "# Ours\n" == (desk.checkout / "CLAUDE.md").read_text("utf-8")


def test_a_forgotten_fact_leaves_the_block(desk: Any) -> None:
    fact = desk.remember("make test")
    desk.run("export")
    assert "make test" in (desk.checkout / "AGENTS.md").read_text("utf-8")
    desk.run("facts", "forget", fact.id)
    done = desk.run("export")
    assert (0, False) == (done.returncode, (desk.checkout / "AGENTS.md").exists())
    assert "nothing is known of github.com/acme/webapp" in done.stderr


def test_only_markdown_of_the_checkout_is_written(desk: Any) -> None:
    desk.remember("make test")
    config = desk.checkout / ".git/config"
    (desk.checkout / ".git/notes.md").touch()
    (desk.checkout / "LINK.md").symlink_to(config)
    before = config.read_bytes()
    for name in (".git/config", ".git/notes.md", "LINK.md", "setup.py", "Makefile", "../AGENTS.md"):
        done = desk.run("export", name)
        assert (2, "", 1) == (done.returncode, done.stdout, len(done.stderr.splitlines()))
    assert before == config.read_bytes()
    (desk.checkout / ".github").mkdir()
    assert 0 == desk.run("export", ".github/copilot-instructions.md").returncode


def test_failures_are_one_line(desk: Any) -> None:
    desk.remember("make test")
    (desk.checkout / "AGENTS.md").write_text(f"{BEGIN}\n", "utf-8")
    done = desk.run("export")
    assert (1, "", 1) == (done.returncode, done.stdout, len(done.stderr.splitlines()))
    assert 1 == desk.run("export", "--repo-dir", "/nowhere").returncode


def test_the_block_is_not_evidence() -> None:
    """A reader that meets it in what a developer pasted sees injected text."""
    text = text_of(fact("make test"))
    origins = {part.origin.value for part in segment(f"look:\n{text}\nok") if "make test" in part.text}
    assert {"injected"} == origins
