"""Installing the hooks: entries in the agent's own settings, everything else as it was."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from afterpass.install import Change, InstallError, hook_command, install, uninstall
from policy.errors import UsageError

RECORD, TELL = f"{sys.executable} -I -m afterpass hook", f"{sys.executable} -I -m afterpass recall --hook"
THEIRS = {"type": "command", "command": "say goodbye"}
PLACES = {
    "claude-code": ("CLAUDE_CONFIG_DIR", "settings.json", "SessionEnd"),
    "codex": ("CODEX_HOME", "hooks.json", "Stop"),
    "gemini-cli": ("GEMINI_CLI_HOME", ".gemini/settings.json", "SessionEnd"),
}
TELLING = {
    "claude-code": ("SessionStart", "UserPromptSubmit"),
    "codex": ("SessionStart", "UserPromptSubmit"),
    "gemini-cli": ("SessionStart", "BeforeAgent"),
}


@pytest.fixture(params=sorted(PLACES))
def agent(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def place(agent: str, folder: Path) -> tuple[dict[str, str], Path, str]:
    variable, name, event = PLACES[agent]
    path = folder / name
    if folder.exists():
        path.parent.mkdir(exist_ok=True)
    return {variable: str(folder)}, path, event


def entry(agent: str, command: str) -> dict[str, object]:
    """Ten seconds, which Gemini CLI counts in thousandths."""
    return {"type": "command", "command": command, "timeout": 10_000 if agent == "gemini-cli" else 10}


def telling(agent: str) -> dict[str, object]:
    """What stands under the events whose hooks tell something."""
    return {event: [{"hooks": [entry(agent, TELL)]}] for event in TELLING[agent]}


def beside(path: Path) -> list[str]:
    """The files of the folder that holds the settings."""
    return sorted(file.name for file in path.parent.iterdir() if file.is_file())


def load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_a_new_settings_file_holds_the_hook_and_nothing_else(agent: str, tmp_path: Path) -> None:
    environ, path, event = place(agent, tmp_path / "new")
    change = install(agent, environ=environ)
    assert {"hooks": {event: [{"hooks": [entry(agent, RECORD)]}], **telling(agent)}} == load(path)
    assert (True, None, 0o600) == (change.changed, change.backup, stat.S_IMODE(path.stat().st_mode))


def test_everything_else_stays_and_a_backup_holds_what_was(agent: str, tmp_path: Path) -> None:
    environ, path, event = place(agent, tmp_path)
    before = {
        "model": "größer",
        "hooks": {"Other": [{"hooks": [THEIRS]}], event: [{"matcher": "x", "hooks": [THEIRS]}]},
        "z": 1,
    }
    text = json.dumps(before, indent=4, ensure_ascii=False)
    path.write_text(text, "utf-8")
    path.chmod(0o640)
    change = install(agent, environ=environ)
    after = load(path)
    assert [{"matcher": "x", "hooks": [THEIRS]}, {"hooks": [entry(agent, RECORD)]}] == after["hooks"].pop(event)
    assert telling(agent) == {told: after["hooks"].pop(told) for told in TELLING[agent]}
    before["hooks"].pop(event)  # type: ignore[attr-defined]
    assert before == after
    assert ["model", "hooks", "z"] == list(after)
    assert '    "model": "größer"' in path.read_text("utf-8")
    assert change.backup is not None
    assert text == change.backup.read_text("utf-8")
    assert 0o640 == stat.S_IMODE(path.stat().st_mode)


def test_installing_twice_changes_nothing(agent: str, tmp_path: Path) -> None:
    environ, path, _ = place(agent, tmp_path)
    install(agent, environ=environ)
    before = path.read_bytes(), path.stat().st_mtime_ns
    change = install(agent, environ=environ)
    assert (False, None) == (change.changed, change.backup)
    assert before == (path.read_bytes(), path.stat().st_mtime_ns)
    assert [path.name] == beside(path)


def test_an_entry_of_another_python_is_brought_up_to_date_in_its_place(agent: str, tmp_path: Path) -> None:
    environ, path, event = place(agent, tmp_path)
    old = {"type": "command", "command": "/old/python -I -m afterpass hook", "timeout": 3, "statusMessage": "s"}
    path.write_text(json.dumps({"hooks": {event: [{"hooks": [old, THEIRS, dict(old)]}]}}), "utf-8")
    install(agent, environ=environ)
    assert [{"hooks": [{**entry(agent, RECORD), "statusMessage": "s"}, THEIRS]}] == load(path)["hooks"][event]


def test_an_installation_of_before_gets_the_hooks_that_tell(agent: str, tmp_path: Path) -> None:
    environ, path, event = place(agent, tmp_path)
    path.write_text(json.dumps({"hooks": {event: [{"hooks": [entry(agent, RECORD)]}]}}), "utf-8")
    assert install(agent, environ=environ).changed
    assert {event: [{"hooks": [entry(agent, RECORD)]}], **telling(agent)} == load(path)["hooks"]


def test_uninstall_leaves_what_was_there_before(agent: str, tmp_path: Path) -> None:
    environ, path, event = place(agent, tmp_path)
    before = {"hooks": {event: [{"hooks": [THEIRS]}], "Other": []}, "z": 1}
    path.write_text(json.dumps(before), "utf-8")
    install(agent, environ=environ)
    assert uninstall(agent, environ=environ).changed
    assert before == load(path)
    assert not uninstall(agent, environ=environ).changed


def test_uninstall_takes_the_empty_lists_along(agent: str, tmp_path: Path) -> None:
    environ, path, _ = place(agent, tmp_path)
    path.write_text('{"z": 1}', "utf-8")
    install(agent, environ=environ)
    uninstall(agent, environ=environ)
    assert {"z": 1} == load(path)


def test_uninstall_without_a_file_does_nothing(agent: str, tmp_path: Path) -> None:
    environ, path, _ = place(agent, tmp_path / "absent")
    assert not uninstall(agent, environ=environ).changed
    assert not path.parent.exists()


def test_a_dry_run_shows_the_change_and_makes_none(agent: str, tmp_path: Path) -> None:
    environ, path, _ = place(agent, tmp_path)
    path.write_text('{\n  "z": 1\n}\n', "utf-8")
    change = install(agent, dry_run=True, environ=environ)
    assert change.changed
    assert "-m afterpass hook" in change.diff()
    assert "+" in change.diff()
    assert '{\n  "z": 1\n}\n' == path.read_text("utf-8")
    assert [path.name] == beside(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"hooks": ', "is not valid JSON"),
        (b'{"a": 1, // note\n "b": 2}', "is not valid JSON"),
        (b'{"a": 1, "a": 2}', "a key stands twice: a"),
        (b"[]", "does not hold a JSON object"),
        (b'{"hooks": []}', "is not a list of groups"),
        (b'{"hooks": {"SessionEnd": {}, "Stop": {}}}', "is not a list of groups"),
        (b'{"hooks": {"SessionStart": "mine"}}', "hooks.SessionStart is not a list of groups"),
        (b'{"hooks": {"SessionEnd": [3], "Stop": [3]}}', "is not a list of groups"),
        (b"\xff\xfe", "cannot be read"),
    ],
)
@pytest.mark.parametrize("act", [install, uninstall])
def test_what_cannot_be_understood_is_an_error_and_stays_untouched(
    agent: str, tmp_path: Path, content: bytes, said: str, act: Any
) -> None:
    environ, path, _ = place(agent, tmp_path)
    path.write_bytes(content)
    with pytest.raises(InstallError, match=said):
        act(agent, environ=environ)
    assert content == path.read_bytes()
    assert [path.name] == beside(path)


def test_an_empty_file_counts_as_no_settings(agent: str, tmp_path: Path) -> None:
    environ, path, event = place(agent, tmp_path)
    path.write_text("", "utf-8")
    install(agent, environ=environ)
    assert {"hooks": {event: [{"hooks": [entry(agent, RECORD)]}], **telling(agent)}} == load(path)


def test_a_link_stays_a_link(agent: str, tmp_path: Path) -> None:
    environ, path, event = place(agent, tmp_path)
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", "utf-8")
    path.symlink_to(real)
    install(agent, environ=environ)
    assert path.is_symlink()
    assert [event, *TELLING[agent]] == list(load(real)["hooks"])


def test_a_home_of_ones_own_is_part_of_the_command(tmp_path: Path) -> None:
    environ, path, event = place("claude-code", tmp_path)
    install("claude-code", home=tmp_path / "my state", environ=environ)
    (group,) = load(path)["hooks"][event]
    assert f"{sys.executable} -I -m afterpass hook --home '{tmp_path}/my state'" == group["hooks"][0]["command"]
    assert hook_command(tmp_path / "my state") == group["hooks"][0]["command"]
    (group,) = load(path)["hooks"]["SessionStart"]
    assert (
        f"{sys.executable} -I -m afterpass recall --hook --home '{tmp_path}/my state'" == group["hooks"][0]["command"]
    )


def test_an_unknown_agent_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="use one of claude-code, codex, gemini-cli"):
        install("emacs", environ={})


@pytest.mark.parametrize(
    ("agent", "name", "content", "said"),
    [
        ("claude-code", "settings.json", '{"disableAllHooks": true}', "disableAllHooks"),
        ("gemini-cli", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}', "hooks are off"),
        ("codex", "config.toml", "[features]\nhooks = false\n", "hooks are off"),
        ("codex", "config.toml", "not toml", "Codex asks once"),
    ],
)
def test_what_else_the_agent_needs_is_said(tmp_path: Path, agent: str, name: str, content: str, said: str) -> None:
    environ, _, _ = place(agent, tmp_path)
    (tmp_path / name).write_text(content, "utf-8")
    change: Change = install(agent, environ=environ)
    assert said in change.note


def test_the_change_as_json_names_path_backup_and_difference(tmp_path: Path) -> None:
    environ, path, _ = place("claude-code", tmp_path)
    told = install("claude-code", dry_run=True, environ=environ).to_json()
    assert ("claude-code", str(path), True, None, True) == (
        told["agent"],
        told["path"],
        told["changed"],
        told["backup"],
        told["dry_run"],
    )
