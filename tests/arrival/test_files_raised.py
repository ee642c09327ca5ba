"""What the repository's files raised and raise no more is not asked about in a session; the queue is left as it is."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from store.store import Store


@pytest.fixture
def raised(desk: Any) -> str:
    """A correction that yarn.lock raised against the stored pnpm; its id."""
    desk.remember("pnpm", "package_manager")
    (desk.checkout / "yarn.lock").touch()
    assert 0 == desk.run("recall", "--type", "package_manager").returncode
    (item,) = queue(desk)
    return item


def queue(desk: Any) -> list[str]:
    with Store(desk.home).connect() as db:
        return [item.id for item in db.reviews()]


@pytest.mark.parametrize("snapshots", [True, False])
@pytest.mark.parametrize("lock", [None, "pnpm-lock.yaml"])
def test_a_session_is_not_asked_what_the_files_raise_no_more(
    desk: Any, raised: str, lock: str | None, snapshots: bool
) -> None:
    assert "yarn" in desk.hook()
    (desk.checkout / "yarn.lock").unlink()
    if lock:
        (desk.checkout / lock).touch()
    if not snapshots:
        shutil.rmtree(desk.home / "recall")
    for told in (desk.hook(session_id="s-2"), desk.prompt("add zod", session_id="s-3")):
        assert ('- package manager: "pnpm"' in told, "yarn" in told, "Ask" in told) == (True, False, False)
    block = desk.run("recall").stdout
    assert ('"pnpm"' in block, raised in block) == (True, False)
    assert ([raised], "") == (queue(desk), desk.log())


def test_a_kept_block_asks_again_when_the_files_do(desk: Any, raised: str) -> None:
    (desk.checkout / "yarn.lock").unlink()
    assert raised not in desk.hook(session_id="s-2")
    (desk.checkout / "yarn.lock").touch()
    assert raised in desk.hook(session_id="s-3")


def test_elsewhere_nobody_knows_and_it_is_asked(desk: Any, raised: str, tmp_path: Any) -> None:
    (desk.checkout / "yarn.lock").unlink()
    told = desk.run("recall", "--repo", "github.com/acme/webapp", where=tmp_path).stdout
    assert ("Ask the developer before acting on it:" in told, raised in told) == (True, True)
