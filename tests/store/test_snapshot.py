"""Read snapshots say what the store says, or are not there."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from store import snapshot
from store.snapshot import name_of, path_of, read_snapshot
from store.store import Store
from validators.verdict import Code

REPO, OTHER = "github.com/acme/webapp", "github.com/acme/shop"
HERE = ("repo", REPO)

CHANGE_AND_DIE = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from store.store import Store

with Store(Path(sys.argv[1])).connect() as db:
    (fact,) = db.facts()
    db.confirm_fact(fact.id, actor="dana", now=datetime(2026, 7, 1, tzinfo=UTC))
    os._exit(9)
"""


def values(home: Path, owner: tuple[str, str] = HERE) -> list[str] | None:
    """The values of an owner's snapshot, None where there is none."""
    found = read_snapshot(str(home), owner)
    return None if found is None else [row[3] for row in found["facts"]]


def test_a_snapshot_holds_what_reading_back_needs_and_nothing_else(home: Path, open_work: Any) -> None:
    with open_work(Store(home)) as work:
        main, dana = work.write("main"), "dana@acme.example"
        work.write("hotfix", day=1, until=work.at(50).date(), code=Code.TEMPORARY)
        work.write("brief answers", "preference", "answers", day=2)
        gone = work.write("old", "test_command", "", day=3)
        work.forget(gone)
        item = work.queue(Code.REPLACEMENT, "preview", base=main, day=4)
        hotfix = next(fact for fact in work.db.facts() if fact.value == "hotfix")
    expected = {
        "snapshot": 2,
        "owner": ["repo", REPO],
        "facts": [
            [
                main.id,
                "deploy_target",
                "staging",
                "main",
                "2026-06-01T09:00:00+00:00",
                None,
                None,
                1,
                "dana@acme.example",
            ],
            [hotfix.id, "deploy_target", "staging", "hotfix", "2026-06-02T09:00:00+00:00", None, "2026-07-21", 1, dana],
        ],
        "reviews": [
            [
                item,
                "replacement",
                "deploy_target",
                "staging",
                "main",
                "preview",
                None,
                "2026-06-05T09:00:00+00:00",
                False,
            ]
        ],
    }
    assert expected == read_snapshot(str(home), HERE)
    assert ["brief answers"] == values(home, ("developer", "dana@acme.example"))


def test_files_and_folder_are_the_users_own(home: Path, open_work: Any) -> None:
    with open_work(Store(home)) as work:
        work.write("main")
    assert [0o600] == [stat.S_IMODE(file.stat().st_mode) for file in (home / "recall").iterdir()]
    assert 0o700 == stat.S_IMODE((home / "recall").stat().st_mode)


def test_it_is_away_from_the_change_to_the_end_of_the_connection(home: Path, open_work: Any) -> None:
    with open_work(Store(home)) as work:
        work.write("main")
        work.write("make test", "test_command", "", repo=OTHER)
    with open_work(Store(home)) as work:
        assert ["main"] == values(home)
        work.queue(Code.CONFIRMATION, "make build", type_name="build_command", subject="")
        assert (None, ["make test"]) == (values(home), values(home, ("repo", OTHER)))
    found = read_snapshot(str(home), HERE)
    assert found is not None
    assert ["make build"] == [row[5] for row in found["reviews"]]


def test_a_process_that_dies_after_a_commit_leaves_none(home: Path, open_work: Any) -> None:
    with open_work(Store(home)) as work:
        work.write("main")
    assert 9 == subprocess.run([sys.executable, "-c", CHANGE_AND_DIE, str(home)], check=False).returncode
    assert None is values(home)
    with Store(home).connect() as db:
        assert [1] == [fact.confirmed_at.day for fact in db.facts() if fact.confirmed_at]


def test_what_is_rolled_back_is_not_in_it(home: Path, open_work: Any) -> None:
    with open_work(Store(home)) as work:
        main = work.write("main")

    def half() -> None:
        work.db.retire_fact(main.id, actor="dana", now=work.at(3))
        raise RuntimeError("stop")

    with open_work(Store(home)) as work, pytest.raises(RuntimeError):
        work.db.sql.transact(half)
    assert ["main"] == values(home)


def test_what_was_made_from_an_owners_snapshot_goes_with_it(home: Path, open_work: Any) -> None:
    with open_work(Store(home)) as work:
        work.write("main")
        work.write("make test", "test_command", "", repo=OTHER)
    ours, theirs = name_of(HERE), name_of(("repo", OTHER))
    for name in (f"block~{ours}~nobody.json", f"block~{theirs}~nobody.json", f"{ours}~new77.json"):
        (home / "recall" / name).write_text("{}")
    with open_work(Store(home)) as work:
        work.write("make build", "build_command", "", day=2)
        left = {file.name for file in (home / "recall").iterdir()}
    assert {f"block~{theirs}~nobody.json", f"{theirs}.json"} == left


def test_an_item_whose_slot_has_changed_is_left_out(home: Path, open_work: Any) -> None:
    with open_work(Store(home)) as work:
        main = work.write("main")
        work.queue(Code.REPLACEMENT, "preview", base=main)
        work.db.edit_fact(main.id, "trunk", actor="dana", now=work.at(9))
    found = read_snapshot(str(home), HERE)
    assert found is not None
    assert (["trunk"], []) == ([row[3] for row in found["facts"]], found["reviews"])


def test_a_large_owner_is_written_for_who_asks(home: Path, open_work: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "MOST_FACTS", 1)
    with open_work(Store(home)) as work:
        work.write("main")
        work.write("make test", "test_command", "")
    assert None is values(home)
    with Store(home).connect() as db:
        db.sql.snapshots.want([HERE, ("developer", "dana@acme.example")])
    assert (["main", "make test"], []) == (values(home), values(home, ("developer", "dana@acme.example")))


def test_upkeep_writes_them_anew_after_a_database_was_put_back(home: Path, open_work: Any) -> None:
    with open_work(Store(home)) as work:
        main = work.write("main")
    shutil.copy(home / "afterpass.duckdb", home / "backup")
    with open_work(Store(home)) as work:
        work.db.edit_fact(main.id, "trunk", actor="dana", now=work.at(9))
    shutil.copy(home / "backup", home / "afterpass.duckdb")
    Store(home).upkeep(now=main.stated_at, dry_run=True)
    assert ["trunk"] == values(home)
    Store(home).upkeep(now=main.stated_at)
    assert ["main"] == values(home)


def test_a_new_database_knows_nothing_of_an_earlier_one(home: Path, open_work: Any) -> None:
    with open_work(Store(home)) as work:
        work.write("main")
    (home / "afterpass.duckdb").unlink()
    with Store(home).connect():
        pass
    assert [] == list((home / "recall").iterdir())


def test_a_store_that_cannot_write_them_does_without(home: Path, open_work: Any) -> None:
    home.mkdir()
    (home / "recall").write_text("in the way")
    with open_work(Store(home)) as work:
        assert "main" == work.write("main").value
    assert None is values(home)


def test_a_store_on_a_server_has_none(home: Path, server_url: str, open_work: Any) -> None:
    with open_work(Store(home, url=server_url)) as work:
        work.write("main")
    assert not home.exists()


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        (HERE, "repo-github.com%2facme%2fwebapp"),
        (("developer", "Dana Ö <dana@acme.example>"), "developer-Dana%20%c3%96%20%3cdana@acme.example%3e"),
        (("repo", ".."), "repo-.."),
        (("repo", "a~b+c%d"), "repo-a%7eb%2bc%25d"),
        (("repo", "/src/" + "x" * 300), "repo-%2fsrc%2f" + "x" * 47 + "+a31b1cd8"),
    ],
)
def test_an_owner_is_a_safe_part_of_a_file_name(owner: tuple[str, str], name: str) -> None:
    assert name == name_of(owner)


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"snapshot": 0, "owner": ["repo", "github.com/acme/webapp"]}', '{"snapshot": 2}']
)
def test_what_is_no_snapshot_of_this_owner_is_none(home: Path, content: str) -> None:
    path = Path(path_of(str(home), HERE))
    path.parent.mkdir(parents=True)
    path.write_text(content)
    assert None is read_snapshot(str(home), HERE)


def test_reading_one_loads_no_database(home: Path, open_work: Any) -> None:
    with open_work(Store(home)) as work:
        work.write("main")
    code = (
        "import json, sys; from store.snapshot import read_snapshot; "
        "found = read_snapshot(sys.argv[1], ('repo', 'github.com/acme/webapp')); "
        "print(json.dumps([len(found['facts']), sorted({'duckdb', 'pathlib', 'dataclasses'} & set(sys.modules))]))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, str(home)], capture_output=True, check=True, env={**os.environ}
    )
    assert [1, []] == json.loads(done.stdout)
