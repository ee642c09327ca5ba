"""Moving a store: backups, exports, imports and copies arrive whole, or not at all."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy.errors import UsageError
from store.errors import StoreError, StoreUnwritable
from store.records import ModelCall
from store.store import Store
from validators.verdict import Code


def fill(work: Any) -> None:
    main = work.write("main")
    item = work.queue(Code.REPLACEMENT, "preview", base=main, day=1)
    work.db.accept(item, actor="dana", now=work.at(2))
    work.write("hotfix", day=7, until=work.at(9).date(), code=Code.TEMPORARY)
    session = work.session("s9", 'tabs \u2028 today\twith \\ and "quotes" und Ümläut', day=8)
    work.land(
        session,
        work.decide(session, "und Ümläut", Code.ONE_OFF_CUE, "code_style", "x"),
        calls=(ModelCall("m", reply="a\nb"),),
    )


def everything(store: Store) -> dict[str, Any]:
    from store.transfer import digests

    with store.connect() as db:
        return digests(db.sql)


@pytest.fixture
def filled(store: Store, open_work: Any) -> Store:
    with open_work(store) as work:
        fill(work)
    return store


@pytest.fixture(params=["duckdb", "postgres"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    if request.param == "duckdb":
        return Store(tmp_path / "target")
    # A second team of the same server, where the source is on it too.
    return Store(tmp_path, url=request.getfixturevalue("server_url") + "&team=other")


def check_alive(store: Store, open_work: Any) -> None:
    """The copy is a store of its own: it verifies, and events go on after the last."""
    with open_work(store) as work:
        assert [] == work.db.verify()
        before = work.db.mark()
        work.write("make test", "test_command", "", day=20)
        assert before < work.db.mark()


def test_a_copy_has_everything_and_lives_on(filled: Store, target: Store, open_work: Any) -> None:
    sent = filled.copy_to(target)
    assert 3 == sent["facts"]["rows"]
    assert everything(filled) == everything(target)
    check_alive(target, open_work)


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_an_export_comes_back_whole(filled: Store, tmp_path: Path, kind: str, open_work: Any) -> None:
    folder = tmp_path / "export"
    sent = filled.export(folder, kind)
    assert {"manifest.json", *(f"{table}.{kind}" for table in sent)} == {file.name for file in folder.iterdir()}
    back = Store(tmp_path / "back")
    back.import_from(folder)
    assert everything(filled) == everything(back)
    check_alive(back, open_work)


def test_nothing_is_brought_into_a_store_that_has_rows(filled: Store, target: Store, tmp_path: Path) -> None:
    filled.export(tmp_path / "export")
    filled.copy_to(target)
    before = everything(target)
    for bring in (lambda: filled.copy_to(target), lambda: target.import_from(tmp_path / "export")):
        with pytest.raises(StoreError, match="not empty"):
            bring()
    assert before == everything(target)


def lose_a_line(folder: Path) -> None:
    lines = (folder / "facts.jsonl").read_text().splitlines(keepends=True)
    (folder / "facts.jsonl").write_text("".join(lines[1:]))


def change_a_value(folder: Path) -> None:
    text = (folder / "facts.jsonl").read_text()
    (folder / "facts.jsonl").write_text(text.replace('"preview"', '"production"'))


def lose_the_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def another_schema(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "afterpass_store": 999}))


def another_format(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "format": "xml"}))


BROKEN = [
    (lose_a_line, "differs.*facts"),
    (change_a_value, "differs.*facts"),
    (lose_the_manifest, "holds no export"),
    (another_schema, "schema 999"),
    (another_format, "no format"),
]


@pytest.mark.parametrize(("breaks", "says"), BROKEN, ids=[each.__name__ for each, _ in BROKEN])
def test_a_broken_export_leaves_nothing(
    store: Store, tmp_path: Path, breaks: Callable[[Path], None], says: str, open_work: Any
) -> None:
    source = Store(tmp_path / "source")
    with open_work(source) as work:
        fill(work)
    source.export(tmp_path / "export")
    breaks(tmp_path / "export")
    with pytest.raises(StoreError, match=says):
        store.import_from(tmp_path / "export")
    assert {0} == {each["rows"] for each in everything(store).values()}


def test_a_backup_is_a_store(tmp_path: Path, open_work: Any) -> None:
    source = Store(tmp_path / "source")
    with open_work(source) as work:
        fill(work)
    made = source.backup(tmp_path / "kept" / "afterpass.duckdb")
    assert 0o600 == stat.S_IMODE(made.stat().st_mode)
    assert ["afterpass.duckdb"] == [file.name for file in made.parent.iterdir()]
    assert everything(source) == everything(Store(made.parent))
    check_alive(Store(made.parent), open_work)
    with pytest.raises(StoreUnwritable, match="exists"):
        source.backup(made)


def test_wrong_requests_are_named(filled: Store, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="xml"):
        filled.export(tmp_path / "export", "xml")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("")
    with pytest.raises(StoreUnwritable, match="not empty"):
        filled.export(tmp_path / "full")
    if filled.url:
        with pytest.raises(StoreError, match="pg_dump"):
            filled.backup(tmp_path / "backup")


def test_exports_hold_the_connections_team_only(server_url: str, tmp_path: Path, open_work: Any) -> None:
    ours, theirs = (Store(tmp_path, url=f"{server_url}&team={team}") for team in ("ours", "theirs"))
    with open_work(ours) as work:
        work.write("main")
    with open_work(theirs) as work:
        assert [] == work.values()
        work.write("main")
        assert ["main"] == work.values()
    ours.export(tmp_path / "export")
    assert 1 == len((tmp_path / "export" / "facts.jsonl").read_text().splitlines())
    assert everything(ours)["facts"]["rows"] == everything(theirs)["facts"]["rows"] == 1
