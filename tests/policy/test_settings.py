"""Settings: options win over the environment, the environment over the file; what cannot be used is named."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from policy.settings import Settings, SettingsError, load_settings


def write(home: Path, text: str) -> Path:
    path = home / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_nothing_given_is_the_defaults(tmp_path: Path) -> None:
    assert Settings(home=tmp_path) == load_settings(tmp_path, environ={})


def test_options_win_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    write(tmp_path, 'model = "from-file"\ntimeout = 10\nworkers = 2\n')
    environ = {"AFTERPASS_MODEL": "from-environment", "AFTERPASS_TIMEOUT": "20"}
    settings = load_settings(tmp_path, options={"model": "from-option", "workers": None}, environ=environ)
    assert ("from-option", 20.0, 2) == (settings.model, settings.timeout, settings.workers)


def test_an_empty_variable_is_not_given(tmp_path: Path) -> None:
    write(tmp_path, 'extractor = "ollama"')
    assert load_settings(tmp_path, environ={"AFTERPASS_EXTRACTOR": " "}).extractor == "ollama"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"AFTERPASS_API_KEY": "ours", "OPENAI_API_KEY": "theirs"}, "ours"),
        ({"OPENAI_API_KEY": "theirs"}, "theirs"),
        ({}, None),
    ],
)
def test_the_api_key_is_ours_before_the_common_one(
    tmp_path: Path, environ: dict[str, str], expected: str | None
) -> None:
    assert expected == load_settings(tmp_path, environ=environ).api_key


def test_credentials_are_not_shown(tmp_path: Path) -> None:
    environ = {"AFTERPASS_API_KEY": "k-123456", "AFTERPASS_STORE": "postgresql://u:pw-123456@db/x"}
    assert "123456" not in repr(load_settings(tmp_path, environ=environ))


def test_every_setting_can_stand_in_the_file_and_paths_are_relative_to_it(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
        extractor = "openai"
        model = "m"
        base_url = "http://127.0.0.1:8081/v1"
        timeout = 1.5
        store = "postgresql://db/x"
        policy = "team.yaml"
        api_key = "k"
        roots = ["old", "/srv/sessions"]
        idle_minutes = 0
        turn_end_minutes = 2
        since = 2026-06-10
        workers = 8
        prefect = true
        automation = true
        developer = "dana@acme.example"
        """,
    )
    expected = Settings(
        home=tmp_path,
        extractor="openai",
        model="m",
        base_url="http://127.0.0.1:8081/v1",
        timeout=1.5,
        store="postgresql://db/x",
        policy=tmp_path / "team.yaml",
        api_key="k",
        roots=(tmp_path / "old", Path("/srv/sessions")),
        idle_minutes=0,
        turn_end_minutes=2,
        since=date(2026, 6, 10),
        workers=8,
        prefect=True,
        automation=True,
        developer="dana@acme.example",
    )
    assert expected == load_settings(tmp_path, environ={})


def test_roots_in_the_environment_are_separated_like_a_search_path(tmp_path: Path) -> None:
    environ = {"AFTERPASS_ROOTS": os.pathsep.join(["/a", "/b", ""])}
    assert (Path("/a"), Path("/b")) == load_settings(tmp_path, environ=environ).roots


def test_an_unknown_key_names_file_key_and_the_nearest_known_one(tmp_path: Path) -> None:
    path = write(tmp_path, 'modle = "x"')
    with pytest.raises(SettingsError) as failure:
        load_settings(tmp_path, environ={})
    assert (str(path), "modle") == (failure.value.where, failure.value.key)
    assert f"{path}: unknown key 'modle' (the nearest known key is 'model')" == str(failure.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("timeout = 0", "timeout cannot be 0 (give a number above zero)"),
        ("timeout = true", "timeout cannot be True (give a number)"),
        ("timeout = nan", "timeout cannot be nan (give a number that is not negative)"),
        ('since = "last week"', "since cannot be 'last week' (give a day such as 2026-06-10)"),
        ("workers = 1.5", "workers cannot be 1.5 (give a whole number from 1 to 256)"),
        ('extractor = "gpt"', "extractor cannot be 'gpt' (use one of auto, cues, ollama, openai)"),
        ('base_url = "localhost:1"', "give an address that begins with http:// or https://"),
        ('prefect = "maybe"', "prefect cannot be 'maybe' (use true or false)"),
        ("api_key = 123456", "api_key cannot be the value given (give a text)"),
        ("roots = 3", "roots cannot be 3 (give a list of folders)"),
        ('model = "', "not valid TOML"),
    ],
)
def test_a_value_that_cannot_be_used_is_named_and_the_file_with_it(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(SettingsError) as failure:
        load_settings(tmp_path, environ={})
    assert str(failure.value).startswith(f"{path}: ")
    assert said in str(failure.value)


@pytest.mark.parametrize(
    ("options", "environ", "where"),
    [
        ({"base_url": "nowhere"}, {}, "--base-url"),
        ({}, {"AFTERPASS_TIMEOUT": "soon"}, "AFTERPASS_TIMEOUT"),
    ],
)
def test_a_bad_option_or_variable_is_named_as_it_was_given(
    tmp_path: Path, options: dict[str, object], environ: dict[str, str], where: str
) -> None:
    with pytest.raises(SettingsError) as failure:
        load_settings(tmp_path, options=options, environ=environ)
    assert where == failure.value.where


def test_a_settings_file_that_is_not_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(tmp_path, environ={})


@pytest.mark.parametrize(
    ("home", "environ", "expected"),
    [
        ("/given", {"AFTERPASS_HOME": "/env"}, "/given"),
        (None, {"AFTERPASS_HOME": "/env", "XDG_DATA_HOME": "/xdg"}, "/env"),
        (None, {"XDG_DATA_HOME": "/xdg"}, "/xdg/afterpass"),
        (None, {"XDG_DATA_HOME": "relative"}, str(Path.home() / ".local/share/afterpass")),
        (None, {}, str(Path.home() / ".local/share/afterpass")),
    ],
)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the expected folders are Linux's")
def test_the_home_is_the_option_the_variable_or_the_platforms_folder(
    home: str | None, environ: dict[str, str], expected: str
) -> None:
    assert Path(expected) == load_settings(home, environ=environ).home


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the expected folders are Linux's")
def test_the_platforms_folder_is_the_one_that_platformdirs_names() -> None:
    from platformdirs import user_data_dir

    environ = {key: value for key, value in os.environ.items() if key != "AFTERPASS_HOME"}
    assert Path(user_data_dir("afterpass", appauthor=False)) == load_settings(environ=environ).home


def test_loading_settings_brings_in_no_library() -> None:
    code = (
        "import sys; from policy.settings import load_settings; load_settings('/nowhere', environ={});"
        "print(sorted(m for m in ('pydantic', 'platformdirs', 'difflib', 'tomllib', 'yaml') if m in sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == shown.stdout.strip()
